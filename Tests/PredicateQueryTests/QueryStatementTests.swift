import PredicateQuery
import PredicateSQL
import PredicateSyntax
import Testing

/// Queries as statements of SQL, and what is left for memory. [NSP-513]
@Suite struct QueryStatementTests {
    private let schema = SQLSchema([
        SQLEntity(
            "Person", table: "person", primaryKey: "id",
            attributes: ["name": .init(.string), "age": .init(.integer), "height": .init(.double)],
            relationships: ["boss": .toOne("Person", column: "boss_id")])
    ])

    private func compile(_ text: String, _ dialect: any SQLDialect = SQLiteDialect()) throws -> QueryStatement {
        try SQLCompiler(schema: schema, dialect: dialect).compile(FormatQuery(text), entity: "Person")
    }

    @Test func wholeQueries() throws {
        let rows = try compile("name, age + 1 AS next WHERE age > 20 ORDER BY boss.name DESC, age * 2 LIMIT 3 OFFSET 1")
        #expect(rows.remainder == nil)
        #expect(rows.selection.columns.map(\.name) == ["name", "next"])
        #expect(rows.selection.statement.text.hasSuffix(#"t0."age" * ?3 END, t0."id" LIMIT ?4 OFFSET ?5"#))
        let groups = try compile("age, count() AS n GROUP BY age HAVING n > 3 ORDER BY n DESC", PostgreSQLDialect())
        #expect(groups.remainder == nil)
        #expect(
            groups.selection.statement.text == """
                SELECT t0."c0" AS "age", t0."c1" AS "n" FROM (SELECT t0."age" AS "c0", COUNT(*) AS "c1" \
                FROM "person" AS t0 GROUP BY t0."age") AS t0 WHERE t0."c1" > $1::int8 ORDER BY t0."c1" DESC, t0."c0" ASC NULLS FIRST
                """)
    }

    @Test func lastRowsComeFirst() throws {
        let statement = try compile("name ORDER BY age LAST 2")
        #expect(statement.isReversed)
        #expect(
            statement.selection.statement.text
                == #"SELECT t0."name" FROM "person" AS t0 ORDER BY t0."age" DESC, t0."id" DESC LIMIT ?1"#)
        #expect(try statement.results(of: [["b"], ["a"]]).rows == [["a"], ["b"]])
    }

    @Test func differentRowsAreInTheOrderOfTheirObjects() throws {
        #expect(
            try compile("DISTINCT age").selection.statement.text == """
                SELECT t0."c0" AS "age" FROM (SELECT t0."age" AS "c0", MIN(t0."id") AS "c1" FROM "person" AS t0 \
                GROUP BY t0."age") AS t0 ORDER BY t0."c1"
                """)
    }

    /// A condition of groups is false where an operand is nil, in memory as in SQL. [NSP-513]
    @Test func conditionsOfGroupsTakeNilInMemory() throws {
        let statement = try compile("age, max(height) AS m GROUP BY age HAVING m * 2 > 3 LIMIT 1 BY m")
        #expect(statement.remainder?.having != nil)
        #expect(try statement.results(of: [[1, .null], [2, .double(5)]]).rows == [[2, .double(5)]])
    }

    /// A database without exact sums of doubles selects the values, and memory adds them.
    @Test func valuesForMemory() throws {
        let statement = try compile(
            "boss.name AS chief, sum(height) AS s WHERE age > 3 GROUP BY chief", PostgreSQLDialect())
        #expect(
            statement.selection.statement.text == """
                SELECT t1."name" AS "boss.name", t0."height" FROM "person" AS t0 \
                LEFT JOIN "person" AS t1 ON t1."id" = t0."boss_id" WHERE t0."age" > $1::int8 \
                ORDER BY t0."id"
                """)
        #expect(statement.selection.columns.map(\.name) == ["boss.name", "height"])
        let results = try statement.results(of: [["Ann", 0.1], ["Bob", 2.5], ["Ann", 0.2]])
        #expect(results.columns == ["chief", "s"])
        #expect(results.rows == [["Ann", .double(0.1 + 0.2)], ["Bob", 2.5]])
    }

    /// Memory takes the first groups of each value; SQL has made them.
    @Test func groupsForMemory() throws {
        let statement = try compile("boss.name, age, count() AS n GROUP BY boss.name, age LIMIT 1 BY boss.name")
        #expect(statement.selection.columns.map(\.name) == ["boss.name", "age", "n"])
        let results = try statement.results(of: [["Ann", 3, 7], ["Ann", 4, 1], ["Bob", 3, 2]])
        #expect(results.rows == [["Ann", 3, 7], ["Bob", 3, 2]])
    }

    @Test func whatIsUnknownIsAnError() throws {
        #expect(throws: SQLCompilationError.self) { try compile("nam, age") }
        #expect(throws: SQLCompilationError.self) { try compile("name ORDER BY agee") }
    }
}
