import PredicateSyntax

/// Looks for what is legal but probably wrong in a predicate.
///
/// Each family of mistakes is a function in a file of its own. Without data only what is wrong with any data is found.
package enum Checker {
    /// The findings, in the order of their places.
    ///
    /// `hasArguments` is false where the specifiers of the format stand for values that nobody knows: these are taken
    /// for anything at all.
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

    /// Kinds that do not fit because a date has no quotes are no finding of their own.
    private static func withoutConsequences(_ findings: [Finding]) -> [Finding] {
        let dates = findings.filter { $0.code == .dateWithoutQuotes }.compactMap(\.range)
        return findings.filter { finding in
            guard finding.code == .kindMismatch, let range = finding.range else { return true }
            return !dates.contains { range.contains($0.lowerBound) }
        }
    }

    private static let families: [@Sendable (CheckSubject) -> [Finding]] = [
        { PreparationChecks.findings(in: $0) }, { SourceChecks.findings(in: $0) }, { TextChecks.findings(in: $0) },
        { ShapeChecks.findings(in: $0) }, { KindChecks.findings(in: $0) }, { KeyChecks.findings(in: $0) },
        { NilChecks.findings(in: $0) }, { LogicChecks.findings(in: $0) },
    ]
}
