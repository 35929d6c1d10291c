public import PredicateSyntax

extension PredicateNode {
    /// Something of a tree that takes no time to find and is 0 for none: what stands at its root.
    public var shape: Int {
        switch self {
        case .constant: 1
        case .comparison: 2
        case .string: 3
        case .compound(let compound): compound.type == .and ? 4 : 5
        @unknown default: 0
        }
    }
}
