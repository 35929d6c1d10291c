import PredicateCheckEvaluation
import PredicateChecks
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

    init(_ finding: LintFinding) {
        range = finding.range
        level = finding.level
        rule = finding.rule.rawValue
        message = finding.message
        hints = finding.hints
    }

    init(_ finding: PredicateFinding, at range: Range<Int>) {
        self.range = range
        level = LintLevel(rawValue: finding.level.rawValue) ?? .warning
        rule = LintRule.check.rawValue
        message = finding.message
        hints = finding.hint.map { [$0] } ?? []
    }

    init(_ error: PredicateFormatError, at range: Range<Int>) {
        self.range = range
        level = .error
        rule = LintRule.syntax.rawValue
        message = error.title + (error.label.map { " (\($0))" } ?? "")
        hints = error.hints
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
        case .predicates: readPredicates(document)
        }
    }

    /// The format string that holds an offset.
    func site(at offset: Int) -> FormatSite? {
        sites.first { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
    }

    // MARK: Sources

    private mutating func readSource(_ document: TextDocument, _ kind: SourceKind, _ linter: Linter) {
        let result = linter.lint(document.bytes, kind: kind)
        problems = result.findings.map(Problem.init)
        fixes = result.findings.compactMap { finding in
            finding.fix.map { QuickFix(range: finding.range, title: $0.title, edits: $0.edits, isCertain: true) }
        }
        sites = result.formats.map { format in
            let literal = format.text.literal.clamped(to: 0..<document.bytes.count)
            return FormatSite(
                text: format.text, parsed: format.parsed, base: 0, isExpression: format.kind.isExpression,
                entity: format.entity, spelling: LiteralSpelling(document.bytes[literal]))
        }
        for site in sites where !site.isExpression && !site.text.hasHoles {
            guard let findings = try? Checker.findings(inFormat: site.parsed.text, judge: EvaluatorJudge()) else {
                continue
            }
            addFixes(of: findings, site)
        }
    }

    // MARK: Files of predicates

    private mutating func readPredicates(_ document: TextDocument) {
        for range in PlainPredicates.ranges(in: document) {
            let text = FormatText(String(decoding: document.bytes[range], as: UTF8.self))
            let site = FormatSite(
                text: text, parsed: text, base: range.lowerBound, isExpression: false, entity: nil, spelling: .plain)
            sites.append(site)
            check(site)
        }
    }

    private mutating func check(_ site: FormatSite) {
        do throws(PredicateFormatError) {
            let findings = try Checker.findings(inFormat: site.parsed.text, judge: EvaluatorJudge())
            problems += findings.map { Problem($0, at: $0.range.map(site.documentRange) ?? site.range) }
            addFixes(of: findings, site)
        } catch {
            problems.append(Problem(error, at: site.documentRange(of: error.range)))
        }
    }

    /// Adds the fixes of findings, in the spelling of the literal; those that the linter has already are left out.
    private mutating func addFixes(of findings: [PredicateFinding], _ site: FormatSite) {
        for finding in findings {
            guard let fix = finding.fix, let range = finding.range else { continue }
            let edit = LintEdit(
                range: site.documentRange(of: fix.range), replacement: site.spelling.spelled(fix.replacement))
            guard !fixes.contains(where: { $0.edits.contains { $0.range.overlaps(edit.range) } }) else { continue }
            let title = finding.hint.map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? "Write \(fix.replacement)"
            fixes.append(
                QuickFix(
                    range: site.documentRange(of: range), title: title, edits: [edit], isCertain: fix.isCertain))
        }
    }
}
