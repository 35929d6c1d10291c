/// A pass that makes a tree anew from another one: what it does not replace is rebuilt from its mapped children.
///
/// `lastName == $name` becomes `lastName == "Turner"`.
package protocol TreeMapping {
    associatedtype Failure: Error

    mutating func predicate(_ node: PredicateNode) throws(Failure) -> PredicateNode
    mutating func expression(_ node: ExpressionNode) throws(Failure) -> ExpressionNode
}

extension TreeMapping {
    /// The node with its children mapped, from left to right.
    package mutating func mappingChildren(of node: PredicateNode) throws(Failure) -> PredicateNode {
        switch node {
        case .constant: return node
        case .comparison(let node): return .comparison(try mappingChildren(of: node))
        case .string(let node): return .string(try mappingChildren(of: node))
        case .compound(let node):
            var nodes: [PredicateNode] = []
            for index in 0..<node.count { nodes.append(try predicate(node[index])) }
            return .compound(CompoundPredicate(node.type, nodes))
        }
    }

    /// The node with its children mapped, from left to right; an aggregate of constants becomes a constant.
    package mutating func mappingChildren(of node: ExpressionNode) throws(Failure) -> ExpressionNode {
        switch node {
        case .constantValue, .evaluatedObject, .variable, .symbol, .anyKey: return node
        case .keyPath(var node):
            guard let base = node.base else { return .keyPath(node) }
            node.base = try expression(base)
            return .keyPath(node)
        case .member(let node):
            let base = try expression(node.base)
            return .member(MemberExpression(base: base, member: try expression(node.member)))
        case .function(let node): return .function(FunctionExpression(node.function, try expressions(node.arguments)))
        case .message(var node):
            node.target = try expression(node.target)
            node.arguments = try expressions(node.arguments)
            return .message(node)
        case .cast(let node): return .cast(CastExpression(try expression(node.expression), type: node.type))
        case .aggregate(let elements): return .aggregate(of: try expressions(elements))
        case .index(let node):
            let base = try expression(node.base)
            return .index(IndexExpression(base: base, index: try expression(node.index)))
        case .subquery(var node):
            node.collection = try expression(node.collection)
            node.predicate = try predicate(node.predicate)
            return .subquery(node)
        case .conditional(var node):
            node.predicate = try predicate(node.predicate)
            node.trueExpression = try expression(node.trueExpression)
            node.falseExpression = try expression(node.falseExpression)
            return .conditional(node)
        case .set(let node):
            let left = try expression(node.leftExpression)
            return .set(SetExpression(left, node.operator, try expression(node.rightExpression)))
        case .assignment(let node):
            return .assignment(AssignmentExpression(variable: node.variable, try expression(node.expression)))
        case .fetch(let arguments): return .fetch(try expressions(arguments))
        }
    }

    private mutating func mappingChildren<Operator>(
        of node: OperatorComparison<Operator>
    ) throws(Failure) -> OperatorComparison<Operator> {
        var node = node
        node.leftExpression = try expression(node.leftExpression)
        node.rightExpression = try expression(node.rightExpression)
        return node
    }

    private mutating func expressions(_ nodes: [ExpressionNode]) throws(Failure) -> [ExpressionNode] {
        var result: [ExpressionNode] = []
        for node in nodes { result.append(try expression(node)) }
        return result
    }
}

extension TreeNode {
    /// The node with other children, in the order of ``children``.
    ///
    /// `age > 21` with `[age, 65]` is `age > 65`. A child of the wrong sort, or one too few, leaves the old one.
    package func replacing(children: [TreeNode]) -> TreeNode {
        var replacement = ChildReplacement(rest: children[...])
        switch self {
        case .predicate(let node): return .predicate(replacement.mappingChildren(of: node))
        case .expression(let node): return .expression(replacement.mappingChildren(of: node))
        }
    }
}

/// Hands out new children one by one.
private struct ChildReplacement: TreeMapping {
    var rest: ArraySlice<TreeNode>

    mutating func predicate(_ old: PredicateNode) -> PredicateNode {
        guard case .predicate(let node)? = rest.popFirst() else { return old }
        return node
    }

    mutating func expression(_ old: ExpressionNode) -> ExpressionNode {
        guard case .expression(let node)? = rest.popFirst() else { return old }
        return node
    }
}

extension PredicateNode {
    /// The predicate with every constant transformed, those in the predicates of SUBQUERYs included.
    ///
    /// `boss == %@` with an object of another kind.
    package func mappingConstants(_ transform: (PredicateValue) -> PredicateValue) -> PredicateNode {
        withoutActuallyEscaping(transform) { transform in
            var mapping = ConstantMapping(transform: transform)
            return mapping.predicate(self)
        }
    }
}

private struct ConstantMapping: TreeMapping {
    let transform: (PredicateValue) -> PredicateValue

    mutating func predicate(_ node: PredicateNode) -> PredicateNode {
        mappingChildren(of: node)
    }

    mutating func expression(_ node: ExpressionNode) -> ExpressionNode {
        if case .constantValue(let value) = node { .constantValue(transform(value)) } else { mappingChildren(of: node) }
    }
}

extension PredicateValue {
    /// The value with its objects transformed, those in collections included.
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
