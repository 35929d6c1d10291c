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
    /// The keywords of one length with their first eight letters packed, so that a word is looked up without a string.
    private struct Entry {
        let head: UInt64
        let spelling: [UInt8]
        let keyword: Keyword
    }

    private static let byLength: [[Entry]] = {
        var table = [[Entry]](repeating: [], count: 1 + (allCases.map(\.rawValue.utf8.count).max() ?? 0))
        for keyword in allCases {
            let spelling = Array(keyword.rawValue.utf8)
            let entry = spelling.withUnsafeBufferPointer {
                Entry(head: packed($0), spelling: spelling, keyword: keyword)
            }
            table[spelling.count].append(entry)
        }
        return table
    }()

    /// The keyword that these letters spell, in any case.
    init?(utf8 word: UnsafeBufferPointer<UInt8>) {
        let table = Keyword.byLength
        guard word.count < table.count else { return nil }
        let head = Keyword.packed(word)
        for entry in table[word.count] where entry.head == head {
            guard zip(word, entry.spelling).dropFirst(8).allSatisfy({ $0 & 0xDF == $1 & 0xDF }) else { continue }
            self = entry.keyword
            return
        }
        return nil
    }

    /// Up to eight letters in upper case, in one integer.
    private static func packed(_ word: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var result: UInt64 = 0
        for byte in word.prefix(8) { result = result << 8 | UInt64(byte & 0xDF) }
        return result
    }
}
