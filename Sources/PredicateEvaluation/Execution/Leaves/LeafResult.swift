/// The result of a compiled leaf: three-valued, since the fast forms know no errors.
enum LeafResult: UInt8 {
    case no
    case yes
    /// Not decided here: the plan decides, which may end in an error.
    case unknown

    @inline(__always)
    init(_ holds: Bool) {
        self = holds ? .yes : .no
    }

    /// The decided result; nil for unknown.
    @inline(__always)
    var decided: Bool? {
        switch self {
        case .yes: true
        case .no: false
        case .unknown: nil
        }
    }
}
