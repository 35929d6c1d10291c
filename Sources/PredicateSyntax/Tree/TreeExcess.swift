/// What a tree has too much of, and where: what every stage asks before it works on a tree that someone else made.
package struct TreeExcess: Error, Hashable {
    package let limit: Limit
    /// The number of the node, children before parents; nil where the whole tree is too large.
    package let node: Int?
}

/// Looks a tree over against the limits, deepest nodes first, as nodes are numbered.
package struct TreeReview {
    package private(set) var depth = 0
    package private(set) var nodes = 0
    /// The names on the left of `:=`.
    package private(set) var assigned: Set<String> = []
    private let limits: Limits

    /// Throws what the tree has too much of.
    package init(_ tree: TreeNode, _ limits: Limits) throws(TreeExcess) {
        self.limits = limits
        try review(tree, level: 1)
    }

    /// Recursion ends at the limit of nesting.
    private mutating func review(_ tree: TreeNode, level: Int) throws(TreeExcess) {
        guard level <= limits.nesting else { throw TreeExcess(limit: .nesting, node: nil) }
        depth = max(depth, level)
        for child in tree.children { try review(child, level: level + 1) }
        if case .expression(.constantValue(let value)) = tree, let limit = value.excess(over: limits) {
            throw TreeExcess(limit: limit, node: limit == .nesting ? nil : nodes)
        }
        if case .expression(.assignment(let assignment)) = tree { assigned.insert(assignment.variable) }
        nodes += 1
        guard nodes <= limits.nodes else { throw TreeExcess(limit: .nodes, node: nil) }
    }
}

extension PredicateNode {
    /// Whether the tree has no more levels, nodes and constants than the limits allow: `node.isWithin(.untrusted)`.
    ///
    /// Every stage asks so itself. Who builds trees from what others send asks while building: Swift frees and
    /// compares nested values by recursion, so that a tree of tens of thousands of levels, on a thread with a small
    /// stack of thousands, cannot even be let go. Text and archives never lead to such a tree.
    public func isWithin(_ limits: Limits) -> Bool {
        (try? TreeReview(.predicate(self), limits)) != nil
    }
}

extension ExpressionNode {
    /// Whether the tree has no more levels, nodes and constants than the limits allow: `node.isWithin(.untrusted)`.
    ///
    /// See ``PredicateNode/isWithin(_:)``.
    public func isWithin(_ limits: Limits) -> Bool {
        (try? TreeReview(.expression(self), limits)) != nil
    }
}
