import PredicateSQL
import PredicateSyntax
import Testing

/// Members of JSON objects. [NSP-437]
@Suite struct JSONMemberTests {
    private func sql(_ format: String, _ dialect: any SQLDialect = PostgreSQLDialect()) throws -> SQLFragment {
        let schema = SQLSchema(table: "a", columns: ["payload": .json, "age": .integer])
        return try SQLCompiler(schema: schema, dialect: dialect).compile(FormatPredicate(format), entity: "a").where
    }

    @Test(arguments: [
        (
            #"payload.name == "x""#,
            #"CASE jsonb_typeof((t0."payload"::jsonb #> $1::text::text[])) WHEN 'string' THEN (t0."payload"::jsonb #> $1::text::text[]) #>> '{}' END = $2::text"#
        ),
        (
            #"NOT payload.name BEGINSWITH "x""#,
            #"(starts_with(CASE jsonb_typeof((t0."payload"::jsonb #> $1::text::text[])) WHEN 'string' THEN (t0."payload"::jsonb #> $1::text::text[]) #>> '{}' END, $2::text) OR NULLIF(jsonb_typeof(t0."payload"::jsonb #> $3::text::text[]), 'null') <> 'string') IS NOT TRUE"#
        ),
        (
            "payload.user.id == nil",
            #"predicates_json_path_kind(t0."payload"::jsonb -> ($1::text::text[])[1], ($1::text::text[])[2:]) IS NULL"#
        ),
    ]) func aMemberIsReadByItsPath(format: String, expected: String) throws {
        #expect(try sql(format).text == expected)
    }

    @Test func keysAreBound() throws {
        let predicate = try FormatPredicate(format: "%K != nil", arguments: [.string(#"payload.user.a"b\c"#)])
        let schema = SQLSchema(table: "a", columns: ["payload": .json])
        let query = try SQLCompiler(schema: schema, dialect: PostgreSQLDialect()).compile(predicate, entity: "a")
        #expect(query.where.bindings.contains(.text(#"{"user","a\"b\\c"}"#)))
        #expect(MemberPath.keys(of: #"{"user","a\"b\\c",""}"#) == ["user", #"a"b\c"#, ""])
        #expect(MemberPath.keys(of: "{}") == [])
    }

    @Test(arguments: [
        "payload.id == 9007199254740992", "payload.id == age", "payload.id < payload.rank", "payload.name.length == 3",
        "ANY payload.user.tags == 1", "payload == 3", "payload.tags == {1, 2}", "ANY payload.tags.name == 1",
        "payload.id + 1 == 2", "payload.tags.@count == 1", "payload.id == 1 AND payload.count > 1",
    ]) func whatIsNotExactIsRefused(format: String) {
        for engine in SQLEngine.allCases {
            #expect(throws: SQLCompilationError.self, "\(format)") { try sql(format, engine.dialect) }
        }
    }

    @Test func sparkLeavesMembersToTheResidual() throws {
        let error = #expect(throws: SQLCompilationError.self) {
            try sql("age > 2 AND payload.id == 5", SparkDialect())
        }
        #expect(error?.range == 12..<22)
    }
}
