import PredicateSyntax

/// `sum:(prices)`, `sqrt(2)`: a function of the language.
final class FunctionPlan: ExpressionPlan {
    let node: Int
    private let body: FunctionBody
    private let arguments: [any ExpressionPlan]
    private let limits: PredicateLimits

    init(_ body: @escaping FunctionBody, _ arguments: [any ExpressionPlan], _ limits: PredicateLimits, node: Int) {
        self.limits = limits
        self.body = body
        self.arguments = arguments
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let values = try context.values(of: arguments, at: node)
        do {
            let result = try body(values)
            if let text = result.text { try ResultLimit.check(text.utf8.count, limits) }
            return result
        } catch {
            throw EvaluationError(error, operands: arguments.map(\.node), whole: node)
        }
    }
}

/// `a + b`: arithmetic on two numbers, without an array for the arguments.
final class ArithmeticPlan: ExpressionPlan {
    /// `+ - * /`, the operators that are evaluated for many objects.
    enum Operation: Sendable {
        case add
        case subtract
        case multiply
        case divide
    }

    let node: Int
    private let operation: Operation
    private let left: any ExpressionPlan
    private let right: any ExpressionPlan

    init(_ operation: Operation, _ left: any ExpressionPlan, _ right: any ExpressionPlan, node: Int) {
        self.operation = operation
        self.left = left
        self.right = right
        self.node = node
    }

    var shape: ExpressionShape { .arithmetic(operation, left, right) }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let leftNumber = try Self.number(of: left, &context)
        let rightNumber = try Self.number(of: right, &context)
        do {
            return .value(try result(leftNumber, rightNumber).predicateValue)
        } catch {
            throw error.placed(at: node)
        }
    }

    private func result(_ left: Number, _ right: Number) throws(EvaluationError) -> Number {
        switch operation {
        case .add: try left.adding(right)
        case .subtract: try left.subtracting(right)
        case .multiply: try left.multiplied(by: right)
        case .divide: try left.divided(by: right)
        }
    }

    private static func number(
        of plan: any ExpressionPlan, _ context: inout EvaluationContext
    ) throws(EvaluationError) -> Number {
        let value = try plan.value(&context)
        guard let number = value.number else {
            throw EvaluationError(.notANumber(found: value.found), node: plan.node)
        }
        return number
    }
}

/// `mgl_round(score)`: a function of the host.
final class HostFunctionPlan: ExpressionPlan {
    let node: Int
    private let name: String
    private let body: EvaluationRegistry.Function
    private let arguments: [any ExpressionPlan]

    init(
        _ body: @escaping EvaluationRegistry.Function, _ name: String, _ arguments: [any ExpressionPlan], node: Int
    ) {
        self.body = body
        self.name = name
        self.arguments = arguments
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let values = try context.values(of: arguments, at: node)
        do {
            return try body(values)
        } catch {
            throw EvaluationError(host: error, of: name, at: node)
        }
    }
}
