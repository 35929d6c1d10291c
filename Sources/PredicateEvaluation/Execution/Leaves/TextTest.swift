import PredicateText

/// The compiled test of a text: `name BEGINSWITH[cd] "jo"`.
struct TextTest: BitwiseCopyable {
    enum Operation: UInt8 {
        /// A text is an error here, or left to the operator.
        case unknown
        /// `name == 3`
        case constant
        /// `name BEGINSWITH "jo"`, `name == "jo"`: see ``TextTest/match``
        case matches
        /// `name < "m"`
        case compared
        /// `name IN {"jo", "al"}`
        case member
        /// `name MATCHES "j.*n"`
        case pattern
    }

    var operation = Operation.unknown
    /// The text operation of `matches`.
    var match = TextMatch.equal
    /// The outcomes that satisfy `compared`.
    var outcomes: Ordering.Outcomes = []
    var isNegated = false
    /// The folded needle, or for IN any number of them.
    var needles = UnsafeBufferPointer<FlatNeedle>(start: nil, count: 0)
    /// The hash index of many needles.
    var index: MemberIndex?
    /// The regular expression for texts that `simple` does not decide.
    var general: Unmanaged<GeneralMatcher>?
    /// The state machine of a simple regular expression.
    var simple: UnsafePointer<SimplePattern>?

    /// True if every text is decided.
    var isTotal: Bool {
        switch operation {
        case .unknown, .pattern: false
        case .constant, .matches, .compared, .member: true
        }
    }

    /// The result for the UTF-8 of a text, by an operation that decides every text.
    @inline(__always)
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let needle = needles.first else { return isNegated }
        let result: Bool
        switch operation {
        case .unknown, .pattern, .constant: result = false
        case .matches: result = match.holds(text, needle)
        case .compared: result = admits(needle.order(of: text))
        case .member: result = hasMember(text)
        }
        return result != isNegated
    }

    @inline(__always)
    func admits(_ order: Int) -> Bool {
        outcomes.rawValue & (order < 0 ? 1 : order == 0 ? 2 : 4) != 0
    }

    @inline(__always)
    func hasMember(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if let index { return index.contains(text, among: needles) }
        return FlatNeedle.contain(needles, text)
    }

    /// The result for a string where it lies.
    @inline(__always)
    func result(at text: UnsafePointer<String>) -> LeafResult {
        switch operation {
        case .unknown: .unknown
        case .pattern: matchPattern(text)
        case .constant, .matches, .compared, .member: LeafResult(text.withBytes { holds($0) })
        }
    }

    /// The result for the UTF-8 of a text, unknown where a string is needed for it.
    @inline(__always)
    func result(of text: UnsafeBufferPointer<UInt8>) -> LeafResult {
        guard operation == .pattern else { return operation == .unknown ? .unknown : LeafResult(holds(text)) }
        let result = simple?.pointee.result(of: text) ?? .unknown
        return result == .unknown ? .unknown : LeafResult((result == .yes) != isNegated)
    }

    /// The result of a regular expression for a string where it lies.
    @inline(__always)
    func matchPattern(_ text: UnsafePointer<String>) -> LeafResult {
        guard let simple else { return matchGenerally(text) }
        let result = text.withBytes { simple.pointee.result(of: $0) }
        return result == .unknown ? matchGenerally(text) : LeafResult((result == .yes) != isNegated)
    }

    @inline(never)
    private func matchGenerally(_ text: UnsafePointer<String>) -> LeafResult {
        guard let result = general?._withUnsafeGuaranteedRef({ $0.matches(text.pointee) }) else { return .unknown }
        return LeafResult(result != isNegated)
    }
}

/// A regular expression by reference, for tests that hold pointers only.
final class GeneralMatcher {
    private let pattern: WholePattern

    init(_ pattern: WholePattern) {
        self.pattern = pattern
    }

    /// True if the pattern covers a text; nil where finding out is an error.
    func matches(_ text: String) -> Bool? {
        try? pattern.matches(text)
    }
}

extension UnsafePointer<String> {
    /// Calls `body` with the UTF-8 of the string, which is copied only where it is not contiguous.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = withValue({ $0.utf8.withContiguousStorageIfAvailable(body) }) { return result }
        return withCopiedBytes(body)
    }

    @inline(never)
    private func withCopiedBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        Array(pointee.utf8).withUnsafeBufferPointer(body)
    }
}
