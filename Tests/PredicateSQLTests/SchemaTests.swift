#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Schemas as JSON.
@Suite struct SchemaTests {
    private func read(_ text: String) throws -> SQLSchema {
        try SQLSchema(json: Data(text.utf8))
    }

    @Test func theFormatOfTheManual() throws {
        let schema = try read(
            """
            {"entities": {"Person": {"table": "person", "primaryKey": "id",
              "attributes": {"name": {"column": "name", "type": "string"}, "age": {"type": "integer"},
                "due": {"type": "date", "storage": "iso8601", "nullable": false}},
              "relationships": {
                "boss":   {"to": "Person", "column": "boss_id"},
                "phones": {"to": "Phone", "toMany": true, "inverseColumn": "person_id"},
                "tags":   {"to": "Tag", "toMany": true, "joinTable": "person_tag", "sourceColumn": "person_id",
                           "targetColumn": "tag_id"}}},
              "Phone": {}, "Tag": {"primaryKeyType": "string"}}}
            """)
        let person = try #require(schema.entities["Person"])
        #expect(person.attributes["due"] == SQLAttribute(.date(.iso8601), isNullable: false))
        #expect(person.relationships["boss"] == .toOne("Person", column: "boss_id"))
        #expect(person.relationships["phones"] == .toMany("Phone", inverseColumn: "person_id"))
        #expect(
            person.relationships["tags"]
                == .manyToMany("Tag", joinTable: "person_tag", sourceColumn: "person_id", targetColumn: "tag_id"))
        #expect(schema.entities["Tag"]?.primaryKeyType == .string)
        #expect(schema.entities["Phone"]?.table == "Phone")
    }

    @Test func versionsAndDeleteRules() throws {
        let schema = try read(
            """
            {"entities": {"A": {"attributes": {"version": {"type": "integer"}}, "versionKey": "version", "relationships": {
              "b": {"to": "A", "column": "b", "deleteRule": "cascade"},
              "c": {"to": "A", "toMany": true, "inverseColumn": "b", "deleteRule": "deny"},
              "d": {"to": "A", "toMany": true, "inverseColumn": "b", "deleteRule": "nullify"},
              "e": {"to": "A", "toMany": true, "inverseColumn": "b"}}}}}
            """)
        #expect(schema.entities["A"]?.versionKey == "version")
        let rules = schema.entities["A"]?.relationships.mapValues(\.deleteRule)
        #expect(rules == ["b": .cascade, "c": .deny, "d": .nullify, "e": .noAction])
        #expect(try SQLSchema(json: schema.json) == schema)
    }

    @Test func writingThenReadingGivesTheSame() throws {
        #expect(try SQLSchema(json: people.json) == people)
    }

    @Test func sizes() throws {
        let schema = try read(
            """
            {"entities": {"A": {"rowCount": 1000, "attributes": {
              "n": {"type": "integer", "valueCount": 65, "least": 16, "greatest": 80}}}}}
            """)
        #expect(schema.entities["A"]?.rowCount == 1000)
        #expect(schema.entities["A"]?.attributes["n"]?.valueCount == 65)
        #expect(schema.entities["A"]?.attributes["n"]?.valueRange == 16...80)
        #expect(try SQLSchema(json: schema.json) == schema)
        var infinite = schema
        infinite["A"]?.attributes["n"]?.valueRange = 16 ... .infinity
        #expect(try SQLSchema(json: infinite.json)["A"]?.attributes["n"]?.valueRange == nil)
    }

    @Test func sizesThatAreNone() {
        let range = "'least' and a 'greatest' that is not less"
        let mistakes = [
            (#""attributes": {"n": {"type": "integer", "least": 5, "greatest": 4}}"#, range, "attributes.n"),
            (#""attributes": {"n": {"type": "integer", "least": 5}}"#, range, "attributes.n"),
            (
                #""attributes": {"n": {"type": "integer", "valueCount": -1}}"#, "a number from 0 on",
                "attributes.n.valueCount"
            ),
            (#""rowCount": -1"#, "a number from 0 on", "rowCount"),
            (#""rowCount": "1""#, "a number from 0 on", "rowCount"),
            (#""rowCount": [1]"#, "a number from 0 on", "rowCount"),
            (#""attributes": {"n": {"type": null}}"#, "'type'", "attributes.n"),
        ]
        for (fields, expected, path) in mistakes {
            let error = SQLSchemaError.thrown("\(fields)") { try read(#"{"entities": {"A": {\#(fields)}}}"#) }
            #expect(error?.code == .expected(expected), "\(fields)")
            #expect(error?.path == "entities.A.\(path)", "\(fields)")
        }
    }

    @Test func mistakes() {
        let cases: [(String, SQLSchemaError.Code, String)] = [
            (#"{"entities": {"A": {"tabel": "a"}}}"#, .unknownField("tabel", nearMisses: ["table"]), "entities.A"),
            (
                #"{"entities": {"A": {"attributes": {"x": {"type": "int"}}}}}"#,
                .unknownWord(
                    "int",
                    expected: [
                        "integer", "double", "decimal", "boolean", "string", "date", "uuid", "data", "any", "json",
                    ]),
                "entities.A.attributes.x.type"
            ),
            (#"{"entities": {"A": {"attributes": {"x": {}}}}}"#, .expected("'type'"), "entities.A.attributes.x"),
            (
                #"{"entities": {"A": {"relationships": {"b": {"to": "Aa", "column": "c"}}}}}"#,
                .unknownEntity("Aa", nearMisses: ["A"]), "entities.A.relationships.b"
            ),
            (
                #"{"entities": {"A": {"relationships": {"b": {"to": "A"}}}}}"#, .ambiguousRelationship,
                "entities.A.relationships.b"
            ),
            (
                #"{"entities": {"A": {"attributes": {"b": {"type": "data"}}, "relationships": {"b": {"to": "A", "column": "c"}}}}}"#,
                .duplicateKey("b"), "entities.A.relationships.b"
            ),
            (
                #"{"entities": {"A": {"relationships": {"b": {"to": "A", "column": "c", "deleteRule": "none"}}}}}"#,
                .unknownWord("none", expected: ["noAction", "nullify", "cascade", "deny"]),
                "entities.A.relationships.b.deleteRule"
            ),
            (#"{"entities": {"A": {"versionKey": "v"}}}"#, .notAVersion("v"), "entities.A.versionKey"),
            (
                #"{"entities": {"A": {"attributes": {"v": {"type": "string"}}, "versionKey": "v"}}}"#,
                .notAVersion("v"),
                "entities.A.versionKey"
            ),
            (#"{}"#, .expected("'entities'"), ""),
            (
                #"{"entities": {"A": {"attributes": {"@count": {"type": "integer"}}}}}"#, .unreachableKey("@count"),
                "entities.A.attributes.@count"
            ),
            (
                #"{"entities": {"A": {"attributes": {"": {"type": "integer", "column": "x"}}}}}"#, .unreachableKey(""),
                "entities.A.attributes."
            ),
            (
                #"{"entities": {"A": {"relationships": {"@max": {"to": "A", "column": "c"}}}}}"#,
                .unreachableKey("@max"), "entities.A.relationships.@max"
            ),
            (
                #"{"entities": {"A": {"attributes": {"a": {"type": "data"}, "a.b": {"type": "data", "column": "x"}}}}}"#,
                .unreachableKey("a.b"), "entities.A.attributes.a.b"
            ),
            (
                #"{"entities": {"A": {"attributes": {"a..b": {"type": "data", "column": "x"}}}}}"#,
                .unreachableKey("a..b"), "entities.A.attributes.a..b"
            ),
        ]
        for (text, code, path) in cases {
            let error = SQLSchemaError.thrown("\(text)") { try read(text) }
            #expect(error?.code == code, "\(text)")
            #expect(error?.path == path, "\(text)")
        }
        #expect(throws: SQLSchemaError.self) { try read("{") }
    }

    @Test func aFlatTableTakesOneLine() throws {
        let schema = SQLSchema(table: "person", columns: ["name": .string, "age": .integer])
        let query = try SQLCompiler(schema: schema).compile(try FormatPredicate("age > 21"), entity: "person")
        #expect(query.select.text == #"SELECT t0."id" FROM "person" AS t0 WHERE t0."age" > ?1"#)
    }

    /// A column with a dot in its own name is a single key, also beside a key that its name begins with. [NSP-428]
    @Test func aColumnMayHaveADot() throws {
        let schema = SQLSchema(table: "t", columns: ["a": .integer, "a.b": .integer])
        try schema.check()
        let query = try SQLCompiler(schema: schema).compile(try FormatPredicate(#"#"a.b" == 1"#), entity: "t")
        #expect(query.where.text == #"t0."a.b" = ?1"#)
    }

    /// The name of an operator is the operator, as in memory. [NSP-428]
    @Test func theNameOfAnOperatorIsNoKey() throws {
        let schema = SQLSchema(table: "t", columns: ["@count": .integer])
        let error = SQLCompilationError.thrown("@count") {
            try SQLCompiler(schema: schema).compile(try FormatPredicate(#"#"@count" == 1"#), entity: "t")
        }
        #expect(error != nil)
    }

    @Test func aKeyMayLookLikeAnOperator() throws {
        let schema = SQLSchema([
            SQLEntity(
                "Note", table: "note", attributes: ["@owner": .init(.string, collation: "BINARY")],
                relationships: ["@next": .toOne("Note", column: "next_id")])
        ])
        let predicate = try FormatPredicate(#"@owner == "jo" AND @next.@owner == "al""#)
        let query = try SQLCompiler(schema: schema).compile(predicate, entity: "Note")
        let set = #"SELECT t1."id" FROM "note" AS t1 WHERE t1."@owner" = ?2"#
        #expect(query.where.text == #"t0."@owner" = ?1 AND t0."next_id" IN (\#(set))"#)
        #expect(throws: SQLCompilationError.self) {
            try SQLCompiler(schema: schema).compile(FormatPredicate("@size == 1"), entity: "Note")
        }
    }
}
