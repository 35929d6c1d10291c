import PredicateText

/// What is asked of a string: `name BEGINSWITH[cd] "jo"`.
struct TextTest: BitwiseCopyable {
    enum Operation: UInt8 {
        /// A string is an error here, or something that only the plan knows.
        case unknown
        /// `name == 3`
        case never
        /// `name == "jo"`
        case equal
        /// `name < "m"`
        case ordered
        /// `name BEGINSWITH "jo"`
        case prefix
        /// `name ENDSWITH "jo"`
        case suffix
        /// `name CONTAINS "jo"`
        case contains
        /// `name LIKE "j?h*n"`
        case tokens
        /// `name IN {"jo", "al"}`
        case member
        /// `name MATCHES "j.*n"`
        case expression
    }

    var operation = Operation.unknown
    /// The outcomes that satisfy `ordered`.
    var outcomes: UInt8 = 0
    var isNegated = false
    /// What is looked for: one, or for IN any number.
    var needles = UnsafeBufferPointer<FlatNeedle>(start: nil, count: 0)
    /// Where to look among many needles.
    var index: MemberIndex?
    var expression: Unmanaged<KnownExpression>?
    /// The expression, where it is one that a program matches itself.
    var simple: UnsafePointer<SimplePattern>?

    /// The answer for the UTF-8 of a string, unless it is unknown or an expression.
    @inline(__always)
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let needle = needles.first else { return isNegated }
        let answer: Bool
        switch operation {
        case .unknown, .expression, .never: answer = false
        case .equal: answer = needle.isEqual(to: text)
        case .ordered: answer = admits(needle.order(of: text))
        case .prefix: answer = needle.isPrefix(of: text)
        case .suffix: answer = needle.isSuffix(of: text)
        case .contains: answer = needle.isContained(in: text)
        case .tokens: answer = needle.fits(text)
        case .member: answer = hasMember(text)
        }
        return answer != isNegated
    }

    @inline(__always)
    func admits(_ order: Int) -> Bool {
        outcomes & (order < 0 ? 1 : order == 0 ? 2 : 4) != 0
    }

    @inline(__always)
    func hasMember(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if let index { return index.contains(text, among: needles) }
        return FlatNeedle.contain(needles, text)
    }

    /// The answer for a string in place.
    @inline(__always)
    func answer(at text: UnsafePointer<String>) -> Answer {
        switch operation {
        case .unknown: .unknown
        case .expression: match(text)
        case .never, .equal, .ordered, .prefix, .suffix, .contains, .tokens, .member:
            Answer(text.withBytes { holds($0) })
        }
    }

    /// The answer for the UTF-8 of a string, where no string is needed for it.
    @inline(__always)
    func answer(_ text: UnsafeBufferPointer<UInt8>) -> Answer {
        guard operation == .expression else { return operation == .unknown ? .unknown : Answer(holds(text)) }
        let answer = simple?.pointee.answer(text) ?? .unknown
        return answer == .unknown ? .unknown : Answer((answer == .yes) != isNegated)
    }

    /// The answer of an expression for a string in place.
    @inline(__always)
    func match(_ text: UnsafePointer<String>) -> Answer {
        guard let simple else { return matchGenerally(text) }
        let answer = text.withBytes { simple.pointee.answer($0) }
        return answer == .unknown ? matchGenerally(text) : Answer((answer == .yes) != isNegated)
    }

    @inline(never)
    private func matchGenerally(_ text: UnsafePointer<String>) -> Answer {
        guard let answer = expression?._withUnsafeGuaranteedRef({ $0.matches(text.pointee) }) else { return .unknown }
        return Answer(answer != isNegated)
    }
}

extension UnsafePointer<String> {
    /// Calls `body` with the UTF-8 of the string, which is copied only where it is not one run of bytes.
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

extension UnsafePointer<[String]> {
    /// Calls `body` with the strings where they lie.
    @inline(__always)
    func withElements<Result>(_ body: (UnsafeBufferPointer<String>) -> Result) -> Result {
        withValue { $0.withUnsafeBufferPointer(body) }
    }

    /// How many of the strings begin with the needle.
    @inline(__always)
    func count(beginningWith needle: FlatNeedle) -> Int {
        withElements { strings in
            guard var string = strings.baseAddress else { return 0 }
            let end = string + strings.count
            var count = 0
            while string < end {
                if string.withBytes({ needle.isPrefix(of: $0) }) { count &+= 1 }
                string += 1
            }
            return count
        }
    }

    /// Whether one of the strings is equal to the needle.
    @inline(__always)
    func contains(_ needle: FlatNeedle) -> Bool {
        withElements { strings in
            guard var string = strings.baseAddress else { return false }
            let end = string + strings.count
            while string < end {
                if needle.mayEqual(count: string.pointee.utf8.count), string.withBytes({ needle.isEqual(to: $0) }) {
                    return true
                }
                string += 1
            }
            return false
        }
    }
}

/// The texts of `name IN {…}` by hash, where there are many.
struct MemberIndex: BitwiseCopyable {
    /// The number of a needle and 1; 0 where there is none. As many as a power of two, at most half of them taken.
    private let places: UnsafeBufferPointer<UInt32>
    private let seed: UInt64

    init(_ texts: [[UInt8]], in arena: Arena) {
        let seed = Self.processSeed
        var size = 16
        while size < 2 * texts.count { size *= 2 }
        var places = [UInt32](repeating: 0, count: size)
        for (number, text) in texts.enumerated() {
            var place = text.withUnsafeBufferPointer { Self.hash($0, seed) } & (size - 1)
            while places[place] != 0 { place = (place + 1) & (size - 1) }
            places[place] = UInt32(truncatingIfNeeded: number + 1)
        }
        self.places = arena.store(places)
        self.seed = seed
    }

    @inline(never)
    func contains(_ text: UnsafeBufferPointer<UInt8>, among needles: UnsafeBufferPointer<FlatNeedle>) -> Bool {
        let mask = places.count &- 1
        var place = Self.hash(text, seed) & mask
        while places[place] != 0 {
            if needles[Int(places[place]) &- 1].isEqual(to: text) { return true }
            place = (place &+ 1) & mask
        }
        return false
    }

    /// All bytes count, and the seed: nobody outside can choose texts that meet in one place.
    @inline(__always)
    private static func hash(_ text: UnsafeBufferPointer<UInt8>, _ seed: UInt64) -> Int {
        let count = text.count
        guard count > 0, let bytes = text.baseAddress.map(UnsafeRawPointer.init) else { return 0 }
        var hash = seed &+ UInt64(truncatingIfNeeded: count)
        var place = 0
        while place &+ 8 <= count {
            hash = mixed(hash, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self), seed)
            place &+= 8
        }
        var rest: UInt64 = 0
        while place < count {
            rest = rest &<< 8 | UInt64(bytes.load(fromByteOffset: place, as: UInt8.self))
            place &+= 1
        }
        return Int(truncatingIfNeeded: mixed(hash, rest, seed))
    }

    /// Both halves of a product, so that every bit of the word reaches every bit of the outcome.
    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64, _ seed: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15 ^ seed | 1)
        return product.high ^ product.low
    }

    /// Another number in each process, unless hashing is to be the same in all.
    private static let processSeed: UInt64 = {
        var hasher = Hasher()
        hasher.combine("IN")
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }()
}
