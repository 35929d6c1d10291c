import PredicateSyntax

/// A node with its source range, and the SUBQUERY variables in scope.
package final class PlacedNode {
    package let tree: TreeNode
    package let nodeNumber: Int
    package let range: Range<Int>?
    package let children: [PlacedNode]
    /// The key path of the collection of each variable; nil if the collection is not a key path.
    package let scope: [String: [String]?]

    private init(
        _ tree: TreeNode, _ nodeNumber: Int, _ range: Range<Int>?, _ children: [PlacedNode],
        _ scope: [String: [String]?]
    ) {
        self.tree = tree
        self.nodeNumber = nodeNumber
        self.range = range
        self.children = children
        self.scope = scope
    }

    /// Returns the tree of a predicate. Nodes are numbered in postorder.
    package static func root(of predicate: FormatPredicate) -> PlacedNode {
        var next = 0
        return make(.predicate(predicate.node), predicate.source?.ranges ?? [], scope: [:], &next)
    }

    private static func make(
        _ tree: TreeNode, _ ranges: [Range<Int>], scope: [String: [String]?], _ next: inout Int
    ) -> PlacedNode {
        var children: [PlacedNode] = []
        for child in tree.children {
            let inner = if case .predicate = child { tree.scope(in: scope) } else { scope }
            children.append(make(child, ranges, scope: inner, &next))
        }
        defer { next += 1 }
        let range = ranges.indices.contains(next) ? ranges[next] : nil
        return PlacedNode(tree, next, range, children, scope)
    }

    /// This node and all below, parents first.
    package var all: [PlacedNode] { [self] + children.flatMap(\.all) }

    package var predicate: PredicateNode? {
        if case .predicate(let node) = tree { node } else { nil }
    }

    package var expression: ExpressionNode? {
        if case .expression(let node) = tree { node } else { nil }
    }

    /// The canonical text.
    package var text: String {
        switch tree {
        case .predicate(let node): node.predicateFormat
        case .expression(let node): node.expressionFormat
        }
    }

    /// The type and the parts of a compound; nil for other nodes.
    package var compound: (type: LogicalType, parts: [PlacedNode])? {
        guard case .compound(let node)? = predicate else { return nil }
        return (node.type, children)
    }
}

extension TreeNode {
    /// Returns the collections of the variables that are in scope inside the node.
    fileprivate func scope(in outer: [String: [String]?]) -> [String: [String]?] {
        guard case .expression(.subquery(let node)) = self else { return outer }
        var scope = outer
        scope[node.variable] = .some(node.collection.keys(in: outer))
        return scope
    }
}

extension ExpressionNode {
    /// Returns the keys of a path from the object, through SUBQUERY variables; nil for other expressions.
    package func keys(in scope: [String: [String]?]) -> [String]? {
        switch self {
        case .keyPath(let path):
            guard let own = path.constantKeys else { return nil }
            switch path.base {
            case nil, .evaluatedObject: return own
            case .some(let base): return base.keys(in: scope).map { $0 + own }
            }
        case .variable(let name): return scope[name] ?? nil
        case .constantValue, .evaluatedObject, .member, .function, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return nil
        }
    }

    /// The value of a constant; nil for other expressions.
    package var constant: PredicateValue? {
        if case .constantValue(let value) = self { value } else { nil }
    }
}

extension KeyPathExpression {
    /// The keys; nil if a variable provides one of them.
    fileprivate var constantKeys: [String]? {
        var keys: [String] = []
        for component in components {
            guard case .key(let key) = component else { return nil }
            keys.append(key)
        }
        return keys
    }
}
