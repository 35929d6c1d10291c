import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import Testing

/// All cores find what one finds, in its order, and the same error.
@Suite struct ConcurrentTests {
    private static let samples: [Sample] = {
        var numbers = RandomSource(seed: 11)
        return (0..<40_000).map { _ in Sample(&numbers) }
    }()

    private static let formats = [
        "age > 2", "name CONTAINS[cd] 's' AND score < 30", "tags.@count > 1 OR ANY tags == 'swift'",
        "SUBQUERY(marks, $m, $m > $n).@count > 0", "name MATCHES 's.*'", "age + 1 > 3", "1 / age > 0", "wings == 2",
        "name BEGINSWITH 'jo' OR rank > 'x'", "age > $n", "double > 40", "FALSEPREDICATE",
    ]

    @Test(arguments: formats) func sameAsSerial(format: String) throws {
        let evaluator = try PredicateEvaluator(FormatPredicate(format: format, arguments: []))
        let variables: PredicateVariables = ["n": 1]
        let samples = Self.samples
        let serial = Result { () throws(EvaluationError) in
            try samples.indices(matching: evaluator, variables: variables)
        }
        let indices = Result { () throws(EvaluationError) in
            try samples.concurrentIndices(matching: evaluator, variables: variables)
        }
        let count = Result { () throws(EvaluationError) in
            try samples.concurrentCount(matching: evaluator, variables: variables)
        }
        let filtered = Result { () throws(EvaluationError) in
            try samples.concurrentlyFiltered(using: evaluator, variables: variables).map(\.name)
        }
        #expect(indices == serial)
        #expect(count == serial.map(\.count))
        #expect(filtered == serial.map { $0.map { samples[$0].name } })
    }

    @Test func boundExpressions() throws {
        let evaluator = try PredicateEvaluator(FormatPredicate(format: "$what > 2", arguments: []))
        let variables = PredicateVariables(["what": PredicateValue.expression(try FormatExpression("age + 0").node)])
        let some = Self.samples.filter { (-100..<100).contains($0.age) }
        let expected = some.count { $0.age > 2 }
        #expect(try some.concurrentCount(matching: evaluator, variables: variables) == expected)
    }

    /// All, none, long runs and single ones of so many that they are copied on all cores.
    @Test(arguments: [
        "TRUEPREDICATE", "FALSEPREDICATE", "SELF BEGINSWITH 'k'", "NOT SELF BEGINSWITH 'k'", "SELF ENDSWITH '7'",
    ])
    func elementsAreCopiedInTheirOrder(format: String) throws {
        let evaluator = try PredicateEvaluator(FormatPredicate(format: format, arguments: []))
        let texts = (0..<100_000).map { $0 / 1_000 % 2 == 0 ? "longer than a text in place: \($0)" : "k\($0)" }
        let expected = try texts.filter { try evaluator.evaluate(with: $0) }
        #expect(try texts.filtered(using: evaluator) == expected)
        #expect(try texts.concurrentlyFiltered(using: evaluator) == expected)
    }

    @Test func copiesAreHeldAndLetGo() throws {
        final class Ticket: KeyPathCoding, Sendable {
            let number: Int
            init(_ number: Int) { self.number = number }
            static var keys: KeyPathTable<Ticket> { ["number": .key(\.number)] }
        }
        struct Witness {
            weak var ticket: Ticket?
        }
        var tickets = (0..<50_000).map(Ticket.init)
        let witnesses = tickets.map { Witness(ticket: $0) }
        let evaluator = try PredicateEvaluator(FormatPredicate("number != 7"))
        var kept = try tickets.filtered(using: evaluator)
        kept += try tickets.concurrentlyFiltered(using: evaluator)
        tickets = []
        #expect(kept.count == 2 * 49_999)
        #expect(witnesses.count { $0.ticket != nil } == 49_999)
        kept = []
        #expect(witnesses.allSatisfy { $0.ticket == nil })
    }

    @Test func someElementsOfAnArrayAreFound() throws {
        let adults = try FormatPredicate("SELF > 2")
        #expect(try [1, 2, 3, 4].withUnsafeBufferPointer { try $0.indices(matching: adults) } == [2, 3])
    }
}
