import PredicateEvaluation
import PredicateSyntax
import PredicateTestSupport
import Testing

/// The evaluator that a predicate keeps after its first evaluation.
@Suite struct KeptEvaluatorTests {
    private struct Person: Sendable {
        var name: String
        var age: Int
    }

    private final class Counter: Sendable {
        private let calls = Locked(0)
        var count: Int { calls.withLock { $0 } }
        func call() { calls.withLock { $0 += 1 } }
    }

    @Test func copiesShareItAndEqualPredicatesDoNot() throws {
        let predicate = try FormatPredicate("age > 20")
        #expect(predicate.kept.object == nil)
        let copy = predicate
        for (age, holds) in [(30, true), (10, false), (21, true)] {
            #expect(try copy.evaluate(with: Person(name: "jo", age: age)) == holds)
        }
        let kept = try #require(copy.kept.object?.toOpaque())
        #expect(try predicate.evaluate(with: ["age": 30]))
        #expect(try [["age": 30], ["age": 3]].filtered(using: predicate).count == 1)
        #expect(predicate.kept.object?.toOpaque() == kept)
        let equal = try FormatPredicate("age > 20")
        #expect(equal == predicate && equal.hashValue == predicate.hashValue && equal.kept.object == nil)
    }

    @Test func anExpressionKeepsItsOwn() throws {
        let expression = try FormatExpression("age * $factor")
        for factor in [2, 3] {
            let value = try expression.value(with: Person(name: "jo", age: 7), variables: ["factor": factor])
            #expect(value.predicateValue == .integer(Int64(7 * factor)))
        }
        #expect(expression.kept.object != nil)
    }

    @Test func variablesAreThoseOfEachCall() throws {
        let predicate = try FormatPredicate("age > $AGE")
        for age in [10, 40, 20] {
            #expect(try predicate.evaluate(with: Person(name: "jo", age: 30), variables: ["AGE": age]) == (age < 30))
        }
    }

    @Test func anErrorIsTheSameEachTime() throws {
        let predicate = try FormatPredicate("name MATCHES '('")
        let errors = (0..<3).map { _ in
            EvaluationError.thrown { try predicate.evaluate(with: Person(name: "jo", age: 3)) }
        }
        #expect(errors[0] != nil && Set(errors.map { $0?.description }).count == 1)
        let missing = try FormatPredicate("nmae == 'jo'")
        for _ in 0..<3 {
            let error = EvaluationError.thrown { try missing.evaluate(with: Person(name: "jo", age: 3)) }
            #expect(error?.code == .undefinedKey("nmae", of: "Person", nearMisses: ["name"]))
            #expect(error?.range == 0..<4)
        }
    }

    /// An evaluator refers to the parts of its predicate, not to the predicate, which owns it.
    @Test func itGoesWithThePredicate() throws {
        weak var released: Counter?
        try {
            let counter = Counter()
            released = counter
            let predicate = FormatPredicate(name: "counted") { _, _ in
                counter.call()
                return true
            }
            for _ in 0..<3 { #expect(try predicate.evaluate(with: Person(name: "jo", age: 3))) }
            let evaluator = try predicate.evaluator()
            #expect(evaluator.predicate == predicate && counter.count == 3)
        }()
        #expect(released == nil)
    }

    @Test func manyThreadsMakeOne() async throws {
        for _ in 0..<50 {
            let predicate = try FormatPredicate("age > 20 AND name BEGINSWITH[cd] 'jo'")
            let held = try await withThrowingTaskGroup(of: Bool.self) { group in
                for age in 0..<16 {
                    group.addTask { try predicate.evaluate(with: Person(name: "José", age: 13 + age)) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(held == 8)
        }
    }
}
