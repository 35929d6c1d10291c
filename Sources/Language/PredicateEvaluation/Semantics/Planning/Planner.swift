import PredicateSyntax
import PredicateText

/// Makes plans of a tree in one pass, children before parents, so that a running count gives the number of each node.
///
/// Every switch is exhaustive, so a new node does not compile without its plan.
struct Planner {
    let settings: PlanSettings
    /// The free variables of the tree, and the slots of its `SUBQUERY` variables.
    var variables = VariableTable()
    private let assigned: Set<ExactName>
    /// The variables of the enclosing `SUBQUERY`s.
    private var scopes: [ExactName: Int] = [:]
    private var count = 0

    /// Makes a planner for a tree that has been surveyed.
    init(_ settings: PlanSettings, _ survey: TreeSurvey) {
        self.settings = settings
        self.assigned = survey.assigned
    }

    /// Returns the number of the node whose children have all been planned.
    mutating func nextNode() -> Int {
        defer { count += 1 }
        return count
    }

    mutating func slot(for name: String) -> Int {
        scopes[ExactName(name)] ?? variables.slot(for: name)
    }

    /// The variables of the enclosing `SUBQUERY`s, with their slots.
    var enclosing: [(name: String, slot: Int)] {
        scopes.map { ($0.key.text, $0.value) }
    }

    /// Returns the constant value of a variable; nil if the variable is bound by a SUBQUERY or assigned.
    mutating func constant(for name: String) -> PredicateValue? {
        let exact = ExactName(name)
        guard scopes[exact] == nil, !assigned.contains(exact), let value = settings.constants[exactly: name] else {
            return nil
        }
        if case .expression = value { return nil }
        return value
    }

    /// Plans the predicate of a `SUBQUERY`. Its variable hides outer variables of the same name.
    mutating func plan(
        _ node: PredicateNode, withVariable name: String
    ) throws(EvaluationError) -> (plan: any PredicatePlan, slot: Int) {
        let slot = variables.addSlot()
        let outer = scopes.updateValue(slot, forKey: ExactName(name))
        defer { scopes[ExactName(name)] = outer }
        return (try plan(node), slot)
    }

    /// Returns the plan, or its value if all operands are constants. An operation that fails is left to the
    /// evaluation.
    static func folded(_ plan: any ExpressionPlan, _ operands: [any ExpressionPlan]) -> any ExpressionPlan {
        guard operands.allSatisfy({ $0.constant != nil }) else { return plan }
        var context = EvaluationContext(object: .null, slots: [])
        guard case .value(let value)? = try? plan.value(&context) else { return plan }
        return ConstantPlan(value, node: plan.node)
    }
}

// MARK: - Survey

/// A survey of a tree before planning: checks the limits, and collects the assigned variables.
///
/// `$a := 1 + 2`: three levels, assigns `a`.
struct TreeSurvey {
    /// Levels of nesting: 1 for a lone `SELF`.
    let depth: Int
    /// The names on the left of `:=`.
    let assigned: Set<ExactName>

    /// Throws `nestingTooDeep`, and `exceeds` for too many nodes and for a constant that is too large.
    init(_ root: TreeNode, limits: PredicateLimits) throws(EvaluationError) {
        do throws(ExceededLimit) {
            let review = try TreeLimitCheck(root, limits)
            (depth, assigned) = (review.depth, review.assigned)
        } catch {
            let code: EvaluationError.Code =
                error.limit == .nesting
                ? .nestingTooDeep(limit: limits.nesting) : .exceeds(error.limit, limit: limits[error.limit])
            throw EvaluationError(code, node: error.node)
        }
    }
}

extension Planner {
    mutating func plan(_ node: PredicateNode) throws(EvaluationError) -> any PredicatePlan {
        switch node {
        case .constant(let result):
            return ConstantPredicatePlan(result, node: nextNode())
        case .comparison(let comparison):
            if Self.hasAnyKey(comparison) { return try plan(anyKey: comparison) }
            let left = try plan(comparison.leftExpression)
            let right = try plan(comparison.rightExpression)
            let node = nextNode()
            if comparison.comparesWithItself {
                return try plan(left, Self.reflexive(comparison), right, comparison.modifier, node)
            }
            let relation = try relation(for: comparison.operator, comparison.options, node)
            return try plan(left, relation, right, comparison.modifier, node)
        case .string(let comparison):
            if Self.hasAnyKey(comparison) { return try plan(anyKey: comparison) }
            let left = try plan(comparison.leftExpression)
            let right = try plan(comparison.rightExpression)
            let relation = relation(for: comparison.operator, comparison.options)
            return try plan(left, relation, right, comparison.modifier, nextNode())
        case .compound(let compound):
            return try plan(compound)
        case .block(let block):
            return try plan(block)
        }
    }

