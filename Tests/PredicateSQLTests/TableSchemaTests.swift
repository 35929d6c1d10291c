import Foundation
import PredicateSQL
import PredicateSyntax
import Testing

/// Tables with the names of their schemas. [NSP-438]
@Suite struct TableSchemaTests {
    private static let schema: SQLSchema = {
        var order = SQLEntity(
            "Order", table: "orders", attributes: ["total": SQLAttribute(.integer)],
            relationships: [
                "user": .toOne("User", column: "user_id"),
                "tags": .manyToMany("Tag", joinTable: "order_tag", sourceColumn: "order_id", targetColumn: "tag_id"),
            ], schema: "sales")
        order.relationships["tags"]?.joinSchema = "sales"
        return SQLSchema([
            order,
            SQLEntity(
                "User", table: "users", attributes: ["name": SQLAttribute(.string)],
                relationships: ["orders": .toMany("Order", inverseColumn: "user_id")]),
            SQLEntity("Tag", attributes: ["word": SQLAttribute(.string)], schema: "a.b"),
            SQLEntity("Odd", table: "sales.orders", attributes: ["total": SQLAttribute(.integer)]),
        ])
    }()

    private func query(
        _ format: String, _ entity: String, _ dialect: any SQLDialect = PostgreSQLDialect()
    ) throws -> SQLQuery {
        try SQLCompiler(schema: Self.schema, dialect: dialect).compile(FormatPredicate(format), entity: entity)
    }

    @Test func statementsQuoteBothNames() throws {
        let own = try query("total > 3 AND user.name == 'jo'", "Order")
        #expect(own.select.text.contains(#"FROM "sales"."orders" AS t0 JOIN "users" AS t1"#))
        #expect(own.count.text.contains(#"FROM "sales"."orders" AS t0"#))
        let plain = try query("total > 3", "Order")
        #expect(try plain.delete().text == #"DELETE FROM "sales"."orders" AS t0 WHERE t0."total" > $1::int8"#)
        #expect(
            try plain.update(["total": .integer(1)]).text.hasPrefix(#"UPDATE "sales"."orders" AS t0 SET "total" ="#))
        let related = try query("ANY orders.total > 3 AND ANY orders.tags.word == 'new'", "User").select.text
        #expect(related.contains(#""sales"."orders" AS"#) && related.contains(#""sales"."order_tag" AS"#))
        #expect(related.contains(#""a.b"."Tag" AS"#))
        #expect(try query("total > 3", "Odd").select.text.contains(#"FROM "sales.orders" AS t0"#))
        #expect(try query("total > 3", "Order", MySQLDialect()).select.text.contains("FROM `sales`.`orders` AS t0"))
    }

    @Test func indexesAreInTheSchemaOfTheTable() throws {
        func index(_ dialect: any SQLDialect) throws -> SQLIndex? {
            let compiler = SQLCompiler(schema: Self.schema, dialect: dialect)
            return try compiler.indexes(for: FormatPredicate("total > 3"), entity: "Order").first
        }
        #expect(try index(PostgreSQLDialect())?.statement.hasSuffix(#"ON "sales"."orders" ("total")"#) == true)
        let sqlite = #"CREATE INDEX IF NOT EXISTS "sales"."index(orders.total)" ON "orders" ("total")"#
        #expect(try index(SQLiteDialect())?.statement == sqlite)
        #expect(try index(SQLiteDialect())?.table == "sales.orders")
    }

    @Test func declarationsCreateTheSchema() throws {
        let statements = try Self.schema.declarations(for: .postgresql)
        #expect(statements.contains(#"CREATE SCHEMA IF NOT EXISTS "sales""#))
        #expect(statements.contains { $0.hasPrefix(#"CREATE TABLE "sales"."orders" ("#) })
        #expect(statements.contains { $0.contains(#"REFERENCES "sales"."orders" ("id")"#) })
        #expect(statements.contains { $0.hasPrefix(#"CREATE TABLE "sales.orders" ("#) })
    }

    @Test func aSchemaIsPartOfJSON() throws {
        #expect(try SQLSchema(json: Self.schema.json) == Self.schema)
        let one = SQLSchema(table: "orders", schema: "sales", columns: ["total": .integer])
        #expect(one["orders"]?.schema == "sales")
    }

    @Test func namesAreReadAsSQLWritesThem() {
        #expect(TableName("sales.orders") == TableName("orders", in: "sales"))
        #expect(TableName(#""odd.md""#) == TableName("odd.md", in: nil))
        #expect(TableName(#"sales."a""b.c""#) == TableName(#"a"b.c"#, in: "sales"))
        for text in ["a.b.c", "", "a.", ".a", #""a"#] { #expect(TableName(text) == nil, "\(text)") }
    }
}
