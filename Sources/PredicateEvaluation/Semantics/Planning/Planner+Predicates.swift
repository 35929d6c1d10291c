import PredicateSyntax

extension Planner {
    /// The plan of a predicate.
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
                return try Self.plan(left, Self.reflexive(comparison), right, comparison.modifier, node)
            }
            let relation = try relation(for: comparison.operator, comparison.options, node)
            return try Self.plan(left, relation, right, comparison.modifier, node)
        case .string(let comparison):
            if Self.hasAnyKey(comparison) { return try plan(anyKey: comparison) }
            let left = try plan(comparison.leftExpression)
            let right = try plan(comparison.rightExpression)
            let relation = relation(for: comparison.operator, comparison.options)
            return try Self.plan(left, relation, right, comparison.modifier, nextNode())
        case .compound(let compound):
            return try plan(compound)
        case .block(let block):
            return try plan(block)
        }
    }

    /// The relation of `SELF == SELF`, which holds for objects that nothing compares.
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
        case .and:
            return Self.compound(subplans, stopsAt: false, node) { ConjunctionPlan($0, node: node) }
        case .or:
            return Self.compound(subplans, stopsAt: true, node) { DisjunctionPlan($0, node: node) }
        case .not:
            guard subplans.count == 1, let subplan = subplans.first else {
                throw EvaluationError(.subpredicateCount(found: subplans.count), node: node)
            }
            if let result = subplan.constant { return ConstantPredicatePlan(!result, node: node) }
            return NegationPlan(subplan, node: node)
        }
    }

    /// A chain without the constants that change nothing, and without what follows one that decides.
    ///
    /// Members before the deciding constant stay: they may end in an error.
    private static func compound(
        _ subplans: [any PredicatePlan], stopsAt deciding: Bool, _ node: Int,
        make: ([any PredicatePlan]) -> any PredicatePlan
    ) -> any PredicatePlan {
        if subplans.allSatisfy({ $0.constant == nil }), !subplans.isEmpty { return make(subplans) }
        var kept: [any PredicatePlan] = []
        for subplan in subplans {
            if subplan.constant == !deciding { continue }
            kept.append(subplan)
            if subplan.constant == deciding { break }
        }
        guard let first = kept.first else { return ConstantPredicatePlan(!deciding, node: node) }
        if first.constant == deciding { return ConstantPredicatePlan(deciding, node: node) }
        return make(kept)
    }

    /// Both families of comparison: what differs is the relation.
    static func plan(
        _ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan,
        _ modifier: ComparisonModifier, _ node: Int
    ) throws(EvaluationError) -> any PredicatePlan {
        switch modifier {
        case .direct:
            return folded(try ComparisonPlan(left, relation, right, node: node))
        case .any, .all:
            let collection = (left as? any PathPlan)?.flattened ?? left
            return try QuantifiedPlan(modifier == .any ? .any : .all, collection, relation, right, node: node)
        }
    }

    /// The plan, or its result where both sides are constants and do not end in an error.
    private static func folded(_ plan: ComparisonPlan) -> any PredicatePlan {
        guard let left = plan.left.constant, let right = plan.right.constant,
            let result = try? plan.relation.holds(left.keyedValue, right.keyedValue)
        else { return plan }
        return ConstantPredicatePlan(result, node: plan.node)
    }
}

extension Planner {
    /// True if one of the sides is `ANYKEY`: cases are compared where they lie, since every comparison is asked.
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
