import PredicateSyntax

/// Finds the keys of a record that a predicate can access.
///
/// `dept.name == "sales" AND age > 21` accesses `dept` and `age`.
struct RootKeys {
    private var names: Set<String> = []
    private var needsAll = false

    /// Returns the keys; nil if the predicate may access any key: `SELF.@count`, `SELF[$key]`.
    static func names(of predicate: PredicateNode, variables: [String: PredicateValue]) -> Set<String>? {
        var keys = RootKeys()
        keys.visit(.predicate(predicate))
        for case .expression(let expression) in variables.values { keys.visit(.expression(expression)) }
        return keys.needsAll ? nil : keys.names
    }

    /// Returns the keys of an expression; nil if it may access any key.
    static func names(of expression: ExpressionNode) -> Set<String>? {
        var keys = RootKeys()
        keys.visit(.expression(expression))
        return keys.needsAll ? nil : keys.names
    }

    private mutating func visit(_ tree: TreeNode) {
        switch tree {
        case .predicate(.block): needsAll = true
        case .predicate: break
        case .expression(let node):
            switch node {
            case .keyPath(let path) where path.base == nil || path.base == .evaluatedObject:
                return note(path.components.first)
            case .evaluatedObject, .anyKey, .block, .fetch, .constantValue(.expression):
                needsAll = true
            case .constantValue, .variable, .keyPath, .member, .function, .message, .cast, .aggregate, .index, .symbol,
                .subquery, .conditional, .set, .assignment:
                break
            }
        }
        for child in tree.children { visit(child) }
    }

    private mutating func note(_ component: KeyPathExpression.Component?) {
        guard case .key(let name) = component, !name.hasPrefix("@"), name != "self" else { return needsAll = true }
        names.insert(name)
    }
}

/// Replaces SELF by the key `line`, so that lines of text can be sifted like the strings of a column.
///
/// `SELF CONTAINS "error"` becomes `line CONTAINS "error"`.
struct LinePredicate: TreeMapping {
    private static let key = "line"
    private var hasOther = false

    /// Returns the predicate; nil if it needs more than SELF, such as `length > 80`.
    static func sifting(_ predicate: FormatPredicate) -> FormatPredicate? {
        var mapping = LinePredicate()
        let node = mapping.predicate(predicate.node)
        return mapping.hasOther ? nil : FormatPredicate(node)
    }

    mutating func predicate(_ node: PredicateNode) -> PredicateNode { mappingChildren(of: node) }

    mutating func expression(_ node: ExpressionNode) -> ExpressionNode {
        switch node {
        case .evaluatedObject: return .keyPath(KeyPathExpression([.key(Self.key)]))
        case .constantValue, .aggregate, .function: return mappingChildren(of: node)
        case .variable, .keyPath, .member, .message, .cast, .index, .symbol, .subquery, .conditional, .set, .assignment,
            .anyKey, .block, .fetch:
            hasOther = true
            return node
        }
    }
}
