import PredicateSyntax

/// Looks for legal but probably wrong parts of a predicate.
///
/// Each family of checks has a file. Without data only problems that do not depend on data are found.
package enum Checker {
    /// Returns the findings in source order.
    ///
    /// `hasArguments` is false if the arguments of the format's specifiers are not given; they may then be any values.
    package static func findings(
        in predicate: FormatPredicate, hasArguments: Bool = true, table: ObjectTable = .empty,
        data: KeyStatistics? = nil, variables: [String: PredicateValue] = [:]
    ) -> [Finding] {
        let subject = CheckSubject(
            predicate, hasArguments: hasArguments, table: table, data: data, variables: variables)
        let found = families.flatMap { $0(subject) }
        var seen: Set<Finding> = []
        let unique = withoutConsequences(found).filter { seen.insert($0).inserted }
        return unique.enumerated().sorted {
            ($0.element.range?.lowerBound ?? 0, $0.offset) < ($1.element.range?.lowerBound ?? 0, $1.offset)
        }.map(\.element)
    }

    /// Removes findings about kinds that are a consequence of a date without quotes.
    private static func withoutConsequences(_ findings: [Finding]) -> [Finding] {
        let dates = SourceRanges(findings.filter { $0.code == .dateWithoutQuotes }.compactMap(\.range))
        return findings.filter { finding in
            guard finding.code == .kindMismatch, let range = finding.range else { return true }
            return !dates.overlap(range)
        }
    }

    private static let families: [@Sendable (CheckSubject) -> [Finding]] = [
        { PreparationChecks.findings(in: $0) }, { SourceChecks.findings(in: $0) }, { TextChecks.findings(in: $0) },
        { ShapeChecks.findings(in: $0) }, { KindChecks.findings(in: $0) }, { KeyChecks.findings(in: $0) },
        { NilChecks.findings(in: $0) }, { SpellingChecks.findings(in: $0) }, { LogicChecks.findings(in: $0) },
    ]
}
