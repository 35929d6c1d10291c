import Foundation
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Changes of rows that several columns identify, and of rows that nothing identifies. [NSP-427]
@Suite struct CompositeKeyTests {
    private static let document = #"""
        {"database": "postgresql", "columns": [
          {"table": "co", "kind": "table", "name": "id", "position": 1, "type": "int4", "declared": "integer",
           "nullable": "NO", "keyPosition": 1},
          {"table": "co", "kind": "table", "name": "total", "position": 2, "type": "int4", "declared": "integer",
           "nullable": "YES"},
          {"table": "cl", "kind": "table", "name": "co_id", "position": 1, "type": "int4", "declared": "integer",
           "nullable": "NO", "keyPosition": 1},
          {"table": "cl", "kind": "table", "name": "pos", "position": 2, "type": "int4", "declared": "integer",
           "nullable": "NO", "keyPosition": 2},
          {"table": "cl", "kind": "table", "name": "qty", "position": 3, "type": "int4", "declared": "integer",
           "nullable": "YES"},
          {"table": "v", "kind": "view", "name": "qty", "position": 1, "type": "int4", "declared": "integer",
           "nullable": "YES"}],
         "foreignKeys": [{"table": "cl", "constraint": "f", "position": 1, "column": "co_id", "target": "co",
                          "targetColumn": "id"}]}
        """#

    private func query(
        _ format: String, _ entity: String = "cl", _ dialect: any SQLDialect = PostgreSQLDialect()
    ) throws -> SQLQuery {
        let schema = try IntrospectedSchema(document: Array(Self.document.utf8)).schema
        #expect(try SQLSchema(json: schema.json) == schema)
        return try SQLCompiler(schema: schema, dialect: dialect).compile(FormatPredicate(format), entity: entity)
    }

    @Test func aConditionWithJoinsSelectsTheColumnsOfTheKey() throws {
        let selection = """
            (t0."co_id", t0."pos") IN (SELECT t0."co_id", t0."pos" FROM "cl" AS t0 JOIN "co" AS t1 ON t1."id" = t0."co_id" \
            WHERE t1."total" >
            """
        let query = try query("co.total > 5")
        #expect(try shown(query.delete()) == #"DELETE FROM "cl" AS t0 WHERE \#(selection) $1::int8) [5]"#)
        #expect(
            try shown(query.update(["qty": 1]))
                == #"UPDATE "cl" AS t0 SET "qty" = $1::int8 WHERE \#(selection) $2::int8) [1, 5]"#)
        #expect(try query.delete(returningKeys: true).text.hasSuffix(#" RETURNING "co_id", "pos""#))
        #expect(try query.condition(on: "c").text.hasPrefix(#"(("c"."co_id", "c"."pos") IN (SELECT t0."co_id""#))
        let maria = try self.query("co.total > 5", "cl", MariaDBDialect())
        #expect(
            try maria.delete().text.hasPrefix(
                "DELETE t0 FROM `cl` AS t0 WHERE (t0.`co_id`, t0.`pos`) IN (SELECT * FROM (SELECT t0.`co_id`, t0.`pos` FROM"
            ))
    }

    /// A schema that is made in Swift is as good as one that is read from a database.
    @Test func keysOfSeveralColumnsAreTakenInSwift() throws {
        var line = SQLEntity("cl", attributes: ["qty": .init(.integer)], keyColumns: ["co_id", "pos"])
        let select = #"SELECT t0."co_id", t0."pos" FROM "cl" AS t0 WHERE t0."qty" > $1::int8"#
        for _ in 0..<2 {
            let compiler = SQLCompiler(schema: SQLSchema([line]), dialect: PostgreSQLDialect())
            #expect(try compiler.compile(FormatPredicate("qty > 98"), entity: "cl").select.text == select)
            line = SQLEntity("cl", attributes: ["qty": .init(.integer)])
            line.keyColumns = ["co_id", "pos"]
        }
    }

    @Test func rowsAreNumberedOnlyWhereTheirNumberIsNamed() throws {
        #expect(
            try query("qty > 98").select.text
                == #"SELECT t0."co_id", t0."pos" FROM "cl" AS t0 WHERE t0."qty" > $1::int8"#)
        #expect(
            try query("qty > 98").select(keys: ["qty"], sortKeys: [SortKey("qty")], limit: 3).text.hasSuffix(
                #"FROM "cl" AS t0 WHERE t0."qty" > $1::int8 ORDER BY t0."qty" ASC NULLS FIRST, t0."co_id", t0."pos" LIMIT $2::int8"#
            ))
        #expect(
            try query("ANY cl.qty > 98", "co").select.text == """
                SELECT t0."id" FROM "co" AS t0 WHERE EXISTS (SELECT 1 FROM "cl" AS t1 WHERE t1."co_id" = t0."id" \
                AND t1."qty" > $1::int8)
                """)
        let rows = #"FROM (SELECT row_number() OVER () AS "rowid", "cl".* FROM "cl") AS t"#
        #expect(try query("rowid == 3").select.text.contains(rows + "0"))
        #expect(try query("qty > 98").select(keys: ["rowid"]).text.contains(rows + "0"))
        #expect(try query("qty > 98").select(keys: [], sortKeys: [SortKey("rowid")]).text.contains(rows + "0"))
        #expect(try query("ANY cl.rowid > 3", "co").select.text.contains(rows + "1"))
        #expect(
            try query("qty > 98", "v").select.text.contains(
                #"(SELECT row_number() OVER () AS "rowid", "v".* FROM "v") AS t0"#))
    }

    @Test func aConditionOnColumnsStaysDirect() throws {
        #expect(try shown(query("qty > 98").delete()) == #"DELETE FROM "cl" AS t0 WHERE t0."qty" > $1::int8 [98]"#)
        #expect(try query("rowid == 3").delete().text.contains(#"WHERE (t0."co_id", t0."pos") IN (SELECT"#))
    }

    @Test func rowsThatNothingIdentifiesAreRefused() throws {
        let query = try query("rowid == 3", "v")
        let errors = [
            SQLCompilationError.thrown { try query.delete() },
            SQLCompilationError.thrown { try query.update(["qty": 1]) },
            SQLCompilationError.thrown { try query.condition(on: "v") },
        ]
        for error in errors {
            #expect(error?.code == .noKey(entity: "v"))
            #expect(error?.hints.first?.contains("keyColumns") == true)
        }
        #expect(try self.query("qty == 3", "v").delete().text == #"DELETE FROM "v" AS t0 WHERE t0."qty" = $1::int8"#)
    }
}
