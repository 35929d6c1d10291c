import PredicateSyntax
import PredicateText

/// A planned predicate: names are resolved, needles are folded, patterns are compiled, and every node has its number.
///
/// Evaluators hold plans and do not use the tree again. A plan never changes, so threads may share it. Only the planner makes
/// plans, and they are run only through these two protocols. Plans define the meaning of every predicate. Bytecode that is made
/// from them is faster, and evaluates the plan if it cannot decide.
protocol PredicatePlan: AnyObject, Sendable {
    /// The number of the node in the tree, in postorder: children before parents, left before right.
    var node: Int { get }
    /// The result, if it is the same for every object; otherwise nil.
    var constant: Bool? { get }
    /// The structure of the plan, from which bytecode is made.
    var shape: PredicateShape { get }
    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool
}

extension PredicatePlan {
    var constant: Bool? { nil }
    var shape: PredicateShape { .opaque }
}

/// The structure of a predicate's plan.
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
    /// A structure that only the plan itself can evaluate.
    case opaque
}

/// A planned expression.
protocol ExpressionPlan: AnyObject, Sendable {
    /// The number of the node in the tree, in postorder: children before parents, left before right.
    var node: Int { get }
    /// The value, if it is the same for every object; otherwise nil.
    var constant: PredicateValue? { get }
    /// The structure of the plan, from which bytecode is made.
    var shape: ExpressionShape { get }
    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue
}

extension ExpressionPlan {
    var constant: PredicateValue? { nil }
    var shape: ExpressionShape { .opaque }
}

/// The structure of an expression's plan.
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
    case arithmetic(ArithmeticOperator, any ExpressionPlan, any ExpressionPlan)
    /// `SUBQUERY(friends, $f, $f.age > 21)`
    case subquery(any ExpressionPlan, slot: Int, any PredicatePlan)
    /// `TERNARY(age > 17, "adult", "child")`
    case conditional(any PredicatePlan, any ExpressionPlan, any ExpressionPlan)
    /// `lowercase(name)`: `result` computes the value from those of the arguments, nil for an error; programs run the first
    /// payload.
    case call(PlainFunction?, [any ExpressionPlan], result: ([KeyedValue]) -> KeyedValue?)
    /// A structure that only the plan itself can evaluate.
    case opaque
}

/// A function of one argument that programs execute. nil gives nil, and an argument of a wrong kind is an error.
enum PlainFunction: Sendable {
    /// `length(name)`
    case length
    /// `uppercase(name)`
    case mapped(CaseMapping)
    /// `month(joined)`
    case part(CalendarPart, ZonedCalendar)
}

// MARK: - Constants and the object

/// `21`, and the folded value of an expression whose operands are constant.
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

// MARK: - Comparisons

/// `age > minimum`: an operator between two expressions.
///
/// If one side is a constant and many values are compared with it, the plan owns a leaf, which is made once and shared with all
/// programs. The relation decides the first value (making a leaf costs more than one comparison) and every value that the leaf
/// leaves undecided, for example because of an error.
final class ComparisonPlan: PredicatePlan {
    /// The side that is a constant with a leaf.
    private enum ConstantSide {
        case none
        case left
        case right
    }

    let node: Int
    let left: any ExpressionPlan
    let right: any ExpressionPlan
    let relation: any Relation
    private let deferred = Leaf.Deferred()
    private let side: ConstantSide

    init(
        _ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan, node: Int
    ) throws(EvaluationError) {
        self.node = node
        self.left = left
        self.right = right
        self.relation = relation
        let constant = right.constant
        side = constant != nil ? .right : left.constant != nil ? .left : .none
        guard let constant else { return }
        do {
            try relation.check(constant)
        } catch {
            throw EvaluationError(error, operands: [left.node, right.node], whole: node)
        }
    }

    var shape: PredicateShape { .comparison(self) }

    /// The side that is compared with the constant.
    var subject: any ExpressionPlan { side == .left ? right : left }

