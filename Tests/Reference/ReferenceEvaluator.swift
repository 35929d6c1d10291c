import PredicateEvaluation
import PredicateSyntax

/// The executable specification of predicates and expressions: a walk of the tree for each object.
///
/// No plan, no folded constant, no cache, no program and nothing that the evaluator works with, but for Foundation's
/// regular expressions and the properties of single values, such as `lowercaseString`. What the two agree on was said
/// twice. `Grammar/Statements.md` says what either has to do; numbers in brackets are its statements.
package struct ReferenceEvaluator {
    let registry: EvaluationRegistry
    let limits: PredicateLimits
    let variables: PredicateVariables
    /// The object that `SELF` names.
    let object: ReferenceValue
    /// The variables of the `SUBQUERY`s around the place, the innermost last.
    var scopes: [(name: String, value: ReferenceValue)] = []
    /// The values that `:=` has assigned to variables.
    var assigned: [(name: String, value: ReferenceValue)] = []
    /// The levels of the tree, with those of the trees around an expression that a variable is bound to.
    private(set) var levels = 0
    var steps = 0

    private init(
        _ object: ReferenceValue, _ variables: PredicateVariables, _ registry: EvaluationRegistry,
        _ limits: PredicateLimits
    ) {
        self.registry = registry
        self.limits = limits
        self.variables = variables
        self.object = object
    }

    /// One that follows keys from a value, within no predicate.
    init(standing value: ReferenceValue) {
        self.init(value, [:], .standard, .standard)
    }

    /// The result of a predicate for an object, or the error.
    package static func holds(
        _ predicate: PredicateNode, for object: KeyedValue, variables: PredicateVariables = [:],
        registry: EvaluationRegistry = .standard, limits: PredicateLimits = .standard
    ) -> Result<Bool, ReferenceError> {
        var evaluator = ReferenceEvaluator(ReferenceValue(object), variables, registry, limits)
        return Result { () throws(ReferenceError) in
            try evaluator.enter(.predicate(predicate))
            try evaluator.prepare(predicate)
            return try evaluator.holds(predicate)
        }
    }

    /// The value of an expression for an object, or the error.
    package static func value(
        _ expression: ExpressionNode, for object: KeyedValue, variables: PredicateVariables = [:],
        registry: EvaluationRegistry = .standard, limits: PredicateLimits = .standard
    ) -> Result<ReferenceValue, ReferenceError> {
        var evaluator = ReferenceEvaluator(ReferenceValue(object), variables, registry, limits)
        return Result { () throws(ReferenceError) in
            try evaluator.enter(.expression(expression))
            try evaluator.prepare(expression)
            return try evaluator.value(expression)
        }
    }

    /// The tree must be within the limits. [NSP-152] [NSP-167]
    private mutating func enter(_ tree: TreeNode) throws(ReferenceError) {
        guard let depth = tree.depth(within: limits.nesting) else { throw ReferenceError(.nestingTooDeep) }
        if tree.nodeCount > limits.nodes { throw ReferenceError(.exceeds) }
        if let limit = tree.excessOfConstants(limits) {
            throw ReferenceError(limit == .nesting ? .nestingTooDeep : .exceeds)
        }
        levels += depth
    }

    /// The value of an expression that a variable is bound to. It knows the variables and nothing else. [NSP-137]
    mutating func value(bound expression: ExpressionNode) throws(ReferenceError) -> ReferenceValue {
        var inner = ReferenceEvaluator(object, variables, registry, limits)
        inner.steps = steps
        try inner.enter(.expression(expression))
        try inner.prepare(expression)
        inner.levels += levels
        if inner.levels > limits.nesting { throw ReferenceError(.nestingTooDeep) }
        inner.isCounting = isCounting
        defer { steps = inner.steps }
        return try inner.value(expression)
    }

    /// True inside a `SUBQUERY`, where work multiplies and is counted.
    var isCounting = false

    /// Counts work. [NSP-167]
    mutating func spend(_ count: Int) throws(ReferenceError) {
        guard isCounting else { return }
        steps += count
        if steps > limits.evaluationSteps { throw ReferenceError(.exceeds) }
    }
}

// MARK: - Predicates

extension ReferenceEvaluator {
    mutating func holds(_ node: PredicateNode) throws(ReferenceError) -> Bool {
        switch node {
        case .constant(let answer): return answer
        case .comparison(let node):
            let sides = (node.leftExpression, node.rightExpression)
            let anyKeyHolds = node.operator == .in && sides.1.isAnyKey
            do {
                return try holds(sides, node.modifier, anyKeyHolds) { (evaluator, left, right) throws(ReferenceError) in
                    try evaluator.holds(left, node.operator, right, node.options.referenceMode)
                }
            } catch {
                // [NSP-172]
                guard error.name == .notEquatable, node.comparesOnePath else { throw error }
                return node.operator == .equalTo
            }
        case .string(let node):
            let sides = (node.leftExpression, node.rightExpression)
            let anyKeyHolds = node.operator == .contains && sides.0.isAnyKey
            return try holds(sides, node.modifier, anyKeyHolds) { (evaluator, left, right) throws(ReferenceError) in
                try evaluator.holds(left, node.operator, right, node.options.referenceMode)
            }
        case .compound(let node): return try holds(node)
        case .block(let node): return try ask(node)
        }
    }

