import Foundation
import PredicateEvaluation
import PredicateSyntax

/// What the expressions of a query are evaluated with beside the rows.
struct QuerySettings {
    var variables: PredicateVariables = [:]
    var registry = EvaluationRegistry.standard
    var locale: Locale?

    func evaluator(_ expression: FormatExpression) throws(EvaluationError) -> ExpressionEvaluator {
        try ExpressionEvaluator(expression, registry: registry, locale: locale)
    }

    func evaluators(_ expressions: [FormatExpression]) throws(EvaluationError) -> [ExpressionEvaluator] {
        var evaluators: [ExpressionEvaluator] = []
        for expression in expressions { evaluators.append(try evaluator(expression)) }
        return evaluators
    }

    func evaluator(_ predicate: FormatPredicate) throws(EvaluationError) -> PredicateEvaluator {
        try PredicateEvaluator(predicate, registry: registry, locale: locale)
    }
}
