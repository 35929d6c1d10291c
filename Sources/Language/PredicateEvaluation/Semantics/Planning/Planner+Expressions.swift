import PredicateSyntax

extension Planner {
    mutating func plan(_ node: ExpressionNode) throws(EvaluationError) -> any ExpressionPlan {
        switch node {
        case .constantValue(let value): ConstantPlan(value, node: nextNode())
        case .evaluatedObject: EvaluatedObjectPlan(node: nextNode())
        case .variable(let name): plan(variable: name)
        case .keyPath(let path): try plan(path)
        case .member(let member): try plan(member)
        case .function(let call): try plan(call)
        case .message(let message): try plan(message)
        case .cast(let cast): try plan(cast)
        case .aggregate(let elements): try plan(aggregate: elements)
        case .index(let index): try plan(index)
        case .symbol(let symbol): throw EvaluationError(.symbolOutsideIndex(symbol.rawValue), node: nextNode())
        case .subquery(let subquery): try plan(subquery)
        case .conditional(let conditional): try plan(conditional)
        case .set(let set): try plan(set)
        case .assignment(let assignment): try plan(assignment)
        case .anyKey: throw EvaluationError(.notEvaluable("ANYKEY"), node: nextNode())
        case .block(let block): try plan(block)
        case .fetch(let arguments): try plan(fetch: arguments)
        }
    }

    mutating func plans(_ nodes: [ExpressionNode]) throws(EvaluationError) -> [any ExpressionPlan] {
        var plans: [any ExpressionPlan] = []
        plans.reserveCapacity(nodes.count)
        for node in nodes { plans.append(try plan(node)) }
        return plans
    }

    private mutating func plan(variable name: String) -> any ExpressionPlan {
        if let value = constant(for: name) { return ConstantPlan(value, node: nextNode()) }
        return VariablePlan(slot(for: name), name, node: nextNode())
    }

    private mutating func plan(_ assignment: AssignmentExpression) throws(EvaluationError) -> any ExpressionPlan {
        let expression = try plan(assignment.expression)
        return AssignmentPlan(slot: slot(for: assignment.variable), expression, settings.limits, node: nextNode())
    }

    private mutating func plan(aggregate elements: [ExpressionNode]) throws(EvaluationError) -> any ExpressionPlan {
        let plans = try plans(elements)
        return Self.folded(AggregatePlan(plans, node: nextNode()), plans)
    }

    /// Plans an index. `FIRST`, `LAST` and `SIZE` are valid only here.
    private mutating func plan(_ index: IndexExpression) throws(EvaluationError) -> any ExpressionPlan {
        let base = try plan(index.base)
        if case .symbol(let symbol) = index.index {
            _ = nextNode()
            return Self.folded(SymbolIndexPlan(base, symbol, node: nextNode()), [base])
        }
        let position = try plan(index.index)
        return Self.folded(IndexPlan(base, position, node: nextNode()), [base, position])
    }

    private mutating func plan(_ subquery: SubqueryExpression) throws(EvaluationError) -> any ExpressionPlan {
        let collection = try plan(subquery.collection)
        let (predicate, slot) = try plan(subquery.predicate, withVariable: subquery.variable)
        return SubqueryPlan(collection, slot: slot, predicate, settings.limits, node: nextNode())
    }

    private mutating func plan(_ conditional: ConditionalExpression) throws(EvaluationError) -> any ExpressionPlan {
        let predicate = try plan(conditional.predicate)
        let trueExpression = try plan(conditional.trueExpression)
        let falseExpression = try plan(conditional.falseExpression)
        return ConditionalPlan(predicate, trueExpression, falseExpression, node: nextNode())
    }

    private mutating func plan(_ set: SetExpression) throws(EvaluationError) -> any ExpressionPlan {
        let left = try plan(set.leftExpression)
        let right = try plan(set.rightExpression)
        return Self.folded(SetPlan(left, set.operator, right, node: nextNode()), [left, right])
    }

    /// Plans a fetch. `FETCH(request, context)` returns objects, not their number.
    private mutating func plan(fetch arguments: [ExpressionNode]) throws(EvaluationError) -> any ExpressionPlan {
        let arguments = try plans(arguments)
        let node = nextNode()
        try Self.check(arguments.count, 2...3, of: "FETCH", at: node)
        let countOnly = arguments.count > 2 ? arguments[2] : nil
        return FetchPlan(arguments[0], arguments[1], countOnly: countOnly, node: node)
    }

    /// Plans a key path. It is resolved now, unless one of its keys is a variable.
    mutating func plan(_ path: KeyPathExpression) throws(EvaluationError) -> any ExpressionPlan {
        let base = try path.base.map { (node) throws(EvaluationError) in try plan(node) }
        do {
            if let resolved = try ResolvedKeyPath(path, settings.limits) {
                return KeyPathPlan(base, resolved, node: nextNode())
            }
        } catch {
            throw error.placed(at: nextNode())
        }
        let steps = path.components.map { step(for: $0) }
        return DynamicKeyPathPlan(base, steps, settings.limits, node: nextNode())
    }

