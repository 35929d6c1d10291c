import PredicateSyntax

extension Planner {
    /// The plan of a call by name: a function of the language, or one of the host's.
    mutating func plan(_ call: FunctionExpression) throws(EvaluationError) -> any ExpressionPlan {
        let arguments = try plans(call.arguments)
        let number = nextNumber()
        switch call.function {
        case .predefined(let function):
            try Self.check(arguments.count, function.arity, of: function.rawValue, at: number)
            let plan = plan(function, arguments, number)
            return function.isPure ? Self.folded(plan, arguments) : plan
        case .custom(let name):
            guard let body = settings.registry.function(named: name) else {
                let nearMisses = settings.registry.functionNames(near: name)
                throw EvaluationError(.unknownFunction(name, nearMisses: nearMisses), node: number)
            }
            return HostFunctionPlan(body, arguments, number: number)
        }
    }

    private func plan(
        _ function: FunctionExpression.Predefined, _ arguments: [any ExpressionPlan], _ number: Int
    ) -> any ExpressionPlan {
        guard arguments.count == 2, let operation = ArithmeticPlan.Operation(function) else {
            return FunctionPlan(function.body, arguments, settings.limits, number: number)
        }
        return ArithmeticPlan(operation, arguments[0], arguments[1], number: number)
    }

    /// The plan of `FUNCTION(target, "selector", …)`.
    mutating func plan(_ message: MessageExpression) throws(EvaluationError) -> any ExpressionPlan {
        let target = try plan(message.target)
        let arguments = try plans(message.arguments)
        let number = nextNumber()
        return try messagePlan(target, message.selector, arguments, number)
    }

    /// What sends a message. It takes an argument for each colon, unless it is a host's.
    func messagePlan(
        _ target: any ExpressionPlan, _ selector: String, _ arguments: [any ExpressionPlan], _ number: Int
    ) throws(EvaluationError) -> MessagePlan {
        if settings.registry.message(named: selector) == nil {
            let count = selector.utf8.count { $0 == UInt8(ascii: ":") }
            try Self.check(arguments.count, count...count, of: selector, at: number)
        }
        return MessagePlan(target, selector, arguments, settings.registry, settings.limits, number: number)
    }

    /// The plan of `CAST(expression, "NSDate")`.
    mutating func plan(_ cast: CastExpression) throws(EvaluationError) -> any ExpressionPlan {
        let expression = try plan(cast.expression)
        let number = nextNumber()
        guard let type = CastType(rawValue: cast.type) else {
            let nearMisses = NearMiss.candidates(for: cast.type, among: CastType.allCases.map(\.rawValue))
            throw EvaluationError(.unknownCastType(cast.type, nearMisses: nearMisses), node: number)
        }
        return Self.folded(CastPlan(expression, type, settings.limits, number: number), [expression])
    }

    private static func check(
        _ found: Int, _ expected: ClosedRange<Int>, of function: String, at number: Int
    ) throws(EvaluationError) {
        guard expected.contains(found) else {
            throw EvaluationError(
                .argumentCount(function: function, expected: expected, found: found), node: number)
        }
    }
}

extension ArithmeticPlan.Operation {
    fileprivate init?(_ function: FunctionExpression.Predefined) {
        switch function {
        case .add: self = .add
        case .subtract: self = .subtract
        case .multiply: self = .multiply
        case .divide: self = .divide
        case .sum, .count, .min, .max, .average, .median, .mode, .stddev, .modulus, .sqrt, .log, .ln, .power, .exp,
            .floor, .ceiling, .abs, .trunc, .negate, .uppercase, .lowercase, .random, .randomn, .now, .bitwiseAnd,
            .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement, .noindex, .length, .distance:
            return nil
        }
    }
}
