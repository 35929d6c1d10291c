import PredicateEvaluation
import PredicateSyntax

/// What the expressions of a query depend on besides the rows.
struct QuerySettings {
    var variables: PredicateVariables = [:]
    var context = PredicateContext.standard

    func evaluator(_ expression: FormatExpression) throws(EvaluationError) -> ExpressionEvaluator {
        try ExpressionEvaluator(expression, context: context)
    }

    func evaluators(_ expressions: [FormatExpression]) throws(EvaluationError) -> [ExpressionEvaluator] {
        try expressions.map { (expression) throws(EvaluationError) in try evaluator(expression) }
    }

    func evaluator(_ predicate: FormatPredicate) throws(EvaluationError) -> PredicateEvaluator {
        try PredicateEvaluator(predicate, context: context)
    }
}
