import PredicateSyntax

extension Planner {
    /// The plan of a predicate.
    mutating func plan(_ node: PredicateNode) throws(EvaluationError) -> any PredicatePlan {
        switch node {
        case .constant(let answer):
            return ConstantPredicatePlan(answer, number: nextNumber())
        case .comparison(let comparison):
            let left = try plan(comparison.leftExpression)
            let right = try plan(comparison.rightExpression)
            let number = nextNumber()
            let relation = try relation(for: comparison.operator, comparison.options, number)
            return try Self.plan(left, relation, right, comparison.modifier, number)
        case .string(let comparison):
            let left = try plan(comparison.leftExpression)
            let right = try plan(comparison.rightExpression)
            let relation = relation(for: comparison.operator, comparison.options)
            return try Self.plan(left, relation, right, comparison.modifier, nextNumber())
        case .compound(let compound):
            return try plan(compound)
        }
    }

    private mutating func plan(_ compound: CompoundPredicate) throws(EvaluationError) -> any PredicatePlan {
        var subplans: [any PredicatePlan] = []
        subplans.reserveCapacity(compound.count)
        for index in 0..<compound.count { subplans.append(try plan(compound[index])) }
        let number = nextNumber()
        switch compound.type {
        case .and:
            return Self.compound(subplans, stopsAt: false, number) { ConjunctionPlan($0, number: number) }
        case .or:
            return Self.compound(subplans, stopsAt: true, number) { DisjunctionPlan($0, number: number) }
        case .not:
            guard subplans.count == 1, let subplan = subplans.first else {
                throw EvaluationError(.subpredicateCount(found: subplans.count), node: number)
            }
            if let answer = subplan.constant { return ConstantPredicatePlan(!answer, number: number) }
            return NegationPlan(subplan, number: number)
        }
    }

    /// A chain without the constants that change nothing, and without what follows one that decides.
    ///
    /// What stands before the deciding constant stays: it may end in an error.
    private static func compound(
        _ subplans: [any PredicatePlan], stopsAt deciding: Bool, _ number: Int,
        make: ([any PredicatePlan]) -> any PredicatePlan
    ) -> any PredicatePlan {
        if subplans.allSatisfy({ $0.constant == nil }), !subplans.isEmpty { return make(subplans) }
        var kept: [any PredicatePlan] = []
        for subplan in subplans {
            if subplan.constant == !deciding { continue }
            kept.append(subplan)
            if subplan.constant == deciding { break }
        }
        guard let first = kept.first else { return ConstantPredicatePlan(!deciding, number: number) }
        if first.constant == deciding { return ConstantPredicatePlan(deciding, number: number) }
        return make(kept)
    }

    /// Both families of comparison: what differs is the relation.
    private static func plan(
        _ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan,
        _ modifier: ComparisonModifier, _ number: Int
    ) throws(EvaluationError) -> any PredicatePlan {
        let test = try test(relation, against: right, left, number)
        switch modifier {
        case .direct:
            return direct(left, relation, right, test, number)
        case .any, .all:
            let collection = (left as? any PathPlan)?.flattened ?? left
            return QuantifiedPlan(
                modifier == .any ? .any : .all, collection, relation, right, test: test, number: number)
        }
    }

    private static func direct(
        _ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan, _ test: (any ValueTest)?,
        _ number: Int
    ) -> any PredicatePlan {
        let plan: any PredicatePlan =
            test.map { TestPlan(left, $0, of: relation, right, number: number) }
            ?? ComparisonPlan(left, relation, right, number: number)
        guard left.constant != nil, right.constant != nil else { return plan }
        var context = EvaluationContext(object: .null, slots: [])
        guard let answer = try? plan.holds(&context) else { return plan }
        return ConstantPredicatePlan(answer, number: number)
    }

    private static func test(
        _ relation: any Relation, against right: any ExpressionPlan, _ left: any ExpressionPlan, _ number: Int
    ) throws(EvaluationError) -> (any ValueTest)? {
        guard let constant = right.constant else { return nil }
        do {
            return try relation.test(against: constant)
        } catch {
            throw EvaluationError(error, operands: [left.number, right.number], whole: number)
        }
    }
}
