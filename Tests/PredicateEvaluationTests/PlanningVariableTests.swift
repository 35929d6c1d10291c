import PredicateEvaluation
import PredicateSyntax
import Testing

/// Variables: bindings, SUBQUERY, assignment.
@Suite struct PlanningVariableTests {
    private let row: [String: Any] = [
        "name": "outer", "limit": 2,
        "teams": [
            ["name": "red", "players": [["age": 1], ["age": 5]]], ["name": "blue", "players": [["age": 7]]],
        ] as [[String: Any]],
    ]

    @Test func bindings() throws {
        #expect(try holds("$a == 1", bindings: ["a": 1]))
        #expect(try !holds("$a == 1", for: ["a": 1], bindings: ["a": "a"]))
        #expect(try holds("$a == nil", bindings: ["a": PredicateValue.null]))
        #expect(try holds("$p.name == 'Ann'", bindings: ["p": Citizen(name: "Ann", age: 3)]))
        #expect(try holds("$a[$b] == 'ABC'", bindings: ["a": ["k": "ABC"], "b": "k"]))
        #expect(try holds("x.$key == 34", for: ["x": ["Age": 34]], bindings: ["key": "Age"]))
        #expect(try FormatPredicate("$a == 1").evaluate(with: nil, substitutionVariables: ["a": 1]))
    }

    @Test func unbound() throws {
        let error = evaluationError { try holds("a == $limti", bindings: ["limit": 1, "x": 2]) }
        #expect(error == EvaluationError(.unboundVariable("limti", nearMisses: ["limit"]), culprit: 1))
        #expect(errorCode { try holds("a.$k == 1", for: ["a": 1]) } == .unboundVariable("k", nearMisses: []))
    }

    @Test func keysMustBeStrings() throws {
        #expect(errorCode { try holds("$a.$b > 1", bindings: ["a": [2], "b": 0]) } == .notAKey(found: "NSNumber 0"))
        let prepared = try PredicateEvaluator(FormatPredicate("x.$k == 1"), constants: ["k": "y"])
        #expect(try prepared.evaluate(with: ["x": ["y": 1]]))
    }

    @Test func boundExpressions() throws {
        let record = Bindings(["record": PredicateValue.expression(try FormatExpression("teams[FIRST]").node)])
        #expect(try holds("$record.name == 'red'", for: row, bindings: record))
        var chain = record
        chain["first"] = .value(.expression(try FormatExpression("$record.name").node))
        #expect(try holds("$first == 'red'", for: row, bindings: chain))
        let loop = Bindings(["a": PredicateValue.expression(.variable("a"))])
        #expect(errorCode { try holds("$a == 1", bindings: loop) } == .nestingTooDeep(limit: Limits.standard.nesting))
        let failing = Bindings(["a": PredicateValue.expression(try FormatExpression("x / 0").node)])
        let error = evaluationError { try holds("1 == $a", for: ["x": 1], bindings: failing) }
        #expect(error == EvaluationError(.divisionByZero, culprit: 1))
    }

    @Test(
        arguments: [
            ("SUBQUERY(teams, $t, $t.name == 'red').@count == 1", true),
            ("SUBQUERY(teams, $t, name == 'outer').@count == 2", true),
            ("SUBQUERY(teams, $t, $t.players.@count == limit)[0].name == 'red'", true),
            (
                "SUBQUERY(teams, $t, SUBQUERY($t.players, $p, $p.age > 4 AND $t.name == 'red').@count > 0)[SIZE] == 1",
                true
            ),
            (
                "SUBQUERY(teams, $t, SUBQUERY($t.players, $t, $t.age > 6).@count > 0 AND $t.name == 'blue').@count == 1",
                true
            ),
            ("SUBQUERY(teams, $t, TRUEPREDICATE) == teams", true),
            ("SUBQUERY(missing, $t, TRUEPREDICATE) == nil", true),
            ("SUBQUERY(teams, $t, $t.name == $x).@count == 1 AND $t == 9", true),
        ])
    func subqueries(_ format: String, expected: Bool) throws {
        #expect(try holds(format, for: row, bindings: ["x": "blue", "t": 9]) == expected)
    }

    @Test func subqueriesKeepTheKind() throws {
        let set: PredicateValue = .set([1, 2, 3])
        #expect(isExactly(try value(of: "SUBQUERY(%@, $x, $x > 1)", [set]), .set([2, 3])))
        #expect(isExactly(try value(of: "SUBQUERY(%@, $x, $x > 1)", [.orderedSet([3, 1])]), .orderedSet([3])))
        #expect(isExactly(try value(of: "SUBQUERY(%@, $x, $x > 1)", [["a": 1, "b": 2]]), [2]))
        let error = evaluationError { try value(of: "SUBQUERY(5, $x, $x > 1)") }
        #expect(error == EvaluationError(.notACollection(found: "NSNumber 5"), culprit: 0))
    }

    @Test func assignment() throws {
        #expect(isExactly(try value(of: "$a := 1 + 2"), 3))
        #expect(try holds("($a := b + 1) == 3 AND $a == 3", for: ["b": 2]))
        #expect(try holds("$a == 1 AND ($a := 5) == 5 AND $a == 5", bindings: ["a": 1]))
        // The next object begins with the binding again.
        let evaluator = try PredicateEvaluator(FormatPredicate("$a == 1 AND ($a := 5) == 5"))
        #expect(try ["x", "y"].count(matching: evaluator, bindings: ["a": 1]) == 2)
        #expect(isExactly(try value(of: "SUBQUERY({1, 2}, $x, ($x := $x + 10) == 12 AND $x == 12)"), [2]))
    }

    @Test func constants() throws {
        let evaluator = try PredicateEvaluator(FormatPredicate("age > $AGE"), constants: ["AGE": 18])
        #expect(try evaluator.evaluate(with: ["age": 20], bindings: ["AGE": 99]))
        let expression = PredicateValue.expression(try FormatExpression("limit").node)
        let bound = try PredicateEvaluator(FormatPredicate("age > $AGE"), constants: ["AGE": expression])
        #expect(try bound.evaluate(with: ["age": 20, "limit": 3]))
    }

    @Test func growthEnds() throws {
        let doubling = "($a := FUNCTION($a, 'stringByAppendingString:', $a)) != nil"
        let texts = Array(repeating: doubling, count: 60).joined(separator: " AND ")
        #expect(errorCode { try holds(texts, bindings: ["a": "x"]) } == .resultTooLarge(limit: 1 << 24))
        let nesting = Array(repeating: "($a := {$a, $a}) != nil", count: 60).joined(separator: " AND ")
        #expect(errorCode { try holds(nesting, bindings: ["a": 1]) } == .resultTooLarge(limit: 1 << 24))
        let replacing = "'stringByReplacingOccurrencesOfString:withString:', 'a', a)"
        let format = String(repeating: "FUNCTION(", count: 9) + "a" + String(repeating: ", " + replacing, count: 9)
        let row = ["a": String(repeating: "a", count: 100)]
        #expect(errorCode { try holds(format + " == 1", for: row) } == .resultTooLarge(limit: 1 << 24))
    }
}
