public import PredicateSyntax

extension PredicateEvaluator {
    /// Prepares a predicate of somebody else's, if a policy allows it; the policy's limits are the evaluator's.
    ///
    /// `try PredicateEvaluator(predicate, policy: .untrusted)`
    /// - Throws: ``PredicatePolicyError``, and what the other initialisers throw.
    public init(
        _ predicate: FormatPredicate, policy: PredicatePolicy, variables: [String: PredicateValue] = [:],
        registry: EvaluationRegistry = .standard
    ) throws {
        try policy.check(predicate)
        try self.init(predicate, variables: variables, registry: registry, limits: policy.limits)
    }
}
