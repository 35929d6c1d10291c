import PredicateChecks
import PredicateSyntax

/// A format string with all data that the rules need.
struct LintSubject {
    let bytes: Bytes
    /// Reads further expressions of the source; nil for a format outside code.
    let reader: TextReader?
    let call: FoundCall
    let value: TextValue
    /// The format as a string, shared by all its findings.
    let format: String
    let parse: FormatParse
    /// The arguments of the format; nil if their number is unknown.
    let arguments: [FormatArgument]?
    /// For each specifier, the argument with which the format was parsed; nil for a stand-in.
    let known: [PredicateValue?]
    /// The specifiers of the format outside its holes.
    let specifiers: [FormatSpecifier]
    /// The parts of quoted strings that look like specifiers: `'%@'`.
    let quoted: [QuotedSpecifier]

    var text: FormatText { value.text }

    /// Nil for a format outside code.
    var language: CodeLanguage? { reader?.language }

    /// The range in the source of a part of the parsed format.
    func source(_ range: Range<Int>) -> Range<Int> { parse.text.sourceRange(of: range) }

    func finding(
        _ rule: LintRule, _ message: String, hints: [String] = [], at range: Range<Int>, level: LintLevel? = nil
    ) -> LintFinding {
        LintFinding(
            rule: rule, level: level ?? rule.standardLevel ?? .note, text: message, hints: hints, range: range,
            format: format, literal: text.literal)
    }

    /// True if the arguments are C varargs, whose types the specifiers determine.
    var hasVariableArguments: Bool {
        (call.kind == .predicate || call.kind == .expression)
            && call.arguments[(call.format + 1)...].allSatisfy { $0.label == nil }
    }
}

/// The tree of a format with values for its specifiers.
package enum ParsedFormat {
    case predicate(FormatPredicate)
    case expression(FormatExpression)
    case failure(PredicateFormatError)

    package init(_ format: String, isExpression: Bool, arguments: [PredicateValue]) {
        do throws(PredicateFormatError) {
            if isExpression {
                self = .expression(try FormatExpression(format: format, arguments: arguments))
            } else {
                self = .predicate(try FormatPredicate(format: format, arguments: arguments))
            }
        } catch {
            self = .failure(error)
        }
    }
}

/// A format that was parsed with stand-ins: values for its specifiers, strings for its holes.
struct FormatParse {
    /// The string that was parsed.
    let text: FormatText
    let outcome: ParsedFormat
    let specifiers: [FormatSpecifier]
    /// The stand-ins of the holes, in order.
    let standIns: [String]

    init(_ text: FormatText, isExpression: Bool, standIns: [String] = [], values: [PredicateValue?] = []) {
        self.text = text
        self.standIns = standIns
        let format = text.text
        specifiers = FormatPredicate.specifiers(in: format)
        let arguments = specifiers.enumerated().map { index, specifier in
            (index < values.count ? values[index] : nil) ?? specifier.kind.standIn
        }
        outcome = ParsedFormat(format, isExpression: isExpression, arguments: arguments)
    }

    var error: PredicateFormatError? { if case .failure(let error) = outcome { error } else { nil } }

    /// The error to report. A missing operator at `%K` is not reported, because the key that is passed may itself be a
    /// predicate.
    var reportedError: PredicateFormatError? {
        guard let error else { return nil }
        let isLoneKey = specifiers.contains { $0.kind == .keyPath && $0.range == error.range }
        if isLoneKey, error.code == .expectedOperator || error.code == .expectedPredicate { return nil }
        return error
    }
}

/// Finds strings for the holes of a format, so that it parses.
///
///     "\(key) == %@"   a key          "name CONTAINS\(options) %@"   nothing
///     "\(clause) AND a == 1"   a comparison
///
/// With up to two holes, all combinations are tried; with more, one hole at a time, beginning at the error.
struct StandIns {
    private let text: FormatText
    private let isExpression: Bool
    private let holes: [Range<Int>]
    private var attempts = 0
    private var work = 0

