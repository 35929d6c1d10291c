import PredicateSyntax

/// A predicate made ready: names looked up, needles folded, patterns compiled, every node with its number.
///
/// Plans are what an evaluator holds; the tree is not looked at again. They never change once made, so threads may
/// share them. Only the planner makes them, and only through these two protocols are they run. They say what every
/// predicate means; a `Program` made of them answers the same questions faster and asks them where it cannot.
protocol PredicatePlan: AnyObject, Sendable {
    /// The number of the node: children before parents, left before right.
    var node: Int { get }
    /// The answer, where it is the same for every object.
    var constant: Bool? { get }
    /// What the plan does, for those who make something faster of it.
    var shape: PredicateShape { get }
    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool
}

extension PredicatePlan {
    var constant: Bool? { nil }
    var shape: PredicateShape { .opaque }
}

/// What a plan of a predicate does.
enum PredicateShape {
    /// `TRUEPREDICATE`
    case constant(Bool)
    /// `a == 1 AND b == 2`
    case all([any PredicatePlan])
    /// `a == 1 OR b == 2`
    case any([any PredicatePlan])
    /// `NOT a == 1`
    case not(any PredicatePlan)
    /// `age > 21`
    case comparison(ComparisonPlan)
    /// `ANY ages > 21`
    case quantified(QuantifiedPlan)
    /// What only the plan itself can answer.
    case opaque
}

/// An expression made ready.
protocol ExpressionPlan: AnyObject, Sendable {
    /// The number of the node: children before parents, left before right.
    var node: Int { get }
    /// The value, where it is the same for every object.
    var constant: PredicateValue? { get }
    /// What the plan does, for those who make something faster of it.
    var shape: ExpressionShape { get }
    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue
}

extension ExpressionPlan {
    var constant: PredicateValue? { nil }
    var shape: ExpressionShape { .opaque }
}

/// What a plan of an expression does.
enum ExpressionShape {
    /// `21`
    case constant(PredicateValue)
    /// `SELF`
    case object
    /// `dept.name`, `$person.name`
    case path(base: (any ExpressionPlan)?, [KeyPathStep])
    /// `$limit`
    case variable(slot: Int)
    /// `a + b`
    case arithmetic(ArithmeticPlan.Operation, any ExpressionPlan, any ExpressionPlan)
    /// `SUBQUERY(friends, $f, $f.age > 21)`
    case subquery(any ExpressionPlan, slot: Int, any PredicatePlan)
    /// What only the plan itself can work out.
    case opaque
}

/// `21`, and what expressions of constants come to.
final class ConstantPlan: ExpressionPlan {
    let node: Int
    private let known: PredicateValue

    init(_ value: PredicateValue, node: Int) {
        self.known = value
        self.node = node
    }

    var constant: PredicateValue? { known }
    var shape: ExpressionShape { .constant(known) }

    func value(_ context: inout EvaluationContext) -> KeyedValue {
        known.keyedValue
    }
}

/// `SELF`
final class EvaluatedObjectPlan: ExpressionPlan {
    let node: Int

    init(node: Int) {
        self.node = node
    }

    var shape: ExpressionShape { .object }

    func value(_ context: inout EvaluationContext) -> KeyedValue {
        context.object
    }
}
