#if !canImport(Darwin)
    import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    /// An expression with its evaluator, which the first evaluation makes.
    final class ExpressionCore: Sendable {
        let expression: FormatExpression
        private let prepared = Prepared<PreparedExpression>()

        init(_ expression: FormatExpression) {
            self.expression = expression
        }

        private func prepare() throws(EvaluationError) -> PreparedExpression {
            try prepared.evaluator { () throws(EvaluationError) in try make() }
        }

        private func make() throws(EvaluationError) -> PreparedExpression {
            let settings = PredicateSettings.current
            let evaluator = try ExpressionEvaluator(
                expression, registry: settings.registry, limits: settings.limits, locale: settings.locale)
            return PreparedExpression(evaluator: evaluator, assigned: expression.node.assignedVariables)
        }

        func keyedValue(with object: Any?) throws(EvaluationError) -> KeyedValue {
            try prepare().evaluator.value(with: object)
        }

        func value(with object: Any?, context: NSMutableDictionary?) -> Any? {
            do throws(EvaluationError) {
                let prepared = try prepare()
                guard let context else { return try prepared.evaluator.value(with: object).foundationObject }
                var variables = PredicateVariables(context: context)
                let value = try prepared.evaluator.value(with: object, variables: &variables)
                variables.copy(prepared.assigned, to: context)
                return value.foundationObject
            } catch {
                return PredicateSettings.answer(nil, for: error)
            }
        }
    }

    /// An evaluator and the names on the left of `:=`.
    struct PreparedExpression: Sendable {
        let evaluator: ExpressionEvaluator
        let assigned: [String]
    }

    extension ExpressionNode {
        /// The names on the left of `:=`; none for a tree past the limits, which no evaluator takes.
        fileprivate var assignedVariables: [String] {
            let assigned = (try? TreeReview(.expression(self), .standard))?.assigned ?? []
            return assigned.map(\.text)
        }
    }
#endif
