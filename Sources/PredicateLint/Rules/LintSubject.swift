import PredicateSyntax

/// One format string with all that the rules look at.
struct LintSubject {
    let bytes: Bytes
    /// Nil for a format that stands in no code.
    let language: CodeLanguage?
    let call: FoundCall
    let value: TextValue
    let parse: FormatParse
    /// The arguments of the format; nil if the source does not tell how many there are.
    let arguments: [Range<Int>]?
    let literals: [ArgumentLiteral]
    /// The specifiers of the format outside of its holes.
    let specifiers: [FormatSpecifier]
    /// Parts of strings that look like specifiers: `'%@'`.
    let quoted: [QuotedSpecifier]

    var text: FormatText { value.text }

    /// The source of a part of the format that was parsed.
    func source(_ range: Range<Int>) -> Range<Int> { parse.text.sourceRange(of: range) }

    func finding(
        _ rule: LintRule, _ message: String, hints: [String] = [], at range: Range<Int>, level: LintLevel? = nil
    ) -> LintFinding {
        LintFinding(
            rule: rule, level: level ?? rule.standardLevel ?? .note, text: message, hints: hints, range: range,
            format: text.text, literal: text.literal)
    }

    /// True if the arguments are those of a C function, which are what the specifiers say and nothing else.
    var hasVariableArguments: Bool {
        (call.kind == .predicate || call.kind == .expression)
            && call.arguments[(call.format + 1)...].allSatisfy { $0.label == nil }
    }
}

/// A part of a string that looks like a specifier: `'%@'`, `"*%@*"`.
struct QuotedSpecifier {
    /// The string with its quotes, in the format.
    var string: Range<Int>
    /// The specifier in the format.
    var range: Range<Int>
    /// Its spelling.
    var spelling: String

    /// True if nothing else is in the quotes.
    var isWhole: Bool { string.count == range.count + 2 }

    /// The parts of the strings of a format that look like specifiers.
    static func all(in text: FormatText) -> [QuotedSpecifier] {
        let bytes = text.bytes
        return TolerantToken.tokens(of: text.text).flatMap { token -> [QuotedSpecifier] in
            guard token.kind == .token(.string), token.range.upperBound <= bytes.count else { return [] }
            return specifiers(bytes, token.range)
        }
    }

    private static func specifiers(_ bytes: [UInt8], _ string: Range<Int>) -> [QuotedSpecifier] {
        var result: [QuotedSpecifier] = []
        var offset = string.lowerBound + 1
        while offset + 1 < string.upperBound - 1 {
            guard bytes[offset] == UInt8(ascii: "%") else {
                offset += 1
                continue
            }
            if bytes[offset + 1] == UInt8(ascii: "%") {
                offset += 2
            } else if let end = specifierEnd(bytes, from: offset, limit: string.upperBound - 1) {
                let spelling = String(decoding: bytes[offset..<end], as: UTF8.self)
                result.append(QuotedSpecifier(string: string, range: offset..<end, spelling: spelling))
                offset = end
            } else {
                offset += 1
            }
        }
        return result
    }

    /// `%@`, `%K`, `%d`, `%ld`, `%s`
    private static func specifierEnd(_ bytes: [UInt8], from start: Int, limit: Int) -> Int? {
        var end = start + 1
        while end < limit, end < start + 3, "lqhz".utf8.contains(bytes[end]) { end += 1 }
        guard end < limit, "@KdDiuUfFgeaxXsS".utf8.contains(bytes[end]) else { return nil }
        let isObject = bytes[end] == UInt8(ascii: "@") || bytes[end] == UInt8(ascii: "K")
        return isObject && end > start + 1 ? nil : end + 1
    }
}
