import PredicateText

/// The regular expression syntax of a database.
///
/// A pattern of MATCHES is translated to it: classes become ranges of code points, and the whole is anchored:
/// `\A(?:[\x{61}-\x{7A}]+)\z` for `[a-z]+`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
@_spi(Dialect) public enum SQLRegularExpressions: Hashable, Sendable {
    /// PostgreSQL's advanced regular expressions.
    case postgreSQL
    /// Java's (Spark).
    case java
    /// RE2 (DuckDB), which refuses nested counts whose product exceeds 1,000: `(a{50}){50}`.
    case re2
    /// PCRE2 (MariaDB), which compiles a pattern into at most 64 KiB.
    case pcre2
    /// ICU (MySQL).
    case icu
}

extension SQLRegularExpressions {
    /// Returns an expression that matches the whole string; nil if the database refuses the pattern. `steps` limits the matcher
    /// where a pattern can state such a limit.
    func text(of pattern: MatchPattern, steps: Int? = nil) -> String? {
        switch self {
        case .re2 where pattern.nestedCount > 1_000: nil
        case .pcre2 where pattern.compiledSize > Self.largestSize: nil
        case .java: pattern.withoutRecursion.map { whole(body($0)) }
        case .pcre2: (steps.map { "(*LIMIT_MATCH=\($0))" } ?? "") + whole(body(pattern))
        case .postgreSQL, .re2, .icu: whole(body(pattern))
        }
    }

    /// Returns an expression for the whole string.
    func whole(_ body: String) -> String { start + "(?:" + body + ")" + end }

    /// The anchor of the beginning.
    var start: String { self == .postgreSQL ? "^" : "\\A" }

    /// The anchor of the end.
    var end: String { self == .postgreSQL ? "$" : "\\z" }

    /// The part of a pattern that ``text(of:)`` refuses.
    var refusedPart: String {
        switch self {
        case .java: "a repeated group of texts of several lengths"
        case .postgreSQL, .re2, .icu, .pcre2: "so many repetitions"
        }
    }

    /// True for backtracking matchers, whose time may not be linear.
    var backtracks: Bool {
        switch self {
        case .postgreSQL, .re2: false
        case .java, .pcre2, .icu: true
        }
    }

    /// True if the database's string functions build arrays of all characters. Comparing two long strings for each pair of rows
    /// exhausts the memory of a Spark driver, and DuckDB interrupts a statement only between chunks of 2,048 rows.
    var foldsInMemory: Bool { self == .java || self == .re2 }

    /// True if the database evaluates LIKE as a regular expression by backtracking: its time grows with the length of a string
    /// to the power of the number of stars.
    var backtracksInLike: Bool {
        switch self {
        case .java: true
        case .postgreSQL, .re2, .pcre2, .icu: false
        }
    }

    /// The maximum size of a PCRE2 expression in bytes, as estimated by ``MatchPattern/compiledSize``.
    static let largestSize = 60_000

    /// Returns a pattern as a part of another.
    func body(_ pattern: MatchPattern) -> String {
        switch pattern {
        case .characters(let set): characters(set)
        case .sequence(let parts): parts.map(part).joined()
        case .choice(let branches): branches.map(body).joined(separator: "|")
        case .repeated(let inner, let low, let high): part(inner) + count(low, high)
        }
    }

    /// Returns a pattern as a part of a sequence, or before a count.
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
        return "[" + members(set) + "]"
    }

    /// The members of a class, without its brackets.
    func members(_ set: CodePointSet) -> String { set.ranges.map(range).joined() }

    /// The members of a class of some code points.
    func members(_ ranges: [ClosedRange<UInt32>]) -> String { members(CodePointSet(ranges)) }

    /// The least code point of a string.
    private var least: UInt32 { self == .postgreSQL ? 1 : 0 }

    private func range(_ range: ClosedRange<UInt32>) -> String {
        let (first, last) = (character(range.lowerBound), character(range.upperBound))
        return range.count == 1 ? first : range.count == 2 ? first + last : first + "-" + last
    }

    /// Letters stand for themselves; everything else is escaped.
    private func character(_ value: UInt32) -> String {
        guard Self.letters.contains(where: { $0.contains(value) }), let scalar = Unicode.Scalar(value) else {
            return escaped(value)
        }
        return String(scalar)
    }

    /// Letters and digits that need no escape: of ASCII, and of the alphabets that have cases.
    private static let letters: [ClosedRange<UInt32>] = [
        0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x370...0x482, 0x48A...0x52F, 0x1E00...0x1FFF,
    ]

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
    /// An upper estimate of the bytes to which PCRE2 compiles the pattern.
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

