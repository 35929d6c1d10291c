import PredicateEvaluation
import PredicateSyntax

/// Errors that do not depend on an object: names that do not exist, words that mean nothing where they stand,
/// patterns that are no patterns. Nodes are looked at as they are numbered, children before parents.
extension ReferenceEvaluator {
    func prepare(_ node: PredicateNode) throws(ReferenceError) {
        switch node {
        case .constant, .block: return
        case .comparison(let node):
            try prepare(node.leftExpression, node.rightExpression)
            guard case .customSelector(let name) = node.operator else { return }
            guard knowsSelector(name) else { throw ReferenceError(.unknownSelector) }
        case .string(let node):
            try prepare(node.leftExpression, node.rightExpression)
            if node.operator == .matches, let pattern = knownText(node.rightExpression) {
                _ = try expression(pattern, node.options.referenceMode)
            }
        case .compound(let node):
            for subpredicate in node.subpredicates { try prepare(subpredicate) }
            if node.type == .not, node.subpredicates.count != 1 { throw ReferenceError(.subpredicateCount) }
        }
    }

    /// Both sides of a comparison, one of which may be `ANYKEY`. [NSP-179]
    private func prepare(_ left: ExpressionNode, _ right: ExpressionNode) throws(ReferenceError) {
        if !left.isAnyKey { try prepare(left) }
        if left.isAnyKey || !right.isAnyKey { try prepare(right) }
    }

    func prepare(_ node: ExpressionNode) throws(ReferenceError) {
        switch node {
        case .constantValue, .evaluatedObject, .variable: return
        case .symbol: throw ReferenceError(.symbolOutsideIndex)
        case .anyKey: throw ReferenceError(.notEvaluable)
        case .keyPath(let path):
            if let base = path.base { try prepare(base) }
            let isKnown = path.components.allSatisfy { if case .key = $0 { true } else { false } }
            if isKnown, path.components.count > limits.nesting { throw ReferenceError(.nestingTooDeep) }
        case .member(let node): try prepare(node)
        case .function(let call): try prepare(call)
        case .message(let message):
            try prepare(message.target)
            try prepare(message.arguments)
            try checkCount(message.arguments, of: message.selector)
        case .cast(let cast):
            try prepare(cast.expression)
            guard Self.castTypes.contains(cast.type) else { throw ReferenceError(.unknownCastType) }
        case .index(let node):
            try prepare(node.base)
            if case .symbol = node.index { return }
            try prepare(node.index)
        case .subquery(let node):
            try prepare(node.collection)
            try prepare(node.predicate)
        case .conditional(let node):
            try prepare(node.predicate)
            try prepare([node.trueExpression, node.falseExpression])
        case .set(let node): try prepare([node.leftExpression, node.rightExpression])
        case .assignment(let node): try prepare(node.expression)
        case .block(let node): try prepare(node.arguments)
        case .aggregate(let elements): try prepare(elements)
        case .fetch(let arguments):
            try prepare(arguments)
            if arguments.count < 2 || arguments.count > 3 { throw ReferenceError(.argumentCount) }
        }
    }

    private func prepare(_ nodes: [ExpressionNode]) throws(ReferenceError) {
        for node in nodes { try prepare(node) }
    }

    /// A selector has a colon for each argument, unless the host says otherwise.
    private func checkCount(_ arguments: [ExpressionNode], of selector: String) throws(ReferenceError) {
        if registry.messages[selector] != nil { return }
        let colons = selector.utf8.count { $0 == UInt8(ascii: ":") }
        guard colons == arguments.count else { throw ReferenceError(.argumentCount) }
    }

    /// After a dot stands a key or a call. [NSP-049] [NSP-121]
    private func prepare(_ node: MemberExpression) throws(ReferenceError) {
        try prepare(node.base)
        if case .function(let call) = node.member {
            try prepare(call.arguments)
            return try checkCount(call.arguments, of: call.selector)
        }
        if case .symbol = node.member { throw ReferenceError(.notAKey) }
        try prepare(node.member)
        throw ReferenceError(.notAKey)
    }

    /// [NSP-154] [NSP-165]
    private func prepare(_ call: FunctionExpression) throws(ReferenceError) {
        try prepare(call.arguments)
        switch call.function {
        case .predefined(let function):
            guard function.arity.contains(call.arguments.count) else { throw ReferenceError(.argumentCount) }
        case .custom(let name):
            guard hostFunction(name) != nil else { throw ReferenceError(.unknownFunction) }
        }
    }

    /// A text that is the same for every object, and so is looked at beforehand. [NSP-100]
    private func knownText(_ node: ExpressionNode) -> String? {
        guard node.isKnown else { return nil }
        var copy = self
        return (try? copy.value(node))?.text
    }
}

extension ExpressionNode {
    /// True if it consists of constants, operators and pure functions.
    fileprivate var isKnown: Bool {
        switch self {
        case .constantValue: true
        case .aggregate(let elements): elements.allSatisfy(\.isKnown)
        case .cast(let cast): cast.expression.isKnown
        case .set(let node): node.leftExpression.isKnown && node.rightExpression.isKnown
        case .index(let node): node.base.isKnown && node.index.isKnownIndex
        case .function(let call): call.isKnown
        case .evaluatedObject, .variable, .keyPath, .member, .message, .symbol, .subquery, .conditional, .assignment,
            .anyKey, .block, .fetch:
            false
        }
    }

    private var isKnownIndex: Bool {
        if case .symbol = self { true } else { isKnown }
    }
}

extension FunctionExpression {
    fileprivate var isKnown: Bool {
        guard case .predefined(let function) = function else { return false }
        return ![.now, .random, .randomn].contains(function) && arguments.allSatisfy(\.isKnown)
    }
}
