import PredicateSyntax

extension Sequence where Element: KeyedValueConvertible {
    /// The elements for which the predicate holds, and the others, both in their order.
    ///
    /// `let (adults, children) = try people.partitioned(by: FormatPredicate("age >= 18"))`
    ///
    /// Throws the first error of an element.
    public func partitioned(
        by predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> (matching: [Element], other: [Element]) {
        let elements = Array(self)
        let indices = try elements.indices(matching: predicate, variables: variables)
        var others: [Int] = []
        others.reserveCapacity(elements.count - indices.count)
        var place = 0
        for index in indices {
            others += place..<index
            place = index + 1
        }
        others += place..<elements.count
        return elements.withUnsafeBufferPointer { (Array($0, at: indices[...]), Array($0, at: others[...])) }
    }
}

extension Array where Element: KeyedValueConvertible {
    /// Moves the elements for which the predicate holds behind the others, both in their order, and returns where they
    /// begin: `let start = try people.partition(by: FormatPredicate("age >= 18"))`.
    ///
    /// The array stays as it was when an element ends in an error.
    public mutating func partition(
        by predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Int {
        let (matching, other) = try partitioned(by: predicate, variables: variables)
        self = other + matching
        return other.count
    }
}
