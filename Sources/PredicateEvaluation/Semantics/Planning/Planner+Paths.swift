import PredicateSyntax

extension Planner {
    /// The plan of a key path: resolved now, unless a variable names one of its keys.
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

    private mutating func step(for component: KeyPathExpression.Component) -> DynamicKeyPathPlan.Step {
        switch component {
        case .key(let name): return .key(name)
        case .variable(let name):
            if let value = constant(for: name) { return .value(value) }
            return .variable(slot(for: name), name)
        }
    }

    /// The plan of an expression after a dot: a call of a function sends a message to the base; an index there has no key to
    /// follow, since it belongs to the word before it.
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

    /// `name.uppercase('x')` sends `uppercase:`: a name takes as many colons as it has arguments.
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
    /// The kind of an expression, in the words of errors.
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
