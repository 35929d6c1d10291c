import PredicateText

/// A kind of regular expressions that databases have.
///
/// A pattern of MATCHES is written out for it: classes as ranges of code points, with anchors around the whole, `\A(?:[\x{61}-\x{7A}]+)\z` for `[a-z]+`.
public enum SQLRegularExpressions: Hashable, Sendable {
    /// PostgreSQL's advanced regular expressions.
    case postgreSQL
    /// Those of Java (Spark).
    case java
    /// RE2 (DuckDB), which refuses counts within one another whose product passes 1,000: `(a{50}){50}`.
    case re2
    /// PCRE2 (MariaDB), which compiles a pattern into at most 64 KiB.
    case pcre2
    /// ICU (MySQL).
    case icu
}

extension SQLRegularExpressions {
    /// A pattern that covers a whole text; nil for one that the database refuses.
    func text(of pattern: MatchPattern) -> String? {
        switch self {
        case .re2 where pattern.nestedCount > 1_000: nil
        case .pcre2 where pattern.compiledSize > Self.largestSize: nil
        case .java: pattern.withoutRecursion.map { whole(body($0)) }
        case .postgreSQL, .re2, .icu, .pcre2: whole(body(pattern))
        }
    }

    /// An expression for a whole text.
    func whole(_ body: String) -> String { start + "(?:" + body + ")" + end }

    /// The beginning of a text.
    var start: String { self == .postgreSQL ? "^" : "\\A" }

    /// The end of a text.
    var end: String { self == .postgreSQL ? "$" : "\\z" }

    /// The part of a pattern that ``text(of:)`` refuses.
    var refusedPart: String {
        switch self {
        case .java: "a repeated group of texts of several lengths"
        case .postgreSQL, .re2, .icu, .pcre2: "so many repetitions"
        }
    }

    /// True of matchers that try one way after another, in a time that may not be linear.
    var backtracks: Bool {
        switch self {
        case .postgreSQL, .re2: false
        case .java, .pcre2, .icu: true
        }
    }

    /// Bytes of an expression of PCRE2, as ``MatchPattern/compiledSize`` estimates them from above.
    static let largestSize = 60_000

    /// A pattern as a part of another.
    func body(_ pattern: MatchPattern) -> String {
        switch pattern {
        case .characters(let set): characters(set)
        case .sequence(let parts): parts.map(part).joined()
        case .choice(let branches): branches.map(body).joined(separator: "|")
        case .repeated(let inner, let low, let high): part(inner) + count(low, high)
        }
    }

    /// A pattern as a part of a sequence, and before a count.
    private func part(_ pattern: MatchPattern) -> String {
        switch pattern {
        case .characters: body(pattern)
        case .repeated, .sequence, .choice: "(?:" + body(pattern) + ")"
        }
    }

    private func count(_ low: Int, _ high: Int?) -> String {
        switch (low, high) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (let low, nil): "{\(low),}"
        case (let low, let high?): low == high ? "{\(low)}" : "{\(low),\(high)}"
        }
    }

    func characters(_ set: CodePointSet) -> String {
        let all = least...CodePointSet.last
        let set = set.endingOutsideSurrogates.intersection(all)
        if set.ranges.isEmpty { return "[^\(range(all))]" }
        if let scalar = set.onlyScalar { return character(scalar.value) }
        return "[" + set.ranges.map(range).joined() + "]"
    }

    /// The least code point of a text.
    private var least: UInt32 { self == .postgreSQL ? 1 : 0 }

    private func range(_ range: ClosedRange<UInt32>) -> String {
        let (first, last) = (character(range.lowerBound), character(range.upperBound))
        return range.count == 1 ? first : range.count == 2 ? first + last : first + "-" + last
    }

    private func character(_ value: UInt32) -> String {
        switch UInt8(exactly: value) {
        case .some(0x30...0x39), .some(0x41...0x5A), .some(0x61...0x7A): String(Unicode.Scalar(UInt8(value)))
        default: escaped(value)
        }
    }

    private func escaped(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return switch self {
        case .postgreSQL where value < 0x10000: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        case .postgreSQL: "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        case .java, .re2, .pcre2, .icu: "\\x{" + digits + "}"
        }
    }
}

extension MatchPattern {
    /// The bytes that PCRE2 makes of the pattern, estimated from above.
    var compiledSize: Int {
        switch self {
        case .characters(let set): set.onlyScalar == nil ? 40 + 9 * set.ranges.count : 8
        case .sequence(let parts), .choice(let parts): parts.reduce(16) { min($0 + $1.compiledSize + 16, 1 << 30) }
        case .repeated(.characters(let set), _, _): MatchPattern.characters(set).compiledSize + 16
        case .repeated(let part, let low, let high):
            min((part.compiledSize + 16) * min(max(high ?? low + 1, 1), 1 << 15), 1 << 30)
        }
    }
}
