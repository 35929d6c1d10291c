import PredicateSyntax
import PredicateTestSupport
import Testing

struct SubstitutionTests {
    static let templates: [(String, [String: any PredicateValueConvertible & Sendable], String)] = [
        ("lastName LIKE[c] $LAST_NAME", ["LAST_NAME": "Turner"], "lastName LIKE[c] \"Turner\""),
        ("date = $DATE", ["DATE": PredicateValue.nullObject], "date == <null>"),
        ("$a == 1", ["a": "a"], "\"a\" == 1"),
        ("$p.name == 'x' AND a IN {$q, 2}", ["p": PredicateKey("boss"), "q": 1], "boss.name == \"x\" AND a IN {1, 2}"),
        ("Record.$key > 1", ["key": "Age"], "Record.Age > 1"),
        (
            "SUBQUERY(tags, $t, $t == $wanted).@count > 0", ["wanted": 3],
            "SUBQUERY(tags, $t, $t == 3).@count > 0"
        ),
        ("a.b[$i] == 1", ["i": 0], "a.b[0] == 1"),
        (
            "FUNCTION($a, 'substringFromIndex:', $i) == 'x'", ["a": "ax", "i": 1],
            "FUNCTION(\"ax\", \"substringFromIndex:\" , 1) == \"x\""
        ),
        ("CAST($a, 'NSString') == '1'", ["a": 1], "CAST(1, \"NSString\") == \"1\""),
        ("x IN a UNION $b", ["b": PredicateValue.set([1])], "x IN a UNION {1}"),
        ("TERNARY($a > 1, $a, 2) == 1", ["a": 5], "TERNARY(5 > 1, 5, 2) == 1"),
    ]

    @Test(arguments: templates.indices)
    func valuesTakeThePlaceOfVariables(index: Int) throws {
        let (format, values, expected) = Self.templates[index]
        #expect(try FormatPredicate(format).substituting(PredicateVariables(values)).predicateFormat == expected)
    }

    @Test func aVariableWithoutAValueIsAnError() throws {
        let template = try FormatPredicate("age > $limit")
        let error = PredicateFormatError.thrown { try template.substituting([:]) }
        #expect(error?.code == .unboundVariable("limit"))
        #expect(
            error?.description
                == "error: expected a value for $limit\nhint: give a value for every variable of the template")
    }

    @Test func expressionsAreFilledToo() throws {
        let template = try FormatExpression("$a + 1")
        #expect(try template.substituting(["a": 2]).expressionFormat == "2 + 1")
        #expect(throws: PredicateFormatError.self) { try template.substituting([:]) }
    }

    @Test func filledAggregatesEqualWrittenOnes() throws {
        let template = try FormatPredicate("a IN {$x, $y}")
        #expect(try template.substituting(["x": 1, "y": 2]) == FormatPredicate("a IN {1, 2}"))
    }
}