/// Searches under a fold, for strings without marks (``Folding/markBlocks``). They fold code point by code point, so
/// that an expression for everything that folds to the needle finds it. A string with marks also matches; a function
/// then decides.
///
/// The marks are a class of a hundred ranges. An expression names them, and a function of the database replaces the
/// name: ``SQLPiece/pattern(_:)``.
extension SQLRegularExpressions {
    /// The name of the marks in an expression, which nothing else in it resembles: all other punctuation is escaped.
    static let nameOfMarks = "<marks>"

    /// The members of the class of marks: `\x{300}-\x{36F}…`
    var membersOfMarks: String { members(Folding.markBlocks) }

    /// Returns an expression with the marks in place of their name.
    func namingNoMarks(_ expression: String) -> String {
        expression.replacing(Self.nameOfMarks, with: membersOfMarks)
    }

    /// A string with marks.
    var marks: String { "[\(Self.nameOfMarks)]" }

    /// `[Oo][Hh]|[<marks>]` for `name CONTAINS[c] "oh"`. For a prefix, a string with marks must begin like the
    /// needle: `\A(?:[Jj][Oo]|[Jj<marks>][^<marks>]*+[<marks>])`. A search of nil is the whole string. Returns nil if
    /// the expression is too long.
    func finding(_ search: SQLPiece.Search?, _ needles: [String], _ mode: FoldMode) -> String? {
        var branches: [MatchPattern] = []
        for needle in needles {
            guard let pattern = MatchPattern(foldingTo: needle, mode) else { return nil }
            if pattern != .never { branches.append(pattern) }
        }
        guard !branches.isEmpty else { return marks }
        let pattern = MatchPattern.choice(branches)
        guard pattern.compiledSize <= Self.largestSize / 2 else { return nil }
        let found = "(?:" + body(pattern) + ")"
        return switch search {
        case .beginsWith: start + "(?:" + found + "|" + beginning(needles, mode) + ")"
        case .contains: found + "|" + marks
        case .endsWith: found + end + "|" + marks
        case nil: start + "(?:" + found + end + "|" + beginning(needles, mode) + ")"
        }
    }

    /// A string with marks whose first code point may be the beginning of a needle.
    private func beginning(_ needles: [String], _ mode: FoldMode) -> String {
        let first = needles.reduce(CodePointSet([])) { $0.union(CodePointSet(beginning: $1, mode)) }
        guard !backtracks else {
            return "(?=[" + members(first) + Self.nameOfMarks + "])" + noMarks + "*+" + marks
        }
        return marks + "|" + characters(first) + noMarks + "*" + marks
    }

    private var noMarks: String { "[^\(Self.nameOfMarks)]" }

    /// A string that has marks, or is so long that finding the ends of stars may exceed the matcher's limit.
    var marksOrLength: String { backtracks ? marks + "|" + Self.long : marks }

    /// `\A(?:[Jj](?s:.)(?s:.*)[Nn]\z|[^<marks>]*+[<marks>])|\A(?s:.{60000})` for `name LIKE[c] "j?*n"`. Returns nil
    /// if the expression is too long.
    ///
    /// After a star, the first position where the literal matches is as good as any other, up to the next star, so it is
    /// matched possessively. Matchers that do not backtrack need neither this nor a limit on the length. Without a fold, the
    /// pattern decides every string: `\Aj(?>(?s:.*?)a)(?s:.*)n\z` for `name LIKE "j*a*n"`.
    func fitting(_ tokens: [LikePattern.Component], _ mode: FoldMode) -> String? {
        let others = backtracks ? noMarks + "*+" + marks + ")|" + Self.long : noMarks + "*" + marks + ")"
        let (first, shortest) = backtracks ? ("(?>", "(?s:.*?)") : ("(?:", rest)
        var (fitting, piece, size): (String, String, Int) = ("", "", 0)
        var isAfterStar = false
        for token in tokens {
            switch token {
            case .text(let text) where mode == .none:
                piece += text.unicodeScalars.map { characters(CodePointSet($0)) }.joined()
            case .text(let text):
                guard let pattern = MatchPattern(foldingTo: text, mode) else { return nil }
                if pattern == .never { return marksOrLength }
                size += pattern.compiledSize
                piece += "(?:" + body(pattern) + ")"
            case .any: piece += any
            case .star:
                fitting += isAfterStar && !piece.isEmpty ? first + shortest + piece + ")" : piece
                (piece, isAfterStar) = ("", true)
            }
        }
        if isAfterStar { fitting += rest }
        if mode == .none { return start + fitting + piece + end }
        guard size + 24 * tokens.count <= Self.largestSize / 2 else { return nil }
        return start + "(?:" + fitting + piece + end + "|" + others
    }

