import PredicateSyntax

/// `ANY ages > 21`, `ALL ages > minimum`: an operator asked of every element on the left.
///
/// The right side is evaluated once. Of no elements ALL holds and ANY does not, and a nil on the left counts as no
/// elements. A path over two to-many keys, `ANY teams.players.age > 21`, gives arrays in an array: their elements count.
///
/// Throws `notACollection` unless the left side is an array, a set or an ordered set.
final class QuantifiedPlan: PredicatePlan {
    /// What the elements are asked for.
    enum Quantifier {
        case any
        case all
    }

    let number: Int
    private let quantifier: Quantifier
    private let left: any ExpressionPlan
    private let right: any ExpressionPlan
    private let relation: any Relation
    private let test: (any ValueTest)?

    init(
        _ quantifier: Quantifier, _ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan,
        test: (any ValueTest)?, number: Int
    ) {
        self.number = number
        self.quantifier = quantifier
        self.left = left
        self.right = right
        self.relation = relation
        self.test = test
    }

    var shape: PredicateShape { .quantified(quantifier, left, relation, right) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        let leftValue = try left.value(&context)
        let rightValue = try right.value(&context)
        try context.spend(on: leftValue, at: number)
        if leftValue.isNull { return quantifier == .all }
        guard leftValue.collectionKind != nil, let elements = leftValue.elements else {
            throw EvaluationError(.notACollection(found: leftValue.found), node: left.number)
        }
        do {
            return try holds(for: elements, rightValue)
        } catch {
            throw EvaluationError(error, operands: [left.number, right.number], whole: number)
        }
    }

    private func holds(for elements: [KeyedValue], _ rightValue: KeyedValue) throws(Fault) -> Bool {
        let test = try self.test(for: rightValue, isWorthMaking: elements.count > 1)
        let goal = quantifier == .any
        for element in elements where try answer(element, rightValue, test) == goal { return goal }
        return !goal
    }

    private func answer(
        _ element: KeyedValue, _ rightValue: KeyedValue, _ test: (any ValueTest)?
    ) throws(Fault) -> Bool {
        if let test { try test.holds(element) } else { try relation.holds(element, rightValue) }
    }

    /// A needle that is known only now is still folded once for all elements.
    private func test(for right: KeyedValue, isWorthMaking: Bool) throws(Fault) -> (any ValueTest)? {
        if let test { return test }
        guard isWorthMaking, case .value(let value) = right else { return nil }
        return try relation.test(against: value)
    }
}
