import PredicateEvaluation
import PredicateSyntax

/// What the expressions of a query depend on besides the rows.
package struct QuerySettings {
    var variables: PredicateVariables = [:]
    var context = PredicateContext.standard
    /// Takes the problems of rows, whose values are then nil; nil if a problem ends the query.
    var note: ((RowProblem) -> Void)?

    /// Settings with the variables of the context.
    package init(_ context: PredicateContext, note: ((RowProblem) -> Void)? = nil) {
        (self.context, self.note) = (context, note)
    }

    init(variables: PredicateVariables, context: PredicateContext) {
        (self.variables, self.context) = (variables, context)
    }

    func evaluator(_ expression: FormatExpression) throws(EvaluationError) -> ExpressionEvaluator {
        try ExpressionEvaluator(expression, context: context)
    }

    func evaluators(_ expressions: [FormatExpression]) throws(EvaluationError) -> [ExpressionEvaluator] {
        var evaluators: [ExpressionEvaluator] = []
        for expression in expressions { evaluators.append(try evaluator(expression)) }
        return evaluators
    }

    func evaluator(_ predicate: FormatPredicate) throws(EvaluationError) -> PredicateEvaluator {
        try PredicateEvaluator(predicate, context: context)
    }
}

/// A value of a row that cannot be computed, or that its aggregate does not take.
package struct RowProblem {
    /// The number of the row.
    package let row: Int
    /// The index of the value: among the values of the list, among the sort keys or, with groups, among the values of GROUP BY
    /// and the operands of the aggregates after them.
    package let column: Int
    package let problem: ValueProblem
}

/// Why a value of a row is left out.
package enum ValueProblem: Error {
    /// An aggregate of numbers found another value.
    case notANumber(PredicateValue)
    /// An expression cannot be evaluated.
    case failed(EvaluationError)
}
