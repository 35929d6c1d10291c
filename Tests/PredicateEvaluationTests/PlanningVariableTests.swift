import PredicateEvaluation
import PredicateSyntax
import Testing

/// Variables: variables, SUBQUERY, assignment.
@Suite struct PlanningVariableTests {
    private let row: [String: Any] = [
        "name": "outer", "limit": 2,
        "teams": [
            ["name": "red", "players": [["age": 1], ["age": 5]]], ["name": "blue", "players": [["age": 7]]],
        ] as [[String: Any]],
    ]

    @Test func variables() throws {
        #expect(try holds("$a == 1", variables: ["a": 1]))
        #expect(try !holds("$a == 1", for: ["a": 1], variables: ["a": "a"]))
        #expect(try holds("$a == nil", variables: ["a": PredicateValue.null]))
        #expect(try holds("$p.name == 'Ann'", variables: ["p": Citizen(name: "Ann", age: 3)]))
        #expect(try holds("$a[$b] == 'ABC'", variables: ["a": ["k": "ABC"], "b": "k"]))
        #expect(try holds("x.$key == 34", for: ["x": ["Age": 34]], variables: ["key": "Age"]))
        #expect(try FormatPredicate("$a == 1").evaluate(with: nil, variables: ["a": 1]))
    }

    @Test func unbound() throws {
        let error = evaluationError { try holds("a == $limti", variables: ["limit": 1, "x": 2]) }
        #expect(error == EvaluationError(.unboundVariable("limti", nearMisses: ["limit"]), node: 1))
        #expect(errorCode { try holds("a.$k == 1", for: ["a": 1]) } == .unboundVariable("k", nearMisses: []))
    }

    @Test func keysMustBeStrings() throws {
        #expect(errorCode { try holds("$a.$b > 1", variables: ["a": [2], "b": 0]) } == .notAKey(found: "the number 0"))
        let prepared = try PredicateEvaluator(FormatPredicate("x.$k == 1"), variables: ["k": "y"])
        #expect(try prepared.evaluate(with: ["x": ["y": 1]]))
    }

    @Test func boundExpressions() throws {
        let record = PredicateVariables(["record": PredicateValue.expression(try FormatExpression("teams[FIRST]").node)]
        )
        #expect(try holds("$record.name == 'red'", for: row, variables: record))
        var chain = record
        chain["first"] = .value(.expression(try FormatExpression("$record.name").node))
        #expect(try holds("$first == 'red'", for: row, variables: chain))
        let loop = PredicateVariables(["a": PredicateValue.expression(.variable("a"))])
        #expect(
            errorCode { try holds("$a == 1", variables: loop) }
                == .nestingTooDeep(limit: PredicateLimits.standard.nesting))
        let failing = PredicateVariables(["a": PredicateValue.expression(try FormatExpression("x / 0").node)])
        let error = evaluationError { try holds("1 == $a", for: ["x": 1], variables: failing) }
        #expect(error == EvaluationError(.divisionByZero, node: 1))
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
        #expect(try holds(format, for: row, variables: ["x": "blue", "t": 9]) == expected)
    }

    @Test func subqueriesKeepTheKind() throws {
        let set: PredicateValue = .set([1, 2, 3])
        #expect(isExactly(try value(of: "SUBQUERY(%@, $x, $x > 1)", [set]), .set([2, 3])))
        #expect(isExactly(try value(of: "SUBQUERY(%@, $x, $x > 1)", [.orderedSet([3, 1])]), .orderedSet([3])))
        #expect(isExactly(try value(of: "SUBQUERY(%@, $x, $x > 1)", [["a": 1, "b": 2]]), [2]))
        let error = evaluationError { try value(of: "SUBQUERY(5, $x, $x > 1)") }
        #expect(error == EvaluationError(.notACollection(found: FoundValue(5)), node: 0))
    }

    @Test func assignment() throws {
        #expect(isExactly(try value(of: "$a := 1 + 2"), 3))
        #expect(try holds("($a := b + 1) == 3 AND $a == 3", for: ["b": 2]))
        #expect(try holds("$a == 1 AND ($a := 5) == 5 AND $a == 5", variables: ["a": 1]))
        // The next object begins with the binding again.
        let evaluator = try PredicateEvaluator(FormatPredicate("$a == 1 AND ($a := 5) == 5"))
        #expect(try ["x", "y"].count(matching: evaluator, variables: ["a": 1]) == 2)
        #expect(isExactly(try value(of: "SUBQUERY({1, 2}, $x, ($x := $x + 10) == 12 AND $x == 12)"), [2]))
    }

    @Test func constants() throws {
        let evaluator = try PredicateEvaluator(FormatPredicate("age > $AGE"), variables: ["AGE": 18])
        #expect(try evaluator.evaluate(with: ["age": 20], variables: ["AGE": 99]))
        let expression = PredicateValue.expression(try FormatExpression("limit").node)
        let bound = try PredicateEvaluator(FormatPredicate("age > $AGE"), variables: ["AGE": expression])
        #expect(try bound.evaluate(with: ["age": 20, "limit": 3]))
    }

    @Test func growthEnds() throws {
        let doubling = "($a := FUNCTION($a, 'stringByAppendingString:', $a)) != nil"
        let texts = Array(repeating: doubling, count: 60).joined(separator: " AND ")
        #expect(errorCode { try holds(texts, variables: ["a": "x"]) } == .resultTooLarge(limit: 1 << 24))
        let nesting = Array(repeating: "($a := {$a, $a}) != nil", count: 60).joined(separator: " AND ")
        #expect(errorCode { try holds(nesting, variables: ["a": 1]) } == .resultTooLarge(limit: 1 << 24))
        let replacing = "'stringByReplacingOccurrencesOfString:withString:', 'a', a)"
        let format = String(repeating: "FUNCTION(", count: 9) + "a" + String(repeating: ", " + replacing, count: 9)
        let row = ["a": String(repeating: "a", count: 100)]
        #expect(errorCode { try holds(format + " == 1", for: row) } == .resultTooLarge(limit: 1 << 24))
    }
}

