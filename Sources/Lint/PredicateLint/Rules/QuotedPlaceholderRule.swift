import PredicateChecks
import PredicateSyntax

/// `predicate-quoted-placeholder`: `'%@'` is a string and takes no argument.
enum QuotedPlaceholderRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard !subject.call.kind.isStored else { return [] }
        let surplus = subject.arguments.map { $0.count > subject.specifiers.count }
        let mayFix = mayFix(subject)
        var strings: Set<Range<Int>> = []
        return subject.quoted.compactMap { quoted in
            let isObject = quoted.spelling == "%@" || quoted.spelling == "%K"
            guard isObject || (quoted.isWhole ? surplus != false : surplus == true),
                strings.insert(quoted.string).inserted
            else { return nil }
            let text = String(decoding: subject.parse.text.bytes[quoted.string].dropFirst().dropLast(), as: UTF8.self)
            let found = SourceChecks.specifierInQuotes(text, quoted.string)
            var finding = subject.finding(
                .quotedPlaceholder, found.message, hints: found.hint.map { [$0] } ?? [],
                at: subject.source(quoted.string))
            finding.code = found.code
            finding.fix = mayFix ? fix(quoted, subject) : nil
            return finding
        }
    }

    /// True if, without the quotes, each argument has a specifier.
    private static func mayFix(_ subject: LintSubject) -> Bool {
        subject.value.isDirect && subject.parse.error == nil && subject.quoted.allSatisfy(\.isWhole)
            && subject.arguments.map { $0.count == subject.specifiers.count + subject.quoted.count } ?? false
    }

    /// Removes the quotes.
    private static func fix(_ quoted: QuotedSpecifier, _ subject: LintSubject) -> LintFix {
        let edit = LintEdit(range: subject.source(quoted.string), replacement: quoted.spelling)
        return LintFix(title: "Remove the quotes around \(quoted.spelling)", edits: [edit])
    }
}

/// A part of a string that looks like a specifier: `'%@'`, `"*%@*"`.
struct QuotedSpecifier {
    /// The range of the string with its quotes, in the format.
    var string: Range<Int>
    /// The range of the specifier in the format.
    var range: Range<Int>
    /// Its spelling.
    var spelling: String

    /// True if the quotes contain nothing else.
    var isWhole: Bool { string.count == range.count + 2 }

    /// The parts of a format's quoted strings that look like specifiers.
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
