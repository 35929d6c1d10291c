import PredicateChecks
import PredicateLint
import PredicateSyntax

/// A change that corrects a mistake.
struct QuickFix: Hashable {
    /// The range of the mistake in the document, in bytes.
    var range: Range<Int>
    var fix: LintFix
}

/// The analysis of a version of a document.
struct Analysis {
    private(set) var sites: [FormatSite] = []
    /// The mistakes, with their ranges in the document.
    private(set) var problems: [LintFinding] = []
    private(set) var fixes: [QuickFix] = []

    /// The analysis of an empty document.
    init() {}

    init(_ document: TextDocument, _ kind: DocumentKind, _ scope: FileScope) {
        switch kind {
        case .source(let kind): readSource(document, kind, scope)
        case .predicates: readPredicates(document, scope.linter)
        }
    }

    /// Removes the problems of a document that is not linted; its formats remain.
    mutating func removeProblems() {
        problems = []
        fixes = []
    }

    func site(at offset: Int) -> FormatSite? {
        sites.first { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
    }

    // MARK: Sources

    private mutating func readSource(_ document: TextDocument, _ kind: SourceKind, _ scope: FileScope) {
        let result = scope.result(for: document.bytes, kind)
        problems = result.findings
        fixes = result.findings.compactMap { finding in
            finding.fix.map { QuickFix(range: finding.range, fix: $0) }
        }
        sites = result.formats.map { format in
            let literal = format.text.literal.clamped(to: 0..<document.bytes.count)
            return FormatSite(
                text: format.text, parsed: format.parsed, base: 0, isExpression: format.kind.isExpression,
                entity: format.entity, spelling: LiteralSpelling(document.bytes[literal]))
        }
        for finding in result.findings + result.quiet {
            let literal = finding.literal.clamped(to: 0..<document.bytes.count)
            addFix(finding, base: 0, LiteralSpelling(document.bytes[literal]))
        }
    }

    // MARK: Files of predicates

    private mutating func readPredicates(_ document: TextDocument, _ linter: Linter) {
        for predicate in PlainPredicates.all(in: document) {
            let text = FormatText(String(decoding: document.bytes[predicate.range], as: UTF8.self))
            let base = predicate.range.lowerBound
            sites.append(
                FormatSite(
                    text: text, parsed: text, base: base, isExpression: false, entity: predicate.entity,
                    spelling: .plain))
            for var finding in linter.check(text.text, entity: predicate.entity) {
                addFix(finding, base: base, .plain)
                finding.range = finding.range.lowerBound + base..<finding.range.upperBound + base
                problems.append(finding)
            }
        }
    }

    /// Adds the change that a finding suggests, escaped for the literal, unless there is already a fix for the same place.
    private mutating func addFix(_ finding: LintFinding, base: Int, _ spelling: LiteralSpelling) {
        guard var fix = finding.suggestion, let edit = fix.edits.first else { return }
        let range = edit.range.lowerBound + base..<edit.range.upperBound + base
        guard !fixes.contains(where: { $0.fix.edits.contains { $0.range.overlaps(range) } }) else { return }
        fix.edits = [LintEdit(range: range, replacement: spelling.spelled(edit.replacement))]
        fixes.append(QuickFix(range: finding.range.lowerBound + base..<finding.range.upperBound + base, fix: fix))
    }
}

/// A format string of a document, with the position of each of its bytes.
struct FormatSite {
    /// The string with positions relative to `base`.
    let text: FormatText
    /// The string that is parsed, with stand-ins for parts that are unknown before the program runs.
    let parsed: FormatText
    /// The offset in the document to which the positions are relative.
    let base: Int
    let isExpression: Bool
    /// The entity of the objects, if the source shows it.
    let entity: String?
    let spelling: LiteralSpelling

    /// The range in the document, including quotes.
    var range: Range<Int> { shifted(text.literal) }

    /// The format up to an offset of the document; nil for an offset outside the format.
    func prefix(upTo offset: Int) -> String? {
        if text.bytes.isEmpty {
            return base + text.literal.lowerBound < offset && offset < range.upperBound ? "" : nil
        }
        guard let end = text.offset(ofSource: offset - base), end <= text.bytes.count else { return nil }
        return String(decoding: text.bytes[..<end], as: UTF8.self)
    }

    /// The word at an offset of the document, with the keys before it; nil outside the format.
    func word(at offset: Int) -> UnfinishedFormat? {
        guard let prefix = prefix(upTo: offset) else { return nil }
        let rest = String(decoding: text.bytes.dropFirst(prefix.utf8.count), as: UTF8.self)
        return UnfinishedFormat(prefix + rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    private func shifted(_ range: Range<Int>) -> Range<Int> {
        range.lowerBound + base..<range.upperBound + base
    }
}

/// The escapes that a replacement needs in a literal.
enum LiteralSpelling {
    /// Without escapes: a file of predicates, or a raw string
    case plain
    /// `"…"` and `@"…"`
    case quoted
    /// `"""…"""`
    case multiline

    /// The spelling in a literal that begins with these bytes.
    init(_ literal: ArraySlice<UInt8>) {
        let rest = literal.first == UInt8(ascii: "@") ? literal.dropFirst() : literal
        if rest.starts(with: "\"\"\"".utf8) {
            self = .multiline
        } else {
            self = rest.first == UInt8(ascii: "\"") ? .quoted : .plain
        }
    }

    /// The string as it is written in the literal.
    func spelled(_ text: String) -> String {
        switch self {
        case .plain: text
        case .quoted: text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        case .multiline: text.replacing("\\", with: "\\\\")
        }
    }
}

extension FormatSite {
    /// The tree of the format with `$argument1` and so on instead of its arguments.
    var parse: ParsedFormat {
        let specifiers = FormatPredicate.specifiers(in: parsed.text).enumerated()
        let arguments = specifiers.map { $1.kind.shownArgument(number: $0 + 1) }
        return ParsedFormat(parsed.text, isExpression: isExpression, arguments: arguments)
    }
}

extension FormatSpecifier.Kind {
    /// An argument whose number is visible in the printed format.
    fileprivate func shownArgument(number: Int) -> PredicateValue {
        switch self {
        case .value: .expression(.variable("argument\(number)"))
        case .text: .string("argument\(number)")
        case .keyPath: .string("key\(number)")
        case .integer: .integer(Int64(number))
        case .floatingPoint: .double(Double(number))
        }
    }
}
