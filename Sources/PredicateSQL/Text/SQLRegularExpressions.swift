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
}

extension SQLRegularExpressions {
    /// A pattern that covers a whole text; nil for one that the database refuses.
    func text(of pattern: MatchPattern) -> String? {
        switch self {
        case .postgreSQL: "^(?:" + body(pattern) + ")$"
        case .re2 where pattern.nestedCount > 1_000: nil
        case .java, .re2: "\\A(?:" + body(pattern) + ")\\z"
        }
    }

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

    private func characters(_ set: CodePointSet) -> String {
        if let scalar = set.onlyScalar { return character(scalar.value) }
        return "[" + set.ranges.map(range).joined() + "]"
    }

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
        // Its texts do not hold U+0000.
        case .postgreSQL: "\\U" + String(repeating: "0", count: 8 - digits.count) + (value == 0 ? "1" : digits)
        case .java, .re2: "\\x{" + digits + "}"
        }
    }
}
