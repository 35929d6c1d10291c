import PredicateSyntax

/// `age > minimum`: an operator between two expressions.
///
/// Where one side is a constant the plan owns a leaf, compiled once and shared with all programs; the relation decides
/// what the leaf leaves undecided, errors above all.
final class ComparisonPlan: PredicatePlan {
    let node: Int
    let left: any ExpressionPlan
    let right: any ExpressionPlan
    let relation: any Relation
    /// The comparison of one side with the constant on the other.
    let leaf: Leaf?
    /// True if the constant stands on the left: `21 < age`.
    private let isMirrored: Bool

    init(
        _ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan, node: Int
    ) throws(EvaluationError) {
        self.node = node
        self.left = left
        self.right = right
        self.relation = relation
        let constant = right.constant
        isMirrored = constant == nil
        leaf = (constant ?? left.constant).map { Leaf(relation, $0, isMirrored: constant == nil) }
        guard let constant else { return }
        do {
            try relation.check(constant)
        } catch {
            throw EvaluationError(error, operands: [left.node, right.node], whole: node)
        }
    }

    var shape: PredicateShape { .comparison(self) }

    /// The side that the leaf is about.
    var subject: any ExpressionPlan { isMirrored ? right : left }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        guard let leaf else {
            let leftValue = try left.value(&context)
            let rightValue = try right.value(&context)
            try context.spend(on: leftValue, at: node)
            try context.spend(on: rightValue, at: node)
            return try holds(leftValue, rightValue)
        }
        let value = try subject.value(&context)
        try context.spend(on: value, at: node)
        if let result = leaf.result(of: value) { return result }
        let constant = try (isMirrored ? left : right).value(&context)
        try context.spend(on: constant, at: node)
        return isMirrored ? try holds(constant, value) : try holds(value, constant)
    }

    @inline(never)
    private func holds(_ left: KeyedValue, _ right: KeyedValue) throws(EvaluationError) -> Bool {
        do {
            return try relation.holds(left, right)
        } catch {
            throw EvaluationError(error, operands: [self.left.node, self.right.node], whole: node)
        }
    }
}
