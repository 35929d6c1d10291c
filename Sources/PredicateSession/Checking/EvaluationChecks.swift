import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// Predicates that are an error for objects of the data.
///
///     name.count > 3          where names are texts, which have no count
enum EvaluationChecks {
    /// A predicate whose arguments are not given is not evaluated.
    static func findings(in subject: DataSubject) -> [PredicateFinding] {
        let work = ChunkedWork(table: subject.table, environment: SessionEnvironment(), task: "checking")
        guard !subject.predicate.isUnknown(subject.predicate.root),
            let evaluator = try? PredicateEvaluator(
                subject.predicate.predicate, variables: subject.predicate.variables),
            let scan = Scan(evaluator, work, limit: 0), let first = scan.firstFailure
        else { return [] }
        return [finding(first.error, count: scan.failures, subject)]
    }

    private static func finding(_ error: EvaluationError, count: Int, _ subject: DataSubject) -> PredicateFinding {
        let node = subject.predicate.nodes.first { $0.nodeNumber == error.node } ?? subject.predicate.root
        let share = count == subject.table.count ? "for every object" : "for \(Count.of(count, "object"))"
        let label = error.code.label.map { " (\($0))" } ?? ""
        return PredicateFinding(
            .cannotBeEvaluated, node.range, "\(share) this is an error: \(error.code.title)\(label)",
            error.hints.first)
    }
}
