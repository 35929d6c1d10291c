import PredicateLint
import PredicateSyntax

/// Something wrong in a document.
struct Problem: Hashable {
    /// The bytes of the document.
    var range: Range<Int>
    var level: LintLevel
    /// `predicate-syntax`
    var rule: String
    var message: String
    var hints: [String]

    /// `base` is where in the document the places of the finding begin.
    init(_ finding: LintFinding, base: Int = 0) {
        range = finding.range.lowerBound + base..<finding.range.upperBound + base
        level = finding.level
        rule = finding.rule.rawValue
        message = finding.message
        hints = finding.hints
    }
}

/// A change that mends something.
struct QuickFix: Hashable {
    /// The bytes of the document that it is about.
    var range: Range<Int>
    var title: String
    var edits: [LintEdit]
    /// True if it is what was meant beyond doubt.
    var isCertain: Bool
}

/// What there is to say about a version of a document.
struct Analysis {
    private(set) var sites: [FormatSite] = []
    private(set) var problems: [Problem] = []
    private(set) var fixes: [QuickFix] = []

    init(_ document: TextDocument, _ kind: DocumentKind, _ linter: Linter) {
        switch kind {
        case .source(let kind): readSource(document, kind, linter)
        case .predicates: readPredicates(document, linter)
        }
    }

    /// The format string that holds an offset.
    func site(at offset: Int) -> FormatSite? {
        sites.first { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
    }

    // MARK: Sources

    private mutating func readSource(_ document: TextDocument, _ kind: SourceKind, _ linter: Linter) {
        let result = linter.lint(document.bytes, kind: kind)
        problems = result.findings.map { Problem($0) }
        fixes = result.findings.compactMap { finding in
            finding.fix.map { QuickFix(range: finding.range, title: $0.title, edits: $0.edits, isCertain: true) }
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
            for finding in linter.check(text.text, entity: predicate.entity) {
                problems.append(Problem(finding, base: base))
                addFix(finding, base: base, .plain)
            }
        }
    }

    /// Adds the change that a finding suggests, in the spelling of the literal, unless there is one at its place.
    private mutating func addFix(_ finding: LintFinding, base: Int, _ spelling: LiteralSpelling) {
        guard let suggestion = finding.suggestion else { return }
        let range = suggestion.range.lowerBound + base..<suggestion.range.upperBound + base
        guard !fixes.contains(where: { $0.edits.contains { $0.range.overlaps(range) } }) else { return }
        let edit = LintEdit(range: range, replacement: spelling.spelled(suggestion.replacement))
        fixes.append(
            QuickFix(
                range: finding.range.lowerBound + base..<finding.range.upperBound + base, title: suggestion.title,
                edits: [edit], isCertain: suggestion.isCertain))
    }
}
