import PredicateSyntax

/// `ANY ages > 21`, `ALL ages > minimum`: an operator between each element on the left and the right side.
///
/// The right side is evaluated once. Of no elements ALL holds and ANY does not, and a nil on the left counts as no
/// elements. A path over two to-many keys, `ANY teams.players.age > 21`, gives arrays in an array: their elements count.
///
/// Throws `notACollection` unless the left side is an array, a set or an ordered set.
final class QuantifiedPlan: PredicatePlan {
    /// The number of elements that must satisfy the operator.
    enum Quantifier {
        case any
        case all
    }

    let node: Int
    let quantifier: Quantifier
    let left: any ExpressionPlan
    let right: any ExpressionPlan
    let relation: any Relation
    /// The comparison of one element with the right side, where that is a constant.
    let leaf: Leaf?

    init(
        _ quantifier: Quantifier, _ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan,
        node: Int
    ) throws(EvaluationError) {
        self.node = node
        self.quantifier = quantifier
        self.left = left
        self.right = right
        self.relation = relation
        let constant = right.constant
        leaf = constant.map { Leaf(relation, $0) }
        do {
            if let constant { try relation.check(constant) }
        } catch {
            throw EvaluationError(error, operands: [left.node, right.node], whole: node)
        }
    }

    var shape: PredicateShape { .quantified(self) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        let leftValue = try left.value(&context)
        let rightValue = try right.value(&context)
        try context.spend(on: leftValue, at: node)
        if leftValue.isNull { return quantifier == .all }
        guard leftValue.collectionKind != nil, let elements = leftValue.elements else {
            throw EvaluationError(.notACollection(found: leftValue.found), node: left.node)
        }
        do {
            return try holds(for: elements, rightValue)
        } catch {
            throw EvaluationError(error, operands: [left.node, right.node], whole: node)
        }
    }

    private func holds(for elements: [KeyedValue], _ rightValue: KeyedValue) throws(Fault) -> Bool {
        let leaf = try leaf(for: rightValue, elements.count)
        let deciding = quantifier == .any
        for element in elements {
            if let result = leaf?.result(of: element) {
                if result == deciding { return deciding }
            } else if try relation.holds(element, rightValue) == deciding {
                return deciding
            }
        }
        return !deciding
    }

    /// The leaf of the plan, or one for the elements of this object: a needle that is evaluated for it is folded once.
    private func leaf(for right: KeyedValue, _ count: Int) throws(Fault) -> Leaf? {
        if let leaf { return leaf }
        guard count > 1, case .value(let value) = right else { return nil }
        try relation.check(value)
        return Leaf(relation, value)
    }
}
