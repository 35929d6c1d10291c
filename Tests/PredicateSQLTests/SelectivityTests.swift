import PredicateSQL
import PredicateSyntax
import Testing

/// The forms of conditions on related rows, which the sizes in the schema decide.
@Suite struct SelectivityTests {
    /// Users of 16 to 80 years, and as many orders.
    private func schema(rows: Int?) -> SQLSchema {
        var schema = SQLSchema([
            SQLEntity(
                "users", attributes: ["age": .init(.integer), "active": .init(.boolean, isNullable: false)],
                relationships: ["orders": .toMany("orders", inverseColumn: "user_id")]),
            SQLEntity(
                "orders", attributes: ["total": .init(.integer), "qty": .init(.integer)],
                relationships: ["user": .toOne("users", column: "user_id")]),
        ])
        guard let rows else { return schema }
        for name in ["users", "orders"] { schema[name]?.rowCount = rows }
        schema["users"]?.attributes["age"]?.valueCount = 65
        schema["users"]?.attributes["age"]?.valueRange = 16...80
        schema["orders"]?.attributes["total"]?.valueRange = 0...10_000
        return schema
    }

    private func condition(
        _ format: String, _ entity: String = "users", _ dialect: any SQLDialect = SQLiteDialect(), rows: Int? = 100_000
    ) throws -> String {
        let predicate = try FormatPredicate(format: format, arguments: [])
        return try SQLCompiler(schema: schema(rows: rows), dialect: dialect).compile(predicate, entity: entity).where
            .text
    }

    @Test func aSearchForFewRowsIsNoSet() throws {
        #expect(try condition("age == 40 AND ANY orders.total > 100").contains("EXISTS ("))
        #expect(try condition("age > 20 AND ANY orders.total > 9990").contains(" IN (SELECT"))
        #expect(try condition("age > 79 AND ANY orders.total > 100").contains("EXISTS ("))
        #expect(try !condition("age == 40 AND orders.@sum.qty > 5").contains("GROUP BY"))
        #expect(try condition("active == YES AND orders.@sum.qty > 5").contains("GROUP BY"))
    }

    @Test func sidesThatSelectFewRowsAreUnited() throws {
        let database = PostgreSQLDialect()
        #expect(try condition("age > 79 OR ANY orders.total > 9990", "users", database).contains(" UNION "))
        #expect(try !condition("age > 20 OR ANY orders.total > 9990", "users", database).contains(" UNION "))
        #expect(try !condition("age > 79 OR ANY orders.total > 10", "users", database).contains(" UNION "))
        #expect(try condition("age == 40 OR ANY orders.total == 5", "users", database, rows: nil).contains(" UNION "))
    }

    @Test func postgreSQLHashesSetsOfKnownSize() throws {
        let (format, database) = ("qty > 3 OR user.age > 20", PostgreSQLDialect())
        #expect(try condition(format, "orders", database).contains("t0.\"user_id\" IN (SELECT"))
        #expect(try condition(format, "orders", database, rows: 10_000_000).contains("EXISTS (SELECT 1"))
        #expect(try condition(format, "orders", database, rows: nil).contains("EXISTS (SELECT 1"))
        let negated = "active == YES OR NOT (orders.@sum.qty > 5)"
        #expect(try condition(negated, "users", database).hasSuffix(") IS NOT TRUE"))
        #expect(try !condition(negated, "users", database, rows: nil).contains("GROUP BY"))
    }

    /// Ranges of dates count from 2001, whatever the storage counts from.
    @Test func datesSince1970AreInTheirRange() throws {
        var schema = schema(rows: 100_000)
        schema["users"]?.attributes["born"] = SQLAttribute(.date(.since1970))
        schema["users"]?.attributes["born"]?.valueRange = 0...100_000
        let compiler = SQLCompiler(schema: schema, dialect: SQLiteDialect())
        for (born, isSearch) in [(10_000, false), (99_990, true)] {
            let format = "born > CAST(\(born), 'NSDate') AND ANY orders.total > 100"
            let text = try compiler.compile(FormatPredicate(format), entity: "users").where.text
            #expect(text.contains("EXISTS (") == isSearch)
        }
    }

    /// Databases that make no choice by the number of tested rows do not read the values.
    @Test func conditionsWithoutAChoiceHaveATemplate() throws {
        let dialects: [(any SQLDialect, Bool)] = [
            (PostgreSQLDialect(), true), (DuckDBDialect(), true), (SparkDialect(), true), (SQLiteDialect(), false),
        ]
        for (dialect, isShared) in dialects {
            let compiler = SQLCompiler(schema: schema(rows: 100_000), dialect: dialect)
            let queries = try (21...24).map {
                try compiler.compile(FormatPredicate("age > \($0) AND ANY orders.total > 5"), entity: "users")
            }
            #expect(queries[2].sharesBody(with: queries[3]) == isShared, "\(dialect)")
        }
    }

    /// A statement for one value is none for another that selects many more rows.
    @Test func aTemplateHasNoSizes() throws {
        let compiler = SQLCompiler(schema: schema(rows: 100_000), dialect: PostgreSQLDialect())
        var texts: [String] = []
        for age in [79, 79, 79, 20] {
            let predicate = try FormatPredicate(format: "age > \(age) OR ANY orders.total > 9990", arguments: [])
            texts.append(try compiler.compile(predicate, entity: "users").where.text)
        }
        #expect(texts.map { $0.contains(" UNION ") } == [true, true, true, false])
    }
}
