import PredicateSyntax

/// A predicate made ready: names looked up, needles folded, patterns compiled, every node with its number.
///
/// Plans are what an evaluator holds; the tree is not looked at again. They never change once made, so threads may
/// share them. Only the planner makes them, and only through these two protocols are they run: another form of plan
/// can take their place without any other file taking notice.
protocol PredicatePlan: AnyObject, Sendable {
    /// The number of the node: children before parents, left before right.
    var number: Int { get }
    /// The answer, where it is the same for every object.
    var constant: Bool? { get }
    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool
}

extension PredicatePlan {
    var constant: Bool? { nil }
}

/// An expression made ready.
protocol ExpressionPlan: AnyObject, Sendable {
    /// The number of the node: children before parents, left before right.
    var number: Int { get }
    /// The value, where it is the same for every object.
    var constant: PredicateValue? { get }
    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue
}

extension ExpressionPlan {
    var constant: PredicateValue? { nil }
}

/// `21`, and what expressions of constants come to.
final class ConstantPlan: ExpressionPlan {
    let number: Int
    private let known: PredicateValue

    init(_ value: PredicateValue, number: Int) {
        self.known = value
        self.number = number
    }

    var constant: PredicateValue? { known }

    func value(_ context: inout EvaluationContext) -> KeyedValue {
        known.keyedValue
    }
}

/// `SELF`
final class EvaluatedObjectPlan: ExpressionPlan {
    let number: Int

    init(number: Int) {
        self.number = number
    }

    func value(_ context: inout EvaluationContext) -> KeyedValue {
        context.object
    }
}
