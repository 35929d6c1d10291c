import PredicateEvaluation
import PredicateSyntax

/// Errors that are detected when the predicate is prepared, before any object is evaluated.
///
///     name MATCHES "("    LENGTH(name) > 3
enum PreparationChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        do throws(EvaluationError) {
            _ = try PredicateEvaluator(
                subject.predicate, variables: PredicateVariables(plain: subject.variables),
                registry: registry(of: subject.scope))
            return []
        } catch {
            let node = subject.nodes.first { $0.nodeNumber == error.node } ?? subject.root
            if subject.isUnknown(node) { return [] }
            let label = error.code.label.map { " (\($0))" } ?? ""
            return [PredicateFinding(.cannotBePrepared, node, error.code.title + label, error.hints.first)]
        }
    }

    /// The registry with the names that the host adds. What they do is not known, and nothing is evaluated here.
    private static func registry(of scope: CheckScope) -> EvaluationRegistry {
        var registry = EvaluationRegistry.ambient
        for name in scope.hostNames {
            registry.registerFunction(name) { _ in .value(.null) }
            registry.registerSelector(name + ":") { _, _ in false }
        }
        return registry
    }
}
