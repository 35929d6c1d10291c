import PredicateChecks

/// The predicates of a plain file.
///
///     # Grown-ups
///     age >= 18
///     (name BEGINSWITH "jo"
///         OR name BEGINSWITH "al")
///
/// A predicate goes on to the next line while a bracket or a quote is open, but not past an empty line and not for more
/// than 200 lines. A line that begins with `//`, or with `#` and a blank, is a comment. `# predicate:entity Person` tells the
/// entity of the predicates after it.
enum PlainPredicates {
    private static let mostLines = 200

    /// A predicate: its bytes, and the entity of its objects, if a comment tells it.
    struct Predicate: Hashable {
        var range: Range<Int>
        var entity: String?
    }

    /// The predicates in the order of the file.
    static func all(in document: TextDocument) -> [Predicate] {
        var found: [Predicate] = []
        var entity: String?
        var open: Range<Int>?
        var lines = 0
        for line in document.lineStarts.indices {
            let content = trimmed(document.lineStarts[line]..<document.contentEnd(ofLine: line), document.bytes)
            guard !content.isEmpty else {
                open.map { found.append(Predicate(range: $0, entity: entity)) }
                open = nil
                continue
            }
            if open == nil, isComment(content, document.bytes) {
                entity = Self.entity(content, document.bytes) ?? entity
                continue
            }
            let whole = (open?.lowerBound ?? content.lowerBound)..<content.upperBound
            lines = open == nil ? 1 : lines + 1
            open = whole
            guard lines == mostLines || !isOpen(String(decoding: document.bytes[whole], as: UTF8.self)) else {
                continue
            }
            found.append(Predicate(range: whole, entity: entity))
            open = nil
        }
        open.map { found.append(Predicate(range: $0, entity: entity)) }
        return found
    }

    /// `# predicate:entity Person`
    private static func entity(_ comment: Range<Int>, _ bytes: [UInt8]) -> String? {
        let words = String(decoding: bytes[comment], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard let mark = words.firstIndex(of: "predicate:entity"), mark + 1 < words.count else { return nil }
        return String(words[mark + 1])
    }

    private static func trimmed(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, bytes[lower] == 0x20 || bytes[lower] == 0x09 { lower += 1 }
        while lower < upper, bytes[upper - 1] == 0x20 || bytes[upper - 1] == 0x09 { upper -= 1 }
        return lower..<upper
    }

    private static func isComment(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        let text = bytes[range]
        return text.starts(with: "//".utf8) || text.starts(with: "# ".utf8) || text.elementsEqual("#".utf8)
    }

    /// True if a bracket or a quote is open. A text with too many closing brackets is wrong already, and ends.
    private static func isOpen(_ text: String) -> Bool {
        var depth = 0
        let bytes = Array(text.utf8)
        for token in FormatToken.tokens(of: text) {
            if token.kind == .openString { return true }
            guard token.kind == .symbol, token.range.count == 1 else { continue }
            switch bytes[token.range.lowerBound] {
            case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            if depth < 0 { return false }
        }
        return depth > 0
    }
}
