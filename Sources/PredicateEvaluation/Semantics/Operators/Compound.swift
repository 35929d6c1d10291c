import PredicateSyntax

/// `TRUEPREDICATE`, and every comparison of constants.
final class ConstantPredicatePlan: PredicatePlan {
    let node: Int
    private let result: Bool

    init(_ result: Bool, node: Int) {
        self.result = result
        self.node = node
    }

    var constant: Bool? { result }
    var shape: PredicateShape { .constant(result) }

    func holds(_ context: inout EvaluationContext) -> Bool {
        result
    }
}

/// `a == 1 AND b == 2`: stops at the first that does not hold; of none it holds. [NSP-090]
final class ConjunctionPlan: PredicatePlan {
    let node: Int
    private let subplans: [any PredicatePlan]

    init(_ subplans: [any PredicatePlan], node: Int) {
        self.subplans = subplans
        self.node = node
    }

    var shape: PredicateShape { .all(subplans) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        for subplan in subplans where try !subplan.holds(&context) { return false }
        return true
    }
}

/// `a == 1 OR b == 2`: stops at the first that holds; of none it does not hold. [NSP-090]
final class DisjunctionPlan: PredicatePlan {
    let node: Int
    private let subplans: [any PredicatePlan]

    init(_ subplans: [any PredicatePlan], node: Int) {
        self.subplans = subplans
        self.node = node
    }

    var shape: PredicateShape { .any(subplans) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        for subplan in subplans where try subplan.holds(&context) { return true }
        return false
    }
}

/// `NOT a == 1`
final class NegationPlan: PredicatePlan {
    let node: Int
    private let subplan: any PredicatePlan

    init(_ subplan: any PredicatePlan, node: Int) {
        self.subplan = subplan
        self.node = node
    }

    var shape: PredicateShape { .not(subplan) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        try !subplan.holds(&context)
    }
}
