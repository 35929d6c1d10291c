import PredicateSyntax

/// Finds texts for the holes of a format with which it parses.
///
///     "\(key) == %@"   a key          "name CONTAINS\(options) %@"   nothing
///     "\(clause) AND a == 1"   a comparison
///
/// With up to two holes all combinations are tried; with more, one hole after the other, from the place of the error on.
struct StandIns {
    private let text: FormatText
    private let isExpression: Bool
    private let holes: [Range<Int>]
    private var attempts = 0

    /// What a hole may stand for, the most common first.
    private static let candidates = [
        "x", "", "x == 1", "(x == 1)", "==", "AND", "[c]", "c", "NOT", "1", "%@", "{1}", "'x'", "x ==", "== x",
        "x == 1 AND",
        "AND x == 1", "x.", ".x", "ANY", ", 1", "'",
    ]
    private static let mostAttempts = 600

    /// The format with the best stand-ins; one that does not parse if there are none, or nil if that cannot be known.
    static func parse(_ text: FormatText, isExpression: Bool, values: [PredicateValue?]) -> FormatParse? {
        guard text.hasHoles else { return FormatParse(text, isExpression: isExpression, values: values) }
        var search = StandIns(text, isExpression: isExpression)
        return search.run()
    }

    private init(_ text: FormatText, isExpression: Bool) {
        self.text = text
        self.isExpression = isExpression
        holes = text.holes.map(\.range)
    }

    private mutating func run() -> FormatParse? {
        var chosen = [String](repeating: "x", count: holes.count)
        let first = attempt(chosen)
        if first.error == nil { return first }
        if holes.count <= 2 { return tryAll() ?? (isBeforeHoles(first) || holes.count == 1 ? first : nil) }
        return climb(first, &chosen) ?? (isBeforeHoles(first) ? first : nil)
    }

    private mutating func attempt(_ contents: [String]) -> FormatParse {
        attempts += 1
        return FormatParse(text.filled(with: contents), isExpression: isExpression, standIns: contents)
    }

    private mutating func tryAll() -> FormatParse? {
        for first in Self.candidates {
            for second in holes.count == 2 ? Self.candidates : [""] {
                let parse = attempt(holes.count == 2 ? [first, second] : [first])
                if parse.error == nil { return parse }
            }
        }
        return nil
    }

    /// Changes one hole at a time, so that the error moves towards the end.
    private mutating func climb(_ first: FormatParse, _ chosen: inout [String]) -> FormatParse? {
        var best = first
        while let error = best.error {
            guard let next = improve(best, error, &chosen) else { return nil }
            if next.error == nil { return next }
            best = next
        }
        return best
    }

    private mutating func improve(
        _ best: FormatParse, _ error: PredicateFormatError, _ chosen: inout [String]
    ) -> FormatParse? {
        let ranges = best.text.holes.map(\.range)
        let near = ranges.indices.sorted { distance(ranges[$0], error) < distance(ranges[$1], error) }
        var improved: (parse: FormatParse, contents: [String])?
        for hole in near.prefix(3) {
            for candidate in Self.candidates where candidate != chosen[hole] && attempts < Self.mostAttempts {
                var contents = chosen
                contents[hole] = candidate
                let parse = attempt(contents)
                guard let next = parse.error else { return parse }
                let reached = improved?.parse.remainder ?? best.remainder
                if next.text.utf8.count - next.range.lowerBound < reached { improved = (parse, contents) }
            }
        }
        guard let improved else { return nil }
        chosen = improved.contents
        return improved.parse
    }

    private func distance(_ hole: Range<Int>, _ error: PredicateFormatError) -> Int {
        if hole.upperBound < error.range.lowerBound { return error.range.lowerBound - hole.upperBound }
        return max(hole.lowerBound - error.range.upperBound, 0)
    }

    /// True if the error stands before every hole, so that none of them can mend it.
    private func isBeforeHoles(_ parse: FormatParse) -> Bool {
        guard let error = parse.error, let hole = holes.first, !error.range.isEmpty else { return false }
        return error.range.upperBound <= hole.lowerBound && !error.isOpenEnded
    }
}

extension FormatParse {
    /// How much of the text stands behind the error.
    fileprivate var remainder: Int {
        guard let error else { return 0 }
        return error.text.utf8.count - error.range.lowerBound
    }
}

extension PredicateFormatError {
    /// True if what comes later could mend it: something that is open to the end.
    fileprivate var isOpenEnded: Bool {
        if case .unclosed = code { return true }
        return [.unterminatedString, .expectedOperator, .expectedPredicate].contains(code)
    }
}
