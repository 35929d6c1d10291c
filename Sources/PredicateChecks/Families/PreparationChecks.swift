import PredicateEvaluation
import PredicateSyntax

/// Errors that are certain before any object is evaluated.
enum PreparationChecks {
    static func findings(in subject: CheckSubject) -> [Finding] {
        do throws(EvaluationError) {
            _ = try PredicateEvaluator(subject.predicate, variables: subject.variables)
            return []
        } catch {
            let node = subject.nodes.first { $0.nodeNumber == error.node } ?? subject.root
            if subject.isUnknown(node) { return [] }
            let label = error.code.label.map { " (\($0))" } ?? ""
            return [Finding(.cannotBePrepared, node, error.code.title + label, error.code.hints.first)]
        }
    }
}
