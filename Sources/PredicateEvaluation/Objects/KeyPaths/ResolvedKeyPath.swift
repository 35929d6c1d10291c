import PredicateSyntax

/// A key path resolved once and followed for many objects, by the rules of key-value coding.
///
/// `dept.name`, `friends.@avg.age`, `tags.count`
///
/// - nil anywhere gives nil; so does a missing key of a dictionary.
/// - A key through an array maps over its elements, with `<null>` for nil; through a set likewise, dropping nil and
///   duplicates. A value that is itself a collection stays nested, and the next key maps over the inner ones.
/// - A collection operator takes all keys after it for each element; `self` is the element.
package struct ResolvedKeyPath: Hashable, Sendable {
    package let steps: [KeyPathStep]
    let limits: PathLimits

    /// Resolves the components. Throws ``EvaluationError/Code/exceeds(_:limit:)`` for more of them than a path may have, and
    /// ``EvaluationError/Code/nestingTooDeep(limit:)`` for more collection operators than a tree may nest.
    package init(components: [String], _ limits: PredicateLimits = .standard) throws(EvaluationError) {
        try Self.check(components.count, limits)
        self.limits = PathLimits(limits)
        self.steps = components.map(KeyPathStep.init)
        try Self.checkOperators(steps, limits)
    }

    /// [NSP-169]
    private static func check(_ count: Int, _ limits: PredicateLimits) throws(EvaluationError) {
        guard count <= limits.pathKeys else {
            throw EvaluationError(.exceeds(.pathKeys, limit: limits.pathKeys))
        }
    }

    /// Checks the collection operators, each of which walks the keys after it by recursion.
    private static func checkOperators(_ steps: [KeyPathStep], _ limits: PredicateLimits) throws(EvaluationError) {
        guard steps.count > limits.nesting else { return }
        let count = steps.count { if case .collectionOperator = $0 { true } else { false } }
        if count > limits.nesting { throw EvaluationError(.nestingTooDeep(limit: limits.nesting)) }
    }

    /// Resolves the keys of a path; nil if a variable holds one of them.
    init?(_ path: KeyPathExpression, _ limits: PredicateLimits) throws(EvaluationError) {
        var steps: [KeyPathStep] = []
        steps.reserveCapacity(path.count)
        for index in 0..<path.count {
            guard case .key(let name) = path[index] else { return nil }
            steps.append(KeyPathStep(name))
        }
        try Self.check(steps.count, limits)
        try Self.checkOperators(steps, limits)
        self.limits = PathLimits(limits)
        self.steps = steps
    }

    /// The value at the end of the path; the object itself for a path without components.
    package func value(from object: KeyedValue) throws(EvaluationError) -> KeyedValue {
        try KeyPathWalk(union: false, limits).value(from: object, steps[...])
    }

    /// The value at the end of the path, in which a to-many step after another one gives the union of the inner
    /// collections instead of a collection of collections: the operand of `ANY depts.employees.age > 60`.
    package func flattenedValue(from object: KeyedValue) throws(EvaluationError) -> KeyedValue {
        try KeyPathWalk(union: true, limits).value(from: object, steps[...])
    }

    /// The value at the end of the path; the work counts as that of the evaluation, if it counts work.
    func value(
        from object: KeyedValue, union: Bool, in context: inout EvaluationContext
    ) throws(EvaluationError) -> KeyedValue {
        var walk = KeyPathWalk(union: union, limits)
        guard context.mostSteps != nil else { return try walk.follow(object, steps[...]) }
        walk.work = context.steps
        walk.hasMapped = true
        defer { context.steps = walk.work }
        return try walk.follow(object, steps[...])
    }
}

/// The limits that concern a path: each path keeps them.
struct PathLimits: Hashable, Sendable {
    let nesting: Int
    let evaluationSteps: Int
    let resultSize: Int

    static let standard = PathLimits(.standard)

    init(_ limits: PredicateLimits) {
        (nesting, evaluationSteps, resultSize) = (limits.nesting, limits.evaluationSteps, limits.resultSize)
    }

    /// True if programs, which count no work, would do what an evaluator with these limits must refuse.
    var needCounting: Bool { evaluationSteps < Self.standard.evaluationSteps }
}
