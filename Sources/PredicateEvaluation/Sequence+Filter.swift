public import PredicateSyntax

/// A predicate, or an evaluator made of one: what sequences, arrays and column tables are queried with.
///
/// `people.filtered(using: try FormatPredicate("age >= 18"))`
///
/// A predicate is prepared anew in each call; an evaluator is prepared already, so make one for calls that repeat.
///
/// The label is `using:` in the functions that have Apple's names, `filtered`, `filter` and `concurrentlyFiltered`, and
/// `matching:` in all others.
public protocol EvaluablePredicate {
    /// Returns the evaluator for the elements. Throws what keeps the predicate from being prepared.
    func evaluator() throws(EvaluationError) -> PredicateEvaluator
}

extension FormatPredicate: EvaluablePredicate {
    public func evaluator() throws(EvaluationError) -> PredicateEvaluator {
        try PredicateEvaluator(self)
    }
}

extension PredicateEvaluator: EvaluablePredicate {
    public func evaluator() -> PredicateEvaluator { self }
}

/// Queries over elements of any type. The first error of an element ends them.
extension Sequence {
    /// Returns the elements for which the predicate holds, in their order.
    ///
    /// `try people.filtered(using: FormatPredicate("age >= 18"))`
    /// - Throws: ``EvaluationError`` with the offending node.
    public func filtered(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Element] {
        let type = KeyedValue.convertible(Element.self)
        return try predicate.evaluator().withBatch(variables) { (batch) throws(EvaluationError) in
            try batch.filtered(self) { KeyedValue($0, of: type) }
        }
    }

    /// Returns the first element for which the predicate holds: `try people.first(matching: predicate)`.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func first(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Element? {
        let type = KeyedValue.convertible(Element.self)
        return try predicate.evaluator().withBatch(variables) { (batch) throws(EvaluationError) in
            try batch.first(self) { KeyedValue($0, of: type) }
        }
    }

    /// Returns true if the predicate holds for an element: `try people.contains(matching: predicate)`.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func contains(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Bool {
        try first(matching: predicate, variables: variables) != nil
    }

    /// Counts the elements for which the predicate holds, without copying them:
    /// `try people.count(matching: predicate)`.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func count(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Int {
        let type = KeyedValue.convertible(Element.self)
        return try predicate.evaluator().withBatch(variables) { (batch) throws(EvaluationError) in
            try batch.count(self) { KeyedValue($0, of: type) }
        }
    }
}

// MARK: - In place

extension RangeReplaceableCollection {
    /// Removes the elements for which the predicate does not hold: `try people.filter(using: predicate)`.
    ///
    /// Arrays, slices and all collections that keep an order. The collection stays as it was if an element ends in an error.
    /// - Throws: ``EvaluationError`` with the offending node.
    public mutating func filter(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) {
        self = Self(try filtered(using: predicate, variables: variables))
    }
}

extension Set {
    /// Returns the set of the elements for which the predicate holds.
    ///
    /// `try people.filtered(using: FormatPredicate("age >= 18"))`
    /// - Throws: ``EvaluationError`` with the offending node.
    public func filtered(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Set<Element> {
        let kept: [Element] = try filtered(using: predicate, variables: variables)
        return kept.count == count ? self : Set(kept)
    }

    /// Removes the elements for which the predicate does not hold: `try people.filter(using: predicate)`.
    ///
    /// The set stays as it was if an element ends in an error.
    /// - Throws: ``EvaluationError`` with the offending node.
    public mutating func filter(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) {
        self = try filtered(using: predicate, variables: variables)
    }
}

extension Array {

    /// Returns the indices of the elements for which the predicate holds: `try people.indices(matching: predicate)`.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func indices(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Int] {
        try withUnsafeBufferPointer { elements in
            Result { () throws(EvaluationError) in try elements.indices(matching: predicate, variables: variables) }
        }.get()
    }
}

extension UnsafeBufferPointer {
    /// Returns the indices of the objects for which the predicate holds.
    package func indices(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Int] {
        let type = KeyedValue.convertible(Element.self)
        return try predicate.evaluator().withBatch(variables) { (batch) throws(EvaluationError) in
            try batch.indices(self) { KeyedValue($0, of: type) }
        }
    }
}

// MARK: - Partition

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

// MARK: - Elements

extension KeyedValue {
    /// The type of elements as one that offers values; nil for other types, which are bridged one by one. Looked up once
    /// for all elements.
    fileprivate static func convertible<Element>(_ type: Element.Type) -> (any KeyedValueConvertible.Type)? {
        type as? any KeyedValueConvertible.Type
    }

    /// The value of an element of that type.
    fileprivate init<Element>(_ element: Element, of type: (any KeyedValueConvertible.Type)?) {
        guard let type else {
            self.init(bridging: element)
            return
        }
        self = Self.value(element, type)
    }

    /// The two types are one, which generic code cannot say.
    private static func value<Element, Value: KeyedValueConvertible>(
        _ element: Element, _ type: Value.Type
    ) -> KeyedValue {
        withUnsafePointer(to: element) { UnsafeRawPointer($0).assumingMemoryBound(to: type).pointee.keyedValue }
    }
}
