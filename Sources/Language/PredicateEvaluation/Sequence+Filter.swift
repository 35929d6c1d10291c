public import PredicateSyntax

/// A predicate or an evaluator: the parameter of queries over sequences and arrays.
///
/// `people.filtered(using: try FormatPredicate("age >= 18"))`
///
/// A predicate is prepared by its first call, and keeps its evaluator.
///
/// The label is `using:` in functions with Apple's names, `filtered`, `filter` and `concurrentlyFiltered`, and
/// `matching:` in all others.
public protocol EvaluablePredicate {
    /// Returns an evaluator. Throws an error if the predicate cannot be prepared.
    func evaluator() throws(EvaluationError) -> PredicateEvaluator
}

extension FormatPredicate: EvaluablePredicate {
    public func evaluator() throws(EvaluationError) -> PredicateEvaluator {
        try kept.evaluator { () throws(EvaluationError) in try PredicateEvaluator(self) }
    }
}

extension PredicateEvaluator: EvaluablePredicate {
    public func evaluator() -> PredicateEvaluator { self }
}

/// Queries over elements of any type. An error of an element ends the query.
extension Sequence {
    /// Returns the elements that satisfy the predicate, in their order.
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

    /// Returns the first element that satisfies the predicate: `try people.first(matching: predicate)`.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func first(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Element? {
        let type = KeyedValue.convertible(Element.self)
        return try predicate.evaluator().withBatch(variables) { (batch) throws(EvaluationError) in
            try batch.first(self) { KeyedValue($0, of: type) }
        }
    }

    /// Returns true if an element satisfies the predicate: `try people.contains(matching: predicate)`.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func contains(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Bool {
        try first(matching: predicate, variables: variables) != nil
    }

    /// Returns the number of elements that satisfy the predicate, without copying them: `try people.count(matching:
    /// predicate)`.
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
    /// Removes the elements that do not satisfy the predicate: `try people.filter(using: predicate)`.
    ///
    /// This works for arrays, slices and all collections that keep an order. If the evaluation of an element throws,
    /// the collection does not change.
    /// - Throws: ``EvaluationError`` with the offending node.
    public mutating func filter(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) {
        self = Self(try filtered(using: predicate, variables: variables))
    }
}

extension Set {
    /// Returns the set of elements that satisfy the predicate.
    ///
    /// `try people.filtered(using: FormatPredicate("age >= 18"))`
    /// - Throws: ``EvaluationError`` with the offending node.
    public func filtered(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Set<Element> {
        let kept: [Element] = try filtered(using: predicate, variables: variables)
        return kept.count == count ? self : Set(kept)
    }

    /// Removes the elements that do not satisfy the predicate: `try people.filter(using: predicate)`.
    ///
    /// If the evaluation of an element throws, the set does not change.
    /// - Throws: ``EvaluationError`` with the offending node.
    public mutating func filter(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) {
        self = try filtered(using: predicate, variables: variables)
    }
}

extension Array {

    /// Returns the indices of the elements that satisfy the predicate: `try people.indices(matching: predicate)`.
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
    /// Returns the indices of the objects that satisfy the predicate.
    package func indices(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Int] {
        let type = KeyedValue.convertible(Element.self)
        return try predicate.evaluator().withBatch(variables) { (batch) throws(EvaluationError) in
            try batch.indices(self) { KeyedValue($0, of: type) }
        }
    }
}

// MARK: - Elements

extension KeyedValue {
    /// Returns the type of the elements if it conforms to KeyedValueConvertible; nil for other types, whose elements
    /// are bridged one by one. The lookup happens once for all elements.
    static func convertible<Element>(_ type: Element.Type) -> (any KeyedValueConvertible.Type)? {
        type as? any KeyedValueConvertible.Type
    }

    /// Makes the value of an element of that type.
    init<Element>(_ element: Element, of type: (any KeyedValueConvertible.Type)?) {
        guard let type else {
            self.init(bridging: element)
            return
        }
        self = Self.value(element, type)
    }

    /// Returns the value of an element. The two types are the same, which generic code cannot express.
    private static func value<Element, Value: KeyedValueConvertible>(
        _ element: Element, _ type: Value.Type
    ) -> KeyedValue {
        withUnsafePointer(to: element) { UnsafeRawPointer($0).assumingMemoryBound(to: type).pointee.keyedValue }
    }
}