    private mutating func step(for component: KeyPathExpression.Component) -> DynamicKeyPathPlan.KeySource {
        switch component {
        case .key(let name): return .key(name)
        case .variable(let name):
            if let value = constant(for: name) { return .value(value) }
            return .variable(slot(for: name), name)
        }
    }

    /// Plans an expression after a dot. A call sends a message to the base. An index is an error: it belongs to the
    /// word before it, so there is no key to follow.
    mutating func plan(_ member: MemberExpression) throws(EvaluationError) -> any ExpressionPlan {
        let base = try plan(member.base)
        switch member.member {
        case .function(let call):
            let arguments = try plans(call.arguments)
            _ = nextNode()
            return try messagePlan(base, Self.selector(for: call), arguments, nextNode())
        case .index, .constantValue, .evaluatedObject, .variable, .keyPath, .member, .message, .cast, .aggregate,
            .symbol, .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            throw try refusal(of: member.member)
        }
    }

    /// `name.uppercase('x')` sends `uppercase:`; the selector gets a colon for each argument.
    private static func selector(for call: FunctionExpression) -> String {
        let name = call.function.name
        if call.arguments.isEmpty { return name.last == ":" ? String(name.dropLast()) : name }
        return name.last == ":" ? name : name + ":"
    }

    private mutating func refusal(of member: ExpressionNode) throws(EvaluationError) -> EvaluationError {
        let found = member.kindName
        guard case .symbol = member else {
            let plan = try plan(member)
            _ = nextNode()
            return EvaluationError(.notAKey(found: found), node: plan.node)
        }
        return EvaluationError(.notAKey(found: found), node: nextNode())
    }
}

extension ExpressionNode {
    /// The kind of an expression, as error messages name it.
    fileprivate var kindName: String {
        switch self {
        case .constantValue: "a value"
        case .evaluatedObject: "SELF"
        case .variable(let name): "the variable $\(name)"
        case .keyPath: "a key path"
        case .member: "an expression with a dot"
        case .function(let call): "the function \(call.function.name)"
        case .message: "a message"
        case .cast: "a CAST"
        case .aggregate: "a collection"
        case .index: "an index"
        case .symbol(let symbol): symbol.rawValue
        case .subquery: "a SUBQUERY"
        case .conditional: "a TERNARY"
        case .set: "a set expression"
        case .assignment: "an assignment"
        case .anyKey: "ANYKEY"
        case .block: "a block"
        case .fetch: "a FETCH"
        }
    }
}

extension Planner {
    /// Plans a call by name: a function of the language, or one of the host.
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
            return HostFunctionPlan(body, name, arguments, settings.registry.calendar, node: node)
        }
    }

    private func plan(
        _ function: FunctionExpression.Predefined, _ arguments: [any ExpressionPlan], _ node: Int
    ) -> any ExpressionPlan {
        guard arguments.count == 2, let operation = ArithmeticOperator(function) else {
            return FunctionPlan(function, arguments, settings.limits, node: node)
        }
        return ArithmeticPlan(operation, arguments[0], arguments[1], node: node)
    }

    mutating func plan(_ message: MessageExpression) throws(EvaluationError) -> any ExpressionPlan {
        let target = try plan(message.target)
        let arguments = try plans(message.arguments)
        let node = nextNode()
        return try messagePlan(target, message.selector, arguments, node)
    }

    /// Plans a message. It takes an argument for each colon, unless it is a message of the host.
    func messagePlan(
        _ target: any ExpressionPlan, _ selector: String, _ arguments: [any ExpressionPlan], _ node: Int
    ) throws(EvaluationError) -> MessagePlan {
        if settings.registry.message(named: selector) == nil {
            let count = selector.utf8.count { $0 == UInt8(ascii: ":") }
            try Self.check(arguments.count, count...count, of: selector, at: node)
        }
        return MessagePlan(target, selector, arguments, settings.registry, settings.limits, node: node)
    }

    mutating func plan(_ cast: CastExpression) throws(EvaluationError) -> any ExpressionPlan {
        let expression = try plan(cast.expression)
        let node = nextNode()
        guard let type = CastType(rawValue: cast.type) else {
            let nearMisses = NearMiss.candidates(for: cast.type, among: CastType.allCases.map(\.rawValue))
            throw EvaluationError(.unknownCastType(cast.type, nearMisses: nearMisses), node: node)
        }
        return Self.folded(CastPlan(expression, type, settings.limits, node: node), [expression])
    }

    /// Throws `argumentCount` if a call has too few or too many arguments.
    static func check(
        _ found: Int, _ expected: ClosedRange<Int>, of function: String, at node: Int
    ) throws(EvaluationError) {
        guard expected.contains(found) else {
            throw EvaluationError(
                .argumentCount(function: function, expected: expected, found: found), node: node)
        }
    }
}

extension ArithmeticOperator {
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
