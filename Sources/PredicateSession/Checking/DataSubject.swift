import PredicateCheckEvaluation
import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// The input of the checks that need data: the predicate, and the objects with the facts about their keys.
struct DataSubject {
    let predicate: CheckSubject
    let table: ObjectTable
    let data: KeyStatistics

    /// Looks up a key path in the data.
    func resolve(_ keys: [String]) -> DataKnowledge.Resolution? { DataKnowledge(data: data).resolve(keys) }
}

/// The checks of a predicate and of the objects that are loaded.
enum DataChecker {
    /// Returns the findings in source order; without objects those that need none.
    static func findings(
        in predicate: FormatPredicate, hasArguments: Bool, table: ObjectTable, data: KeyStatistics?,
        variables: [String: PredicateValue]
    ) -> [PredicateFinding] {
        guard let data, !table.isEmpty else {
            return Checker.findings(
                in: predicate, hasArguments: hasArguments, variables: variables, judge: EvaluatorJudge())
        }
        let further: [Checker.Family] = families.map { family in
            { family(DataSubject(predicate: $0, table: table, data: data)) }
        }
        return Checker.findings(
            in: predicate, hasArguments: hasArguments, keys: DataKnowledge(data: data), variables: variables,
            judge: EvaluatorJudge(), further: further)
    }

    private static let families: [@Sendable (DataSubject) -> [PredicateFinding]] = [
        { KeyChecks.findings(in: $0) }, { NilChecks.findings(in: $0) }, { SpellingChecks.findings(in: $0) },
        { PartialMatch.findings(in: $0) }, { EvaluationChecks.findings(in: $0) },
    ]
}
