import PredicateSyntax

/// The way from the root of a tree to a node, by child indices; turned into a node number only for an error.
enum TreePath: Sendable {
    /// No path is recorded. Only an error needs one, and a second compilation that records paths finds it.
    case unrecorded
    case root
    indirect case child(TreePath, Int)

    /// The path to the child at an index.
    @inline(__always)
    func child(_ index: Int) -> TreePath {
        if case .unrecorded = self { .unrecorded } else { .child(self, index) }
    }

    /// The postorder number of the node at the end of the path.
    func nodeNumber(in root: TreeNode) -> Int {
        var node = root
        var before = 0
        for index in indices {
            let children = node.children
            for sibling in children.prefix(index) { before += sibling.size }
            guard children.indices.contains(index) else { break }
            node = children[index]
        }
        return before + node.size - 1
    }

    private var indices: [Int] {
        switch self {
        case .unrecorded, .root: []
        case .child(let parent, let index): parent.indices + [index]
        }
    }
}

extension TreeNode {
    /// The number of nodes in the tree.
    fileprivate var size: Int {
        children.reduce(1) { $0 + $1.size }
    }
}
