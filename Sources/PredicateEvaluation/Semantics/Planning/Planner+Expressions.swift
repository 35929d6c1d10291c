import PredicateSyntax

extension Planner {
    /// The plan of an expression.
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

    /// The plans of several expressions, in their order.
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

    /// The position in an index may be `FIRST`, `LAST` or `SIZE`, which are no values anywhere else.
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

    /// `FETCH(request, context)` is that without a count.
    private mutating func plan(fetch arguments: [ExpressionNode]) throws(EvaluationError) -> any ExpressionPlan {
        let arguments = try plans(arguments)
        let node = nextNode()
        try Self.check(arguments.count, 2...3, of: "FETCH", at: node)
        let countOnly = arguments.count > 2 ? arguments[2] : nil
        return FetchPlan(arguments[0], arguments[1], countOnly: countOnly, node: node)
    }
}
