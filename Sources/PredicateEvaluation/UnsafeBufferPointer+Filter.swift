import PredicateSyntax

/// Objects in memory of the host's.
extension UnsafeBufferPointer where Element: KeyedValueConvertible {
    /// Where the objects stand for which the predicate holds: `try buffer.indices(matching: predicate)`.
    ///
    /// Throws the first error of an object.
    public func indices(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Int] {
        try predicate.evaluator().batch(variables).indices(self) { $0.keyedValue }
    }
}
