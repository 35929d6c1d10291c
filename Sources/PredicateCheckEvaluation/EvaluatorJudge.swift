import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// Evaluates comparisons as programs do, so that nil, options, patterns and mixed kinds are treated as in objects.
package struct EvaluatorJudge: PredicateJudge {
    package init() {}

    package func test(_ predicate: PredicateNode) -> (@Sendable (PredicateValue) -> Bool)? {
        guard let evaluator = try? PredicateEvaluator(FormatPredicate(predicate)) else { return nil }
        return { value in (try? evaluator.evaluate(.value(value))) ?? false }
    }

    package func failure(
        of predicate: FormatPredicate, variables: [String: PredicateValue]
    ) -> PreparationFailure? {
        do throws(EvaluationError) {
            _ = try PredicateEvaluator(predicate, variables: variables)
            return nil
        } catch {
            let label = error.code.label.map { " (\($0))" } ?? ""
            return PreparationFailure(
                node: error.node, message: error.code.title + label, hint: error.code.hints.first)
        }
    }
}
