import Foundation
import PredicateSQL
import PredicateSyntax
import Testing

/// `predicate schema` on the documents of PostgreSQL, MariaDB and DuckDB. [NSP-427]
///
/// In `Databases`, `NAME.json` is what the server answered to `predicate schema --query NAME` after `NAME.sql`,
/// `NAME.schema.json` the schema, and `NAME.notes` what it leaves out. PREDICATES_REWRITE=1 rewrites the last two.
struct DatabaseSchemaTests {
    private static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Databases/\(name)").path()
    }

    private func schema(_ name: String) throws -> SQLSchema {
        try SQLSchema(json: Data(contentsOf: URL(filePath: Self.path("\(name).schema.json"))))
    }

    @Test(arguments: ["postgresql", "mariadb", "duckdb"]) func theDocumentOfAServerIsASchema(name: String) throws {
        let document = Self.path("\(name).json")
        let outcome = predicate("schema", document)
        let notes = outcome.error.replacing(document, with: "\(name).json")
        if ProcessInfo.processInfo.environment["PREDICATES_REWRITE"] != nil {
            try Data(outcome.output.utf8).write(to: URL(filePath: Self.path("\(name).schema.json")))
            try Data(notes.utf8).write(to: URL(filePath: Self.path("\(name).notes")))
        }
        #expect(outcome.status == 0)
        #expect(try outcome.output == String(contentsOfFile: Self.path("\(name).schema.json"), encoding: .utf8))
        #expect(try notes == String(contentsOfFile: Self.path("\(name).notes"), encoding: .utf8))
        let input = try String(contentsOfFile: document, encoding: .utf8)
        #expect(predicate("schema", "-", input: input).output == outcome.output)
    }

    @Test func theDocumentServesAsSchema() {
        let words = ["sql", "ANY tag.word == 'new'", "--dialect", "postgresql", "--table", "person", "--schema"]
        let document = predicate(words + [Self.path("postgresql.json")], source: silence)
        #expect(document.status == 0)
        #expect(document == predicate(words + [Self.path("postgresql.schema.json")], source: silence))
    }

    @Test func relationshipsAreThoseOfSQLite() throws {
        for name in ["postgresql", "mariadb", "duckdb"] {
            let entities = try schema(name).entities
            let person = try #require(entities["person"])
            #expect(person.relationships["boss"] == .toOne("person", column: "boss_id"), "\(name)")
            #expect(person.relationships["person_by_boss"] == .toMany("person", inverseColumn: "boss_id"), "\(name)")
            #expect(
                person.relationships["tag"]
                    == .manyToMany("tag", joinTable: "person_tag", sourceColumn: "person_id", targetColumn: "tag_id"),
                "\(name)")
            #expect(entities["phone"]?.relationships.keys.sorted() == ["owner_person", "spare_of_person"], "\(name)")
            #expect(entities["person_tag"] == nil && entities["tag"]?.primaryKeyType == .uuid(.blob), "\(name)")
            #expect(entities["phone"]?.primaryKeyType == .string, "\(name)")
        }
    }

    @Test func rowsWithoutASingleKeyAreNumbered() throws {
        for (name, numbersGrades) in [("postgresql", true), ("mariadb", true), ("duckdb", false)] {
            let entities = try schema(name).entities
            #expect(entities["grade"]?.primaryKey == "rowid", "\(name)")
            #expect(entities["grade"]?.numbersRows == numbersGrades, "\(name)")
            #expect(entities["adults"]?.numbersRows == true, "\(name)")
        }
        #expect(try schema("postgresql").entities["event_2024"] == nil)
    }

    @Test func typesAreExactOrLeftOut() throws {
        let postgresql = try schema("postgresql").entities["person"]?.attributes.mapValues(\.type)
        #expect(
            postgresql == [
                "id": .integer, "name": .string, "age": .integer, "height": .double, "salary": .decimal,
                "active": .boolean, "born": .date(.timestamp), "seen": .date(.timestamp), "made": .date(.timestamp),
                "mail": .string, "nick": .string, "feeling": .string, "town": .string, "key": .uuid(.blob),
                "photo": .data, "width": .single, "code": .paddedString, "tags": .array(.string, .native),
                "boss_id": .integer, "odd \"name": .string, "twice": .integer, "extra": .json,
            ])
        #expect(try schema("postgresql").entities["person"]?.attributes["town"]?.collation == "german")
        #expect(try schema("postgresql").entities["person"]?.attributes["name"]?.isNullable == false)
        let mariadb = try schema("mariadb").entities["person"]?.attributes.mapValues(\.type)
        #expect(mariadb?["views"] == .decimal && mariadb?["id"] == .integer && mariadb?["boss_id"] == .integer)
        #expect(mariadb?["active"] == .boolean && mariadb?["age"] == .integer && mariadb?["hash"] == .data)
        #expect(mariadb?["tastes"] == nil && mariadb?["width"] == .single && mariadb?["flags"] == nil)
        let duckdb = try schema("duckdb").entities["person"]?.attributes.mapValues(\.type)
        #expect(duckdb?["made"] == .date(.timestamp) && duckdb?["exact"] == nil && duckdb?["salary"] == .decimal)
        #expect(duckdb?["width"] == .single && duckdb?["tags"] == .array(.string, .native))
        #expect(duckdb?["feeling"] == nil && duckdb?["address"] == nil && duckdb?["big"] == nil)
    }

    /// Tables of other schemas have the names of these. [NSP-438]
    @Test(arguments: ["postgresql", "mariadb", "duckdb"]) func tablesOfOtherSchemas(name: String) throws {
        let invoice = try #require(schema(name).entities["sales.invoice"])
        #expect(invoice.table == "invoice" && invoice.schema == "sales")
        let words = ["sql", "id > 3", "--schema", Self.path("\(name).json"), "--dialect", name, "--table"]
        let found = predicate(words + ["sales.invoice"], source: silence)
        let quoted = name == "mariadb" ? "`sales`.`invoice`" : #""sales"."invoice""#
        #expect(found.output.contains("FROM \(quoted) AS t0 WHERE"))
        guard name == "postgresql" else { return }
        #expect(invoice.relationships["person"] == .toOne("person", column: "person_id"))
        let inverse = try schema(name).entities["person"]?.relationships["invoice"]
        #expect(inverse == .toMany("sales.invoice", inverseColumn: "person_id"))
    }

    @Test func aDatabaseHasAQuery() {
        for database in ["postgresql", "mariadb", "mysql", "duckdb"] {
            let outcome = predicate("schema", "--query", database)
            #expect(outcome.status == 0 && outcome.error == "")
            #expect(outcome.output.contains("SELECT") && !outcome.output.contains(";"), "\(database)")
        }
        #expect(predicate("schema", "--query", "postgres") == predicate("schema", "--query", "postgresql"))
        let unknown = predicate("schema", "--query", "oracle")
        #expect(unknown.error.hasPrefix("error: --query takes postgresql, mariadb, mysql or duckdb, found 'oracle'"))
        let both = predicate("schema", "--query", "duckdb", "x.json")
        #expect(both.error.hasPrefix("error: --query only prints a query, and reads no file\nhint: run the query"))
    }

    @Test func tablesAreDeclaredForOtherDatabases() {
        let path = Self.path("mariadb.json")
        let text = predicate("schema", path, "--declare", "postgresql").output
        #expect(text.hasPrefix("CREATE SCHEMA IF NOT EXISTS \"sales\";\nCREATE TABLE \"") && text.hasSuffix(";\n"))
        #expect(text.contains("ALTER TABLE \"person\" ADD FOREIGN KEY (\"boss_id\") REFERENCES \"person\" (\"id\");\n"))
        let both = predicate("schema", path, "--declare", "mysql", "--types")
        #expect(both.error.hasPrefix("error: --declare and --types print different things: use one"))
        let padded = Self.path("postgresql.json")
        let refused = predicate("schema", padded, "--declare", "mysql")
        #expect(refused.status == 2 && refused.error.contains("mysql cannot declare the type of person.code"))
    }

    @Test(arguments: [
        ("", "standard input:1: "), ("psql: error", "standard input:1: "), ("[]", "standard input: expected "),
        (#"{"entities": {}}"#, "standard input: expected 'database'"),
        (
            #"{"database": "oracle", "columns": [], "foreignKeys": []}"#,
            "standard input: expected postgresql, mariadb, mysql, duckdb, found 'oracle' (at database)"
        ),
        (#"{"database": "duckdb", "columns": [{}], "foreignKeys": []}"#, "standard input: expected 'table'"),
    ])
    func otherInputIsExplained(_ input: String, _ message: String) {
        let outcome = predicate("schema", "-", input: input)
        #expect(outcome.status == 2 && outcome.output == "")
        #expect(outcome.error.hasPrefix("error: \(message)"), "\(outcome.error)")
        #expect(outcome.error.contains("hint: expected a SQLite file, or the result of the query"), "\(outcome.error)")
    }

    @Test func namesThatAreTaken() throws {
        let columns = ["rowid", "_rowid_", "oid"].enumerated().map { index, name in
            """
            {"table": "t", "kind": "view", "name": "\(name)", "position": \(index), "type": "int4",
             "declared": "integer", "nullable": "YES", "collation": null, "keyPosition": null}
            """
        }
        let document =
            #"{"database": "postgresql", "foreignKeys": [], "columns": ["# + columns.joined(separator: ",") + "]}"
        let outcome = predicate("schema", "-", input: document)
        let entity = try SQLSchema(json: Data(outcome.output.utf8)).entities["t"]
        #expect(entity?.primaryKey == "rowid_3" && entity?.attributes.count == 3)
    }
}
