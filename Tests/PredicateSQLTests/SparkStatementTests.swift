import PredicateSQL
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
}
