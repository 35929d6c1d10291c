import PredicateEvaluation
import PredicateSyntax
import Testing

/// ANY, ALL, AND, OR and NOT.
@Suite struct OperatorsModifierTests {
    @Test(
        arguments: [
            ("ANY a > 2", [1, 3], true), ("ANY a > 3", [1, 3], false), ("ALL a > 0", [1, 3], true),
            ("ALL a > 1", [1, 3], false), ("NONE a > 3", [1, 3], true), ("SOME a == 3", [1, 3], true),
            ("ANY a == 1", [], false), ("ALL a == 1", [], true), ("NONE a == 1", [], true),
            ("ANY a == 1", .null, false),
            ("ALL a == 1", .null, true), ("NONE a == 1", .null, true), ("ANY a == 1", .set([1, 2]), true),
            ("ANY a == 1", .orderedSet([1, 2]), true), ("ANY a IN {3, 4}", [1, 3], true),
            ("ALL a IN {3, 4}", [1, 3], false),
            ("ANY a == nil", [1, .nullObject], true), ("ANY a > 1", [.nullObject], false),
            ("ANY a LIKE 'j*'", ["al", "jo"], true),
            ("ALL a BEGINSWITH[c] 'K'", ["kid1", "Kid2"], true), ("ANY a MATCHES '[a-c]+'", ["xyz", "cab"], true),
            ("ANY a BETWEEN {5, 9}", [1, 6], true), ("ANY a == {1, 2}", [[1, 2], [3]], true),
            ("ANY a.length == 2", ["a", "bb"], true), ("ANY a CONTAINS 'x'", ["ax", "b"], true),
            ("ANY a CONTAINS 2", [[1], [2]], true),
        ] as [(String, PredicateValue, Bool)])
    func quantified(_ format: String, elements: PredicateValue, expected: Bool) throws {
        #expect(try holds(format, for: ["a": elements]) == expected)
    }

    @Test func rightSideFromTheObject() throws {
        #expect(try holds("ANY a >[c] b", for: ["a": ["A", "C"], "b": "b"] as [String: Any]))
        #expect(try !holds("ALL a >[c] b", for: ["a": ["A", "C"], "b": "b"] as [String: Any]))
        #expect(try holds("ANY {6, 5, $x} == 4", variables: ["x": 4]))
    }

    @Test func severalToManyKeys() throws {
        let row: [String: Any] = ["teams": [["ages": [1, 2]], ["ages": [30]]] as [[String: [Int]]]]
        #expect(try holds("ANY teams.ages > 20", for: row))
        #expect(try !holds("ALL teams.ages > 20", for: row))
        let people = [Citizen(name: "Ann", age: 1, friends: [Citizen(name: "Bo", age: 40)])]
        #expect(try holds("ANY people.friends.age == 40", for: ["people": people]))
    }

    @Test(
        arguments: [(1, "the number 1"), ("abc", "the string \"abc\""), (["k": 1], "a dictionary of 1")]
            as [(PredicateValue, String)])
    func notACollection(_ left: PredicateValue, found: String) throws {
        for modifier in ["ANY", "ALL", "SOME"] {
            let error = evaluationError {
                try holds("\(modifier) a == 1", for: .dictionary(["a": left]) as PredicateValue)
            }
            #expect(error == EvaluationError(.notACollection(found: FoundValue(left)), node: 0))
            #expect(FoundValue(left).description == found)
        }
    }

    @Test func rightSideIsEvaluatedOnce() throws {
        var registry = EvaluationRegistry.standard
        let counter = Counter()
        registry.registerFunction("next") { _ in .value(.integer(counter.next())) }
        #expect(try !holds("ANY a == next()", for: ["a": [9, 8, 7]], registry: registry))
        #expect(counter.count == 1)
    }

    /// A division by zero stands where nothing may be evaluated.
    @Test(
        arguments: [
            ("b == 0 AND 1 / b == 1", nil), ("b != 0 AND 1 / b == 1", false), ("b == 0 OR 1 / b == 1", true),
            ("b != 0 OR 1 / b == 1", nil), ("NOT (b == 0 OR 1 / b == 1)", false),
            ("FALSEPREDICATE AND 1 / b == 1", false),
            ("TRUEPREDICATE OR 1 / b == 1", true), ("1 / b == 1 AND FALSEPREDICATE", nil),
            ("1 / b == 1 OR TRUEPREDICATE", nil), ("TRUEPREDICATE AND b == 0 AND TRUEPREDICATE", true),
            ("TERNARY(b == 0, 1, 1 / b) == 1", true), ("1 / 0 == 1 AND b == 1", nil), ("b == 1 AND 1 / 0 == 1", false),
        ] as [(String, Bool?)])
    func shortCircuit(_ format: String, expected: Bool?) throws {
        let evaluator = try PredicateEvaluator(FormatPredicate(format))
        guard let expected else {
            #expect(errorCode { try evaluator.evaluate(with: ["b": 0]) } == .divisionByZero)
            return
        }
        #expect(try evaluator.evaluate(with: ["b": 0]) == expected)
    }

    @Test func compoundsByHand() throws {
        let yes = PredicateNode.constant(true)
        let no = PredicateNode.constant(false)
        let cases: [(LogicalType, [PredicateNode], Bool)] = [
            (.and, [], true), (.or, [], false), (.and, [no], false), (.or, [yes], true), (.not, [no], true),
            (.and, [yes, yes, no], false), (.or, [no, no, yes], true),
        ]
        for (type, subpredicates, expected) in cases {
            let predicate = FormatPredicate(.compound(CompoundPredicate(type, subpredicates)))
            #expect(try predicate.evaluate(with: nil) == expected)
        }
        for subpredicates in [[], [yes, no]] {
            let predicate = FormatPredicate(.compound(CompoundPredicate(.not, subpredicates)))
            let error = evaluationError { try predicate.evaluate(with: nil) }
            #expect(error?.code == .subpredicateCount(found: subpredicates.count))
        }
    }
}

/// Counts calls.
final class Counter: @unchecked Sendable {
    private(set) var count: Int64 = 0

    func next() -> Int64 {
        count += 1
        return count
    }
}
