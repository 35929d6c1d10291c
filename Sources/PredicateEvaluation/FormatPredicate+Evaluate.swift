public import PredicateSyntax

extension FormatPredicate {
    /// Whether the predicate holds for anything: a dictionary, an object that offers keys, a value, nil.
    ///
    /// `try FormatPredicate("age >= $AGE").evaluate(with: ["age": 30], variables: ["AGE": 18])`
    ///
    /// The predicate is made ready anew in each call: for many objects make a ``PredicateEvaluator`` once, or filter
    /// them all with `filtered(using:)`. Throws an ``EvaluationError`` that names the sub-expression at fault.
    public func evaluate(with object: Any?, variables: PredicateVariables = [:]) throws(EvaluationError) -> Bool {
        try PredicateEvaluator(self).evaluate(KeyedValue(bridging: object), variables: variables)
    }

    /// Whether the predicate holds for an object that offers keys, without looking at its type first.
    ///
    /// `try predicate.evaluate(with: person)` where `Person: KeyValueCoding`
    public func evaluate(
        with object: some KeyValueCoding, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Bool {
        try PredicateEvaluator(self).evaluate(object.keyedValue, variables: variables)
    }

    /// Whether the predicate holds, under Apple's name for the variables:
    /// `predicate.evaluate(with: row, substitutionVariables: ["AGE": 18])`.
    public func evaluate(
        with object: Any?, substitutionVariables: [String: Any?]
    ) throws(EvaluationError) -> Bool {
        try evaluate(with: object, variables: PredicateVariables(bridging: substitutionVariables))
    }
}
