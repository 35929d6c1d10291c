import PredicateSyntax

/// A planned predicate: names looked up, needles folded, patterns compiled, every node with its number.
///
/// Evaluators hold plans; the tree is not looked at again. They never change once made, so threads may share them. Only
/// the planner makes them, and only through these two protocols are they run. They define the meaning of every predicate;
/// bytecode made of them is faster, and evaluates them where it cannot decide.
protocol PredicatePlan: AnyObject, Sendable {
    /// The postorder index of the node in the tree: children before parents, left before right.
    var node: Int { get }
    /// The result, where it is the same for every object.
    var constant: Bool? { get }
    /// The structure of the plan, from which bytecode is made.
    var shape: PredicateShape { get }
    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool
}

extension PredicatePlan {
    var constant: Bool? { nil }
    var shape: PredicateShape { .opaque }
}

/// The structure of a plan of a predicate.
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
    /// Structure that only the plan itself can evaluate.
    case opaque
}

/// A planned expression.
protocol ExpressionPlan: AnyObject, Sendable {
    /// The postorder index of the node in the tree: children before parents, left before right.
    var node: Int { get }
    /// The value, where it is the same for every object.
    var constant: PredicateValue? { get }
    /// The structure of the plan, from which bytecode is made.
    var shape: ExpressionShape { get }
    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue
}

extension ExpressionPlan {
    var constant: PredicateValue? { nil }
    var shape: ExpressionShape { .opaque }
}

/// The structure of a plan of an expression.
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
    /// Structure that only the plan itself can evaluate.
    case opaque
}

/// `21`, and the values of expressions of constants: constant folding.
final class ConstantPlan: ExpressionPlan {
    let node: Int
    private let folded: PredicateValue

    init(_ value: PredicateValue, node: Int) {
        folded = value
        self.node = node
    }

    var constant: PredicateValue? { folded }
    var shape: ExpressionShape { .constant(folded) }

    func value(_ context: inout EvaluationContext) -> KeyedValue {
        folded.keyedValue
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