    /// The possible contents of a hole, the most common first.
    private static let candidates = [
        "x", "", "x == 1", "(x == 1)", "==", "AND", "[c]", "c", "NOT", "1", "%@", "{1}", "'x'", "x ==", "== x",
        "x == 1 AND",
        "AND x == 1", "x.", ".x", "ANY", ", 1", "'",
    ]
    private static let mostAttempts = 600
    /// The maximum total length of all attempts. Only a format of more than 1 KB reaches it before `mostAttempts`.
    private static let mostWork = 600 << 10

    /// The format with the best stand-ins. If no stand-ins make it parse, the result is a format that does not parse, or nil if
    /// this does not prove a mistake.
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
        if holes.count <= 2 {
            return tryAll() ?? (isBeforeHoles(first) || holes.count == 1 && mayGoOn ? first : nil)
        }
        return climb(first, &chosen) ?? (isBeforeHoles(first) ? first : nil)
    }

    private mutating func attempt(_ contents: [String]) -> FormatParse {
        attempts += 1
        work += text.bytes.count
        return FormatParse(text.filled(with: contents), isExpression: isExpression, standIns: contents)
    }

    private var mayGoOn: Bool { attempts < Self.mostAttempts && work < Self.mostWork }

    private mutating func tryAll() -> FormatParse? {
        for first in Self.candidates {
            for second in holes.count == 2 ? Self.candidates : [""] where mayGoOn {
                let parse = attempt(holes.count == 2 ? [first, second] : [first])
                if parse.error == nil { return parse }
            }
        }
        return nil
    }

    /// Changes one hole at a time, so that the error moves towards the end of the format.
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
            for candidate in Self.candidates where candidate != chosen[hole] && mayGoOn {
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

    /// True if the error comes before all holes, so that no stand-in can correct it.
    private func isBeforeHoles(_ parse: FormatParse) -> Bool {
        guard let error = parse.error, let hole = holes.first, !error.range.isEmpty else { return false }
        return error.range.upperBound <= hole.lowerBound && !error.isOpenEnded
    }
}

extension FormatParse {
    /// The length of the part of the format after the error.
    fileprivate var remainder: Int {
        guard let error else { return 0 }
        return error.text.utf8.count - error.range.lowerBound
    }
}

extension PredicateFormatError {
    /// True if more text could correct the error, because something is not closed.
    fileprivate var isOpenEnded: Bool {
        if case .unclosed = code { return true }
        return [.unterminatedString, .expectedOperator, .expectedPredicate].contains(code)
    }
}

// Parts of a format that are unknown: holes in the string, and values of arguments.

extension LintSubject {
    /// The parts of the format whose values are unknown: holes, and specifiers without a known key or pattern.
    var openParts: [OpenPart] {
        parse.text.holes.map { OpenPart($0.range) }
            + specifiers.enumerated().compactMap { index, specifier in
                isKnown(index) ? nil : part(specifier, index)
            }
    }

    /// The parts of the format whose characters are unknown: holes, and `%K` without a known key. Nothing is reported there.
    var unknownText: [Range<Int>] {
        parse.text.holes.map(\.range)
            + specifiers.enumerated().compactMap { index, specifier in
                specifier.kind == .keyPath && !isKnown(index) ? specifier.range : nil
            }
    }

    /// True for a specifier whose argument was known when the format was parsed.
    private func isKnown(_ index: Int) -> Bool { known.indices.contains(index) && known[index] != nil }

    /// The argument for the specifier at a range, if it was known when the format was parsed.
    func knownArgument(at range: Range<Int>) -> Range<Int>? {
        guard let index = specifiers.firstIndex(where: { $0.range == range && $0.kind == .value }), isKnown(index),
            let arguments, arguments.indices.contains(index)
        else { return nil }
        return arguments[index].range
    }

    /// True for a range that contains a specifier whose argument was known when the format was parsed.
    func containsKnownArgument(_ range: Range<Int>) -> Bool {
        specifiers.indices.contains { index in
            isKnown(index) && specifiers[index].kind == .value && specifiers[index].range.overlaps(range)
        }
    }

