/// A pass that makes a new tree from another one. Nodes that it does not replace are rebuilt from their mapped
/// children.
///
/// `lastName == $name` becomes `lastName == "Turner"`.
package protocol TreeMapping {
    associatedtype Failure: Error

    mutating func predicate(_ node: PredicateNode) throws(Failure) -> PredicateNode
    mutating func expression(_ node: ExpressionNode) throws(Failure) -> ExpressionNode
}

extension TreeMapping {
    /// Returns the node with its children mapped, from left to right.
    @inline(never)
    package mutating func mappingChildren(of node: PredicateNode) throws(Failure) -> PredicateNode {
        switch node {
        case .constant, .block: return node
        case .comparison(let node): return .comparison(try mappingOperands(of: node).spellingOutRange())
        case .string(let node): return .string(try mappingOperands(of: node))
        case .compound(let node):
            let parts = try node.subpredicates.map { (part) throws(Failure) in try predicate(part) }
            return .compound(CompoundPredicate(node.type, parts))
        }
    }

    private mutating func mappingOperands<Operator>(
        of node: OperatorComparison<Operator>
    ) throws(Failure) -> OperatorComparison<Operator> {
        var node = node
        node.leftExpression = try expression(node.leftExpression)
        node.rightExpression = try expression(node.rightExpression)
        return node
    }

    /// Returns the node with its children mapped, from left to right; an aggregate of constants becomes a constant.
    @inline(never)
    package mutating func mappingChildren(of node: ExpressionNode) throws(Failure) -> ExpressionNode {
        switch node {
        case .constantValue, .evaluatedObject, .variable, .symbol, .anyKey: return node
        case .keyPath(var node):
            if let base = node.base { node.base = try expression(base) }
            return .keyPath(node)
        case .member(let node):
            return .member(MemberExpression(base: try expression(node.base), member: try expression(node.member)))
        case .function(let node): return .function(FunctionExpression(node.function, try mapped(node.arguments)))
        case .message(var node):
            node.target = try expression(node.target)
            node.arguments = try mapped(node.arguments)
            return .message(node)
        case .cast(let node): return .cast(CastExpression(try expression(node.expression), type: node.type))
        case .aggregate(let elements): return .aggregate(of: try mapped(elements))
        case .index(let node):
            return .index(IndexExpression(base: try expression(node.base), index: try expression(node.index)))
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
        case .block(let node): return .block(BlockExpression(node.body, try mapped(node.arguments)))
        case .fetch(let arguments): return .fetch(try mapped(arguments))
        }
    }

    private mutating func mapped(_ nodes: [ExpressionNode]) throws(Failure) -> [ExpressionNode] {
        try nodes.map { (node) throws(Failure) in try expression(node) }
    }
}

extension PredicateNode {
    /// Returns the predicate with every constant transformed, including constants in SUBQUERYs.
    ///
    /// `boss == %@`: the object for `%@` becomes one of another kind.
    package func mappingConstants(_ transform: (PredicateValue) -> PredicateValue) -> PredicateNode {
        withoutActuallyEscaping(transform) { transform in
            var mapping = ConstantMapping(transform: transform)
            return mapping.predicate(self)
        }
    }
}

// MARK: - Constants

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
    /// Returns the value with its objects transformed, also inside collections.
    package func mappingObjects(_ transform: (PredicateObject) -> PredicateValue) -> PredicateValue {
        mappingElements { if case .object(let object) = $0 { transform(object) } else { $0 } }
    }

    /// Returns the transformed value, or the collection of its transformed elements.
    package func mappingElements(_ transform: (PredicateValue) -> PredicateValue) -> PredicateValue {
        switch self {
        case .array(let values): .array(values.map { $0.mappingElements(transform) })
        case .orderedSet(let values): .orderedSet(values.map { $0.mappingElements(transform) })
        case .set(let values): .set(Set(values.map { $0.mappingElements(transform) }))
        case .dictionary(let values): .dictionary(values.mapValues { $0.mappingElements(transform) })
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object, .expression, .predicate:
            transform(self)
        }
    }
}

extension FormatPredicate {
    /// Returns the predicate with its variables replaced by constants.
    ///
    /// `lastName LIKE[c] $LAST_NAME` with `["LAST_NAME": "Turner"]` is `lastName LIKE[c] "Turner"`. The value is a
    /// string, never a key. Variables of a SUBQUERY are not replaced. [NSP-136]
    /// - Throws: ``PredicateFormatError`` with the code `unboundVariable` if a variable has no value.
    public func substituting(
        _ variables: PredicateVariables
    ) throws(PredicateFormatError) -> FormatPredicate {
        var substitution = Substitution(values: variables.plainValues)
        return FormatPredicate(try substitution.predicate(node))
    }
}

extension FormatExpression {
    /// Returns the expression with its variables replaced by constants.
    /// - Throws: ``PredicateFormatError`` with the code `unboundVariable` if a variable has no value.
    public func substituting(
        _ variables: PredicateVariables
    ) throws(PredicateFormatError) -> FormatExpression {
        var substitution = Substitution(values: variables.plainValues)
        return FormatExpression(try substitution.expression(node))
    }
}

/// Rebuilds a tree with values for its variables.
private struct Substitution: TreeMapping {
    let values: [String: PredicateValue]
    /// The variables that the tree binds itself.
    var bound = BoundNames()

    mutating func predicate(_ node: PredicateNode) throws(PredicateFormatError) -> PredicateNode {
        try mappingChildren(of: node)
    }

    mutating func expression(_ node: ExpressionNode) throws(PredicateFormatError) -> ExpressionNode {
        switch node {
        case .variable(let name): return try value(of: name).map(Self.node) ?? node
        case .keyPath(var path):
            if let base = path.base { path.base = try expression(base) }
            path.components = try components(path.components)
            return .keyPath(path)
        case .subquery(let subquery): return .subquery(try self.subquery(subquery))
        case .assignment(let assignment):
            let result = try mappingChildren(of: node)
            bound.assign(assignment.variable)
            return result
        case .constantValue, .evaluatedObject, .member, .function, .message, .cast, .aggregate, .index, .symbol,
            .conditional, .set, .anyKey, .block, .fetch:
            return try mappingChildren(of: node)
        }
    }

    @inline(never)
    private mutating func subquery(_ node: SubqueryExpression) throws(PredicateFormatError) -> SubqueryExpression {
        var node = node
        node.collection = try expression(node.collection)
        bound.enter(node.variable)
        defer { bound.leave() }
        node.predicate = try predicate(node.predicate)
        return node
    }

    /// A variable in a key path is replaced by its key. The evaluator reports a value that is not a string.
    @inline(never)
    private func components(
        _ components: [KeyPathExpression.Component]
    ) throws(PredicateFormatError) -> [KeyPathExpression.Component] {
        var result: [KeyPathExpression.Component] = []
        for component in components {
            if case .variable(let name) = component, case .string(let key)? = try value(of: name) {
                result += KeyPathExpression.keys(of: key).map { .key($0) }
            } else {
                result.append(component)
            }
        }
        return result
    }

    /// Returns the value of a variable; nil for a variable that the tree binds itself.
    private func value(of name: String) throws(PredicateFormatError) -> PredicateValue? {
        if bound.contains(name) { return nil }
        guard let value = values[exactly: name] else { throw PredicateFormatError(.unboundVariable(name)) }
        return value
    }

    /// A value that is an expression replaces the variable as a node.
    private static func node(_ value: PredicateValue) -> ExpressionNode {
        if case .expression(let node) = value { node } else { .constantValue(value) }
    }
}
