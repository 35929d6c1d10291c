import PredicateSyntax

/// `predicate-interpolation` and `predicate-injection`: values that become part of the format.
///
/// A hole has at most one finding. The origin of its value takes precedence over the position of the hole, even if
/// `predicate-injection` is off.
enum InterpolationRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard subject.text.hasHoles, subject.parse.error == nil else { return [] }
        let roles = HoleRole.roles(in: subject.parse)
        let fix = InterpolationFix(subject)
        // A format of the printf family may insert one value many times.
        var values: [FormatText.Hole: HoleValue] = [:]
        return zip(subject.text.holes, roles).compactMap { hole, role -> LintFinding? in
            let value = values[hole.hole] ?? HoleValue(hole.hole, subject)
            values[hole.hole] = value
            guard !value.isHarmless else { return nil }
            let place = interpolation(value, hole.source, role, fix, subject)
            guard var origin = injection(value, hole.source, role, subject) else { return place }
            origin.level = max(origin.level, place?.level ?? .note)
            origin.fix = place?.fix
            return origin
        }
    }

    private static func interpolation(
        _ value: HoleValue, _ source: Range<Int>, _ role: HoleRole, _ fix: InterpolationFix?, _ subject: LintSubject
    ) -> LintFinding? {
        switch role {
        case .key, .other: return nil
        case .value:
            // A script cannot pass arguments, and `log` itself rejects an unquoted value that is not a number.
            guard !value.isKey, subject.call.kind != .logCommand else { return nil }
            return subject.finding(
                .interpolation, "\(value.name) is inserted into the format and parsed as part of it",
                hints: ["write %@ and pass the value as an argument"], at: source)
        case .quoted(let string):
            guard !value.isSelector else { return nil }
            var finding = subject.finding(
                .interpolation, "\(value.name) is inserted between quotes; a quote in the value would end the string",
                hints: [Self.cure(subject)], at: source, level: value.isParameter || value.isRemote ? .error : .warning)
            finding.fix = fix?.fix(string)
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
        let isValue = if case .quoted = role { true } else { role == .value }
        let isWhole = subject.text.segments.count == 1 && !InjectionRule.isFormatName(value.name)
        if role == .key, value.isParameter, !value.isRemote, !value.isKey { return key(value, source, subject) }
        guard value.isRemote || (isValue || isWhole) && value.isParameter else { return nil }
        let origin = value.isRemote ? "comes from outside the program" : "is a parameter"
        var finding = subject.finding(
            .injection, "\(value.name) \(origin) and becomes part of the format",
            hints: ["pass values for %@, and allow only keys from a fixed list for %K"], at: source)
        finding.way = value.way
        return finding
    }

    /// `"\(column) == %@"`, where `column` is a parameter
    private static func key(_ value: HoleValue, _ source: Range<Int>, _ subject: LintSubject) -> LintFinding {
        var finding = subject.finding(
            .interpolation, "\(value.name) is a parameter and parsed as a key",
            hints: ["write %K and pass the key as an argument"], at: source, level: .note)
        finding.isQuiet = true
        return finding
    }
}

/// Facts about a value that becomes part of a format, from the source.
struct HoleValue {
    /// The expression in quotes, shortened.
    let name: String
    /// True for a value that has no quotes or backslashes: a number, a UUID, a raw value, a string that the program
    /// contains.
    let isHarmless: Bool
    /// True for `#keyPath(…)`, `nameKey`.
    let isKey: Bool
    /// True for `#selector(…)`.
    let isSelector: Bool
    /// The places through which a value from a user or another program comes; empty for other values.
    let way: [Range<Int>]
    /// True for a string parameter of the enclosing function.
    let isParameter: Bool

