/// The limit that a tree exceeds; every stage checks trees before it works on them.
package struct TreeExcess: Error, Hashable {
    package let limit: PredicateLimits.Limit
    /// The node number, children before parents; nil where the whole tree is too large.
    package let node: Int?
}

/// A check of a tree against the limits, in the order of node numbers: children before parents.
package struct TreeReview {
    package private(set) var depth = 0
    package private(set) var nodes = 0
    /// The names on the left of `:=`.
    package private(set) var assigned: Set<ExactName> = []
    private let limits: PredicateLimits

    /// Throws the first limit that the tree exceeds.
    package init(_ tree: TreeNode, _ limits: PredicateLimits) throws(TreeExcess) {
        self.limits = limits
        try review(tree, level: 1)
    }

    private mutating func review(_ tree: TreeNode, level: Int) throws(TreeExcess) {
        switch tree {
        case .predicate(let node): try review(node, level: level)
        case .expression(let node): try review(node, level: level)
        }
    }

    private func enter(_ level: Int) throws(TreeExcess) {
        guard level <= limits.nesting else { throw TreeExcess(limit: .nesting, node: nil) }
    }

    private mutating func leave(_ level: Int) throws(TreeExcess) {
        if level > depth { depth = level }
        nodes += 1
        guard nodes <= limits.nodes else { throw TreeExcess(limit: .nodes, node: nil) }
    }

    /// Visits the nodes without making lists of children, which would cost more than the rest of the check.
    /// Recursion ends at the limit of nesting.
    private mutating func review(_ node: PredicateNode, level: Int) throws(TreeExcess) {
        try enter(level)
        switch node {
        case .constant, .block: break
        case .comparison(let node):
            try review(node.leftExpression, level: level + 1)
            try review(node.rightExpression, level: level + 1)
        case .string(let node):
            try review(node.leftExpression, level: level + 1)
            try review(node.rightExpression, level: level + 1)
        case .compound(let node): for index in 0..<node.count { try review(node[index], level: level + 1) }
        }
        try leave(level)
    }

    private mutating func review(_ node: ExpressionNode, level: Int) throws(TreeExcess) {
        try enter(level)
        switch node {
        case .evaluatedObject, .variable, .symbol, .anyKey: break
        case .constantValue(let value): try review(value)
        case .keyPath(let node):
            if let base = node.base { try review(base, level: level + 1) }
            guard node.count <= limits.pathKeys else { throw TreeExcess(limit: .pathKeys, node: nodes) }
        case .function(let node): for index in 0..<node.count { try review(node[index], level: level + 1) }
        case .assignment(let node):
            try review(node.expression, level: level + 1)
            assigned.insert(ExactName(node.variable))
        case .member, .message, .cast, .aggregate, .index, .subquery, .conditional, .set, .block, .fetch:
            for child in node.children { try review(child, level: level + 1) }
        }
        try leave(level)
    }

    private func review(_ value: PredicateValue) throws(TreeExcess) {
        guard let limit = value.excess(over: limits) else { return }
        throw TreeExcess(limit: limit, node: limit == .nesting ? nil : nodes)
    }
}

extension PredicateNode {
    /// A Boolean value that indicates whether the tree is within limits of levels, nodes and constants:
    /// `node.isWithin(.untrusted)`.
    ///
    /// Every stage checks this itself. Code that builds trees from untrusted input checks while building: Swift frees and
    /// compares nested values by recursion, so that a tree of tens of thousands of levels, on a thread with a small
    /// stack of thousands, cannot even be freed. Text and archives never lead to such a tree.
    public func isWithin(_ limits: PredicateLimits) -> Bool {
        (try? TreeReview(.predicate(self), limits)) != nil
    }
}

extension ExpressionNode {
    /// A Boolean value that indicates whether the tree is within limits of levels, nodes and constants:
    /// `node.isWithin(.untrusted)`.
    ///
    /// See ``PredicateNode/isWithin(_:)``.
    public func isWithin(_ limits: PredicateLimits) -> Bool {
        (try? TreeReview(.expression(self), limits)) != nil
    }
}
