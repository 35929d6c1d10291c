import PredicateSyntax

extension TreeNode {
    /// Returns the node with other children, in their order: `age > 21` with `[age, 65]` is `age > 65`.
    package func replacing(children: [TreeNode]) -> TreeNode {
        var replacement = ChildReplacement(rest: children[...])
        switch self {
        case .predicate(let node): return .predicate(replacement.mappingChildren(of: node))
        case .expression(let node): return .expression(replacement.mappingChildren(of: node))
        }
    }
}

/// Hands out new children one by one. A missing child, or one of the wrong kind, leaves the old child in place.
private struct ChildReplacement: TreeMapping {
    var rest: ArraySlice<TreeNode>

    mutating func predicate(_ node: PredicateNode) -> PredicateNode {
        if case .predicate(let new)? = rest.popFirst() { new } else { node }
    }

    mutating func expression(_ node: ExpressionNode) -> ExpressionNode {
        if case .expression(let new)? = rest.popFirst() { new } else { node }
    }
}
