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

/// Finds a string that is contained in every line for which a predicate holds.
///
/// `SELF CONTAINS "error"`, `SELF MATCHES ".*error [0-9]+" AND NOT SELF CONTAINS "x"`
enum RequiredLine {
    /// The minimum length of the text in a pattern, as in the evaluator's own search.
    private static let least = 3

    /// Returns the string; nil if none is known.
    static func text(of node: PredicateNode) -> String? {
        switch node {
        case .compound(let compound):
            guard compound.type == .and else { return nil }
            // Only the first clause is evaluated for every line, and may fail for one that lacks a later clause's text.
            return compound.subpredicates.first.flatMap(text)
        case .string(let comparison):
            guard comparison.options.isEmpty, comparison.modifier == .direct,
                comparison.leftExpression == .evaluatedObject,
                case .constantValue(.string(let text)) = comparison.rightExpression
            else { return nil }
            return required(comparison.operator, text)
        case .comparison, .constant, .block: return nil
        }
    }

    private static func required(_ type: StringOperator, _ text: String) -> String? {
        switch type {
        case .contains, .beginsWith, .endsWith: text
        case .matches: PatternTree(text).requiredText.flatMap { $0.utf8.count < least ? nil : $0 }
        case .like, .utiConformsTo, .utiEquals: nil
        }
    }
}
