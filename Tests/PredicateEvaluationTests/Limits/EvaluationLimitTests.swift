import Foundation
import PredicateEvaluation
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Each limit of an evaluation: what lies at it has an answer, what lies just past it is an error that says the limit.
@Suite struct EvaluationLimitTests {
    private func outcome(
        _ format: String, _ object: Any?, _ limit: PredicateLimits.Limit, _ most: Int
    ) -> Result<Bool, EvaluationError> {
        Result { () throws(EvaluationError) in
            var limits = PredicateLimits.standard
            limits[limit] = most
            guard let predicate = try? FormatPredicate(format) else { throw EvaluationError(.notEvaluable("format")) }
            let evaluator = try PredicateEvaluator(predicate, limits: limits)
            if let row = object as? [String: Any] {
                // A sequence runs by programs where there is one: it must say the same.
                let single = Result { () throws(EvaluationError) in try evaluator.evaluate(with: row) }
                let many = Result { () throws(EvaluationError) in try [row].count(matching: evaluator) == 1 }
                guard single == many else { throw EvaluationError(.notEvaluable("\(single) and \(many)")) }
            }
            return try evaluator.evaluate(with: object)
        }
    }

    static let numbers: [String: any Sendable] = [
        "a": [1, 2, 3], "b": [[1, 2], [3], [1, 2, 3]], "s": "aaaa", "n": 5,
    ]

    @Test(
        arguments: [
            // Three elements of the outer collection, nine of the inner one, and eight steps a pair.
            ("SUBQUERY(a, $x, $x > 0).@count == 3", 6),
            ("SUBQUERY(a, $x, ANY a == $x).@count == 3", 15),
            ("SUBQUERY(a, $x, $x IN a).@count == 3", 18),
            ("SUBQUERY(a, $x, SUBQUERY(a, $y, $y == $x).@count == 1).@count == 3", 36),
            ("SUBQUERY(a, $x, abs:($x) == $x).@count == 3", 12),
            ("SUBQUERY(a, $x, FUNCTION(s, \"hasPrefix:\", s) == YES).@count == 3", 12),
            ("SUBQUERY(a, $x, CAST(a, \"NSString\") != $x).@count == 3", 21),
            ("SUBQUERY(a, $x, (a UNION b) != a).@count == 3", 63),
            ("b.self.self.description.length.@count == 3", 8),
            ("SUBQUERY(b, $x, $x.@sum.self > 0).@count == 3", 12),
        ])
    func steps(_ format: String, _ needed: Int) {
        var found = Int.max
        for most in 0...200 where outcome(format, Self.numbers, .evaluationSteps, most) == .success(true) {
            found = most
            break
        }
        #expect(found <= needed * 2 && found > 0, "\(found) steps")
        guard found < 200, found > 0 else { return }
        guard case .failure(let error) = outcome(format, Self.numbers, .evaluationSteps, found - 1) else {
            Issue.record("one step less is enough")
            return
        }
        #expect(error.code == .exceeds(.evaluationSteps, limit: found - 1))
        #expect(error.node != nil)
    }

    @Test(arguments: ["a == 3 OR n == 5", "ANY a == 3", "n IN a OR n == 5", "a.@sum.self == 6", "b.@count == 3"])
    func whatDoesNotMultiplyTakesNoSteps(_ format: String) {
        #expect(outcome(format, Self.numbers, .evaluationSteps, 0) == .success(true))
    }

    @Test(
        arguments: [
            (PredicateLimits.Limit.patternLength, 4, "s MATCHES 'a{4}'", "s MATCHES 'a{4,}'", 1),
            (.subjectLength, 4, "s MATCHES '(a|b)*'", "s MATCHES '(a|b)*'", 0),
            (.subjectLength, 4, "s MATCHES 'a*'", "s MATCHES 'a*'", 0),
            (.literalLength, 4, "s == 'aaaa'", "s != 'aaaaa'", 1),
            (.literalElements, 2, "n IN {4, 5}", "n IN {3, 4, 5}", 1),
        ])
    func textsAndConstants(
        _ limit: PredicateLimits.Limit, _ most: Int, _ within: String, _ past: String, _ node: Int
    ) {
        #expect(outcome(within, Self.numbers, limit, most) == .success(true))
        let longer: [String: any Sendable] = ["s": "aaaaa", "n": 5]
        let code = EvaluationError.Code.exceeds(limit, limit: most)
        #expect(outcome(past, longer, limit, most) == .failure(EvaluationError(code, node: node)))
    }

    @Test func nodes() {
        #expect(outcome("n == 5 OR n == 6", Self.numbers, .nodes, 7) == .success(true))
        let past = EvaluationError(.exceeds(.nodes, limit: 7))
        #expect(outcome("n == 5 OR n == 6 OR n == 7", Self.numbers, .nodes, 7) == .failure(past))
    }

