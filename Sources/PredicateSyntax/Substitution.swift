/// A variable that a template needs and was given no value for.
public struct UnboundVariableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name without the dollar sign.
    public let variable: String

    public var description: String {
        "error: expected a value for $\(variable)\nhint: every variable of a template must be given one"
    }
}

extension FormatPredicate {
    /// The predicate with constants in place of its variables.
    ///
    /// `lastName LIKE[c] $LAST_NAME` with `["LAST_NAME": "Turner"]` is `lastName LIKE[c] "Turner"`: a string, never a
    /// key. Variables of a SUBQUERY keep their places. [NSP-131]
    /// - Throws: ``UnboundVariableError`` when a variable has no value.
    public func substituting(_ values: [String: any PredicateValueConvertible]) throws(UnboundVariableError)
        -> FormatPredicate
    {
        var substitution = Substitution(values: values.mapValues(\.predicateValue))
        return FormatPredicate(try substitution.predicate(node))
    }
}

extension FormatExpression {
    /// The expression with constants in place of its variables.
    /// - Throws: ``UnboundVariableError`` when a variable has no value.
    public func substituting(_ values: [String: any PredicateValueConvertible]) throws(UnboundVariableError)
        -> FormatExpression
    {
        var substitution = Substitution(values: values.mapValues(\.predicateValue))
        return FormatExpression(try substitution.expression(node))
    }
}

/// Rebuilds a tree with values for variables.
private struct Substitution {
    let values: [String: PredicateValue]
    /// Variables that a SUBQUERY or an assignment gives their value.
    var bound = BoundNames()

    mutating func predicate(_ node: PredicateNode) throws(UnboundVariableError) -> PredicateNode {
        switch node {
        case .constant: return node
        case .comparison(var comparison):
            comparison.leftExpression = try expression(comparison.leftExpression)
            comparison.rightExpression = try expression(comparison.rightExpression)
            return .comparison(comparison)
        case .string(var string):
            string.leftExpression = try expression(string.leftExpression)
            string.rightExpression = try expression(string.rightExpression)
            return .string(string)
        case .compound(var compound):
            for index in compound.subpredicates.indices {
                compound.subpredicates[index] = try predicate(compound.subpredicates[index])
            }
            return .compound(compound)
        }
    }

    mutating func expression(_ node: ExpressionNode) throws(UnboundVariableError) -> ExpressionNode {
        switch node {
        case .constantValue, .evaluatedObject, .symbol, .anyKey: return node
        case .variable(let name): return try value(of: name).map(Self.node) ?? node
        case .keyPath(var path):
            path.base = if let base = path.base { try expression(base) } else { nil }
            path.components = try components(path.components)
            return .keyPath(path)
        case .member(var member):
            member.base = try expression(member.base)
            member.member = try expression(member.member)
            return .member(member)
        case .function(var call):
            call.arguments = try expressions(call.arguments)
            return .function(call)
        case .message(var message):
            message.target = try expression(message.target)
            message.arguments = try expressions(message.arguments)
            return .message(message)
        case .cast(var cast):
            cast.expression = try expression(cast.expression)
            return .cast(cast)
        case .aggregate(let elements): return .aggregate(of: try expressions(elements))
        case .index(var index):
            index.base = try expression(index.base)
            index.index = try expression(index.index)
            return .index(index)
        case .subquery(let subquery): return .subquery(try self.subquery(subquery))
        case .conditional(var conditional):
            conditional.predicate = try predicate(conditional.predicate)
            conditional.trueExpression = try expression(conditional.trueExpression)
            conditional.falseExpression = try expression(conditional.falseExpression)
            return .conditional(conditional)
        case .set(var set):
            set.leftExpression = try expression(set.leftExpression)
            set.rightExpression = try expression(set.rightExpression)
            return .set(set)
        case .assignment(var assignment):
            assignment.expression = try expression(assignment.expression)
            bound.assign(assignment.variable)
            return .assignment(assignment)
        case .fetch(let arguments): return .fetch(try expressions(arguments))
        }
    }

    private mutating func expressions(_ nodes: [ExpressionNode]) throws(UnboundVariableError) -> [ExpressionNode] {
        var result: [ExpressionNode] = []
        for node in nodes { result.append(try expression(node)) }
        return result
    }

    private mutating func subquery(_ node: SubqueryExpression) throws(UnboundVariableError) -> SubqueryExpression {
        var node = node
        node.collection = try expression(node.collection)
        bound.enter(node.variable)
        defer { bound.leave() }
        node.predicate = try predicate(node.predicate)
        return node
    }

    /// A variable in a key path stands for a key; one that is no string is left for the evaluator to refuse.
    private func components(_ components: [KeyPathComponent]) throws(UnboundVariableError) -> [KeyPathComponent] {
        var result: [KeyPathComponent] = []
        for component in components {
            if case .variable(let name) = component, case .string(let key)? = try value(of: name) {
                result += key.split(separator: ".", omittingEmptySubsequences: false).map { .key(String($0)) }
            } else {
                result.append(component)
            }
        }
        return result
    }

    /// The value of a variable; nil when the variable is bound inside the tree.
    private func value(of name: String) throws(UnboundVariableError) -> PredicateValue? {
        if bound.contains(name) { return nil }
        guard let value = values[exactly: name] else { throw UnboundVariableError(variable: name) }
        return value
    }

    /// A bound expression takes the variable's place as itself.
    private static func node(_ value: PredicateValue) -> ExpressionNode {
        if case .expression(let node) = value { node } else { .constantValue(value) }
    }
}
