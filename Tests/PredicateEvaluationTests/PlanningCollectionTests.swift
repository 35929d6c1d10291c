import PredicateEvaluation
import PredicateSyntax
import Testing

/// Aggregates, indexes and set expressions.
@Suite struct PlanningCollectionTests {
    @Test(
        arguments: [
            ("a[0]", 1), ("a[2]", 3), ("a[FIRST]", 1), ("a[LAST]", 3), ("a[SIZE]", 3), ("a[1.0]", 2), ("d['k']", "v"),
            ("d['x']", .null), ("d[1]", .null), ("d[SIZE]", 1), ("e[FIRST]", .null), ("e[LAST]", .null), ("e[SIZE]", 0),
            ("n[0]", .null), ("n[FIRST]", .null), ("n[SIZE]", .null), ("s[7]", 7), ("s[7.0]", 7), ("s[8]", .null),
            ("s[FIRST]", 7),
            ("s[LAST]", 7), ("o[1]", "y"), ("o[LAST]", "y"), ("b[0][1]", 2), ("b[i][0]", 1),
            ("{i, nil}", [0, .nullObject]),
            ("{a, 1}", [[1, 2, 3], 1]), ("(a.@count)", 3), ("a[a[0]]", 2),
        ] as [(String, PredicateValue)])
    func indexes(_ format: String, expected: PredicateValue) throws {
        let row: [String: PredicateValue] = [
            "a": [1, 2, 3], "d": ["k": "v"], "e": [], "n": .null, "s": .set([7]), "o": .orderedSet(["x", "y"]),
            "b": [[1, 2]], "i": 0,
        ]
        let result = try value(of: format, for: row)
        #expect(isExactly(result, expected), "\(result)")
    }

    @Test(
        arguments: [
            ("a[7]", .indexOutOfRange(7, count: 2), 1), ("a[-1]", .indexOutOfRange(-1, count: 2), 1),
            ("a['x']", .notIndexable(found: FoundValue([1, 2]), index: "the string \"x\""), 1),
            ("a[nil]", .notIndexable(found: FoundValue([1, 2]), index: "nil"), 1),
            ("a[0.5]", .notAnInteger(found: FoundValue(0.5)), 1),
            ("n[0]", .notIndexable(found: FoundValue(5), index: "the number 0"), 0),
            ("n[FIRST]", .notIndexable(found: FoundValue(5), index: "FIRST"), 0),
            ("t[SIZE]", .notIndexable(found: FoundValue("text"), index: "SIZE"), 0),
            ("d[LAST]", .notIndexable(found: FoundValue(KeyedValue.object([:] as [String: Any])), index: "LAST"), 0),
            ("a[1e300]", .notAnInteger(found: FoundValue(1e+300)), 1),
        ] as [(String, EvaluationError.Code, Int)])
    func errors(_ format: String, code: EvaluationError.Code, node: Int) throws {
        let row: [String: Any] = ["a": [1, 2], "n": 5, "t": "text", "d": ["k": 1]]
        #expect(evaluationError { try value(of: format, for: row) } == EvaluationError(code, node: node))
    }

    @Test func liveObjects() throws {
        let people = [Citizen(name: "Ann", age: 30), Citizen(name: "Bo", age: 5)]
        #expect(try holds("people[1].name == 'Bo' AND people[LAST].age == 5", for: ["people": people]))
        #expect(try holds("{people[0], 1}[0].name == 'Ann'", for: ["people": people]))
        #expect(try holds("(people UNION people).@count == 2", for: ["people": people]))
        #expect(try holds("SUBQUERY(people, $p, $p.age > 18)[FIRST].name == 'Ann'", for: ["people": people]))
    }

    @Test(
        arguments: [
            ("{1, 2} UNION {2, 3}", .set([1, 2, 3])), ("{1, 2} INTERSECT {2, 3}", .set([2])),
            ("{1, 2} MINUS {2, 3}", .set([1])), ("{1} UNION {1.0}", .set([1])), ("{1, 2.0} INTERSECT {2}", .set([2.0])),
            ("{'a'} UNION %@", .set(["a", "b"])), ("%@ MINUS {'b'}", .set([])), ("{} UNION {}", .set([])),
            ("{1} UNION {2} MINUS {1}", .set([2])),
        ] as [(String, PredicateValue)])
    func sets(_ format: String, expected: PredicateValue) throws {
        let result = try value(of: format, [.set(["b"])])
        #expect(isExactly(result, expected), "\(result)")
    }

    @Test func setsAreNotArrays() throws {
        #expect(try !holds("a UNION {'b'} = {'a','b'}", for: ["a": Set(["a"])]))
        #expect(try holds("a UNION {'b'} = %@", [.set(["a", "b"])], for: ["a": Set(["a"])]))
        #expect(try holds("2 IN a UNION {2}", for: ["a": [1]]))
        let error = evaluationError { try holds("a UNION {1} == b") }
        #expect(error == EvaluationError(.notACollection(found: FoundValue(PredicateValue.null)), node: 0))
    }

    @Test func conditionals() throws {
        #expect(isExactly(try value(of: "TERNARY(0 = 1, TRUE, TERNARY(1 = 2, TRUE, FALSE))"), false))
        #expect(isExactly(try value(of: "TERNARY(a > 17, 'adult', 'child')", for: ["a": 18]), "adult"))
    }
}
