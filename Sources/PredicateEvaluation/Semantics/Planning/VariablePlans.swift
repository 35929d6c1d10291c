import PredicateSyntax

/// `$limit`
///
/// Throws `unboundVariable` without a value.
final class VariablePlan: ExpressionPlan {
    let node: Int
    private let slot: Int
    private let name: String

    init(_ slot: Int, _ name: String, node: Int) {
        self.slot = slot
        self.name = name
        self.node = node
    }

    var shape: ExpressionShape { .variable(slot: slot) }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        if case .value(let value) = context.slots[slot] { return value }
        do {
            return try context.value(inSlot: slot, of: name)
        } catch {
            throw error.placed(at: node)
        }
    }
}

/// `$a := 1 + 2`: the value, which the variable has from then on, until the end of the evaluation.
///
/// Throws `resultTooLarge` for a value that assignment after assignment has made grow too far.
final class AssignmentPlan: ExpressionPlan {
    let node: Int
    private let slot: Int
    private let expression: any ExpressionPlan
    private let limits: PredicateLimits

    init(slot: Int, _ expression: any ExpressionPlan, _ limits: PredicateLimits, node: Int) {
        self.slot = slot
        self.limits = limits
        self.expression = expression
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let value = try expression.value(&context)
        do {
            try ResultLimit.check(value, limits)
        } catch {
            throw EvaluationError(error, operands: [], whole: node)
        }
        context.slots[slot] = .assigned(value)
        return value
    }
}

extension EvaluationContext {
    /// The value of the variable in a slot.
    mutating func value(inSlot slot: Int, of name: String) throws(EvaluationError) -> KeyedValue {
        switch slots[slot] {
        case .value(let value), .assigned(let value): return value
        case .expression(let expression): return try expression.value(in: &self)
        case .unbound(let nearMisses): throw EvaluationError(.unboundVariable(name, nearMisses: nearMisses))
        case .all: throw EvaluationError(.unboundVariable(name, nearMisses: []))
        }
    }
}
