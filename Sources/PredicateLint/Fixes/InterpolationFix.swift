import PredicateSyntax

/// Passes what stands between quotes as an argument: `"name == '\(x)'"` becomes `"name == %@", "\(x)"`.
///
/// The new argument is the literal that stood there, so that it is the same text whatever the type of `x` is.
enum InterpolationFix {
    static func fix(_ string: Range<Int>, _ subject: LintSubject) -> LintFix? {
        guard subject.language == .swift, subject.value.isDirect, subject.call.kind != .logCommand,
            isPlainLiteral(subject), let arguments = subject.arguments,
            arguments.count == subject.specifiers.count,
            subject.call.arguments[(subject.call.format + 1)...].allSatisfy({ $0.label == nil })
        else { return nil }
        let inner = subject.source(string.lowerBound + 1..<string.upperBound - 1)
        let content = subject.bytes.text(inner)
        guard !isEscaped(string, subject) else { return nil }
        let index = subject.specifiers.count { $0.range.lowerBound < string.lowerBound }
        let place =
            index == 0 ? subject.call.arguments[subject.call.format].value.upperBound : arguments[index - 1].upperBound
        let edits = [
            LintEdit(range: subject.source(string), replacement: "%@"),
            LintEdit(range: place..<place, replacement: ", \"\(content)\""),
        ]
        return LintFix(title: "Pass the text as an argument for %@", edits: edits)
    }

    /// True for one literal of one line between single quotes, which is the whole argument.
    private static func isPlainLiteral(_ subject: LintSubject) -> Bool {
        let (bytes, literal) = (subject.bytes, subject.text.literal)
        let value = subject.call.arguments[subject.call.format].value
        guard value == literal, bytes[literal.lowerBound] == UInt8(ascii: "\"") else { return false }
        var lexer = CodeLexer(bytes, .swift)
        return !SwiftQuote(bytes, at: literal.lowerBound).isMultiline
            && lexer.swiftStringEnd(from: literal.lowerBound) == literal.upperBound
    }

    /// True if the string of the format has escapes of its own, outside of its holes.
    private static func isEscaped(_ string: Range<Int>, _ subject: LintSubject) -> Bool {
        let text = subject.parse.text
        let holes = text.holes.map(\.range)
        return string.contains { offset in
            text.bytes[offset] == UInt8(ascii: "\\") && !holes.contains { $0.contains(offset) }
        }
    }
}
