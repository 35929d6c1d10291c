internal import PredicateEvaluation
public import PredicateSyntax

extension PredicatePolicy {
    /// Returns the policy for objects of an entity, which also refuses what contradicts their types: `age == '21'` where ages
    /// are numbers, `ANY orders.totl > 10` where orders have no such key.
    ///
    /// `let policy = PredicatePolicy.untrusted.checking(against: schema, entity: "people")`
    ///
    /// It refuses a predicate, a sort key or a selected key for which `FormatPredicate.check(against:entity:)` finds such a
    /// mistake, with the same words. Mistakes of style, such as a wildcard in an equality, are not refused.
    public func checking(against schema: some PredicateSchema, entity: String) -> PredicatePolicy {
        var policy = self
        policy.types = CheckedTypes(scope: CheckScope(schema, entity: entity), keys: schema.keys(of: entity))
        return policy
    }

    /// Returns the policy for values of a type with a table of key paths or, except on Apple's platforms, any struct.
    ///
    /// `let policy = PredicatePolicy.untrusted.checking(against: Person.self)`
    public func checking<Root>(against type: Root.Type) -> PredicatePolicy {
        let schema = KeyPathSchema(type)
        return checking(against: schema, entity: schema.root)
    }
}

/// The types of a schema, for a policy.
private struct CheckedTypes: PolicyTypes {
    let scope: CheckScope
    let keys: [String]

    func mistake(in predicate: FormatPredicate) -> PredicateFormatError? {
        Checker.contradiction(in: predicate, scope: scope)?.refusal
    }

    func mistake(in expression: FormatExpression) -> PredicateFormatError? {
        Checker.findings(in: expression, scope: scope).findings.first(where: \.contradictsTypes)?.refusal
    }
}

extension PredicateFinding {
    /// True if the mistake contradicts the types of the objects, so that no object fulfils the predicate as intended.
    var contradictsTypes: Bool {
        if level == .error { return true }
        let codes: Set<Code> = [
            .kindMismatch, .unknownKey, .toManyKey, .inNoCollection, .betweenShape, .containsCollection,
            .cannotBePrepared, .cannotBeEvaluated,
        ]
        return codes.contains(code)
    }

    fileprivate var refusal: PredicateFormatError {
        let fixed = fix.flatMap { $0.range == range ? [$0.replacement] : nil }
        let mistake = PredicateFormatError.Mistake(
            code: code.rawValue, message: message, hint: hint, replacements: fixed ?? guesses)
        let text = range == nil ? "" : format
        return PredicateFormatError(.refused(.mistake(mistake)), text: text, range: range ?? 0..<0)
    }
}
