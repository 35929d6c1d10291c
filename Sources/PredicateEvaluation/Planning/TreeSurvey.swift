import PredicateSyntax

/// What must be known of a tree before it is planned: that it is not too deep, and which variables it assigns.
///
/// `$a := 1 + 2`: three levels, assigns `a`.
struct TreeSurvey {
    /// Levels of nesting: 1 for a lone `SELF`.
    private(set) var depth = 0
    /// The names on the left of `:=`.
    private(set) var assigned: Set<String> = []

    /// Looks at every node, and goes no deeper than the limit. Throws `nestingTooDeep`.
    ///
    /// The nodes are visited where they lie: lists of children would cost more than all else that is done here.
    init(_ root: TreeNode, limits: Limits) throws(EvaluationError) {
        switch root {
        case .predicate(let node): try visit(node, 1, limits)
        case .expression(let node): try visit(node, 1, limits)
        }
    }

    private mutating func enter(_ depth: Int, _ limits: Limits) throws(EvaluationError) {
        guard depth <= limits.nesting else { throw EvaluationError(.nestingTooDeep(limit: limits.nesting)) }
        if depth > self.depth { self.depth = depth }
    }

    private mutating func visit(_ node: PredicateNode, _ depth: Int, _ limits: Limits) throws(EvaluationError) {
        try enter(depth, limits)
        switch node {
        case .constant: break
        case .comparison(let node):
            try visit(node.leftExpression, depth + 1, limits)
            try visit(node.rightExpression, depth + 1, limits)
        case .string(let node):
            try visit(node.leftExpression, depth + 1, limits)
            try visit(node.rightExpression, depth + 1, limits)
        case .compound(let node): for child in node.subpredicates { try visit(child, depth + 1, limits) }
        }
    }

    private mutating func visit(_ node: ExpressionNode, _ depth: Int, _ limits: Limits) throws(EvaluationError) {
        try enter(depth, limits)
        switch node {
        case .evaluatedObject, .variable, .symbol, .anyKey: break
        case .constantValue(let value): try Self.check(value, limits)
        case .keyPath(let node): if let base = node.base { try visit(base, depth + 1, limits) }
        case .function(let node): for child in node.arguments { try visit(child, depth + 1, limits) }
        case .assignment(let node):
            assigned.insert(node.variable)
            try visit(node.expression, depth + 1, limits)
        case .member, .message, .cast, .aggregate, .index, .subquery, .conditional, .set, .fetch:
            for child in node.children {
                switch child {
                case .predicate(let child): try visit(child, depth + 1, limits)
                case .expression(let child): try visit(child, depth + 1, limits)
                }
            }
        }
    }

    /// Refuses a constant whose collections nest too deep; a flat one costs next to nothing.
    private static func check(_ constant: PredicateValue, _ limits: Limits) throws(EvaluationError) {
        guard constant.isCollection else { return }
        var waiting: [(value: PredicateValue, depth: Int)] = [(constant, 1)]
        while let (value, depth) = waiting.popLast() {
            guard depth <= limits.nesting else { throw EvaluationError(.nestingTooDeep(limit: limits.nesting)) }
            for element in value.nestedElements where element.isCollection { waiting.append((element, depth + 1)) }
        }
    }
}

extension PredicateValue {
    /// The elements of a collection, the values of a dictionary; of anything else none.
    fileprivate var nestedElements: [PredicateValue] {
        switch self {
        case .array(let elements), .orderedSet(let elements): elements
        case .set(let elements): Array(elements)
        case .dictionary(let entries): Array(entries.values)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object, .expression, .predicate:
            []
        }
    }

    fileprivate var isCollection: Bool {
        switch self {
        case .array, .orderedSet, .set, .dictionary: true
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object, .expression, .predicate:
            false
        }
    }
}
