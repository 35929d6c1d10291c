import PredicateSyntax
import Testing

@testable import PredicateEvaluation

/// Every node has its number: children before parents, left before right.
@Suite struct PlanningNumberTests {
    @Test(
        arguments: [
            "a == 1", "a.b.c == $x.y", "a + 1 > 2 * b", "NOT a == 1", "a == 1 AND b == 2 AND (c == 3 OR NOT d == 4)",
            "name BEGINSWITH[cd] 'jo'", "ANY a.b > 3", "NONE a.b > 3", "a BETWEEN {b, 2}", "a IN {1, 2}",
            "a[0] == b[FIRST]",
            "(a.b)[SIZE] == 1", "SUBQUERY(a, $x, $x.b == c AND $x.c > 1).@count > 0", "TERNARY(a == 1, b, c + 1) == d",
            "a UNION {1, b} == c", "CAST(a, 'NSDate') < now()", "FUNCTION(a, 'hasPrefix:', b) == YES",
            "$a := 1 + b == 3",
            "sum(a, b, 3) == 1", "a.$b == 1", "TRUEPREDICATE", "1 + 2 == 3", "a isKindOfClass: $type",
            "a.uppercase('x') == b",
            "{a, {b, 1}, nil} == {}", "-a == ~b", "a.uppercase() == b",
        ])
    func everyNodeIsCounted(_ format: String) throws {
        let predicate = try FormatPredicate(format)
        let survey = try TreeSurvey(.predicate(predicate.node), limits: .standard)
        let settings = PlanSettings(constants: [:], registry: .standard, limits: .standard)
        var planner = Planner(settings, survey)
        let plan = try planner.plan(predicate.node)
        let count = try TreeLimitCheck(.predicate(predicate.node), .standard).nodes
        #expect(plan.node == count - 1)
        #expect(planner.nextNode() == count)
        #expect(predicate.source?.ranges.count == count)
    }

    /// The offending node as it stands in the format string.
    @Test(
        arguments: [
            ("1 == 1 AND name + 1 > 2", "name"), ("a == 2 OR 2 * (a - name) > 2", "name"),
            ("TERNARY(a == 0, 1, a / 0) == 1", "a / 0"), ("ANY {1, 2} < name", "ANY {1, 2} < name"),
            ("ANY a == 1", "a"),
            ("name LIKE a", "a"), ("a LIKE name", "a"), ("SUBQUERY(list, $x, $x.wings > 1).@count > 0", "$x.wings"),
            ("SUBQUERY(a, $x, $x > 1).@count > 0", "a"), ("a == 2 AND (a == 1 OR list[7] == 1)", nil),
            ("a == 2 OR (a == 3 OR list[7] == 1)", "7"), ("a == $limit", "$limit"), ("list.$k == 1", "list.$k"),
            ("a UNION {1} == {1}", "a"), ("list UNION a == {1}", "a"),
            ("CAST(name, 'NSDate') == a", "CAST(name, 'NSDate')"),
            ("1 + FUNCTION(name, 'hasPrefix:', a) == 1", "a"), ("a.b.c == 1", "a.b.c"), ("a[0] == 1", "a"),
            ("list['x'] == 1", "'x'"), ("sum(a, name) == 1", "sum(a, name)"), ("$v := name + 1 == 2", "name"),
        ] as [(String, String?)])
    func offendingNodes(_ format: String, offending: String?) throws {
        let predicate = try FormatPredicate(format)
        let row: [String: Any] = ["a": 1, "name": "jo", "list": [1, 2]]
        guard let error = evaluationError({ try predicate.evaluate(with: row) }) else {
            #expect(offending == nil)
            return
        }
        let range = try #require(error.node.flatMap { predicate.source?.range(ofNode: $0) })
        #expect(String(decoding: Array(format.utf8)[range], as: UTF8.self) == offending)
    }

    @Test(
        arguments: [
            ("a == 1 AND mgl(b) == 2", "mgl(b)"), ("a MATCHES '('", "'('"), ("a.b == 1 OR a.d[0] == 1", "d[0]"),
            ("a == 1 AND SIZE == 2", "SIZE"), ("a == 1 AND sum(ANYKEY) == 2", "ANYKEY"),
            ("a == 1 AND ANYKEY == ANYKEY", "ANYKEY"), ("a == sqrt(1, 2)", "sqrt(1, 2)"),
            ("a == CAST(b, 'X')", "CAST(b, 'X')"), ("b == 1 AND a foo: 1", "a foo: 1"),
        ])
    func offendingNodesWhenPrepared(_ format: String, offending: String) throws {
        let predicate = try FormatPredicate(format)
        let error = try #require(evaluationError { try PredicateEvaluator(predicate) })
        let range = try #require(error.node.flatMap { predicate.source?.range(ofNode: $0) })
        #expect(String(decoding: Array(format.utf8)[range], as: UTF8.self) == offending)
    }
}
