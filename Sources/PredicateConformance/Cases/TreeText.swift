import PredicateSyntax

extension TreeDump {
    init(_ tree: TreeNode) {
        switch tree {
        case .predicate(let node): self.init(node)
        case .expression(let node): self.init(node)
        }
    }

    /// The tree on one line: each node in parentheses, its type first, then what distinguishes it, then the nodes
    /// below from left to right.
    ///
    /// `(comparison >= (keyPath age) (constantValue 21))`
    var text: String {
        let words = [type] + attributes.map(\.value) + children.map(\.tree.text)
        return "(" + words.joined(separator: " ").onOneLine + ")"
    }
}
