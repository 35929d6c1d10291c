public import PredicateSyntax

extension FormatPredicate {
    /// Evaluates the predicate with an object of any type: a dictionary, an object that offers keys, a value, nil.
    ///
    /// `try FormatPredicate("age >= $AGE").evaluate(with: ["age": 30], variables: ["AGE": 18])`
    ///
    /// Each call prepares the predicate anew: for many objects make a ``PredicateEvaluator`` once, or filter them all with
    /// `filtered(using:)`.
    /// - Throws: ``EvaluationError`` with the offending node.
    public func evaluate(with object: Any?, variables: PredicateVariables = [:]) throws(EvaluationError) -> Bool {
        try PredicateEvaluator(self).evaluate(KeyedValue(bridging: object), variables: variables)
    }

    /// Evaluates the predicate with an object of any type, and adds what it assigns to the variables.
    ///
    /// `try FormatPredicate("($total := a + b) > 3").evaluate(with: row, variables: &variables)` [NSP-180]
    /// - Throws: ``EvaluationError`` with the offending node.
    public func evaluate(
        with object: Any?, variables: inout PredicateVariables
    ) throws(EvaluationError) -> Bool {
        try PredicateEvaluator(self).evaluate(with: object, variables: &variables)
    }

    /// Evaluates the predicate with an object that offers keys.
    ///
    /// `try predicate.evaluate(with: person)` where `Person: KeyValueCoding`
    /// - Throws: ``EvaluationError`` with the offending node.
    public func evaluate(
        with object: some KeyValueCoding, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Bool {
        try PredicateEvaluator(self).evaluate(object.keyedValue, variables: variables)
    }

    /// Evaluates the predicate with an object of any type, under Apple's label for the variables.
    ///
    /// `try predicate.evaluate(with: row, substitutionVariables: ["AGE": 18])`
    /// - Throws: ``EvaluationError`` with the offending node.
    public func evaluate(
        with object: Any?, substitutionVariables: [String: Any?]
    ) throws(EvaluationError) -> Bool {
        try evaluate(with: object, variables: PredicateVariables(bridging: substitutionVariables))
    }
}
