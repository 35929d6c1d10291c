import PredicateSyntax

/// The keys of a record that a predicate can access.
///
/// `dept.name == "sales" AND age > 21` looks at `dept` and `age`.
struct RootKeys {
    private var names: Set<String> = []
    private var needsAll = false

    /// Returns the keys; nil if the predicate may access any: `SELF.@count`, `SELF[$key]`.
    static func names(of predicate: PredicateNode, variables: [String: PredicateValue]) -> Set<String>? {
        var keys = RootKeys()
        keys.visit(.predicate(predicate))
        for case .expression(let expression) in variables.values { keys.visit(.expression(expression)) }
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
