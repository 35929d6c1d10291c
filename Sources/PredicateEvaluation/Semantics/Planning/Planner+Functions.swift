import PredicateSyntax

extension Planner {
    /// The plan of a call by name: a function of the language, or one of the host's.
    mutating func plan(_ call: FunctionExpression) throws(EvaluationError) -> any ExpressionPlan {
        let arguments = try plans(call.arguments)
        let node = nextNode()
        switch call.function {
        case .predefined(let function):
            try Self.check(arguments.count, function.arity, of: function.rawValue, at: node)
            let plan = plan(function, arguments, node)
            return function.isPure ? Self.folded(plan, arguments) : plan
        case .custom(let name):
            guard let body = settings.registry.function(named: name) else {
                let nearMisses = settings.registry.functionNames(near: name)
                throw EvaluationError(.unknownFunction(name, nearMisses: nearMisses), node: node)
            }
            return HostFunctionPlan(body, name, arguments, node: node)
        }
    }

    private func plan(
        _ function: FunctionExpression.Predefined, _ arguments: [any ExpressionPlan], _ node: Int
    ) -> any ExpressionPlan {
        guard arguments.count == 2, let operation = ArithmeticPlan.Operation(function) else {
            return FunctionPlan(function.body, arguments, settings.limits, node: node)
        }
        return ArithmeticPlan(operation, arguments[0], arguments[1], node: node)
    }

    /// The plan of `FUNCTION(target, "selector", …)`.
    mutating func plan(_ message: MessageExpression) throws(EvaluationError) -> any ExpressionPlan {
        let target = try plan(message.target)
        let arguments = try plans(message.arguments)
        let node = nextNode()
        return try messagePlan(target, message.selector, arguments, node)
    }

    /// The plan that sends a message. It takes an argument for each colon, unless it is a host's.
    func messagePlan(
        _ target: any ExpressionPlan, _ selector: String, _ arguments: [any ExpressionPlan], _ node: Int
    ) throws(EvaluationError) -> MessagePlan {
        if settings.registry.message(named: selector) == nil {
            let count = selector.utf8.count { $0 == UInt8(ascii: ":") }
            try Self.check(arguments.count, count...count, of: selector, at: node)
        }
        return MessagePlan(target, selector, arguments, settings.registry, settings.limits, node: node)
    }

    /// The plan of `CAST(expression, "NSDate")`.
    mutating func plan(_ cast: CastExpression) throws(EvaluationError) -> any ExpressionPlan {
        let expression = try plan(cast.expression)
        let node = nextNode()
        guard let type = CastType(rawValue: cast.type) else {
            let nearMisses = NearMiss.candidates(for: cast.type, among: CastType.allCases.map(\.rawValue))
            throw EvaluationError(.unknownCastType(cast.type, nearMisses: nearMisses), node: node)
        }
        return Self.folded(CastPlan(expression, type, settings.limits, node: node), [expression])
    }

    /// Throws `argumentCount` for a call with too few or too many arguments.
    static func check(
        _ found: Int, _ expected: ClosedRange<Int>, of function: String, at node: Int
    ) throws(EvaluationError) {
        guard expected.contains(found) else {
            throw EvaluationError(
                .argumentCount(function: function, expected: expected, found: found), node: node)
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
