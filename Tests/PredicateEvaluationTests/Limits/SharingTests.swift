import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// One evaluator used from many tasks at once.
@Suite(.serialized) struct SharingTests {
    private static let formats = [
        "age > 30 AND name BEGINSWITH[cd] 'jo'", "name MATCHES '(jo|al).*'", "name LIKE pattern",
        "name MATCHES pattern OR age == 3", "SUBQUERY(tags, $t, $t CONTAINS 'a').@count > 1",
        "ANY tags == 'b' OR age BETWEEN {20, 40}", "FUNCTION(name, 'uppercaseString') == 'JO 1'",
        "($v := age) > 10 AND $v < 90", "age == $AGE OR age > 50", "TERNARY(age > 30, name, 'x') == 'x'",
    ]

    private static func row(_ number: Int) -> [String: any Sendable] {
        [
            "age": number % 100, "name": "jo \(number % 7)", "pattern": "jo .*\(number % 5)",
            "tags": ["a\(number % 3)", "b", "ab"],
        ]
    }

    private struct Person: KeyedValueConvertible, KeyValueCoding, Sendable {
        let number: Int

        func value(forKey key: String) -> KeyedValue? {
            SharingTests.row(number)[key].map { KeyedValue(bridging: $0) }
        }
    }

    @Test(arguments: formats) func manyTasksAtOnce(_ format: String) async throws {
        let evaluator = try PredicateEvaluator(FormatPredicate(format))
        let rows = (0..<100).map(Self.row)
        let expected = try rows.map {
            try PredicateEvaluator(FormatPredicate(format)).evaluate(with: $0, variables: ["AGE": 40])
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for round in 0..<20 {
                        let number = (task * 31 + round * 7) % rows.count
                        let found = try evaluator.evaluate(with: rows[number], variables: ["AGE": 40])
                        #expect(found == expected[number])
                        let other = try evaluator.evaluate(with: Person(number: number), variables: ["AGE": 40])
                        #expect(other == expected[number])
                    }
                    let kept = try rows.indices.filter {
                        try evaluator.evaluate(with: rows[$0], variables: ["AGE": 40])
                    }
                    #expect(kept == rows.indices.filter { expected[$0] })
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func manyTasksMakeEvaluatorsAtOnce() async throws {
        let format = Self.formats.joined(separator: ") OR (")
        let predicate = try FormatPredicate("(" + format + ")")
        let row = Self.row(3)
        let expected = try PredicateEvaluator(predicate).evaluate(with: row, variables: ["AGE": 1])
        await withTaskGroup(of: Bool?.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    guard let again = try? FormatPredicate(predicate.predicateFormat), again == predicate else {
                        return nil
                    }
                    return try? PredicateEvaluator(again).evaluate(with: row, variables: ["AGE": 1])
                }
            }
            for await answer in group { #expect(answer == expected) }
        }
    }
}
