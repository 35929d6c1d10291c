import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Conditions for Spark, where a subquery names rows of the next scope out only.
struct SparkStatementTests {
    /// NSP-352: the key of a person stands in each of its phones.
    @Test func aKeyIsNamedByTheColumnThatIsTiedToIt() throws {
        let text = try condition(
            "SUBQUERY(phones, $p, SUBQUERY(phones, $q, $q.rank > $p.rank).@count > 0).@count > 0",
            dialect: SparkDialect())
        let expected = """
            EXISTS (SELECT 1 FROM `phone` AS t1 WHERE t1.`person_id` = t0.`id` AND EXISTS (SELECT 1 FROM `phone` AS t2 \
            WHERE t2.`person_id` = t1.`person_id` AND t2.`rank` > t1.`rank`))
            """
        #expect(text == expected)
    }

    /// Java's matcher calls itself for each repetition of a group whose texts differ in length.
    @Test(arguments: [
        ("(a|b)*", "[ab]*"), ("(a|b+)*c", "(?:[ab]*)c"), ("([a-z]+)*", "[a-z]*"), ("(ab)*", "(?:ab)*"),
        ("(a|bc)?", "(?:a|bc)?"), ("(a|bc){0,9}", "(?:a|bc){0,9}"),
    ])
    func aRepeatedGroupIsAClassWhereItCanBe(_ pattern: String, _ expected: String) throws {
        let query = try SQLCompiler(schema: people, dialect: SparkDialect())
            .compile(FormatPredicate("name MATCHES %@", pattern), entity: "Person")
        #expect(query.where.bindings == [.text("\\A(?:\(expected))\\z")])
    }

    @Test(arguments: ["(a|bc)*", "([a-z]+[.])*com", "(foo|[a-z])*", "(.a)+", "((a|bc){50}){50}"])
    func aRepeatedGroupThatRecursesIsRefused(_ pattern: String) throws {
        let compiler = SQLCompiler(schema: people, dialect: SparkDialect())
        let predicate = try FormatPredicate("name MATCHES %@", pattern)
        let error = SQLCompilationError.thrown { try compiler.compile(predicate, entity: "Person") }
        #expect(error?.description.contains("a repeated group of texts of several lengths") == true)
    }

    /// NSP-352: three scopes further in it is still that column, of the scope between.
    @Test func aKeyIsNamedThroughSeveralScopes() throws {
        let text = try condition(
            "SUBQUERY(phones, $p, SUBQUERY(phones, $q, SUBQUERY(phones, $r, $r.rank > $q.rank).@count > 0).@count > 0).@count > 0",
            dialect: SparkDialect())
        #expect(text.contains("t2.`person_id` = t1.`person_id`") && text.contains("t3.`person_id` = t2.`person_id`"))
        #expect(!text.contains("JOIN"))
    }

    /// NSP-352: other columns take the row once more.
    @Test func aRowIsRepeatedForItsOtherColumns() throws {
        let text = try condition(
            "SUBQUERY(phones, $p, SUBQUERY(phones, $q, $q.rank > age).@count > 0).@count > 0", dialect: SparkDialect())
        let expected = """
            EXISTS (SELECT 1 FROM `phone` AS t1 JOIN `person` AS t3 ON t3.`id` = t0.`id` WHERE t1.`person_id` = t0.`id` \
            AND EXISTS (SELECT 1 FROM `phone` AS t2 WHERE t2.`person_id` = t3.`id` AND t2.`rank` > t3.`age`))
            """
        #expect(text == expected)
    }

    /// A condition that names an outer row beside a subquery names the row that repeats it, and rows that this one leads to. [NSP-353]
    @Test func aRowIsRepeatedWhereItStandsBesideASubquery() throws {
        let text = try condition(
            "SUBQUERY(phones, $p, $p.rank > TERNARY(ANY $p.calls.seconds > 9, age, boss.age)).@count > 0",
            dialect: SparkDialect())
        let joined = """
            FROM `phone` AS t1 JOIN `person` AS t4 ON t4.`id` = t0.`id` \
            LEFT JOIN `person` AS t5 ON t5.`id` = t4.`boss_id` WHERE t1.`person_id` = t0.`id` AND 
            """
        #expect(text.contains(joined))
        #expect(text.contains("THEN t4.`age` ELSE t5.`age` END"))
        #expect(text.ranges(of: "t0.").count == 2)
    }

    /// In conditions of their own, the outer row and the subquery need no such row. [NSP-353]
    @Test func noRowIsRepeatedForOtherConditions() throws {
        let text = try condition(
            "SUBQUERY(phones, $p, $p.rank > age AND ANY $p.calls.seconds > 9).@count > 0", dialect: SparkDialect())
        let expected = """
            EXISTS (SELECT 1 FROM `phone` AS t1 WHERE t1.`person_id` = t0.`id` AND t1.`rank` > t0.`age` \
            AND EXISTS (SELECT 1 FROM `call` AS t2 WHERE t2.`phone_id` = t1.`id` AND t2.`seconds` > CAST(? AS BIGINT))) [9]
            """
        #expect(text == expected)
    }
}
