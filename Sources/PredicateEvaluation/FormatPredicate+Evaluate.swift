public import PredicateSyntax

extension FormatPredicate {
    /// Whether the predicate holds for anything: a dictionary, an object that offers keys, a value, nil.
    ///
    /// `try FormatPredicate("age >= $AGE").evaluate(with: ["age": 30], bindings: ["AGE": 18])`
    ///
    /// The predicate is made ready anew in each call: for many objects make a ``PredicateEvaluator`` once, or filter
    /// them all with `filtered(using:)`. Throws an ``EvaluationError`` that names the sub-expression at fault.
    public func evaluate(with object: Any?, bindings: Bindings = [:]) throws(EvaluationError) -> Bool {
        try PredicateEvaluator(self).evaluate(KeyedValue(bridging: object), bindings: bindings)
    }

    /// Whether the predicate holds for an object that offers keys, without looking at its type first.
    ///
    /// `try predicate.evaluate(with: person)` where `Person: KeyValueCoding`
    public func evaluate(
        with object: some KeyValueCoding, bindings: Bindings = [:]
    ) throws(EvaluationError) -> Bool {
        try PredicateEvaluator(self).evaluate(object.keyedValue, bindings: bindings)
    }

    /// Whether the predicate holds, under Apple's name for the bindings:
    /// `predicate.evaluate(with: row, substitutionVariables: ["AGE": 18])`.
    public func evaluate(
        with object: Any?, substitutionVariables: [String: Any?]
    ) throws(EvaluationError) -> Bool {
        try evaluate(with: object, bindings: Bindings(bridging: substitutionVariables))
    }
}
