import Foundation
import PredicateCheckEvaluation
import PredicateChecks
import PredicateSyntax
import Testing

/// The judge of constants says what the evaluator does, or that it does not know.
struct ConstantJudgeTests {
    private static let values: [PredicateValue] = [
        .null, .bool(true), .bool(false), .integer(0), .integer(1), .integer(-1), .integer(1 << 53),
        .integer((1 << 53) + 1),
        .integer(.min), .double(0), .double(-0.0), .double(0.5), .double(1), .double(.infinity), .double(.nan),
        .double(.leastNonzeroMagnitude), .string(""), .string("a"), .string("A"), .string("ab"), .string("é"),
        .string("e\u{301}"),
        .string("😀"), .string("\u{FFFD}"), .string("1"), .date(Date(timeIntervalSinceReferenceDate: 0)),
        .date(Date(timeIntervalSinceReferenceDate: 0.001)), .data(Data()), .array([]), .array([.integer(1)]),
    ]

    private static var predicates: [PredicateNode] {
        let operators: [ComparisonOperator] = [
            .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .in, .between,
        ]
        let lists: [PredicateValue] = values.flatMap { first in
            values.prefix(18).map { PredicateValue.array([first, $0]) }
        }
        let comparisons = operators.flatMap { own in
            (values + lists).map {
                PredicateNode.comparison(ComparisonPredicate(.evaluatedObject, own, .constantValue($0)))
            }
        }
        let texts = values.flatMap { value in
            StringOperator.allCases.map {
                PredicateNode.string(StringPredicate(.evaluatedObject, $0, .constantValue(value)))
            }
        }
        return comparisons + texts
    }

    @Test func itAgreesWithTheEvaluator() {
        var known = 0
        for predicate in Self.predicates {
            guard let quick = ConstantJudge().test(predicate) else { continue }
            guard let exact = EvaluatorJudge().test(predicate) else {
                Issue.record("the evaluator refuses \(predicate.predicateFormat)")
                continue
            }
            // Values that the judge does not know hold for no comparison: none is made of them.
            for value in Self.values where ConstantJudge().test(Self.equals(value)) != nil {
                known += 1
                #expect(quick(value) == exact(value), "\(predicate.predicateFormat) for \(value)")
            }
        }
        #expect(known > 15_000)
    }

    private static func equals(_ value: PredicateValue) -> PredicateNode {
        .comparison(ComparisonPredicate(.evaluatedObject, .equalTo, .constantValue(value)))
    }

    /// What only the evaluator finds is little: patterns, functions, options.
    @Test func itFindsAlmostAll() throws {
        var missed: Set<String> = []
        for line in try CheckerTests.lines("mistakes.txt") {
            let format = String(line.split(separator: "\t", maxSplits: 1)[1])
            let quick = try? Checker.findings(inFormat: format)
            let exact = try? Checker.findings(inFormat: format, judge: EvaluatorJudge())
            #expect((quick == nil) == (exact == nil))
            missed.formUnion(Set(exact ?? []).subtracting(quick ?? []).map(\.code.rawValue))
            #expect(Set(quick ?? []).subtracting(exact ?? []).isEmpty)
        }
        #expect(missed == ["cannot-be-prepared"])
    }
}