    init(_ hole: FormatText.Hole, _ subject: LintSubject) {
        let source = subject.bytes.text(hole.expression)
        let text = source.filter { !$0.isWhitespace }
        let line = source.split(whereSeparator: \.isNewline).joined(separator: " ")
        name = "'" + (line.count > 40 ? line.prefix(39) + "…" : line) + "'"
        let known = subject.reader.map { (reader: $0, node: $0.expression(in: hole.expression)) }
        isHarmless =
            hole.isHarmless || Self.harmlessEnds.contains { text.hasSuffix($0) }
            || text.hasPrefix("String(repeating:\"")
            || known.map {
                $0.reader.spellsNumbers($0.node) || $0.reader.isConstant($0.node)
                    || $0.reader.isHarmlessConstant($0.node)
            } ?? false
        isKey = text.hasPrefix("#keyPath(") || ["Key", "KeyPath", "Keypath"].contains { text.hasSuffix($0) }
        isSelector = text.hasPrefix("#selector(") || text.hasPrefix("NSPredicate(")
        way = known.flatMap { OutsideValue.way(to: $0.node, $0.reader) } ?? []
        isParameter = known.map { $0.reader.isTextParameter($0.node) } ?? false
    }

    var isRemote: Bool { !way.isEmpty }

    private static let harmlessEnds = [".uuidString", ".UUIDString", ".rawValue", ".count", "UUID()"]
}

extension TextReader {
    /// True for numbers and Booleans, for their descriptions, `String(age)`, `ids.map(String.init).joined(separator: ",")`, and for
    /// the identifier of a bundle, `Bundle.main.bundleIdentifier ?? "shop"`, which has letters, digits, hyphens and periods.
    fileprivate func spellsNumbers(_ node: CodeExpression, depth: Int = 0) -> Bool {
        // In `let name = name`, the value refers to the declaration itself.
        guard depth < Self.deepest else { return false }
        if let type = type(of: node), !type.isOptional, type.kind == .number || type.kind == .boolean { return true }
        if let own = local(node), !own.isVariable, !own.isBound, let start = own.value {
            return spellsNumbers(expression(from: start), depth: depth + 1)
        }
        if case .forced(let inner) = node { return spellsNumbers(inner, depth: depth + 1) }
        if case .infix(let left, let sign, let right) = node, bytes.equals("??", sign) {
            return spellsNumbers(left, depth: depth + 1) && isConstant(right)
        }
        if case .member(let base?, let name, _) = node, bytes.equals("bundleIdentifier", name) {
            return bytes.text(base.range).lowercased().contains("bundle")
        }
        guard case .call(let function, let arguments, _) = node, let name = function.lastName else { return false }
        switch (bytes.text(name), function.base) {
        case ("String", nil):
            return arguments.count == 1 && arguments[0].label == nil
                && spellsNumbers(arguments[0].value, depth: depth + 1)
        case ("joined", .call(let map, let functions, _)?):
            guard let list = map.base, map.lastName.map({ bytes.equals("map", $0) }) ?? false, functions.count == 1
            else { return false }
            return ["String.init", "\\.description", "{ String($0) }", "{ \"\\($0)\" }"]
                .contains(bytes.text(functions[0].value.range))
                && type(of: list)?.elementKind.map { $0 == .number || $0 == .uuid } ?? false
        default: return false
        }
    }
}

/// Passes a quoted interpolation as an argument: `"name == '\(name)'"` becomes `"name == %@", name`.
///
/// A value of unknown type is passed as a literal with the same contents, `"\(x)"`, which is the same string. There is no fix
/// if that string is itself a mistake: the description of a date, an optional, or another object.
struct InterpolationFix {
    private let subject: LintSubject
    private let arguments: [FormatArgument]
    private let holes: [(range: Range<Int>, hole: FormatText.Hole, source: Range<Int>)]

    private typealias Holes = ArraySlice<(range: Range<Int>, hole: FormatText.Hole, source: Range<Int>)>

    /// Nil for a format that cannot be corrected in this way.
    init?(_ subject: LintSubject) {
        guard subject.language == .swift, subject.value.isDirect, subject.call.kind != .logCommand,
            Self.isPlainLiteral(subject), let arguments = subject.arguments,
            arguments.count == subject.specifiers.count,
            subject.call.arguments[(subject.call.format + 1)...].allSatisfy({ $0.label == nil })
        else { return nil }
        self.subject = subject
        self.arguments = arguments
        holes = subject.parse.text.holes
    }