    /// The comparison of one side with the constant on the other side; nil without a constant.
    var leaf: Leaf? {
        switch side {
        case .none: nil
        case .left: deferred.leaf { Leaf(relation, left.constant ?? .null, isMirrored: true) }
        case .right: deferred.leaf { Leaf(relation, right.constant ?? .null) }
        }
    }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        guard side != .none, !isFirst(in: context), let leaf else {
            let leftValue = try left.value(&context)
            let rightValue = try right.value(&context)
            try context.spend(on: leftValue, at: node)
            try context.spend(on: rightValue, at: node)
            return try holds(leftValue, rightValue)
        }
        let value = try subject.value(&context)
        try context.spend(on: value, at: node)
        if let result = leaf.result(of: value) { return result }
        let constant = try (side == .left ? left : right).value(&context)
        try context.spend(on: constant, at: node)
        return side == .left ? try holds(constant, value) : try holds(value, constant)
    }

    /// True for the first value, unless the operator would compile its operand. Where steps are counted, the values come from a
    /// loop, so a leaf pays off at once.
    private func isFirst(in context: EvaluationContext) -> Bool {
        context.mostSteps == nil && !relation.compilesOperands && deferred.takesFirst()
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

// MARK: - AND, OR and NOT

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

/// `a == 1 AND b == 2`, `a == 1 OR b == 2`: stops at the first predicate that decides. Without predicates, AND holds and OR
/// does not. [NSP-090]
final class JunctionPlan: PredicatePlan {
    let node: Int
    private let subplans: [any PredicatePlan]
    /// The result at which the plan stops: false for AND, true for OR.
    private let deciding: Bool

    init(_ subplans: [any PredicatePlan], stopsAt deciding: Bool, node: Int) {
        self.subplans = subplans
        self.deciding = deciding
        self.node = node
    }

    var shape: PredicateShape { deciding ? .any(subplans) : .all(subplans) }

    func holds(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        for subplan in subplans where try subplan.holds(&context) == deciding { return deciding }
        return !deciding
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

// MARK: - Key paths

/// The plan of a key path, which `ANY` and `ALL` flatten.
protocol PathPlan: ExpressionPlan {
    /// The path for `ANY` and `ALL`: two to-many keys in a row give one flat collection.
    var flattened: any ExpressionPlan { get }
}

/// `dept.name`, `$person.name`, `friends.@count`: a path whose keys are all constant.
final class KeyPathPlan: PathPlan {
    let node: Int
    private let base: (any ExpressionPlan)?
    private let path: ResolvedKeyPath
    /// True if two to-many keys in a row give one flat collection, as for `ANY`.
    private let flattens: Bool

    init(_ base: (any ExpressionPlan)?, _ path: ResolvedKeyPath, flattens: Bool = false, node: Int) {
        self.base = base
        self.path = path
        self.flattens = flattens
        self.node = node
    }

    var flattened: any ExpressionPlan {
        KeyPathPlan(base, path, flattens: true, node: node)
    }

    /// Opaque for a path that may exceed the limits: programs do not count the steps of a path through nested
    /// collections.
    var shape: ExpressionShape {
        path.limits.needCounting && path.steps.count > 2 ? .opaque : .path(base: base, path.steps)
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let start = try base?.value(&context) ?? context.object
        do {
            return try path.value(from: start, union: flattens, in: &context)
        } catch {
            throw error.placed(at: node)
        }
    }
}

/// `Record1.$age`: a key path with keys that are variables, resolved for every object.
///
/// Throws `notAKey` if the value of a variable is not a string.
final class DynamicKeyPathPlan: PathPlan {
    /// The origin of a key.
    enum KeySource: Sendable {
        case key(String)
        case value(PredicateValue)
        case variable(Int, String)
    }

    let node: Int
    private let base: (any ExpressionPlan)?
    private let steps: [KeySource]
    private let limits: PredicateLimits
    private let flattens: Bool

    init(
        _ base: (any ExpressionPlan)?, _ steps: [KeySource], _ limits: PredicateLimits, flattens: Bool = false,
        node: Int
    ) {
        self.limits = limits
        self.base = base
        self.steps = steps
        self.flattens = flattens
        self.node = node
    }

    var flattened: any ExpressionPlan {
        DynamicKeyPathPlan(base, steps, limits, flattens: true, node: node)
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let start = try base?.value(&context) ?? context.object
        do {
            var keys: [String] = []
            for step in steps { keys.append(try key(for: step, &context)) }
            return try ResolvedKeyPath(components: keys, limits).value(from: start, union: flattens, in: &context)
        } catch {
            throw error.placed(at: node)
        }
    }

    private func key(for step: KeySource, _ context: inout EvaluationContext) throws(EvaluationError) -> String {
        let value: KeyedValue
        switch step {
        case .key(let name): return name
        case .value(let constant): value = .value(constant)
        case .variable(let slot, let name): value = try context.value(inSlot: slot, of: name)
        }
        guard let key = value.text else { throw EvaluationError(.notAKey(found: value.found.description)) }
        return key
    }
}
