import PredicateSyntax
import Testing

@testable import PredicateEvaluation

/// PredicateLimits, and what is worked out beforehand.
@Suite struct PlanningTests {
    private func plan(_ format: String, constants: [String: PredicateValue] = [:]) throws -> any PredicatePlan {
        let node = try FormatPredicate(format).node
        let settings = PlanSettings(constants: constants, registry: .standard, limits: .standard)
        var planner = Planner(settings, try TreeSurvey(.predicate(node), limits: .standard))
        return try planner.plan(node)
    }

    @Test(
        arguments: [
            ("1 + 2 == 3", true), ("uppercase('a') == 'B'", false), ("{1, 2}[1] == 2", true), ("'a' IN {'a'}", true),
            ("NOT 1 == 1", false), ("a == 1 AND FALSEPREDICATE", nil), ("FALSEPREDICATE AND a == 1", false),
            ("a == 1", nil), ("CAST('5', 'NSNumber') == 5", true), ("{1} UNION {2} == {1, 2}", false),
            ("now() > 1", nil),
            ("random() < 2", nil), ("1 / 0 == 1", nil), ("$limit > 3", true), ("SELF == 1", nil),
            ("{3, 4}[SIZE] == 2", true),
            ("1 == 1 OR a == 1", true), ("1 == 2 OR a == 1", nil),
        ] as [(String, Bool?)])
    func constants(_ format: String, expected: Bool?) throws {
        #expect(try plan(format, constants: ["limit": 5]).constant == expected)
    }

    @Test func nesting() throws {
        let limits = PredicateLimits.standard
        for depth in [limits.nesting - 1, limits.nesting, limits.nesting + 1, 20_000] {
            var node = PredicateNode.constant(true)
            for _ in 1..<depth { node = .compound(CompoundPredicate(.not, [node])) }
            let error = evaluationError { try PredicateEvaluator(FormatPredicate(node)).evaluate(with: nil) }
            let expected = depth <= limits.nesting ? nil : EvaluationError(.nestingTooDeep(limit: limits.nesting))
            #expect(error == expected)
        }
    }

    @Test func nestingOfConstants() throws {
        var value = PredicateValue.integer(1)
        for _ in 0..<5_000 { value = .array([value]) }
        let node = PredicateNode.comparison(ComparisonPredicate(.evaluatedObject, .equalTo, .constantValue(value)))
        #expect(
            errorCode { try PredicateEvaluator(FormatPredicate(node)) }
                == .nestingTooDeep(limit: PredicateLimits.standard.nesting))
    }

    @Test func whatParsesCanBePrepared() throws {
        for format in [
            String(repeating: "NOT ", count: 197) + "a == 1",
            (["a"] + Array(repeating: "1", count: 197)).joined(separator: " + ") + " == 1",
            String(repeating: "{", count: 190) + String(repeating: "}", count: 190) + " == a",
            String(repeating: "TERNARY(a == 1, 1, ", count: 60) + "1" + String(repeating: ")", count: 60) + " == a",
        ] {
            guard let predicate = try? FormatPredicate(format) else { continue }
            _ = try PredicateEvaluator(predicate)
        }
    }

    @Test func smallerLimits() throws {
        let predicate = try FormatPredicate("a + 1 == 2")
        let limits = PredicateLimits(formatLength: 100, nesting: 2)
        #expect(errorCode { try PredicateEvaluator(predicate, limits: limits) } == .nestingTooDeep(limit: 2))
        _ = try PredicateEvaluator(predicate, limits: PredicateLimits(formatLength: 100, nesting: 3))
    }

    @Test func refusals() throws {
        #expect(errorCode { try holds("ANYKEY + 1 == 1") } == .notEvaluable("ANYKEY"))
        let fetch = PredicateNode.comparison(
            ComparisonPredicate(.fetch([.evaluatedObject]), .equalTo, .constantValue(1)))
        #expect(
            evaluationError { try FormatPredicate(fetch).evaluate(with: nil) }
                == EvaluationError(.argumentCount(function: "FETCH", expected: 2...3, found: 1), node: 1))
        #expect(errorCode { try holds("size == 2") } == .symbolOutsideIndex("SIZE"))
        #expect(try holds("#size == 2", for: ["size": 2]))
    }
}
