import PredicateConformance
@_spi(Dialect) import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Compiled conditions as parts of statements that are written by hand.
@Suite struct CompositionTests {
    private func query(
        _ format: String, _ placeholders: SQLPlaceholders, _ dialect: any SQLDialect = SQLiteDialect()
    ) throws -> SQLQuery {
        var query = try SQLCompiler(schema: people, dialect: dialect).compile(FormatPredicate(format), entity: "Person")
        query.placeholders = placeholders
        return query
    }

    /// `tenant = … AND (…) AND visible = …`, with the values in the order of their placeholders.
    private func composed(
        _ format: String, _ placeholders: SQLPlaceholders, _ dialect: any SQLDialect, _ sign: (Int) -> String
    ) throws -> String {
        let condition = try query(format, placeholders, dialect).condition(on: "person")
        var fragment = condition
        fragment.bindings = [.integer(7)] + condition.bindings + [.text("all")]
        fragment.text = "tenant = \(sign(1)) AND \(condition.text) AND visible = \(sign(fragment.bindings.count))"
        return shown(fragment)
    }

    private let format = "rank > 21 AND rank < 30 AND nick == 'jo'"

    @Test func parametersContinueTheNumbersBeforeThem() throws {
        #expect(
            try composed(format, .numbered(from: 2), SQLiteDialect()) { "?\($0)" } == """
                tenant = ?1 AND ("person"."rank" > ?2 AND "person"."rank" < ?3 AND "person"."nick" = ?4) \
                AND visible = ?5 [7, 21, 30, 'jo', 'all']
                """)
        #expect(
            try composed(format, .numbered(from: 2), PostgreSQLDialect()) { "$\($0)" } == """
                tenant = $1 AND ("person"."rank" > $2::int8 AND "person"."rank" < $3::int8 \
                AND "person"."nick"::text COLLATE "C" = $4::text) AND visible = $5 [7, 21, 30, 'jo', 'all']
                """)
        #expect(
            try composed(format, .numbered(from: 2), DuckDBDialect()) { "$\($0)" } == """
                tenant = $1 AND ("person"."rank" > $2::BIGINT AND "person"."rank" < $3::BIGINT \
                AND "person"."nick" = $4::VARCHAR) AND visible = $5 [7, 21, 30, 'jo', 'all']
                """)
        let spark = try composed(format, .numbered(from: 2), SparkDialect(parameters: .named)) { ":p\($0)" }
        #expect(spark.hasPrefix("tenant = :p1 AND (`person`.`rank` > CAST(:p2 AS BIGINT) AND "))
        #expect(spark.hasSuffix(":p4) AND visible = :p5 [7, 21, 30, 'jo', 'all']"))
    }

    @Test func plainPlaceholdersHaveNoNumbers() throws {
        #expect(
            try composed(format, .plain, SQLiteDialect()) { _ in "?" } == """
                tenant = ? AND ("person"."rank" > ? AND "person"."rank" < ? AND "person"."nick" = ?) \
                AND visible = ? [7, 21, 30, 'jo', 'all']
                """)
        #expect(
            try composed(format, .plain, PostgreSQLDialect()) { _ in "?" } == """
                tenant = ? AND ("person"."rank" > ?::int8 AND "person"."rank" < ?::int8 \
                AND "person"."nick"::text COLLATE "C" = ?::text) AND visible = ? [7, 21, 30, 'jo', 'all']
                """)
        let spark = try composed(format, .plain, SparkDialect(parameters: .named)) { _ in "?" }
        #expect(spark.hasPrefix("tenant = ? AND (`person`.`rank` > CAST(? AS BIGINT) AND "))
        #expect(spark.hasSuffix("?) AND visible = ? [7, 21, 30, 'jo', 'all']"))
    }

    @Test(arguments: [MariaDBDialect() as any SQLDialect, MySQLDialect(), SparkDialect()])
    func aDialectWithoutNumbersWritesPlainPlaceholders(_ dialect: any SQLDialect) throws {
        let plain = try composed(format, .plain, dialect) { _ in "?" }
        #expect(try composed(format, .numbered(from: 2), dialect) { _ in "?" } == plain)
        #expect(plain.hasPrefix("tenant = ? AND (`person`.`rank` > CAST(? AS "))
        #expect(plain.hasSuffix("[7, 21, 30, 'jo', 'all']"))
    }

    @Test func aValueThatIsUsedTwiceIsBoundTwiceByPlainPlaceholders() throws {
        let format = "ANY phones.rank == age + 7 AND height / 3 > 1"
        let numbered = try query(format, .numbered(from: 1)).where
        let plain = try query(format, .plain).where
        let count = numbered.text.count { $0 == "?" }
        #expect(count > numbered.bindings.count)
        #expect(plain.bindings.count == count && plain.parameterTypes.count == count)
        #expect(plain.text == numbered.text.replacing(/\?[0-9]+/, with: "?"))
        let order = numbered.text.matches(of: /\?([0-9]+)/).compactMap { Int($0.1) }.map { numbered.bindings[$0 - 1] }
        #expect(plain.bindings == order)
    }

    @Test func statementsHaveThePlaceholdersOfTheirQuery() throws {
        let query = try query("age >= 21", .numbered(from: 3))
        #expect(shown(query.where) == #"t0."age" >= ?3 [21]"#)
        #expect(shown(query.select) == #"SELECT t0."id" FROM "person" AS t0 WHERE t0."age" >= ?3 [21]"#)
        #expect(shown(query.exists).hasSuffix("WHERE t0.\"age\" >= ?3) [21]"))
        let page = shown(try query.select(keys: [], limit: 5))
        #expect(page.hasSuffix("WHERE t0.\"age\" >= ?3 ORDER BY t0.\"id\" LIMIT ?4 [21, 5]"))
        #expect(shown(try query.update(["age": 2])).hasSuffix("SET \"age\" = ?3 WHERE t0.\"age\" >= ?4 [2, 21]"))
        #expect(shown(try query.delete()) == #"DELETE FROM "person" AS t0 WHERE t0."age" >= ?3 [21]"#)
    }

    @Test func numbersStayWithinReason() throws {
        #expect(try query("age >= 21", .numbered(from: -3)).where.text == #"t0."age" >= ?1"#)
        #expect(try query("age >= 21", .numbered(from: .max)).where.text.hasPrefix(#"t0."age" >= ?10"#))
    }

    @Test func joinsStayInsideACondition() throws {
        #expect(
            shown(try query("boss.age > rank", .plain).condition(on: "p")) == """
                ("p"."id" IN (SELECT t0."id" FROM "person" AS t0 LEFT JOIN "person" AS t1 ON t1."id" = t0."boss_id" \
                WHERE t1."age" > t0."rank"))
                """)
    }

    @Test func innerAliasesDifferFromTheAliasOfTheRoot() throws {
        let format = "ANY phones.rank > rank"
        #expect(try query(format, .plain).condition(on: "person").text.contains(#"t1."person_id" = "person"."id""#))
        for alias in ["t1", "T1", "t0"] {
            let text = try query(format, .plain).condition(on: alias).text
            #expect(text.contains(#"u1."person_id" = "\#(alias)"."id""#), "\(text)")
        }
        #expect(try query(format, .plain).condition(on: "u1").text.contains(#"t1."person_id" = "u1"."id""#))
    }

    @Test func anAliasIsQuotedAndNothingInQuotesIsOne() throws {
        let schema = SQLSchema([SQLEntity("T", table: "t", attributes: ["a": .init(.string, column: "x t0.\"t0")])])
        let query = try SQLCompiler(schema: schema).compile(FormatPredicate("a LIKE[c] 't0.*'"), entity: "T")
        #expect(try query.condition(on: "a\"b").text.hasSuffix(#""a""b"."x t0.""t0", ?1, 'c'))"#))
        let error = SQLCompilationError.thrown { try query.condition(on: "a\0b") }
        #expect(error?.code == .unusableName("a\0b"))
    }

    @Test func aConditionThatAlwaysHoldsComposesToo() throws {
        #expect(try query("TRUEPREDICATE", .plain).condition(on: "p").text == "(1)")
    }
}