    /// A specifier with the kind of its argument, which is determined by the specifier or, for `%@`, by the passed type.
    private func part(_ specifier: FormatSpecifier, _ index: Int) -> OpenPart {
        guard specifier.kind == .value, let arguments, arguments.indices.contains(index) else {
            return OpenPart(specifier)
        }
        guard let type = arguments[index].type else { return OpenPart(specifier.range) }
        if let elements = type.elementKind { return OpenPart(specifier.range, .array, elements: elements) }
        // As C varargs, numbers are not objects. Another rule reports them.
        return OpenPart(specifier.range, hasVariableArguments && type.isNumber ? nil : type.kind)
    }
}

/// The role of a hole in a format, determined by its position and by the stand-in with which the format parses.
enum HoleRole: Equatable {
    /// `"name == '\(x)'"`; the range of the quoted string
    case quoted(Range<Int>)
    /// `"age > \(x)"`
    case value
    /// `"\(x) == 1"`, `"boss.\(x) == 1"`, `"$\(x) == 1"`
    case key
    /// `"age \(x) 1"`, `"name ==[\(x)] %@"`, `"\(x) AND a == 1"`
    case other

    /// The roles of the holes in a format that parses.
    static func roles(in parse: FormatParse) -> [HoleRole] {
        let tokens = TolerantToken.tokens(of: parse.text.text)
        let openers = openers(tokens)
        return zip(parse.text.holes, parse.standIns).map { hole, standIn in
            role(of: hole.range, standIn: standIn, tokens, openers)
        }
    }

    private static func role(
        of hole: Range<Int>, standIn: String, _ tokens: [TolerantToken], _ openers: [Symbol?]
    ) -> HoleRole {
        let index = tokens.firstIndex(from: hole.lowerBound + 1, \.range.lowerBound) - 1
        guard index >= 0, tokens[index].range.contains(hole.lowerBound) else { return .other }
        let token = tokens[index]
        if token.kind == .token(.string), token.range.upperBound >= hole.upperBound { return .quoted(token.range) }
        guard standIn == "x" || standIn == "1" || standIn == "'x'" else { return standIn == "{1}" ? .value : .other }
        let isWhole = token.range == hole
        let isPath = index + 1 < tokens.count && tokens[index + 1].isPath || index > 0 && tokens[index - 1].isPath
        guard isWhole, !isPath, index > 0 else { return isOption(tokens, index) ? .other : .key }
        return isValue(tokens, openers, index) ? .value : isOption(tokens, index) ? .other : .key
    }

    /// The innermost bracket that is open before each token.
    private static func openers(_ tokens: [TolerantToken]) -> [Symbol?] {
        var open: [Symbol] = []
        return tokens.map { token in
            let before = open.last
            guard case .token(.symbol(let symbol)) = token.kind else { return before }
            if [.openParenthesis, .openBrace, .openBracket].contains(symbol) { open.append(symbol) }
            if [.closeParenthesis, .closeBrace, .closeBracket].contains(symbol) { _ = open.popLast() }
            return before
        }
    }

    /// True on the right side of a comparison, and in braces.
    private static func isValue(_ tokens: [TolerantToken], _ openers: [Symbol?], _ index: Int) -> Bool {
        let before = tokens[index - 1]
        if before.isComparison { return true }
        if before.isSymbol(.closeBracket) { return index > 3 && tokens[index - 4].isComparison }
        return (before.isSymbol(.openBrace) || before.isSymbol(.comma)) && openers[index] == .openBrace
    }

    /// True for the letters in brackets after an operator: `==[…]`.
    private static func isOption(_ tokens: [TolerantToken], _ index: Int) -> Bool {
        index > 1 && tokens[index - 1].isSymbol(.openBracket) && tokens[index - 2].isComparison
    }
}

extension TolerantToken {
    fileprivate func isSymbol(_ symbol: Symbol) -> Bool { kind == .token(.symbol(symbol)) }

    fileprivate var isPath: Bool { isSymbol(.dot) }

    fileprivate var isComparison: Bool {
        switch kind {
        case .token(.symbol(let symbol)): return ComparisonOperator(symbol) != nil
        case .token(.keyword(let keyword)):
            if case .text = keyword.role { return true }
            return keyword.role == .comparison
        case .token, .error: return false
        }
    }
}
