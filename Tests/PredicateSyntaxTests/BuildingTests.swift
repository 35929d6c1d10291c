import PredicateSyntax
import Testing

struct BuildingTests {
    static let built: [(FormatPredicate, String)] = [
        (Key("age") >= 21, "age >= 21"),
        (Key("age") < 21, "age < 21"),
        (Key("age") <= 21, "age <= 21"),
        (Key("age") > 2.5, "age > 2.5"),
        (Key("age") == 21, "age == 21"),
        (Key("name") != nil, "name != nil"),
        (Key("name") == nil, "name == nil"),
        (Key("a.b") > Key("c.d"), "a.b > c.d"),
        (Key("age").between(18, 65), "age BETWEEN {18, 65}"),
        (Key("age").between(Key("low"), 65), "age BETWEEN {low, 65}"),
        (Key("name").isIn(["a", "b"]), "name IN {\"a\", \"b\"}"),
        (Key("name").isIn(["a"], .caseInsensitive), "name IN[c] {\"a\"}"),
        (
            Key("name").beginsWith("jo", [.caseInsensitive, .diacriticInsensitive]), "name BEGINSWITH[cd] \"jo\""
        ),
        (Key("name").endsWith("jo"), "name ENDSWITH \"jo\""),
        (Key("tags").contains("swift"), "tags CONTAINS \"swift\""),
        (Key("name").like("j*"), "name LIKE \"j*\""),
        (Key("name").matches("j.*"), "name MATCHES \"j.*\""),
        (Key("name").isEqual(to: "jo", .caseInsensitive), "name ==[c] \"jo\""),
        (Key("scores").any >= 21, "ANY scores >= 21"), (Key("scores").any > 21, "ANY scores > 21"),
        (Key("scores").all < 21, "ALL scores < 21"), (Key("scores").all <= 21, "ALL scores <= 21"),
        (Key("scores").any == 21, "ANY scores == 21"), (Key("scores").any == nil, "ANY scores == nil"),
        (Key("scores").all != 21, "ALL scores != 21"),
        (Key("names").any { $0.beginsWith("jo") }, "ANY names BEGINSWITH \"jo\""),
        (Key("friends").count > 2, "friends.@count > 2"),
        (Key("friends").aggregate("sum", "age") > 2, "friends.@sum.age > 2"),
        (.constant(true), "TRUEPREDICATE"),
        (.and([]), "TRUEPREDICATE"),
        (.or([]), "FALSEPREDICATE"),
        (.and([Key("a") == 1]), "a == 1"),
        (.and([Key("a") == 1, Key("b") == 2]), "a == 1 AND b == 2"),
        (.or([Key("a") == 1, Key("b") == 2]), "a == 1 OR b == 2"),
        (.not(Key("a") == 1), "NOT a == 1"),
        (!(Key("a") == 1 || Key("b") == 2), "NOT (a == 1 OR b == 2)"),
        (Key("a") == 1 && Key("b") == 2 && Key("c") == 3, "a == 1 AND b == 2 AND c == 3"),
        (Key("a") == 1 || Key("b") == 2 && Key("c") == 3, "a == 1 OR (b == 2 AND c == 3)"),
    ]

    @Test(arguments: built.indices)
    func aBuiltPredicatePrintsAndEqualsTheParsedOne(index: Int) throws {
        let (predicate, format) = Self.built[index]
        #expect(predicate.predicateFormat == format)
        #expect(try FormatPredicate(format) == predicate)
    }

    @Test func keysAndValuesAreJoinedInTheirOrder() {
        let values: KeyValuePairs<String, (any PredicateValueConvertible)?> = [
            "publisher": "BookCo", "salesRank": 482769, "editor": nil,
        ]
        #expect(
            FormatPredicate(matching: values, combinedWith: .or).predicateFormat
                == "publisher == \"BookCo\" OR salesRank == 482769 OR editor == nil")
        #expect(
            FormatPredicate(matching: values).predicateFormat
                == "publisher == \"BookCo\" AND salesRank == 482769 AND editor == nil")
        #expect(FormatPredicate(matching: [:]).predicateFormat == "TRUEPREDICATE")
    }

    @Test func argumentsOfEveryKindBecomeConstants() throws {
        let predicate = try FormatPredicate(
            "a IN %@ AND b == %@ AND c == %@ AND %K == %d AND e > %f", ["x", "y"], nil, true, "d.key", 4, 2.5)
        #expect(
            predicate.predicateFormat == "a IN {\"x\", \"y\"} AND b == nil AND c == 1 AND d.key == 4 AND e > 2.5")
    }

    @Test func anExpressionArgumentJoinsTheTree() throws {
        let sum = try FormatExpression("a + b")
        let predicate = try FormatPredicate("%@ > %@", sum, Key("c"))
        #expect(predicate == (try FormatPredicate("a + b > c")))
        #expect(predicate.source?.ranges.count == 5)
    }
}
