import PredicateSyntax

/// What must be known of a tree before it is planned: that it is not too deep, and which variables it assigns.
///
/// `$a := 1 + 2`: three levels, assigns `a`.
struct TreeSurvey {
    /// Levels of nesting: 1 for a lone `SELF`.
    private(set) var depth = 0
    /// The names on the left of `:=`.
    private(set) var assigned: Set<String> = []

    /// Looks at every node without recursion, so that no depth is a danger. Throws `nestingTooDeep`.
    init(_ root: TreeNode, limits: Limits) throws(EvaluationError) {
        var waiting: [(node: TreeNode, depth: Int)] = [(root, 1)]
        while let (node, depth) = waiting.popLast() {
            guard depth <= limits.nesting else { throw EvaluationError(.nestingTooDeep(limit: limits.nesting)) }
            self.depth = max(self.depth, depth)
            if case .expression(let expression) = node { try note(expression, limits) }
            for child in node.children { waiting.append((child, depth + 1)) }
        }
    }

    private mutating func note(_ node: ExpressionNode, _ limits: Limits) throws(EvaluationError) {
        switch node {
        case .assignment(let assignment): assigned.insert(assignment.variable)
        case .constantValue(let value): try Self.check(value, limits)
        case .evaluatedObject, .variable, .keyPath, .member, .function, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .anyKey, .fetch:
            break
        }
    }

    /// Refuses a constant whose collections nest too deep; a flat one costs next to nothing.
    private static func check(_ constant: PredicateValue, _ limits: Limits) throws(EvaluationError) {
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