    /// The count applies to a single code point: a group would be expanded that many times.
    private static let long = "\\A(?s:.{60000})"

    /// Any code point.
    private var any: String { self == .postgreSQL ? "." : "(?s:.)" }

    /// Any string.
    private var rest: String { self == .postgreSQL ? ".*" : "(?s:.*)" }
}

/// MATCHES patterns for Java's matcher, which recurses for each repetition of a group whose matches differ in length,
/// so that one long string can overflow the stack of the whole process.
///
/// `(a|b)*` over 5,000 characters does; `[ab]*`, which is equivalent, does not.
extension MatchPattern {
    /// The pattern for a matcher that must not recurse; nil if every form of it would.
    var withoutRecursion: MatchPattern? {
        let pattern = joiningCharacters
        return pattern.recursion <= Self.mostRecursion ? pattern : nil
    }

    /// The number of repetitions that a thread's stack of one megabyte holds many times over.
    private static let mostRecursion = 500

    /// An equivalent pattern, with a class for alternatives of one character each, and one repetition for two nested
    /// ones: `[ab]*` for `(a|b+)*`.
    private var joiningCharacters: MatchPattern {
        switch self {
        case .characters: return self
        case .sequence(let parts):
            return parts.count == 1 ? parts[0].joiningCharacters : .sequence(parts.map(\.joiningCharacters))
        case .choice(let branches): return Self.joined(branches.map(\.joiningCharacters))
        case .repeated(let part, let low, let high):
            let part = part.joiningCharacters
            if low == 1, high == 1 { return part }
            if high == nil, let set = part.repeatedSet, case .repeated(_, let inner, _) = part, inner <= 1 {
                return .repeated(.characters(set), atLeast: low * inner, atMost: nil)
            }
            guard high == nil, low == 0, case .choice(let branches) = part else {
                return .repeated(part, atLeast: low, atMost: high)
            }
            // A branch that repeats characters is equivalent to several branches of one character.
            let plain = branches.map { branch in
                branch.isOnceOrMore ? branch.repeatedSet.map(Self.characters) ?? branch : branch
            }
            return .repeated(Self.joined(plain), atLeast: 0, atMost: nil)
        }
    }

    private static func joined(_ branches: [MatchPattern]) -> MatchPattern {
        var set: CodePointSet?
        var others: [MatchPattern] = []
        for branch in branches {
            if case .characters(let characters) = branch {
                set = set?.union(characters) ?? characters
            } else {
                others.append(branch)
            }
        }
        guard let set else { return .choice(others) }
        return others.isEmpty ? .characters(set) : .choice([.characters(set)] + others)
    }

    /// The characters of `[a-z]+`.
    private var repeatedSet: CodePointSet? {
        if case .repeated(.characters(let set), _, _) = self { set } else { nil }
    }

    private var isOnceOrMore: Bool {
        if case .repeated(_, let low, _) = self { low <= 1 } else { false }
    }

    /// The nesting of calls while a string is matched, as far as it depends on the string's length.
    private var recursion: Int {
        switch self {
        case .characters: 0
        case .sequence(let parts), .choice(let parts): parts.reduce(0) { min($0 + $1.recursion, 1 << 20) }
        case .repeated(.characters, _, _): 0
        case .repeated(let part, _, let high):
            part.hasOneLength ? part.recursion : min((part.recursion + 1) * min(high ?? 1 << 20, 1 << 20), 1 << 20)
        }
    }

    /// True if all matches have the same length in UTF-16.
    private var hasOneLength: Bool {
        switch self {
        case .characters(let set):
            (set.ranges.last?.upperBound ?? 0) <= 0xFFFF || (set.ranges.first?.lowerBound ?? 0) > 0xFFFF
        case .sequence(let parts): parts.allSatisfy(\.hasOneLength)
        case .choice: false
        case .repeated(let part, let low, let high): low == high && part.hasOneLength
        }
    }
}

