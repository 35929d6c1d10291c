import PredicateChecks
import PredicateSyntax

/// `predicate-check`: what `predicate check` finds without data.
enum CheckRule {
    static func findings(_ subject: LintSubject, _ judge: any PredicateJudge) -> [LintFinding] {
        guard case .predicate(let predicate) = subject.parse.outcome else { return [] }
        let unknown = subject.unknownKeys
        let found = Checker.findings(in: predicate, hasArguments: subject.parse.specifiers.isEmpty, judge: judge)
        return found.compactMap { finding in
            guard let range = finding.range, !others.contains(finding.code),
                !unknown.contains(where: { $0.overlaps(range) })
            else { return nil }
            return lintFinding(finding, range, subject)
        }
    }

    /// What rules of their own report.
    private static let others: Set<PredicateFinding.Code> = [.specifierInQuotes, .unknownKey]

    private static func lintFinding(_ finding: PredicateFinding, _ range: Range<Int>, _ subject: LintSubject) -> LintFinding {
        var result = subject.finding(
            .check, "\(finding.message) (\(finding.code.rawValue))", hints: finding.hint.map { [$0] } ?? [],
            at: subject.source(range), level: level(of: finding))
        result.fix = fix(finding, subject)
        return result
    }

    private static func level(of finding: PredicateFinding) -> LintLevel {
        switch finding.level {
        case .error: .error
        case .warning: advice.contains(finding.code) ? .note : .warning
        case .note: .note
        }
    }

    /// What is often meant as it is written.
    private static let advice: Set<PredicateFinding.Code> = [
        .anyDiffers, .emptyText, .matchesWholeText, .unescapedDot, .wholeDivision, .notBindsTightly, .unusedVariable,
        .numberInQuotes,
    ]

    /// The certain cure of a check, where its text needs no escapes in the source.
    private static func fix(_ finding: PredicateFinding, _ subject: LintSubject) -> LintFix? {
        guard let fix = finding.fix, fix.isCertain, subject.value.isDirect, !subject.text.hasHoles,
            fix.replacement.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x26 && $0 != 0x3C })
        else { return nil }
        let edit = LintEdit(range: subject.source(fix.range), replacement: fix.replacement)
        return LintFix(title: "Write \(fix.replacement)", edits: [edit])
    }
}