/// Assignments that come back to the host. [NSP-180]
@Suite struct AssignmentTests {
    @Test func theVariablesTakeWhatIsAssigned() throws {
        var variables: PredicateVariables = ["x": 1]
        let row = ["a": 1, "b": 2]
        let sum = try ExpressionEvaluator(FormatExpression("$total := a + b + $x"))
        #expect(isExactly(try sum.value(with: row, variables: &variables), 4))
        #expect(variables["total"].map { isExactly($0, 4) } == true)
        #expect(variables["x"].map { isExactly($0, 1) } == true)
        let evaluator = try ExpressionEvaluator(FormatExpression("$x := $x + $total"))
        #expect(isExactly(try evaluator.value(with: row, variables: &variables), 5))
        #expect(isExactly(try evaluator.value(with: row, variables: &variables), 9))
        #expect(variables["x"].map { isExactly($0, 9) } == true)
    }

    @Test func predicatesAssignToo() throws {
        var variables: PredicateVariables = [:]
        let predicate = try FormatPredicate("($n := a) == 1 OR ($m := b) == 2")
        #expect(try PredicateEvaluator(predicate).evaluate(with: ["a": 1, "b": 2], variables: &variables))
        #expect(variables["n"].map { isExactly($0, 1) } == true)
        #expect(variables["m"] == nil)
        #expect(try PredicateEvaluator(predicate).evaluate(with: ["a": 3, "b": 2], variables: &variables))
        #expect(variables["n"].map { isExactly($0, 3) } == true)
        #expect(variables["m"].map { isExactly($0, 2) } == true)
    }

    @Test func nothingElseComesBack() throws {
        var variables: PredicateVariables = [:]
        // A constant of the evaluator, the variable of a SUBQUERY, and one that is passed by value.
        let evaluator = try PredicateEvaluator(
            FormatPredicate("$c == 1 OR ($d := 2) == 2"), variables: ["c": 1, "d": 7])
        #expect(try evaluator.evaluate(with: nil, variables: &variables))
        #expect(variables["c"] == nil && variables["d"] == nil)
        let subquery = try ExpressionEvaluator(FormatExpression("SUBQUERY(a, $x, ($x := 1) == 1).@count"))
        #expect(isExactly(try subquery.value(with: ["a": [1, 2]], variables: &variables), 2))
        #expect(variables["x"] == nil)
        #expect(isExactly(try FormatExpression("$y := 1").value(with: nil, variables: variables), 1))
        #expect(variables["y"] == nil)
    }

    @Test func anErrorLeavesTheVariables() throws {
        var variables: PredicateVariables = ["n": 1]
        let predicate = try FormatPredicate("($n := 2) == 2 AND a + 1 == 2")
        #expect(throws: EvaluationError.self) {
            try PredicateEvaluator(predicate).evaluate(with: ["a": "x"], variables: &variables)
        }
        #expect(variables["n"].map { isExactly($0, 1) } == true)
        let expression = try ExpressionEvaluator(FormatExpression("{$n := 2, a + 1}"))
        let error = evaluationError { try expression.value(with: ["a": "x"], variables: &variables) }
        #expect(error?.text == "{$n := 2, a + 1}")
        #expect(variables["n"].map { isExactly($0, 1) } == true)
    }
}
