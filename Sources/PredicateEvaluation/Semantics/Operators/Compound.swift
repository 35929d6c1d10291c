import PredicateSyntax

/// `TRUEPREDICATE`, and every comparison of constants.
final class ConstantPredicatePlan: PredicatePlan {
    let number: Int
    private let answer: Bool

    init(_ answer: Bool, number: Int) {
        self.answer = answer
        self.number = number
    }

    var constant: Bool? { answer }
    var shape: PredicateShape { .constant(answer) }

    func holds(_ context: inout EvaluationContext) -> Bool {
        answer
    }
}

/// `a == 1 AND b == 2`: stops at the first that does not hold; of none it holds. [NSP-090]
final class ConjunctionPlan: PredicatePlan {
    let number: Int
    private let subplans: [any PredicatePlan]

    init(_ subplans: [any PredicatePlan], number: Int) {
        self.subplans = subplans
        self.number = number
    }

    var shape: PredicateShape { .all(subplans) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        for subplan in subplans where try !subplan.holds(&context) { return false }
        return true
    }
}

/// `a == 1 OR b == 2`: stops at the first that holds; of none it does not hold. [NSP-090]
final class DisjunctionPlan: PredicatePlan {
    let number: Int
    private let subplans: [any PredicatePlan]

    init(_ subplans: [any PredicatePlan], number: Int) {
        self.subplans = subplans
        self.number = number
    }

    var shape: PredicateShape { .any(subplans) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        for subplan in subplans where try subplan.holds(&context) { return true }
        return false
    }
}

/// `NOT a == 1`
final class NegationPlan: PredicatePlan {
    let number: Int
    private let subplan: any PredicatePlan

    init(_ subplan: any PredicatePlan, number: Int) {
        self.subplan = subplan
        self.number = number
    }

    var shape: PredicateShape { .not(subplan) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        try !subplan.holds(&context)
    }
}
