import PredicateSyntax

/// Keys that may be meant as texts: those that stand alone on the right side of a comparison with a key.
///
/// `name == John`
package enum UnquotedText {
    package static func keys(in node: PredicateNode) -> Set<String> {
        switch node {
        case .comparison(let comparison): keys(comparison.leftExpression, comparison.rightExpression)
        case .string(let comparison): keys(comparison.leftExpression, comparison.rightExpression)
        case .compound(let compound): compound.subpredicates.reduce(into: []) { $0.formUnion(keys(in: $1)) }
        case .constant, .block: []
        }
    }

    private static func keys(_ left: ExpressionNode, _ right: ExpressionNode) -> Set<String> {
        guard case .keyPath = left else { return [] }
        switch right {
        case .keyPath(let path): return path.singleKey.map { [$0] } ?? []
        case .aggregate(let elements):
            return Set(elements.compactMap { if case .keyPath(let path) = $0 { path.singleKey } else { nil } })
        case .constantValue, .evaluatedObject, .variable, .member, .function, .message, .cast, .index, .symbol,
            .subquery,
            .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return []
        }
    }
}
