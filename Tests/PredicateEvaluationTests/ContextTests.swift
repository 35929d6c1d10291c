import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// Evaluators take all that a context holds.
struct ContextTests {
    private var context: PredicateContext {
        var context = PredicateContext(locale: Locale(identifier: "sv"), variables: ["LIMIT": 20])
        context.registry.registerFunction("twice:") { arguments in
            guard case .value(.integer(let number))? = arguments.first else { return .value(.null) }
            return .value(.integer(2 * number))
        }
        return context
    }

    @Test func predicates() throws {
        let evaluator = try PredicateEvaluator(
            FormatPredicate("twice:(age) > $LIMIT AND name >[l] 'z'"), context: context)
        #expect(try evaluator.evaluate(with: ["age": 11, "name": "Örn"]))
        #expect(try !evaluator.evaluate(with: ["age": 9, "name": "Örn"]))
    }

    @Test func expressions() throws {
        let evaluator = try ExpressionEvaluator(FormatExpression("twice:(age) + $LIMIT"), context: context)
        #expect(try evaluator.value(with: ["age": 1]).predicateValue == 22)
    }

    @Test func limits() throws {
        var context = PredicateContext()
        context.limits.nodes = 3
        #expect(throws: EvaluationError.self) {
            try PredicateEvaluator(FormatPredicate("a == 1 AND b == 2"), context: context)
        }
    }
}
