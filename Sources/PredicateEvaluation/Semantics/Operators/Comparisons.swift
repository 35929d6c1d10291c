import PredicateSyntax

/// `age > minimum`: an operator between two expressions.
final class ComparisonPlan: PredicatePlan {
    let number: Int
    private let left: any ExpressionPlan
    private let right: any ExpressionPlan
    private let relation: any Relation

    init(_ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan, number: Int) {
        self.number = number
        self.left = left
        self.right = right
        self.relation = relation
    }

    var shape: PredicateShape { .comparison(left, relation, right) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        let leftValue = try left.value(&context)
        let rightValue = try right.value(&context)
        try context.spend(on: leftValue, at: number)
        try context.spend(on: rightValue, at: number)
        do {
            return try relation.holds(leftValue, rightValue)
        } catch {
            throw EvaluationError(error, operands: [left.number, right.number], whole: number)
        }
    }
}

/// `age > 21`: an operator whose right side is known.
final class TestPlan: PredicatePlan {
    let number: Int
    private let left: any ExpressionPlan
    private let test: any ValueTest
    private let relation: any Relation
    private let right: any ExpressionPlan

    init(
        _ left: any ExpressionPlan, _ test: any ValueTest, of relation: any Relation, _ right: any ExpressionPlan,
        number: Int
    ) {
        self.number = number
        self.left = left
        self.test = test
        self.relation = relation
        self.right = right
    }

    var shape: PredicateShape { .comparison(left, relation, right) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        let value = try left.value(&context)
        try context.spend(on: value, at: number)
        do {
            return try test.holds(value)
        } catch {
            throw EvaluationError(error, operands: [left.number, right.number], whole: number)
        }
    }
}
