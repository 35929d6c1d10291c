import PredicateText

/// The compiled test of a string: `name BEGINSWITH[cd] "jo"`.
struct TextTest: BitwiseCopyable {
    enum Method: UInt8 {
        /// A string is an error here, or is left to the operator.
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

    var operation = Method.unknown
    /// The text operation of `matches`.
    var match = TextMatch.equal
    /// The outcomes that satisfy `compared`.
    var outcomes: Ordering.Outcomes = []
    var isNegated = false
    /// The folded needle, or the needles of IN.
    var needles = UnsafeBufferPointer<FlatNeedle>(start: nil, count: 0)
    /// The hash index for many needles.
    var index: MemberIndex?
    /// The regular expression of `pattern`.
    var expression: UnsafePointer<PatternTest>?

    /// True if every string is decided.
    var isTotal: Bool {
        switch operation {
        case .unknown, .pattern: false
        case .constant, .matches, .compared, .member: true
        }
    }

    /// Returns the result for UTF-8, for an operation that decides every string.
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

    /// Returns the result for a string in place.
    @inline(__always)
    func result(at text: UnsafePointer<String>) -> LeafResult {
        switch operation {
        case .unknown: .unknown
        case .pattern: matchPattern(text)
        case .constant, .matches, .compared, .member: LeafResult(text.withBytes { holds($0) })
        }
    }

    /// Returns the result for UTF-8; unknown if a String is required.
    @inline(__always)
    func result(of text: UnsafeBufferPointer<UInt8>) -> LeafResult {
        guard operation == .pattern else { return operation == .unknown ? .unknown : LeafResult(holds(text)) }
        return expression?.pointee.result(of: text).negated(if: isNegated) ?? .unknown
    }

    /// Returns the result of a regular expression for a string in place.
    @inline(__always)
    func matchPattern(_ text: UnsafePointer<String>) -> LeafResult {
        expression?.pointee.result(at: text).negated(if: isNegated) ?? .unknown
    }
}

extension UnsafePointer<String> {
    /// Calls `body` with the UTF-8 of the string, which is copied only if it is not contiguous.
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

/// One compiled loop for each text operation. This is the only list of the operations in the fast paths.
///
/// It is in this module because the compiler specializes a loop only for closures of the same module.
extension TextMatch {
    /// A test with a folded needle and the UTF-8 of a string.
    typealias Test = (FlatNeedle, UnsafeBufferPointer<UInt8>) -> Bool

    /// Calls `body` with the test of the operation, chosen once, so that a loop in `body` contains no switch.
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
}

/// A hash index of the strings of `name IN[cd] {…}`, for long lists. Strings are folded before they are looked up.
struct MemberIndex: BitwiseCopyable {
    /// The slots of an open-addressing hash table: the index of a needle plus 1, or 0 if free. Their number is a
    /// power of two, and at most half of them are occupied.
    private let slots: UnsafeBufferPointer<UInt32>
    private let seed: UInt64
    private let mode: FoldMode

    /// Makes an index of folded strings.
    init(_ texts: [[UInt8]], _ mode: FoldMode, in arena: Arena) {
        let seed = Self.processSeed
        var size = 16
        while size < 2 * texts.count { size *= 2 }
        var slots = [UInt32](repeating: 0, count: size)
        for (number, text) in texts.enumerated() {
            var slot = text.withUnsafeBufferPointer { Self.hash($0, seed) } & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt32(truncatingIfNeeded: number + 1)
        }
        self.slots = arena.store(slots)
        self.seed = seed
        self.mode = mode
    }

    @inline(never)
    func contains(_ text: UnsafeBufferPointer<UInt8>, among needles: UnsafeBufferPointer<FlatNeedle>) -> Bool {
        if mode == .none { return contains(folded: text, needles) }
        var isMember = false
        Folding.withFolded(text, mode) { isMember = contains(folded: $0, needles) }
        return isMember
    }

    @inline(__always)
    private func contains(
        folded text: UnsafeBufferPointer<UInt8>, _ needles: UnsafeBufferPointer<FlatNeedle>
    ) -> Bool {
        let mask = slots.count &- 1
        var slot = Self.hash(text, seed) & mask
        while slots[slot] != 0 {
            if needles[Int(slots[slot]) &- 1].isEqual(toFolded: text) { return true }
            slot = (slot &+ 1) & mask
        }
        return false
    }

    /// Hashes all bytes with the seed, so that untrusted input cannot cause collisions.
    @inline(__always)
    private static func hash(_ text: UnsafeBufferPointer<UInt8>, _ seed: UInt64) -> Int {
        let count = text.count
        guard count > 0, let bytes = text.baseAddress.map(UnsafeRawPointer.init) else { return 0 }
        var hash = seed &+ UInt64(truncatingIfNeeded: count)
        var slot = 0
        while slot &+ 8 <= count {
            hash = mixed(hash, bytes.loadUnaligned(fromByteOffset: slot, as: UInt64.self), seed)
            slot &+= 8
        }
        var rest: UInt64 = 0
        while slot < count {
            rest = rest &<< 8 | UInt64(bytes.load(fromByteOffset: slot, as: UInt8.self))
            slot &+= 1
        }
        return Int(truncatingIfNeeded: mixed(hash, rest, seed))
    }

    /// Combines both halves of a product, so that every bit of the word affects every bit of the result.
    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64, _ seed: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15 ^ seed | 1)
        return product.high ^ product.low
    }

    /// A random number for each process, unless hashing is deterministic.
    private static let processSeed: UInt64 = {
        var hasher = Hasher()
        hasher.combine("IN")
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }()
}
