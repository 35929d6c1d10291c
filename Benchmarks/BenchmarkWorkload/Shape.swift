public import PredicateSyntax

extension PredicateNode {
    /// Something of a tree that takes no time to find and is 0 for none: how many parts it has at its root, and which
    /// operator.
    public var shape: Int {
        switch self {
        case .constant: 1
        case .comparison: 2
        case .string: 3
        case .compound(let compound): 3 + compound.count
        @unknown default: 0
        }
    }
}
