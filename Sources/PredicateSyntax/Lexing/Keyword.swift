/// A word with a meaning of its own. The raw value is its canonical spelling; case does not count. [NSP-002]
@nonexhaustive
public enum Keyword: String, Hashable, Sendable, CaseIterable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case all = "ALL"
    case any = "ANY"
    case some = "SOME"
    case none = "NONE"
    case `in` = "IN"
    case like = "LIKE"
    case matches = "MATCHES"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case between = "BETWEEN"
    case utiConformsTo = "UTI-CONFORMS-TO"
    case utiEquals = "UTI-EQUALS"
    case null = "NULL"
    case `nil` = "NIL"
    case selfObject = "SELF"
    case `true` = "TRUE"
    case yes = "YES"
    case `false` = "FALSE"
    case no = "NO"
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
    case anyKey = "ANYKEY"
    case subquery = "SUBQUERY"
    case fetch = "FETCH"
    case cast = "CAST"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case caseInsensitive = "CASEINSENSITIVE"
    case ci = "CI"
    case ternary = "TERNARY"
    case function = "FUNCTION"
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"

    /// Whether the word may also stand for a key where a key is expected and no parenthesis follows: Apple's list of
    /// reserved words does not hold it. [NSP-014]
    public var isContextual: Bool {
        switch self {
        case .ternary, .function, .union, .intersect, .minus: true
        case .and, .or, .not, .all, .any, .some, .none, .in, .like, .matches, .contains, .beginsWith, .endsWith,
            .between, .utiConformsTo, .utiEquals, .null, .nil, .selfObject, .true, .yes, .false, .no, .first, .last,
            .size,
            .anyKey, .subquery, .fetch, .cast, .truePredicate, .falsePredicate, .caseInsensitive, .ci:
            false
        }
    }

    /// The keyword that a word spells, in any case.
    public init?(word: some StringProtocol) {
        var copy = String(word)
        guard let keyword = copy.withUTF8({ Keyword.table.keyword($0, 0..<$0.count, Letters($0)) }) else {
            return nil
        }
        self = keyword
    }
}

extension Keyword {
    /// The last eight letters of a word in upper case, in one integer: gathered while a word is read, and compared at
    /// once.
    struct Letters: Equatable {
        private var packed: UInt64 = 0

        init() {}

        init(_ word: some Sequence<UInt8>) {
            for letter in word { append(letter) }
        }

        @inline(__always)
        mutating func append(_ letter: UInt8) {
            packed = packed << 8 | UInt64(letter & 0xDF)
        }

        /// Where a table of 2^`bits` slots has a word with these letters.
        func slot(bits: Int) -> Int {
            Int(truncatingIfNeeded: (packed &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bits))
        }
    }

    /// The keywords by their last letters, so that a word is looked up without making a string.
    ///
    /// Made once and kept for ever: a pointer needs no reference counting on the way of every word.
    struct Table: @unchecked Sendable {
        private struct Entry {
            var last = Letters()
            /// Those before the last eight.
            var first = Letters()
            var keyword: Keyword?
        }

        private static let bits = 7
        private let entries: UnsafePointer<Entry>

        init(_ keywords: [Keyword]) {
            let entries = UnsafeMutablePointer<Entry>.allocate(capacity: 1 << Self.bits)
            entries.initialize(repeating: Entry(), count: 1 << Self.bits)
            for keyword in keywords {
                let letters = keyword.rawValue.utf8
                var slot = Letters(letters).slot(bits: Self.bits)
                while entries[slot].keyword != nil { slot = Self.next(slot) }
                entries[slot] = Entry(
                    last: Letters(letters), first: Letters(letters.dropLast(8)), keyword: keyword)
            }
            self.entries = UnsafePointer(entries)
        }

        private static func next(_ slot: Int) -> Int {
            (slot + 1) & (1 << bits - 1)
        }

        /// The keyword that a word spells, in any case; `letters` are those of the word.
        @inline(__always)
        func keyword(
            _ bytes: UnsafeBufferPointer<UInt8>, _ word: Range<Int>, _ letters: Letters
        ) -> Keyword? {
            var slot = letters.slot(bits: Self.bits)
            while let keyword = entries[slot].keyword {
                if entries[slot].last == letters, isHead(of: bytes, word, at: slot) { return keyword }
                slot = Self.next(slot)
            }
            return nil
        }

        /// Whether the letters before the last eight are those of an entry.
        private func isHead(of bytes: UnsafeBufferPointer<UInt8>, _ word: Range<Int>, at slot: Int) -> Bool {
            let count = word.count - 8
            guard count > 0 else { return entries[slot].first == Letters() }
            return count <= 8 && entries[slot].first == Letters(bytes[word].prefix(count))
        }
    }

    static let table = Table(allCases)
}
