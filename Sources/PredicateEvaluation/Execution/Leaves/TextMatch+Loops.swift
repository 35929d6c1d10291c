import PredicateText

/// One compiled loop for each text operation: the only place of the fast forms that lists them.
///
/// In this module, since the compiler specializes loops for closures of their own module only.
extension TextMatch {
    /// The test of a folded needle and the UTF-8 of a text.
    typealias Test = (FlatNeedle, UnsafeBufferPointer<UInt8>) -> Bool

    /// Calls `body` with the test of the operation, chosen once, so that a loop in `body` has no switch in it.
    @inline(__always)
    func withTest<Result>(_ body: (Test) -> Result) -> Result {
        switch self {
        case .equal: body { $0.isEqual(to: $1) }
        case .beginsWith: body { $0.isPrefix(of: $1) }
        case .endsWith: body { $0.isSuffix(of: $1) }
        case .contains: body { $0.isContained(in: $1) }
        case .like: body { $0.fits($1) }
        }
    }

    /// Calls `body` with the test of the operation for texts after which sixteen bytes may be read.
    @inline(__always)
    func withPaddedTest<Result>(_ body: (Test) -> Result) -> Result {
        switch self {
        case .equal: body { $0.isEqual(to: $1) }
        case .beginsWith: body { $0.isPrefix(ofPadded: $1) }
        case .endsWith: body { $0.isSuffix(of: $1) }
        case .contains: body { $0.isContained(inPadded: $1) }
        case .like: body { $0.fits($1) }
        }
    }
}