    /// The relation of `SELF == SELF`, which holds even for objects that cannot be compared.
    @inline(never)
    private static func reflexive(_ comparison: ComparisonPredicate) -> Equality {
        Equality(
            comparison.options.foldMode, negated: comparison.operator == .notEqualTo, isReflexive: true)
    }

    private mutating func plan(_ compound: CompoundPredicate) throws(EvaluationError) -> any PredicatePlan {
        var subplans: [any PredicatePlan] = []
        subplans.reserveCapacity(compound.count)
        for index in 0..<compound.count { subplans.append(try plan(compound[index])) }
        let node = nextNode()
        switch compound.type {
        case .and: return Self.junction(subplans, stopsAt: false, node)
        case .or: return Self.junction(subplans, stopsAt: true, node)
        case .not:
            guard subplans.count == 1, let subplan = subplans.first else {
                throw EvaluationError(.subpredicateCount(found: subplans.count), node: node)
            }
            if let result = subplan.constant { return ConstantPredicatePlan(!result, node: node) }
            return NegationPlan(subplan, node: node)
        }
    }

    /// Makes the plan of a chain, without constants that have no effect and without predicates after a deciding
    /// constant.
    ///
    /// Predicates before the deciding constant are kept, since they may throw.
    private static func junction(
        _ subplans: [any PredicatePlan], stopsAt deciding: Bool, _ node: Int
    ) -> any PredicatePlan {
        if subplans.allSatisfy({ $0.constant == nil }), !subplans.isEmpty {
            return JunctionPlan(subplans, stopsAt: deciding, node: node)
        }
        var kept: [any PredicatePlan] = []
        for subplan in subplans {
            if subplan.constant == !deciding { continue }
            kept.append(subplan)
            if subplan.constant == deciding { break }
        }
        guard let first = kept.first else { return ConstantPredicatePlan(!deciding, node: node) }
        if first.constant == deciding { return ConstantPredicatePlan(deciding, node: node) }
        return JunctionPlan(kept, stopsAt: deciding, node: node)
    }

    /// Plans a comparison of values or of strings, which differ only in the relation.
    func plan(
        _ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan,
        _ modifier: ComparisonModifier, _ node: Int
    ) throws(EvaluationError) -> any PredicatePlan {
        switch modifier {
        case .direct:
            return Self.folded(try ComparisonPlan(left, relation, right, node: node))
        case .any, .all:
            let collection = (left as? any PathPlan)?.flattened ?? left
            return try QuantifiedPlan(collection, relation, right, needsAll: modifier == .all, node: node)
        }
    }

    /// Returns the plan, or its result if both sides are constants and the comparison does not throw.
    private static func folded(_ plan: ComparisonPlan) -> any PredicatePlan {
        guard let left = plan.left.constant, let right = plan.right.constant,
            let result = try? plan.relation.holds(left.keyedValue, right.keyedValue)
        else { return plan }
        return ConstantPredicatePlan(result, node: plan.node)
    }

    /// True if one of the sides is `ANYKEY`. The cases are compared in place, since this runs for every comparison.
    @inline(__always)
    private static func hasAnyKey<Operator>(_ comparison: borrowing OperatorComparison<Operator>) -> Bool {
        if case .anyKey = comparison.leftExpression { return true }
        if case .anyKey = comparison.rightExpression { return true }
        return false
    }

    @inline(never)
    private mutating func plan(anyKey comparison: ComparisonPredicate) throws(EvaluationError) -> any PredicatePlan {
        try plan(anyKey: comparison) { (planner, node) throws(EvaluationError) in
            try planner.relation(for: comparison.operator, comparison.options, node)
        }
    }

