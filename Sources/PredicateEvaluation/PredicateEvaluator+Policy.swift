public import PredicateSyntax

extension PredicateEvaluator {
    /// Prepares a predicate from an untrusted source, if a policy allows it; the policy's limits are the evaluator's.
    ///
    /// `try PredicateEvaluator(predicate, policy: .untrusted)`
    /// - Throws: ``PredicatePolicyError`` for a predicate that the policy refuses, ``EvaluationError`` as the other
    ///   initialiser.
    public init(
        _ predicate: FormatPredicate, policy: PredicatePolicy, variables: [String: PredicateValue] = [:],
        registry: EvaluationRegistry = .standard
    ) throws {
        try policy.check(predicate)
        try self.init(predicate, variables: variables, registry: registry, limits: policy.limits)
    }
}
