/// A reserved word. The raw value is the canonical spelling; keywords are case-insensitive. [NSP-002]
package enum Keyword: String, Hashable, Sendable, CaseIterable {
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

    /// Makes the keyword that a word spells, ignoring case.
    package init?(word: some StringProtocol) {
        var copy = String(word)
        guard let keyword = copy.withUTF8({ Keyword.table.keyword($0, from: 0, count: $0.count) }) else { return nil }
        self = keyword
    }
}

extension Keyword {
    /// The part of the language that a keyword belongs to.
    package enum Role: Hashable, Sendable {
        /// `AND`, `OR`, `NOT`
        case logical
        /// `ANY`, `ALL`, `NONE`
        case quantifier
        /// `BETWEEN`, `IN`
        case comparison
        /// `BEGINSWITH`, `LIKE`
        case text(StringOperator)
        /// `TRUEPREDICATE`
        case predicate(Bool)
        /// `TRUE`, `NO`
        case bool(Bool)
        /// `NULL`, `NIL`
        case null
        /// `FIRST`, `SIZE`
        case symbol(IndexExpression.SymbolicIndex)
        /// `SELF`
        case selfObject
        /// `ANYKEY`
        case anyKey
        /// `CAST(a, "NSString")`
        case call(CallForm)
        /// `UNION`
        case set
        /// `CI`: a reserved word without a meaning
        case reserved
    }

    /// A call syntax that a keyword introduces.
    package enum CallForm: Hashable, Sendable {
        case subquery, fetch, cast, conditional, message

        /// True if Apple's list of reserved words lacks the keyword, as it lacks `UNION`. Such a word is a key where a key is
        /// expected and no parenthesis follows. [NSP-014]
        var isContextual: Bool {
            switch self {
            case .conditional, .message: true
            case .subquery, .fetch, .cast: false
            }
        }
    }

    /// The part of the language that the keyword belongs to.
    package var role: Role {
        switch self {
        case .and, .or, .not: .logical
        case .all, .any, .some, .none: .quantifier
        case .in, .between: .comparison
        case .like: .text(.like)
        case .matches: .text(.matches)
        case .contains: .text(.contains)
        case .beginsWith: .text(.beginsWith)
        case .endsWith: .text(.endsWith)
        case .utiConformsTo: .text(.utiConformsTo)
        case .utiEquals: .text(.utiEquals)
        case .null, .nil: .null
        case .selfObject: .selfObject
        case .true, .yes: .bool(true)
        case .false, .no: .bool(false)
        case .first: .symbol(.first)
        case .last: .symbol(.last)
        case .size: .symbol(.size)
        case .anyKey: .anyKey
        case .subquery: .call(.subquery)
        case .fetch: .call(.fetch)
        case .cast: .call(.cast)
        case .ternary: .call(.conditional)
        case .function: .call(.message)
        case .truePredicate: .predicate(true)
        case .falsePredicate: .predicate(false)
        case .union, .intersect, .minus: .set
        case .caseInsensitive, .ci: .reserved
        }
    }
}

extension Keyword {
    /// Up to eight uppercase letters of a word in one integer, loaded and compared at once.
    struct Letters: Equatable {
        private var packed: UInt64 = 0

        init() {}

        /// Loads at most `count` letters from `start` on.
        @inline(__always)
        init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, count: Int) {
            guard let row = ByteRow(bytes, at: start) else {
                packed = Self.lastLetters(bytes[start..<start + min(count, 8)])
                return
            }
            packed = row.word & 0xDFDF_DFDF_DFDF_DFDF & (count < 8 ? (1 &<< UInt64(8 &* count)) &- 1 : .max)
        }

        /// Loads the letters of a word that is so close to the end that eight bytes cannot be read.
        @inline(never)
        private static func lastLetters(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
            word.reversed().reduce(0) { $0 << 8 | UInt64($1 & 0xDF) }
        }

