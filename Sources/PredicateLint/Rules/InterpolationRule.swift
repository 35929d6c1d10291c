import PredicateSyntax

/// `predicate-interpolation` and `predicate-injection`: values that become part of the format.
enum InterpolationRule {
    static func findings(_ subject: LintSubject, parameters: (Range<Int>) -> String?) -> [LintFinding] {
        guard subject.text.hasHoles, subject.parse.error == nil else { return [] }
        let roles = HoleRole.roles(in: subject.parse)
        return zip(subject.text.holes, roles).flatMap { hole, role -> [LintFinding] in
            let value = HoleValue(hole.hole, subject, parameters)
            var findings: [LintFinding] = []
            if let own = interpolation(value, hole.source, role, subject) { findings.append(own) }
            if let own = injection(value, hole.source, role, subject) { findings.append(own) }
            return findings
        }
    }

    private static func interpolation(
        _ value: HoleValue, _ source: Range<Int>, _ role: HoleRole, _ subject: LintSubject
    ) -> LintFinding? {
        switch role {
        case .key, .other: return nil
        case .value:
            guard !value.isKey, !value.isNumber else { return nil }
            return subject.finding(
                .interpolation, "\(value.name) is inserted into the format and parsed as part of it",
                hints: [Self.cure(subject)], at: source)
        case .quoted(let string):
            guard !value.isNumber, !value.isSelector else { return nil }
            var finding = subject.finding(
                .interpolation, "\(value.name) is inserted between quotes; a quote in the value would end the string",
                hints: [Self.cure(subject)], at: source, level: value.isParameter || value.isRemote ? .error : .warning)
            finding.fix = InterpolationFix.fix(string, subject)
            return finding
        }
    }

    private static func cure(_ subject: LintSubject) -> String {
        subject.call.kind.isStored
            ? "make sure that the value holds neither quotes nor backslashes"
            : "write %@ without quotes and pass the value as an argument"
    }

    private static func injection(
        _ value: HoleValue, _ source: Range<Int>, _ role: HoleRole, _ subject: LintSubject
    ) -> LintFinding? {
        guard !value.isNumber, !value.isHarmless else { return nil }
        let isValue = if case .quoted = role { true } else { role == .value }
        guard value.isRemote || isValue && value.isParameter else { return nil }
        let origin = value.isRemote ? "comes from outside the program" : "is a parameter"
        return subject.finding(
            .injection, "\(value.name) \(origin) and becomes part of the format",
            hints: ["pass values for %@, and allow only keys from a fixed list for %K"], at: source)
    }
}

/// The facts that the source shows about a value that becomes part of a format.
struct HoleValue {
    /// The expression in quotes, shortened.
    let name: String
    let isNumber: Bool
    /// True for a value without quotes: a UUID, a count, a raw value.
    let isHarmless: Bool
    /// True for `#keyPath(…)`, `nameKey`.
    let isKey: Bool
    /// True for `#selector(…)`.
    let isSelector: Bool
    /// True for a value that comes from a user or another program.
    let isRemote: Bool
    /// True for a string parameter of the enclosing function.
    let isParameter: Bool

    init(_ hole: FormatText.Hole, _ subject: LintSubject, _ parameters: (Range<Int>) -> String?) {
        let source = subject.bytes.text(hole.expression)
        let text = source.filter { !$0.isWhitespace }
        let line = source.split(whereSeparator: \.isNewline).joined(separator: " ")
        name = "'" + (line.count > 40 ? line.prefix(39) + "…" : line) + "'"
        let type = parameters(hole.expression)
        isNumber = hole.isNumber || type.map(Self.numberTypes.contains) ?? false || Self.isNumeric(text)
        isHarmless = Self.harmlessEnds.contains { text.hasSuffix($0) }
        isKey = text.hasPrefix("#keyPath(") || ["Key", "KeyPath", "Keypath"].contains { text.hasSuffix($0) }
        isSelector = text.hasPrefix("#selector(") || text.hasPrefix("NSPredicate(")
        isRemote = subject.language != nil && Self.remoteMarks.contains { text.contains($0) }
        isParameter = type.map { ["String", "NSString", "Substring"].contains($0) } ?? false
    }

    private static func isNumeric(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
            || ["Int(", "Double(", "UInt(", "Float("].contains { text.hasPrefix($0) }
            || text.hasSuffix(".count")
    }

    private static let numberTypes: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "CGFloat",
        "Bool", "NSInteger", "NSUInteger", "int", "BOOL", "double", "float", "long",
    ]

    private static let harmlessEnds = [".uuidString", ".UUIDString", ".rawValue", ".hashValue", "UUID()"]

    private static let remoteMarks = [
        "textField.text", "TextField.text", "searchBar.text", "searchField.stringValue", "textView.text", ".queryItems",
        "request.query", "req.query", "req.parameters", "readLine(", "CommandLine.arguments", "UIPasteboard",
        "NSPasteboard",
        "ProcessInfo.processInfo.environment", "userActivity.", "url.query",
    ]
}

/// Passes a quoted interpolation as an argument: `"name == '\(x)'"` becomes `"name == %@", "\(x)"`.
///
/// The new argument is a literal with the same contents, so it is the same string whatever the type of `x` is.
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
        return LintFix(title: "Pass the string as an argument for %@", edits: edits)
    }

    /// True for a single-line literal that is the whole argument and has the hole in single quotes.
    private static func isPlainLiteral(_ subject: LintSubject) -> Bool {
        let (bytes, literal) = (subject.bytes, subject.text.literal)
        let value = subject.call.arguments[subject.call.format].value
        guard value == literal, bytes[literal.lowerBound] == UInt8(ascii: "\"") else { return false }
        var lexer = CodeLexer(bytes, .swift)
        return !SwiftQuote(bytes, at: literal.lowerBound).isMultiline
            && lexer.swiftStringEnd(from: literal.lowerBound) == literal.upperBound
    }

    /// True if the string in the format has escapes outside its holes.
    private static func isEscaped(_ string: Range<Int>, _ subject: LintSubject) -> Bool {
        let text = subject.parse.text
        let holes = text.holes.map(\.range)
        return string.contains { offset in
            text.bytes[offset] == UInt8(ascii: "\\") && !holes.contains { $0.contains(offset) }
        }
    }
}
