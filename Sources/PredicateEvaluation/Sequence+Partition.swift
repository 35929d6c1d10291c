import PredicateSyntax

extension Sequence {
    /// Returns the elements for which the predicate holds, and the others, both in their order.
    ///
    /// `let (adults, children) = try people.partitioned(matching: FormatPredicate("age >= 18"))`
    /// - Throws: ``EvaluationError`` with the offending node.
    public func partitioned(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> (matching: [Element], other: [Element]) {
        let elements = Array(self)
        let indices = try elements.indices(matching: predicate, variables: variables)
        var others: [Int] = []
        others.reserveCapacity(elements.count - indices.count)
        var next = 0
        for index in indices {
            others += next..<index
            next = index + 1
        }
        others += next..<elements.count
        return elements.withUnsafeBufferPointer { (Array($0, at: indices[...]), Array($0, at: others[...])) }
    }
}

extension Array {
    /// Moves the elements for which the predicate holds to the end, both groups in their order, and returns the index of
    /// the first one: `let start = try people.partition(matching: FormatPredicate("age >= 18"))`.
    ///
    /// The array stays as it was if an element ends in an error.
    /// - Throws: ``EvaluationError`` with the offending node.
    public mutating func partition(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Int {
        let (matching, other) = try partitioned(matching: predicate, variables: variables)
        self = other + matching
        return other.count
    }
}
