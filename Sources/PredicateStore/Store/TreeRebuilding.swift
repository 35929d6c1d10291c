import PredicateSyntax

extension TreeNode {
    /// The node with other children, in the order of ``PredicateSyntax/TreeNode/children``.
    ///
    /// `age > 21` with `[age, 65]` is `age > 65`. A child of the wrong sort, or one too few, leaves the old one.
    package func replacing(children: [TreeNode]) -> TreeNode {
        var children = ChildReader(children)
        switch self {
        case .predicate(let node): return .predicate(node.replacing(&children))
        case .expression(let node): return .expression(node.replacing(&children))
        }
    }

    /// The tree with every constant as a closure makes it anew; those in the predicates of SUBQUERYs too.
    ///
    /// `boss == %@` with an object of another kind in place of the old one.
    package func mappingConstants(_ transform: (PredicateValue) -> PredicateValue) -> TreeNode {
        if case .expression(.constantValue(let value)) = self { return .expression(.constantValue(transform(value))) }
        let children = children
        return children.isEmpty ? self : replacing(children: children.map { $0.mappingConstants(transform) })
    }
}

extension PredicateNode {
    package func mappingConstants(_ transform: (PredicateValue) -> PredicateValue) -> PredicateNode {
        guard case .predicate(let node) = TreeNode.predicate(self).mappingConstants(transform) else { return self }
        return node
    }
}

/// Children handed out one by one.
private struct ChildReader {
    private var rest: ArraySlice<TreeNode>

    init(_ children: [TreeNode]) {
        rest = children[...]
    }

    mutating func predicate(_ old: PredicateNode) -> PredicateNode {
        guard case .predicate(let node)? = rest.popFirst() else { return old }
        return node
    }

    mutating func expression(_ old: ExpressionNode) -> ExpressionNode {
        guard case .expression(let node)? = rest.popFirst() else { return old }
        return node
    }

    mutating func expressions(_ old: [ExpressionNode]) -> [ExpressionNode] {
        var result: [ExpressionNode] = []
        for node in old { result.append(expression(node)) }
        return result
    }
}

extension PredicateNode {
    fileprivate func replacing(_ children: inout ChildReader) -> PredicateNode {
        switch self {
        case .constant: return self
        case .comparison(var node):
            node.leftExpression = children.expression(node.leftExpression)
            node.rightExpression = children.expression(node.rightExpression)
            return .comparison(node)
        case .string(var node):
            node.leftExpression = children.expression(node.leftExpression)
            node.rightExpression = children.expression(node.rightExpression)
            return .string(node)
        case .compound(var node):
            for index in node.subpredicates.indices {
                node.subpredicates[index] = children.predicate(node.subpredicates[index])
            }
            return .compound(node)
        }
    }
}

extension ExpressionNode {
    fileprivate func replacing(_ children: inout ChildReader) -> ExpressionNode {
        switch self {
        case .constantValue, .evaluatedObject, .variable, .symbol, .anyKey: return self
        case .keyPath(var node):
            node.base = node.base.map { children.expression($0) }
            return .keyPath(node)
        case .member(let node):
            let base = children.expression(node.base)
            return .member(MemberExpression(base: base, member: children.expression(node.member)))
        case .function(var node):
            node.arguments = children.expressions(node.arguments)
            return .function(node)
        case .message(var node):
            node.target = children.expression(node.target)
            node.arguments = children.expressions(node.arguments)
            return .message(node)
        case .cast(let node): return .cast(CastExpression(children.expression(node.expression), type: node.type))
        case .aggregate(let elements): return .aggregate(children.expressions(elements))
        case .index(let node):
            let base = children.expression(node.base)
            return .index(IndexExpression(base: base, index: children.expression(node.index)))
        case .subquery(var node):
            node.collection = children.expression(node.collection)
            node.predicate = children.predicate(node.predicate)
            return .subquery(node)
        case .conditional(var node):
            node.predicate = children.predicate(node.predicate)
            node.trueExpression = children.expression(node.trueExpression)
            node.falseExpression = children.expression(node.falseExpression)
            return .conditional(node)
        case .set(let node):
            let left = children.expression(node.leftExpression)
            return .set(SetExpression(left, node.operator, children.expression(node.rightExpression)))
        case .assignment(let node):
            return .assignment(AssignmentExpression(variable: node.variable, children.expression(node.expression)))
        case .fetch(let arguments): return .fetch(children.expressions(arguments))
        }
    }
}

extension PredicateValue {
    /// The value with its objects as a closure makes them anew, those in collections too.
    package func mappingObjects(_ transform: (PredicateObject) -> PredicateValue) -> PredicateValue {
        switch self {
        case .object(let object): transform(object)
        case .array(let values): .array(values.map { $0.mappingObjects(transform) })
        case .orderedSet(let values): .orderedSet(values.map { $0.mappingObjects(transform) })
        case .set(let values): .set(Set(values.map { $0.mappingObjects(transform) }))
        case .dictionary(let values): .dictionary(values.mapValues { $0.mappingObjects(transform) })
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .expression, .predicate:
            self
        }
    }
}
