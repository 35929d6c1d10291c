extension FormatPredicate {
    /// The predicate with constants in place of its variables.
    ///
    /// `lastName LIKE[c] $LAST_NAME` with `["LAST_NAME": "Turner"]` is `lastName LIKE[c] "Turner"`: a string, never a
    /// key. Variables of a SUBQUERY stay. [NSP-136]
    /// - Throws: ``PredicateFormatError`` with the code `unboundVariable` when a variable has no value.
    public func substituting(
        _ values: [String: any PredicateValueConvertible]
    ) throws(PredicateFormatError) -> FormatPredicate {
        var substitution = Substitution(values: values.mapValues(\.predicateValue))
        return FormatPredicate(try substitution.predicate(node))
    }
}

extension FormatExpression {
    /// The expression with constants in place of its variables.
    /// - Throws: ``PredicateFormatError`` with the code `unboundVariable` when a variable has no value.
    public func substituting(
        _ values: [String: any PredicateValueConvertible]
    ) throws(PredicateFormatError) -> FormatExpression {
        var substitution = Substitution(values: values.mapValues(\.predicateValue))
        return FormatExpression(try substitution.expression(node))
    }
}

/// Rebuilds a tree with values for variables.
private struct Substitution: TreeMapping {
    let values: [String: PredicateValue]
    /// Variables that a SUBQUERY or an assignment gives their value.
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

    /// A variable in a key path stands for a key; a value that is not a string is left for the evaluator to refuse.
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

    /// The value of a variable; nil when the variable is bound inside the tree.
    private func value(of name: String) throws(PredicateFormatError) -> PredicateValue? {
        if bound.contains(name) { return nil }
        guard let value = values[exactly: name] else { throw PredicateFormatError(.unboundVariable(name)) }
        return value
    }

    /// A value that is an expression takes the variable's place as itself.
    private static func node(_ value: PredicateValue) -> ExpressionNode {
        if case .expression(let node) = value { node } else { .constantValue(value) }
    }
}
