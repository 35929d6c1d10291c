import Foundation
import PredicateSyntax
import Testing

@testable import PredicateEvaluation

/// `round:` as a function of the host. [NSP-514]
struct RoundingTests {
    @Test(
        arguments: [
            ("round(2.5)", .double(3)), ("round(-2.5)", .double(-3)), ("round(2.675, 2)", .double(2.68)),
            ("round(1.005, 2)", .double(1.01)), ("round(7, 2)", .integer(7)), ("round(1250, -2)", .integer(1300)),
            ("round(9007199254740993)", .integer(9_007_199_254_740_993)), ("round(1e300, 2)", .double(1e300)),
            ("round(CAST(\"1.255\", \"NSDecimalNumber\"), 2)", .decimal(Decimal(126) / 100)), ("round(nil)", .null),
            ("round(nil, 1)", .null), ("round(1.25, nil)", .null), ("round(-0.2)", .double(0)),
        ] as [(String, PredicateValue)])
    func values(_ format: String, _ value: PredicateValue) throws {
        #expect(try Self.value(format) == value)
    }

    @Test(arguments: ["round(\"2.5\")", "round(2.5, 16)", "round(2.5, 1.5)", "round(1, 2, 3)"])
    func errors(_ format: String) {
        #expect(throws: EvaluationError.self) { try Self.value(format) }
    }

    private static func value(_ format: String) throws -> PredicateValue? {
        var registry = EvaluationRegistry.standard
        registry.registerRounding()
        let expression = try FormatExpression(format: "(\(format))", arguments: [])
        return try ExpressionEvaluator(expression, registry: registry).value(.value(.dictionary([:]))).predicateValue
    }
}
