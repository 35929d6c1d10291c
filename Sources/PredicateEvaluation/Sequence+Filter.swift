public import PredicateSyntax

/// What sequences can be filtered with: a predicate, or an evaluator made of one.
///
/// `people.filtered(using: try FormatPredicate("age >= 18"))`
///
/// A predicate is made ready anew in each call; an evaluator is ready, so make one for calls that repeat.
public protocol EvaluablePredicate {
    /// The evaluator that the elements are asked of. Throws what cannot be made ready.
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

extension EvaluablePredicate {
    fileprivate func batch(_ variables: PredicateVariables) throws(EvaluationError) -> Batch {
        try evaluator().batch(variables)
    }
}

/// Elements that say how their keys are read, such as `KeyValueCoding` objects, strings and dictionaries.
extension Sequence where Element: KeyedValueConvertible {
    /// The elements for which the predicate holds, in their order.
    ///
    /// `try people.filtered(using: FormatPredicate("age >= 18"))`
    ///
    /// Throws the first error of an element.
    public func filtered(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Element] {
        let batch = try predicate.batch(variables)
        return try batch.filtered(self) { $0.keyedValue }
    }

    /// The first element for which the predicate holds: `try people.first(matching: predicate)`.
    public func first(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Element? {
        let batch = try predicate.batch(variables)
        return try batch.first(self) { $0.keyedValue }
    }

    /// Whether the predicate holds for any element: `try people.contains(matching: predicate)`.
    public func contains(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Bool {
        let batch = try predicate.batch(variables)
        return try batch.first(self, { $0.keyedValue }) != nil
    }

    /// For how many elements the predicate holds, without copying them: `try people.count(matching: predicate)`.
    public func count(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Int {
        let batch = try predicate.batch(variables)
        return try batch.count(self) { $0.keyedValue }
    }
}

/// Elements of any type, looked into one by one.
extension Sequence {
    /// The elements for which the predicate holds, in their order.
    ///
    /// `try rows.filtered(using: FormatPredicate("age >= 18"))`
    ///
    /// Throws the first error of an element.
    public func filtered(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Element] {
        let batch = try predicate.batch(variables)
        return try batch.filtered(self, KeyedValue.init(bridging:))
    }

    /// The first element for which the predicate holds: `try rows.first(matching: predicate)`.
    public func first(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Element? {
        let batch = try predicate.batch(variables)
        return try batch.first(self, KeyedValue.init(bridging:))
    }

    /// Whether the predicate holds for any element: `try rows.contains(matching: predicate)`.
    public func contains(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Bool {
        let batch = try predicate.batch(variables)
        return try batch.first(self, KeyedValue.init(bridging:)) != nil
    }

    /// For how many elements the predicate holds, without copying them: `try rows.count(matching: predicate)`.
    public func count(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Int {
        let batch = try predicate.batch(variables)
        return try batch.count(self, KeyedValue.init(bridging:))
    }
}

/// Arrays whose elements say how their keys are read.
extension Array where Element: KeyedValueConvertible {
    /// Removes the elements for which the predicate does not hold: `try people.filter(using: predicate)`.
    ///
    /// The array stays as it was when an element ends in an error.
    public mutating func filter(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) {
        self = try filtered(using: predicate, variables: variables)
    }

    /// Where the elements stand for which the predicate holds: `try people.indices(matching: predicate)`.
    public func indices(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Int] {
        let batch = try predicate.batch(variables)
        return try withUnsafeBufferPointer { (objects) throws(EvaluationError) in
            try batch.indices(objects) { $0.keyedValue }
        }
    }
}

/// Arrays of any type.
extension Array {
    /// Removes the elements for which the predicate does not hold: `try rows.filter(using: predicate)`.
    ///
    /// The array stays as it was when an element ends in an error.
    public mutating func filter(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) {
        self = try filtered(using: predicate, variables: variables)
    }

    /// Where the elements stand for which the predicate holds: `try rows.indices(matching: predicate)`.
    public func indices(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Int] {
        let batch = try predicate.batch(variables)
        return try withUnsafeBufferPointer { (objects) throws(EvaluationError) in
            try batch.indices(objects, KeyedValue.init(bridging:))
        }
    }
}
