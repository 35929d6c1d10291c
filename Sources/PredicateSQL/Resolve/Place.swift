import PredicateSyntax

/// Where in the tree the compiler is: the way down from the root, turned into a node's number only for an error.
enum Place: Sendable {
    /// Nothing is noted. Only a fault speaks of its place, and is found again by a second compilation that notes it.
    case unnoted
    case root
    indirect case child(Place, Int)

    /// The child at an index.
    @inline(__always)
    func child(_ index: Int) -> Place {
        if case .unnoted = self { .unnoted } else { .child(self, index) }
    }

    /// The number of the node: children before parents, left before right.
    func number(in root: TreeNode) -> Int {
        var node = root
        var before = 0
        for index in path {
            let children = node.children
            for sibling in children.prefix(index) { before += sibling.size }
            guard children.indices.contains(index) else { break }
            node = children[index]
        }
        return before + node.size - 1
    }

    private var path: [Int] {
        switch self {
        case .unnoted, .root: []
        case .child(let parent, let index): parent.path + [index]
        }
    }
}

extension TreeNode {
    fileprivate var size: Int {
        children.reduce(1) { $0 + $1.size }
    }
}

/// A fault on its way up: what is wrong, and where.
struct Fault: Error {
    var code: SQLCompilationError.Code
    var place: Place

    init(_ code: SQLCompilationError.Code, at place: Place) {
        self.code = code
        self.place = place
    }

    /// `notExpressible`
    init(_ obstacle: SQLCompilationError.Obstacle, at place: Place) {
        self.init(.notExpressible(obstacle), at: place)
    }
}
