import PredicateSyntax
import Testing

struct BuildingTests {
    enum Status: String, PredicateValueConvertible { case open, late }
    enum Level: Int, PredicateValueConvertible { case low = 1, high }
    enum Rank: Int, PredicateValueConvertible { case first = 1 }

    @Test func rawValuesAreArguments() throws {
        #expect(try FormatPredicate("status == %@", Status.open) == FormatPredicate("status == 'open'"))
        let both = try FormatPredicate("level BETWEEN {%@, %@}", Level.low, Level.high)
        #expect(both.predicateFormat == "level BETWEEN {1, 2}")
        #expect(
            try FormatPredicate("rank == %@ AND name == %@", Rank.first, "jo")
                == FormatPredicate("rank == 1 AND name == 'jo'"))
        #expect(try FormatPredicate("rank == %@", Rank.first) == FormatPredicate("rank == 1"))
    }

    @Test func twoKeysMakeAPredicate() {
        let predicate = PredicateKey("a") == PredicateKey("b")
        #expect(predicate.predicateFormat == "a == b")
        #expect(Set([PredicateKey("a"), PredicateKey("a")]).count == 1)
        let isSame: Bool = PredicateKey("a") == PredicateKey("a")
        #expect(isSame)
    }

    static let built: [(FormatPredicate, String)] = [
        (PredicateKey("age") >= 21, "age >= 21"),
        (PredicateKey("age") < 21, "age < 21"),
        (PredicateKey("age") <= 21, "age <= 21"),
        (PredicateKey("age") > 2.5, "age > 2.5"),
        (PredicateKey("age") == 21, "age == 21"),
        (PredicateKey("name") != nil, "name != nil"),
        (PredicateKey("name") == nil, "name == nil"),
        (PredicateKey("a.b") > PredicateKey("c.d"), "a.b > c.d"),
        (PredicateKey("age").between(18, 65), "age BETWEEN {18, 65}"),
        (PredicateKey("age").between(PredicateKey("low"), 65), "age BETWEEN {low, 65}"),
        (PredicateKey("name").isIn(["a", "b"]), "name IN {\"a\", \"b\"}"),
        (PredicateKey("name").isIn(["a"], .caseInsensitive), "name IN[c] {\"a\"}"),
        (
            PredicateKey("name").beginsWith("jo", [.caseInsensitive, .diacriticInsensitive]),
            "name BEGINSWITH[cd] \"jo\""
        ),
        (PredicateKey("name").endsWith("jo"), "name ENDSWITH \"jo\""),
        (PredicateKey("tags").contains("swift"), "tags CONTAINS \"swift\""),
        (PredicateKey("name").like("j*"), "name LIKE \"j*\""),
        (PredicateKey("name").matches("j.*"), "name MATCHES \"j.*\""),
        (PredicateKey("name").isEqual(to: "jo", .caseInsensitive), "name ==[c] \"jo\""),
        (PredicateKey("scores").any { $0 >= 21 }, "ANY scores >= 21"),
        (PredicateKey("scores").all { $0 < 21 }, "ALL scores < 21"),
        (PredicateKey("scores").any { $0 == nil }, "ANY scores == nil"),
        (PredicateKey("scores").all { $0 != 21 }, "ALL scores != 21"),
        (PredicateKey("names").any { $0.beginsWith("jo") }, "ANY names BEGINSWITH \"jo\""),
        (PredicateKey("friends").count > 2, "friends.@count > 2"),
        (PredicateKey("friends.@sum.age") > 2, "friends.@sum.age > 2"),
        (PredicateKey("n") + 1 > 2, "n + 1 > 2"),
        (PredicateKey("n") * 2 - PredicateKey("m") / 3 == 1.5, "(n * 2) - (m / 3) == 1.5"),
        (100 - PredicateKey("n") >= 2 * PredicateKey("m"), "100 - n >= 2 * m"),
        ((0.5 + PredicateKey("n")) * 2 < 3, "(0.5 + n) * 2 < 3"),
        (PredicateKey("a") == PredicateKey("b"), "a == b"), (PredicateKey("a") != PredicateKey("b"), "a != b"),
        (PredicateKey("status") == Status.open, "status == \"open\""),
        (PredicateKey("status") != Status.late, "status != \"late\""),
        (PredicateKey("level") >= Level.high, "level >= 2"), (PredicateKey("level") < Level.high, "level < 2"),
        (PredicateKey("status").isIn([Status.open, Status.late]), "status IN {\"open\", \"late\"}"),
        (PredicateKey("rank") == Rank.first, "rank == 1"),
        (.constant(true), "TRUEPREDICATE"),
        (.and([]), "TRUEPREDICATE"),
        (.or([]), "FALSEPREDICATE"),
        (.and([PredicateKey("a") == 1]), "a == 1"),
        (.and([PredicateKey("a") == 1, PredicateKey("b") == 2]), "a == 1 AND b == 2"),
        (.or([PredicateKey("a") == 1, PredicateKey("b") == 2]), "a == 1 OR b == 2"),
        (!(PredicateKey("a") == 1), "NOT a == 1"),
        (!(PredicateKey("a") == 1 || PredicateKey("b") == 2), "NOT (a == 1 OR b == 2)"),
        (PredicateKey("a") == 1 && PredicateKey("b") == 2 && PredicateKey("c") == 3, "a == 1 AND b == 2 AND c == 3"),
        (PredicateKey("a") == 1 || PredicateKey("b") == 2 && PredicateKey("c") == 3, "a == 1 OR (b == 2 AND c == 3)"),
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

    /// A dot with a mark after it is one character, and a dot all the same.
    @Test func keysMayBeginWithCombiningMarks() throws {
        #expect(KeyPathExpression(keys: "a.\u{323}s").components == [.key("a"), .key("\u{323}s")])
        let path = try FormatPredicate("%K == 1", "a.\u{323}s")
        #expect(path == (PredicateKey("a.\u{323}s") == 1))
    }

    @Test func anExpressionArgumentJoinsTheTree() throws {
        let sum = try FormatExpression("a + b")
        let predicate = try FormatPredicate("%@ > %@", sum, PredicateKey("c"))
        #expect(try predicate == FormatPredicate("a + b > c"))
        #expect(predicate.source?.ranges.count == 5)
    }
}