    /// [NSP-090] [NSP-092] [NSP-093]
    private mutating func holds(_ node: CompoundPredicate) throws(ReferenceError) -> Bool {
        switch node.type {
        case .and:
            for subpredicate in node.subpredicates where try !holds(subpredicate) { return false }
            return true
        case .or:
            for subpredicate in node.subpredicates where try holds(subpredicate) { return true }
            return false
        case .not:
            guard node.subpredicates.count == 1 else { throw ReferenceError(.subpredicateCount) }
            return try !holds(node.subpredicates[0])
        }
    }

    private typealias Question =
        (ReferenceEvaluator, ReferenceValue, ReferenceValue) throws(ReferenceError) -> Bool

    /// Both sides are worked out, the left one first; then the operator is asked, of the left side or of each of its
    /// elements. [NSP-067] [NSP-106]
    private mutating func holds(
        _ sides: (ExpressionNode, ExpressionNode), _ modifier: ComparisonModifier, _ isContainer: Bool,
        _ question: Question
    ) throws(ReferenceError) -> Bool {
        if sides.0.isAnyKey || sides.1.isAnyKey { return try holdsForAnyKey(sides, modifier, isContainer, question) }
        let left = try modifier == .direct ? value(sides.0) : flattenedValue(sides.0)
        let right = try value(sides.1)
        return try holds(left, right, modifier, question)
    }

    private mutating func holds(
        _ left: ReferenceValue, _ right: ReferenceValue, _ modifier: ComparisonModifier, _ question: Question
    ) throws(ReferenceError) -> Bool {
        try spend(2 + left.weight + right.weight)
        if modifier == .direct { return try question(self, left, right) }
        if left.isNull { return modifier == .all }
        guard let elements = left.list else { throw ReferenceError(.notACollection) }
        for element in elements {
            let answer = try question(self, element, right)
            if answer != (modifier == .all) { return answer }
        }
        return modifier == .all
    }

    /// The comparison with each attribute in turn, but for those that the operator does not take: neither as an operand
    /// nor, with `isContainer`, as what is searched. [NSP-179]
    private mutating func holdsForAnyKey(
        _ sides: (ExpressionNode, ExpressionNode), _ modifier: ComparisonModifier, _ isContainer: Bool,
        _ question: Question
    ) throws(ReferenceError) -> Bool {
        guard let attributes = object.attributes else { throw ReferenceError(.unlistedKeys) }
        try spend(attributes.count)
        for attribute in attributes {
            let left = try sides.0.isAnyKey ? attribute : value(sides.0)
            let right = try sides.1.isAnyKey ? attribute : value(sides.1)
            do throws(ReferenceError) {
                if try holds(left, right, modifier, question) { return true }
            } catch {
                let kinds: [EvaluationErrorName] = [.incomparable, .notAString] + (isContainer ? [.notAContainer] : [])
                let isQuantified = modifier != .direct && sides.0.isAnyKey && error.name == .notACollection
                guard isQuantified || kinds.contains(error.name) else { throw error }
            }
        }
        return false
    }

    /// The left side of ANY and ALL: a path over several to-many keys gives the elements of the inner collections.
    private mutating func flattenedValue(_ node: ExpressionNode) throws(ReferenceError) -> ReferenceValue {
        if case .keyPath(let path) = node { return try value(path, flattens: true) }
        return try value(node)
    }
}

extension TreeNode {
    /// The number of levels of the tree; nil if it exceeds the limit.
    fileprivate func depth(within limit: Int) -> Int? {
        guard limit > 0 else { return nil }
        var deepest = 0
        for child in children {
            guard let depth = child.depth(within: limit - 1) else { return nil }
            deepest = max(deepest, depth)
        }
        return deepest + 1
    }

    fileprivate var nodeCount: Int {
        children.reduce(1) { $0 + $1.nodeCount }
    }

    fileprivate func excessOfConstants(_ limits: PredicateLimits) -> PredicateLimits.Limit? {
        for child in children {
            if let limit = child.excessOfConstants(limits) { return limit }
        }
        guard case .expression(.constantValue(let value)) = self else { return nil }
        return value.exceededLimit(in: limits)
    }
}

// MARK: - Blocks

/// Closures of the host. [NSP-178]
extension ReferenceEvaluator {
    private mutating func ask(_ node: BlockPredicate) throws(ReferenceError) -> Bool {
        try spend(1)
        guard let block = node.block else { throw ReferenceError(.notEvaluable) }
        do { return try block(object.keyedValue, visibleVariables) } catch { throw ReferenceError(.host) }
    }

    mutating func ask(_ node: BlockExpression) throws(ReferenceError) -> ReferenceValue {
        try spend(1)
        var values: [KeyedValue] = []
        for argument in node.arguments { values.append(try value(argument).keyedValue) }
        guard let block = node.block else { throw ReferenceError(.notEvaluable) }
        do {
            return ReferenceValue(try block(object.keyedValue, values, visibleVariables))
        } catch {
            throw ReferenceError(.host)
        }
    }

    private var visibleVariables: PredicateVariables {
        var visible = variables
        for (name, value) in assigned + scopes { visible[name] = value.keyedValue }
        return visible
    }
}

extension ComparisonPredicate {
    /// True for `SELF == SELF` and `home != home`.
    fileprivate var comparesOnePath: Bool {
        let isPath =
            switch leftExpression {
            case .evaluatedObject, .keyPath: true
            case .constantValue, .variable, .member, .function, .message, .cast, .aggregate, .index, .symbol, .subquery,
                .conditional, .set, .assignment, .anyKey, .fetch, .block:
                false
            }
        return isPath && leftExpression == rightExpression && modifier == .direct
            && [.equalTo, .notEqualTo].contains(`operator`)
    }
}
