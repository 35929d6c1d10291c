import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// The input of the checks that need data: the predicate, and the objects with the facts about their keys.
struct DataSubject {
    let predicate: CheckSubject
    let table: ObjectTable
    let data: KeyStatistics

    /// The facts about the key path of a node; nil for other nodes, and if there are too many keys to know all.
    func facts(of node: CheckedNode) -> KeyFacts? {
        guard data.isComplete, let keys = node.keys else { return nil }
        return data[keys.joined(separator: ".")]
    }
}

/// The checks of a predicate and of the objects that are loaded.
enum DataChecker {
    /// The findings in source order; without objects those that need none. A schema takes the place of what the objects say
    /// about keys.
    static func findings(
        in predicate: FormatPredicate, open: [OpenPart] = [], table: ObjectTable, data: KeyStatistics?,
        scope: CheckScope? = nil, variables: [String: PredicateValue]
    ) -> [PredicateFinding] {
        guard let data, !table.isEmpty else {
            return Checker.findings(in: predicate, open: open, scope: scope ?? CheckScope(), variables: variables)
        }
        let further: [Checker.Family] = families.map { family in
            { family(DataSubject(predicate: $0, table: table, data: data)) }
        }
        return Checker.findings(
            in: predicate, open: open, scope: scope ?? self.scope(table, data), variables: variables, further: further)
    }

    /// What the loaded objects say about keys.
    static func scope(_ table: ObjectTable, _ data: KeyStatistics) -> CheckScope {
        CheckScope(DataSchema(data: data, columns: table.columns), entity: DataSchema.root)
    }

    private static let families: [@Sendable (DataSubject) -> [PredicateFinding]] = [
        { NilChecks.findings(in: $0) }, { SpellingChecks.findings(in: $0) }, { PartialMatch.findings(in: $0) },
        { EvaluationChecks.findings(in: $0) },
    ]
}