/// The repetitions that make a matcher backtrack.
extension MatchPattern {
    /// True if a matcher that backtracks may take more than a number of steps for a string of a few thousand characters: if
    /// several unbounded repetitions accept a common character, or if bounded ones can match in too many ways.
    ///
    /// The time of `[ab]*a*[ac]*x` grows with the third power of the length of a string that does not match; the time of
    /// `a?a?a?a?x` doubles with every part.
    func backtracks(beyond steps: Int) -> Bool {
        ways > steps || hasOverlappingRepetitions
    }

    private static let mostOverlapping = 2
    /// The number of ranges in two classes that is tested quickly; `\p{L}` has hundreds.
    private static let mostRanges = 64

    private var hasOverlappingRepetitions: Bool {
        let sets = repeatedSets
        let bounds = sets.flatMap { $0.ranges.map(\.lowerBound) }.compactMap(Unicode.Scalar.init)
        return bounds.contains { bound in
            let overlapping = sets.filter { $0.contains(bound) }
            guard overlapping.count == Self.mostOverlapping else { return overlapping.count > Self.mostOverlapping }
            return overlapping.reduce(0) { $0 + $1.ranges.count } > Self.mostRanges
        }
    }

    /// An upper bound for the ways in which bounded repetitions and alternatives can match.
    private var ways: Int {
        switch self {
        case .characters: 1
        case .sequence(let parts): parts.reduce(1) { Self.product($0, $1.ways) }
        case .choice(let branches): branches.reduce(0) { min($0 + $1.ways, Self.mostWays) }
        case .repeated(let part, _, nil): part.ways == 1 ? 1 : Self.mostWays
        case .repeated(let part, let low, let high?):
            (0..<(part.ways == 1 ? 0 : high)).reduce(high - low + 1) { ways, _ in Self.product(ways, part.ways) }
        }
    }

    private static let mostWays = 1 << 30

    private static func product(_ left: Int, _ right: Int) -> Int { min(left * right, mostWays) }

    /// The characters that each unbounded repetition accepts; a nested repetition counts twice.
    private var repeatedSets: [CodePointSet] {
        switch self {
        case .characters: []
        case .sequence(let parts), .choice(let parts): parts.flatMap(\.repeatedSets)
        case .repeated(let part, _, nil): part.repeatedSets + [part.allCharacters]
        case .repeated(let part, _, .some): part.repeatedSets
        }
    }

    private var allCharacters: CodePointSet {
        switch self {
        case .characters(let set): set
        case .sequence(let parts), .choice(let parts):
            parts.reduce(CodePointSet([])) { $0.union($1.allCharacters) }
        case .repeated(let part, _, _): part.allCharacters
        }
    }
}

extension LikePattern {
    /// The pattern in the syntax of SQL's LIKE, with `!` as the escape: `jo_n%` for `"jo?n*"`.
    var sqlPattern: String {
        tokens.map { token in
            switch token {
            case .text(let text): Self.escaped(text)
            case .any: "_"
            case .star: "%"
            }
        }.joined()
    }

    /// The longest literal part, which every string that fits contains; nil if there is none.
    var longestText: String? {
        let texts = tokens.compactMap { token in
            if case .text(let text) = token { text } else { nil }
        }
        return texts.max { $0.utf8.count < $1.utf8.count }
    }

    /// Returns the pattern for strings with the ASCII prefix of a string: `jo%`, `Zo%` for `Zoë`. Columns of every
    /// character set have ASCII.
    static func beginning(_ text: String) -> String {
        escaped(String(text.unicodeScalars.prefix(while: \.isASCII))) + "%"
    }

    /// Returns the pattern for strings that end with a string: `%th`.
    static func ending(_ text: String) -> String { "%" + escaped(text) }

    /// Returns the pattern for strings that contain a string: `%oh%`.
    static func containing(_ text: String) -> String { ending(text) + "%" }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "!" { result += "!" }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}

extension SQLPiece.Search {
    /// Creates the search that a match amounts to; nil for a match that is not a search.
    init?(_ match: TextMatch) {
        switch match {
        case .beginsWith: self = .beginsWith
        case .endsWith: self = .endsWith
        case .contains: self = .contains
        case .equal, .like: return nil
        }
    }
}