    @Test func aPatternAsDataIsBoundedToo() {
        let row: [String: any Sendable] = ["s": "aaaa", "p": "a{4,}"]
        let past = EvaluationError(.exceeds(.patternLength, limit: 4), node: 1)
        #expect(outcome("s MATCHES p", row, .patternLength, 5) == .success(true))
        #expect(outcome("s MATCHES p", row, .patternLength, 4) == .failure(past))
    }

    @Test func stepsOfAPattern() {
        let row: [String: any Sendable] = ["s": String(repeating: "a", count: 20) + "b"]
        let format = "NOT s MATCHES '(?=a)(a+)+$'"
        #expect(outcome(format, row, .patternSteps, 10_000_000) == .success(true))
        let past = EvaluationError(.patternTooCostly("(?=a)(a+)+$"), node: 1)
        #expect(outcome(format, row, .patternSteps, 100_000) == .failure(past))
    }

    @Test(
        arguments: [
            ("uppercase(s) == 'AAAA'", 4), ("FUNCTION(s, \"stringByAppendingString:\", s) == 'aaaaaaaa'", 8),
            ("FUNCTION(a, \"componentsJoinedByString:\", '-') == '1-2-3'", 6),
            ("FUNCTION(s, \"stringByReplacingOccurrencesOfString:withString:\", 'a', 'bb') == 'bbbbbbbb'", 10),
            ("CAST(a, \"NSString\").length > 10", 12), ("($v := s) == 'aaaa'", 20),
        ])
    func results(_ format: String, _ size: Int) {
        #expect(outcome(format, Self.numbers, .resultSize, size) == .success(true))
        guard case .failure(let error) = outcome(format, Self.numbers, .resultSize, 3) else {
            Issue.record("3 bytes are enough")
            return
        }
        #expect(error.code == .resultTooLarge(limit: 3))
    }

    /// Dictionaries of plain data, and of anything: both are measured before they are described.
    @Test(arguments: [
        "FUNCTION(d, 'description') != ''", "CAST(d, 'NSString').length > 1", "CAST(d, 'NSString') != ''",
    ])
    func descriptionsOfDictionaries(_ format: String) throws {
        struct Unknown: Sendable {}
        let text = String(repeating: "a", count: 100)
        let plain: [String: any Sendable] = ["d": ["k": text]]
        let live: [String: any Sendable] = ["d": ["k": text, "l": Unknown()] as [String: any Sendable]]
        for row in [plain, live] {
            #expect(outcome(format, row, .resultSize, 1_000) == .success(true))
            let error = EvaluationError.thrown { try outcome(format, row, .resultSize, 50).get() }
            #expect(error?.code == .resultTooLarge(limit: 50))
        }
    }

    @Test func productsOfLoopsEnd() {
        let row: [String: any Sendable] = ["a": Array(0..<1_000)]
        let format =
            "SUBQUERY(a, $x, SUBQUERY(a, $y, SUBQUERY(a, $z, $z == $x + $y).@count == 9).@count == 9).@count > 0"
        guard case .failure(let error) = outcome(format, row, .evaluationSteps, 100_000) else {
            Issue.record("a thousand million comparisons came to an end")
            return
        }
        #expect(error.code == .exceeds(.evaluationSteps, limit: 100_000))
    }

    @Test func objectsThatLeadBackToOneAnotherEnd() throws {
        final class Person: KeyValueCoding, @unchecked Sendable {
            var friends: [Person] = []
            func value(forKey key: String) -> KeyedValue? {
                key == "friends" ? KeyedValue(elements: friends.map(\.keyedValue), kind: .array) : nil
            }
        }
        let (one, other) = (Person(), Person())
        (one.friends, other.friends) = ([one, other, other], [one, one, other])
        defer { (one.friends, other.friends) = ([], []) }
        let path = Array(repeating: "friends", count: 90).joined(separator: ".")
        for format in ["ANY \(path).x == 1", "\(path).@count == 1", "\(path).@sum.x == 1"] {
            let evaluator = try PredicateEvaluator(
                FormatPredicate(format), limits: PredicateLimits(evaluationSteps: 50_000))
            let error = evaluationError { try evaluator.evaluate(with: one) }
            #expect(error?.code == .exceeds(.evaluationSteps, limit: 50_000))
        }
    }

    @Test func valuesThatNestTooDeeplyAreAnErrorAndNotUnequal() throws {
        func nested(_ levels: Int) -> PredicateValue {
            (0..<levels).reduce(PredicateValue.array([1])) { value, _ in .array([value]) }
        }
        let evaluator = try PredicateEvaluator(FormatPredicate("a == b"))
        let near: PredicateValue = ["a": nested(90), "b": nested(90)]
        let far: PredicateValue = ["a": nested(200), "b": nested(200)]
        #expect(try evaluator.evaluate(.value(near)))
        let error = evaluationError { try evaluator.evaluate(.value(far)) }
        #expect(error?.code == .nestingTooDeep(limit: 100))
        #expect(error?.node == 2)
    }
}
