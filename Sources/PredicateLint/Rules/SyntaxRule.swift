import PredicateChecks
import PredicateSyntax

/// `predicate-syntax`: what the parser says.
enum SyntaxRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard let error = subject.parse.reportedError, !subject.value.isUncertain || !error.isOfUnfinishedText else {
            return []
        }
        let range = error.text.isEmpty ? subject.text.literal : subject.source(error.range)
        var finding = subject.finding(.syntax, message(of: error), hints: error.hints, at: range)
        finding.fix = NotInFix.fix(error, subject)
        return [finding]
    }

    static func message(of error: PredicateFormatError) -> String {
        [error.title, error.label].compactMap(\.self).joined(separator: ": ")
    }
}

extension PredicateFormatError {
    /// True for an error that a text has because it is only the beginning of one.
    fileprivate var isOfUnfinishedText: Bool {
        range.upperBound >= text.utf8.count || code == .emptyFormat
    }
}

/// `predicate-argument-count`: specifiers without an argument, arguments without a specifier.
enum ArgumentCountRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard subject.parse.error == nil, let arguments = subject.arguments, !subject.value.isUncertain else {
            return []
        }
        let expected = subject.specifiers.count
        if arguments.count < expected { return [missing(arguments.count, subject)] }
        guard arguments.count > expected, !subject.text.hasHoles, subject.quoted.isEmpty else { return [] }
        let message = "expected \(Self.count(expected)), found \(arguments.count)"
        let hint = "each argument needs a specifier of its own: %@, %K, %d"
        return [subject.finding(.argumentCount, message, hints: [hint], at: subject.text.literal)]
    }

    private static func missing(_ count: Int, _ subject: LintSubject) -> LintFinding {
        let specifiers = subject.specifiers
        let message = "expected \(Self.count(specifiers.count)), found \(count == 0 ? "none" : "\(count)")"
        let hint = "specifier number \(count + 1) has no argument; each %@, %K, %d draws one"
        return subject.finding(
            .argumentCount, message, hints: [hint], at: subject.source(specifiers[count].range), level: .error)
    }

    private static func count(_ number: Int) -> String {
        number == 0 ? "no arguments" : "\(number) argument\(number == 1 ? "" : "s")"
    }
}

/// `predicate-argument-type`: a literal argument of a kind that its specifier does not take.
enum ArgumentTypeRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard subject.parse.error == nil, let arguments = subject.arguments else { return [] }
        var findings: [LintFinding] = []
        for (specifier, (literal, range)) in zip(subject.specifiers, zip(subject.literals, arguments)) {
            guard let expected = expectation(specifier.kind, literal, subject) else { continue }
            let spelling = String(decoding: subject.parse.text.bytes[specifier.range], as: UTF8.self)
            let message = "expected \(expected) for \(spelling), found \(literal.words)"
            findings.append(subject.finding(.argumentType, message, hints: hints(specifier.kind, literal), at: range))
        }
        return findings
    }

    /// What a specifier takes, where a literal is something else.
    private static func expectation(
        _ kind: FormatSpecifier.Kind, _ literal: ArgumentLiteral, _ subject: LintSubject
    ) -> String? {
        let isC = subject.hasVariableArguments
        switch (kind, literal) {
        case (_, .unknown), (_, .null): return nil
        case (.integer, .text), (.integer, .keyPath): return "an integer"
        case (.integer, .floatingPoint), (.integer, .object), (.integer, .cString): return isC ? "an integer" : nil
        case (.floatingPoint, .text), (.floatingPoint, .keyPath): return "a floating-point number"
        case (.floatingPoint, .integer), (.floatingPoint, .bool), (.floatingPoint, .object), (.floatingPoint, .cString):
            return isC ? "a floating-point number" : nil
        case (.keyPath, .integer), (.keyPath, .floatingPoint), (.keyPath, .bool): return "the name of a key"
        case (.keyPath, .object): return nil
        case (.value, .integer), (.value, .floatingPoint), (.value, .bool), (.value, .cString):
            return isC ? "an object" : nil
        case (.integer, .integer), (.integer, .bool), (.floatingPoint, .floatingPoint), (.keyPath, .text),
            (.keyPath, .keyPath), (.keyPath, .cString), (.value, .text), (.value, .keyPath), (.value, .object),
            (.text, _):
            return nil
        }
    }

    private static func hints(_ kind: FormatSpecifier.Kind, _ literal: ArgumentLiteral) -> [String] {
        switch kind {
        case .value: literal == .floatingPoint ? ["write %f, or pass an NSNumber"] : ["write %d, or pass an NSNumber"]
        case .integer: literal == .floatingPoint ? ["write %f"] : ["write %@"]
        case .floatingPoint: literal == .integer ? ["write %d, or the number with a point: 5.0"] : ["write %@"]
        case .keyPath, .text: []
        }
    }
}

extension ArgumentLiteral {
    fileprivate var words: String {
        switch self {
        case .text, .keyPath: "a string"
        case .integer: "an integer"
        case .floatingPoint: "a floating-point number"
        case .bool: "a Boolean"
        case .null: "nil"
        case .object: "an object"
        case .cString: "a C string"
        case .unknown: "something else"
        }
    }
}

/// `predicate-quoted-placeholder`: `'%@'` is text and draws no argument.
enum QuotedPlaceholderRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard !subject.call.kind.isStored else { return [] }
        let surplus = subject.arguments.map { $0.count > subject.specifiers.count }
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
            finding.fix = fix(quoted, subject)
            return finding
        }
    }

    /// Takes the quotes away, where then every argument has its specifier.
    private static func fix(_ quoted: QuotedSpecifier, _ subject: LintSubject) -> LintFix? {
        guard subject.value.isDirect, subject.parse.error == nil, subject.quoted.allSatisfy(\.isWhole),
            let arguments = subject.arguments, arguments.count == subject.specifiers.count + subject.quoted.count
        else { return nil }
        let edit = LintEdit(range: subject.source(quoted.string), replacement: quoted.spelling)
        return LintFix(title: "Remove the quotes around \(quoted.spelling)", edits: [edit])
    }
}
