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
        guard let keyword = copy.withUTF8({ Keyword(utf8: $0) }) else { return nil }
        self = keyword
    }
}

extension Keyword {
    /// The keywords by length, so that a word is looked up without making a string.
    ///
    /// Made once and kept for ever: a pointer needs no reference counting on the way of every word.
    private struct Table: @unchecked Sendable {
        struct Entry {
            /// The first eight letters.
            let head: UInt64
            let keyword: Keyword
        }

        /// Where the entries of each length begin; those of length n end where those of n + 1 begin.
        let starts: UnsafePointer<Int>
        let entries: UnsafePointer<Entry>
        let longest: Int

        init(_ keywords: [Keyword]) {
            let longest = keywords.map(\.rawValue.utf8.count).max() ?? 0
            let starts = UnsafeMutablePointer<Int>.allocate(capacity: longest + 2)
            let entries = UnsafeMutablePointer<Entry>.allocate(capacity: keywords.count)
            var next = 0
            for length in 0...longest + 1 {
                (starts + length).initialize(to: next)
                for keyword in keywords where keyword.rawValue.utf8.count == length {
                    let letters = Array(keyword.rawValue.utf8)
                    let head = letters.withUnsafeBufferPointer { packed($0) }
                    (entries + next).initialize(to: Entry(head: head, keyword: keyword))
                    next += 1
                }
            }
            self.starts = UnsafePointer(starts)
            self.entries = UnsafePointer(entries)
            self.longest = longest
        }
    }

    private static let table = Table(allCases)

    /// The keyword that these letters spell, in any case.
    init?(utf8 word: UnsafeBufferPointer<UInt8>) {
        let table = Keyword.table
        guard word.count <= table.longest else { return nil }
        let head = Keyword.packed(word)
        for index in table.starts[word.count]..<table.starts[word.count + 1] where table.entries[index].head == head {
            let keyword = table.entries[index].keyword
            guard word.count <= 8 || Keyword.hasTail(word, of: keyword) else { continue }
            self = keyword
            return
        }
        return nil
    }

    /// Whether the letters from the ninth on are the keyword's.
    private static func hasTail(_ word: UnsafeBufferPointer<UInt8>, of keyword: Keyword) -> Bool {
        zip(word, keyword.rawValue.utf8).dropFirst(8).allSatisfy { $0 & 0xDF == $1 & 0xDF }
    }

    /// Up to eight letters in upper case, in one integer.
    private static func packed(_ word: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var result: UInt64 = 0
        for index in 0..<min(word.count, 8) { result = result << 8 | UInt64(word[index] & 0xDF) }
        return result
    }
}