        /// Returns the slot in a table of 2^`bits` slots. With this factor the hash is perfect: no two keywords share
        /// one of 128 slots.
        @inline(__always)
        func slot(bits: Int) -> Int {
            Int(truncatingIfNeeded: (packed &* 0x090B_20BB_257E_8455) &>> UInt64(64 - bits))
        }
    }

    /// The keywords by their first letters, so that a word is looked up without making a string.
    ///
    /// Allocated once and never freed: a pointer avoids reference counting for every word.
    struct HashTable: @unchecked Sendable {
        private struct KeywordEntry {
            var head = Letters()
            /// The letters after the first eight.
            var tail = Letters()
            var keyword: Keyword?
        }

        private static let bits = 7
        private let entries: UnsafePointer<KeywordEntry>

        init(_ keywords: [Keyword]) {
            let entries = UnsafeMutablePointer<KeywordEntry>.allocate(capacity: 1 << Self.bits)
            entries.initialize(repeating: KeywordEntry(), count: 1 << Self.bits)
            for keyword in keywords {
                let entry = Self.entry(keyword)
                let slot = entry.head.slot(bits: Self.bits)
                precondition(entries[slot].keyword == nil, "two keywords share a slot: choose another factor")
                entries[slot] = entry
            }
            self.entries = UnsafePointer(entries)
        }

        private static func entry(_ keyword: Keyword) -> KeywordEntry {
            var word = keyword.rawValue
            return word.withUTF8 { bytes in
                let head = Letters(bytes, from: 0, count: bytes.count)
                return KeywordEntry(head: head, tail: tail(bytes, 0, bytes.count), keyword: keyword)
            }
        }

        @inline(never)
        private static func tail(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Letters {
            count > 8 ? Letters(bytes, from: start + 8, count: count - 8) : Letters()
        }

        /// Returns the keyword that a word spells, ignoring case.
        @inline(__always)
        func keyword(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, count: Int) -> Keyword? {
            let head = Letters(bytes, from: start, count: count)
            let entry = entries + head.slot(bits: Self.bits)
            guard entry.pointee.head == head else { return nil }
            if count <= 8, entry.pointee.tail == Letters() { return entry.pointee.keyword }
            return count <= 16 && entry.pointee.tail == Self.tail(bytes, start, count) ? entry.pointee.keyword : nil
        }
    }

    static let table = HashTable(allCases)
}

// MARK: - Symbols

/// An operator or punctuation mark. The raw value is its spelling; the lexer takes the longest match.
package enum Symbol: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case singleEqual = "="
    case notEqual = "!="
    case lessGreater = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case equalLess = "=<"
    case greater = ">"
    case greaterOrEqual = ">="
    case equalGreater = "=>"
    case doubleAmpersand = "&&"
    case doubleBar = "||"
    case exclamation = "!"
    case plus = "+"
    case hyphen = "-"
    case asterisk = "*"
    case doubleAsterisk = "**"
    case slash = "/"
    case ampersand = "&"
    case bar = "|"
    case caret = "^"
    case tilde = "~"
    case doubleLess = "<<"
    case doubleGreater = ">>"
    case assign = ":="
    case colon = ":"
    case comma = ","
    case dot = "."
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBracket = "["
    case closeBracket = "]"
    case openBrace = "{"
    case closeBrace = "}"
    /// The constant `<null>`, which the printer writes for the null object.
    case nullObject = "<null>"

    /// Returns the longest symbol that begins with `first` if `second` follows.
    static func longest(_ first: UInt8, _ second: UInt8) -> Symbol? {
        guard first < 0x80 else { return nil }
        let longer = second < 0x80 ? bySpelling[place(first, second)] : nil
        return longer ?? bySpelling[place(first)]
    }

    /// Returns true if a symbol of two bytes begins with a byte.
    static func beginsLonger(_ byte: UInt8) -> Bool {
        allCases.contains { $0.length == 2 && $0.rawValue.utf8.first == byte }
    }

    /// The length in bytes.
    var length: Int { rawValue.utf8.count }

    /// The symbols of one and of two bytes, at the places of their ASCII characters.
    private static let bySpelling: [Symbol?] = {
        var symbols = [Symbol?](repeating: nil, count: 0x80 * 0x80)
        for symbol in allCases where symbol.length <= 2 {
            let bytes = Array(symbol.rawValue.utf8)
            symbols[place(bytes[0], bytes.count == 2 ? bytes[1] : 0)] = symbol
        }
        return symbols
    }()

    private static func place(_ first: UInt8, _ second: UInt8 = 0) -> Int { Int(first) << 7 | Int(second) }
}
