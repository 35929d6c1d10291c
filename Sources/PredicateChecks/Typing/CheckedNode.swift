import PredicateSyntax

/// A node of a checked predicate: its source range, and what is known of its values.
package final class CheckedNode {
    package let tree: TreeNode
    package let nodeNumber: Int
    package let range: Range<Int>?
    package let children: [CheckedNode]
    /// What is known of the values of an expression; unknown for a predicate.
    package let type: KnownType

    init(_ tree: TreeNode, _ nodeNumber: Int, _ range: Range<Int>?, _ children: [CheckedNode], _ type: KnownType) {
        self.tree = tree
        self.nodeNumber = nodeNumber
        self.range = range
        self.children = children
        self.type = type
    }

    /// This node and all below, parents first.
    package var all: [CheckedNode] {
        var nodes: [CheckedNode] = []
        collect(into: &nodes)
        return nodes
    }

    private func collect(into nodes: inout [CheckedNode]) {
        nodes.append(self)
        for child in children { child.collect(into: &nodes) }
    }

    package var predicate: PredicateNode? {
        if case .predicate(let node) = tree { node } else { nil }
    }

    package var expression: ExpressionNode? {
        if case .expression(let node) = tree { node } else { nil }
    }

    /// The keys from the evaluated object, through variables of SUBQUERY; nil for other nodes.
    package var keys: [String]? { type.path.flatMap { $0.isEmpty ? nil : $0 } }

    /// The canonical text.
    package var text: String {
        switch tree {
        case .predicate(let node): node.predicateFormat
        case .expression(let node): node.expressionFormat
        }
    }

    /// The type and the parts of a compound; nil for other nodes.
    package var compound: (type: LogicalType, parts: [CheckedNode])? {
        guard case .compound(let node)? = predicate else { return nil }
        return (node.type, children)
    }
}

extension ExpressionNode {
    /// The value of a constant; nil for other expressions.
    package var constant: PredicateValue? {
        if case .constantValue(let value) = self { value } else { nil }
    }
}