    /// The fix for a quoted string that contains holes.
    func fix(_ string: Range<Int>) -> LintFix? {
        let first = holes.firstIndex(from: string.lowerBound, \.range.lowerBound)
        let inside = holes[first..<holes.firstIndex(from: string.upperBound, \.range.lowerBound)]
        guard !isEscaped(string, inside), let argument = argument(string, inside) else { return nil }
        let index = subject.specifiers.firstIndex(from: string.lowerBound, \.range.lowerBound)
        let place =
            index == 0
            ? subject.call.arguments[subject.call.format].value.upperBound : arguments[index - 1].range.upperBound
        let edits = [
            LintEdit(range: subject.source(string), replacement: "%@"),
            LintEdit(range: place..<place, replacement: ", \(argument)"),
        ]
        return LintFix(title: "Pass the value as an argument for %@", edits: edits)
    }

    /// The argument for the contents of a string: the value itself if it is the whole string and its type is known.
    private func argument(_ string: Range<Int>, _ holes: Holes) -> String? {
        let contents = string.lowerBound + 1..<string.upperBound - 1
        let values = holes.map { (expression: $0.hole.expression, type: subject.reader?.type(in: $0.hole.expression)) }
        if values.count == 1, holes.first?.range == contents, let type = values[0].type, !type.isOptional,
            !isForQuotes(values[0].expression)
        {
            let expression = subject.bytes.text(values[0].expression)
            switch type.name {
            case "String", "NSString", "NSDate": return expression
            case "Date": return "\(expression) as NSDate"
            default: break
            }
        }
        guard
            values.allSatisfy({ Self.isText($0.type, subject.bytes.text($0.expression)) && !isForQuotes($0.expression) }
            )
        else { return nil }
        return "\"\(subject.bytes.text(subject.source(contents)))\""
    }

    /// True for a value that is prepared for use between quotes, so that it would be wrong as an argument: an escaped string, a
    /// list of strings with quotes between them.
    private func isForQuotes(_ range: Range<Int>) -> Bool {
        guard let reader = subject.reader else { return false }
        let node = reader.expression(in: range)
        let values = [range] + (reader.local(node)?.value.map { [reader.expression(from: $0).range] } ?? [])
        return values.contains { value in
            let text = subject.bytes.text(value)
            return text.contains("'") || text.lowercased().contains("escap") || text.contains("\\\"")
        }
    }

    /// True if the format is probably compared with the description of a value.
    private static func isText(_ type: TypeName?, _ expression: String) -> Bool {
        if let type { return type.isString && !type.isOptional }
        return !expression.lowercased().contains("date")
    }

    /// True for a single-line literal that is the whole argument, with a hole in single quotes.
    private static func isPlainLiteral(_ subject: LintSubject) -> Bool {
        let (bytes, literal) = (subject.bytes, subject.text.literal)
        let value = subject.call.arguments[subject.call.format].value
        guard value == literal, bytes[literal.lowerBound] == UInt8(ascii: "\"") else { return false }
        var lexer = CodeLexer(bytes, .swift)
        return !SwiftQuote(bytes, at: literal.lowerBound).isMultiline
            && lexer.swiftStringEnd(from: literal.lowerBound) == literal.upperBound
    }

    /// True if the string in the format has escapes outside its holes.
    private func isEscaped(_ string: Range<Int>, _ holes: Holes) -> Bool {
        let bytes = subject.parse.text.bytes
        var start = string.lowerBound
        for hole in holes {
            if bytes[start..<hole.range.lowerBound].contains(UInt8(ascii: "\\")) { return true }
            start = hole.range.upperBound
        }
        return bytes[start..<max(start, string.upperBound)].contains(UInt8(ascii: "\\"))
    }
}
