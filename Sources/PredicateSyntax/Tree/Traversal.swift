/// A node of a tree: a predicate or an expression.
package enum TreeNode: Hashable, Sendable {
    case predicate(PredicateNode)
    case expression(ExpressionNode)

    /// The children, from left to right: the order of node numbers.
    package var children: [TreeNode] {
        switch self {
        case .predicate(let node): node.children
        case .expression(let node): node.children
        }
    }
}

extension PredicateNode {
    /// The children, from left to right.
    package var children: [TreeNode] {
        switch self {
        case .constant, .block: []
        case .comparison(let node): [.expression(node.leftExpression), .expression(node.rightExpression)]
        case .string(let node): [.expression(node.leftExpression), .expression(node.rightExpression)]
        case .compound(let node): node.subpredicates.map(TreeNode.predicate)
        }
    }
}

extension ExpressionNode {
    /// The children, from left to right.
    package var children: [TreeNode] {
        switch self {
        case .constantValue, .evaluatedObject, .variable, .symbol, .anyKey: []
        case .keyPath(let node): node.base.map { [.expression($0)] } ?? []
        case .member(let node): [.expression(node.base), .expression(node.member)]
        case .function(let node): node.arguments.map(TreeNode.expression)
        case .message(let node): ([node.target] + node.arguments).map(TreeNode.expression)
        case .cast(let node): [.expression(node.expression)]
        case .aggregate(let elements): elements.map(TreeNode.expression)
        case .index(let node): [.expression(node.base), .expression(node.index)]
        case .subquery(let node): [.expression(node.collection), .predicate(node.predicate)]
        case .conditional(let node):
            [.predicate(node.predicate), .expression(node.trueExpression), .expression(node.falseExpression)]
        case .set(let node): [.expression(node.leftExpression), .expression(node.rightExpression)]
        case .assignment(let node): [.expression(node.expression)]
        case .block(let node): node.arguments.map(TreeNode.expression)
        case .fetch(let arguments): arguments.map(TreeNode.expression)
        }
    }
}

extension TreeNode {
    /// Returns the node with a node number, children before parents and left before right; nil if the tree has fewer.
    package func node(number: Int) -> TreeNode? {
        guard number >= 0 else { return nil }
        var remaining = number
        return find(&remaining)
    }

    private func find(_ remaining: inout Int) -> TreeNode? {
        for child in children {
            if let found = child.find(&remaining) { return found }
        }
        guard remaining > 0 else { return self }
        remaining -= 1
        return nil
    }
}

/// The size of a tree.
package struct TreeMeasure: Hashable {
    package private(set) var depth = 0
    package private(set) var nodes = 0

    /// Nil if the tree is deeper than the limit; deeper nodes are not visited.
    package init?(_ tree: TreeNode, limit: Int = PredicateLimits.standard.nesting) {
        guard visit(tree, level: 1, limit: limit) else { return nil }
    }

    package init?(_ expression: ExpressionNode, limit: Int = PredicateLimits.standard.nesting) {
        self.init(.expression(expression), limit: limit)
    }

    private mutating func visit(_ tree: TreeNode, level: Int, limit: Int) -> Bool {
        guard level <= limit else { return false }
        depth = max(depth, level)
        nodes += 1
        for child in tree.children {
            guard visit(child, level: level + 1, limit: limit) else { return false }
        }
        return true
    }
}
