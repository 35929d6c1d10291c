import PredicateSyntax

/// Makes the key `line` of SELF, so that lines of text can be sifted like the texts of one column.
///
/// `SELF CONTAINS "error"` is `line CONTAINS "error"`.
struct LinePredicate: TreeMapping {
    private static let key = "line"
    private var hasOther = false

    /// Returns the predicate; nil for one that looks at more than SELF, such as `length > 80`.
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
