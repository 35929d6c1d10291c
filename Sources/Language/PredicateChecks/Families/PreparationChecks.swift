internal import PredicateEvaluation
import PredicateSyntax

/// Errors that are detected when the predicate is prepared, before any object is evaluated.
///
///     name MATCHES "("    LENGTH(name) > 3
enum PreparationChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        do throws(EvaluationError) {
            _ = try PredicateEvaluator(subject.predicate, context: context(of: subject.scope))
            return []
        } catch {
            let node = subject.nodes.first { $0.nodeNumber == error.node } ?? subject.root
            // A function is unknown whatever its arguments are. Names with a colon may be functions of the host.
            let isPlainName = if case .unknownFunction(let name, _) = error.code { !name.contains(":") } else { false }
            if subject.isUnknown(node), !isPlainName { return [] }
            let label = error.code.label.map { " (\($0))" } ?? ""
            let finding = PredicateFinding(.cannotBePrepared, node, error.code.title + label, error.hints.first)
            // What Apple's classes do with a cast to another type is not documented.
            if case .unknownCastType = error.code { return [finding.at(.warning)] }
            return [finding]
        }
    }

    /// The context with the names that the host adds. What they do is not known, and nothing is evaluated here.
    private static func context(of scope: CheckScope) -> PredicateContext {
        var context = scope.context
        for name in scope.hostNames {
            context.registry.registerFunction(name) { _ in .value(.null) }
            context.registry.registerSelector(name + ":") { _, _ in false }
        }
        return context
    }
}