    @inline(never)
    private mutating func plan(anyKey comparison: StringPredicate) throws(EvaluationError) -> any PredicatePlan {
        try plan(anyKey: comparison) { (planner, _) in
            planner.relation(for: comparison.operator, comparison.options)
        }
    }
}

extension ComparisonPredicate {
    /// True for `SELF == SELF`, `home != home`: the same object or the same path on both sides.
    fileprivate var comparesWithItself: Bool {
        guard modifier == .direct, `operator` == .equalTo || `operator` == .notEqualTo else { return false }
        if case .evaluatedObject = leftExpression, case .evaluatedObject = rightExpression { return true }
        if case .keyPath(let left) = leftExpression, case .keyPath(let right) = rightExpression { return left == right }
        return false
    }
}

extension Planner {
    mutating func relation(
        for operator: ComparisonOperator, _ options: ComparisonOptions, _ node: Int
    ) throws(EvaluationError) -> any Relation {
        if options.contains(.localeSensitive), let own = try collated(`operator`, options, node) { return own }
        let mode = options.foldMode
        switch `operator` {
        case .lessThan: return SharedRelations.of(mode).less
        case .lessThanOrEqualTo: return SharedRelations.of(mode).lessOrEqual
        case .greaterThan: return SharedRelations.of(mode).greater
        case .greaterThanOrEqualTo: return SharedRelations.of(mode).greaterOrEqual
        case .equalTo: return SharedRelations.of(mode).equal
        case .notEqualTo: return SharedRelations.of(mode).unequal
        case .between: return SharedRelations.of(mode).between
        case .in: return SharedRelations.of(mode).member
        case .customSelector(let name):
            guard let body = settings.registry.selector(named: name) else {
                let nearMisses = settings.registry.selectorNames(near: name)
                throw EvaluationError(.unknownSelector(name, nearMisses: nearMisses), node: node)
            }
            return CustomSelector(body)
        }
    }

    mutating func relation(for operator: StringOperator, _ options: ComparisonOptions) -> any Relation {
        if options.contains(.localeSensitive), let own = collated(`operator`, options) { return own }
        let mode = options.foldMode
        switch `operator` {
        case .beginsWith: return SharedRelations.of(mode)[.beginsWith]
        case .endsWith: return SharedRelations.of(mode)[.endsWith]
        case .contains: return SharedRelations.of(mode).contains
        case .like: return Like(mode)
        case .matches: return Matches(mode, settings.limits)
        case .utiEquals: return TypeIdentifierRelation(.equals)
        case .utiConformsTo: return TypeIdentifierRelation(.conforms(settings.registry.typeIdentifiers))
        }
    }
}

// MARK: - Shared relations

/// The relations that depend only on their options. They are made once and shared by all plans.
///
/// This is a class, so that using one relation does not copy the references of all.
private final class SharedRelations: Sendable {
    let less, lessOrEqual, greater, greaterOrEqual: Ordering
    let equal, unequal: Equality
    let between: Between
    let member, contains: Containment
    /// One relation for each ``TextMatch``, in the order of the raw values.
    private let texts: [TextRelation]

    private init(_ mode: FoldMode) {
        (less, lessOrEqual) = (Ordering(.less, mode), Ordering([.less, .equal], mode))
        (greater, greaterOrEqual) = (Ordering(.greater, mode), Ordering([.greater, .equal], mode))
        (equal, unequal) = (Equality(mode, negated: false), Equality(mode, negated: true))
        between = Between(mode)
        (member, contains) = (Containment(mode, isMirrored: false), Containment(mode, isMirrored: true))
        texts = TextMatch.allCases.map { TextRelation($0, mode) }
    }

    subscript(match: TextMatch) -> TextRelation { texts[Int(match.rawValue)] }

    @inline(__always)
    static func of(_ mode: FoldMode) -> SharedRelations {
        switch mode {
        case .none: unfolded
        case .caseInsensitive: caseInsensitive
        case .diacriticInsensitive: diacriticInsensitive
        case .caseAndDiacriticInsensitive: caseAndDiacriticInsensitive
        }
    }

    private static let unfolded = SharedRelations(.none)
    private static let caseInsensitive = SharedRelations(.caseInsensitive)
    private static let diacriticInsensitive = SharedRelations(.diacriticInsensitive)
    private static let caseAndDiacriticInsensitive = SharedRelations(.caseAndDiacriticInsensitive)
}
