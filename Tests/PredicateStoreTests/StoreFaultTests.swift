import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Errors of a store: a schema that differs from the file, unknown names, unusable files.
@Suite struct StoreFaultTests {
    private let list: ToDoList

    init() throws {
        list = try ToDoList()
    }

    private func error(_ schema: SQLSchema, _ format: String = "TRUEPREDICATE") -> StoreError? {
        storeError {
            let store = try ObjectStore(list.store.connection, schema: schema)
            _ = try store.fetchAll("Task", where: FormatPredicate(format))
        }
    }

    @Test func missingTable() {
        let schema = SQLSchema([SQLEntity("Task", table: "tasks", attributes: ["title": SQLAttribute(.string)])])
        #expect(error(schema)?.code == .missingTable("tasks", nearMisses: ["task"]))
    }

    @Test func missingColumn() {
        let schema = SQLSchema([SQLEntity("Task", table: "task", attributes: ["titel": SQLAttribute(.string)])])
        #expect(error(schema)?.code == .missingColumn("titel", table: "task", nearMisses: ["title"]))
        // An unknown name is never a string.
        #expect(
            error(schema, "titel == 'titel'")?.code == .missingColumn("titel", table: "task", nearMisses: ["title"]))
    }

    @Test func missingJoinTable() {
        var schema = ToDoList.schema
        var task = schema.entities["Task"]
        task?.relationships["tags"] = .manyToMany("Tag", joinTable: "tags", sourceColumn: "a", targetColumn: "b")
        schema = SQLSchema(schema.entities.values.map { $0.name == "Task" ? task ?? $0 : $0 })
        #expect(error(schema, "tags.@count > 1")?.code == .missingTable("tags", nearMisses: ["tag"]))
    }

    @Test func tablesChangedWhileOpen() throws {
        #expect(try list.store.fetchAll("Tag").count == 2)
        try list.store.connection.execute("ALTER TABLE tag RENAME COLUMN name TO label")
        #expect(
            storeError { _ = try list.store.fetchAll("Tag") }?.code
                == .missingColumn("name", table: "tag", nearMisses: []))
    }

    @Test func unknownNames() {
        #expect(
            storeError { _ = try list.store.fetchAll("Taks") }?.description.contains("did you mean Task?") == true)
        #expect(
            storeError { _ = try list.store.fetchAll("Task", where: FormatPredicate("titel == 'x'")) }?.description
                .contains("did you mean title?") == true)
        #expect(
            storeError { _ = try list.store.fetchCursor(PredicateFetchRequest("Task", sortKeys: [SortKey("nam")])) }?
                .code != nil
        )
    }

    @Test func incomparableKinds() {
        let error = storeError { _ = try list.store.fetchAll("Task", where: FormatPredicate("title < 3")) }
        #expect(error?.description.contains("expected two values with an order") == true)
        #expect(error?.description.contains("title < 3") == true)
    }

    @Test func invalidPattern() {
        let error = storeError { _ = try list.store.fetchAll("Task", where: FormatPredicate("title MATCHES '(a'")) }
        #expect(error?.description.contains("expected a regular expression") == true)
    }

    @Test func diagnostics() throws {
        let compilation = try #require(
            storeError { _ = try list.store.fetchAll("Task", where: FormatPredicate("id == 1 AND title < 3")) })
        #expect(compilation.text == "id == 1 AND title < 3")
        #expect(compilation.range == 12..<21)
        #expect(compilation.title == "expected two values with an order, found a string and an integer")
        #expect(compilation.description.contains("\n              ^~~~~~~~~"))
        let statement = "SELECT nonsense"
        let sqlite = try #require(storeError { _ = try list.store.connection.rows(statement) })
        #expect(sqlite.text == statement && sqlite.range == 0..<statement.utf8.count)
        #expect(sqlite.title == "SQLite reports an error in the statement")
        #expect(sqlite.label == nil && sqlite.hints.isEmpty)
        let page = try #require(storeError { _ = try list.store.fetchCount(PredicateFetchRequest("Task", limit: -1)) })
        #expect(page.text.isEmpty && page.range.isEmpty)
        #expect(page.description == "error: the limit -1 is negative")
        let escape = try #require(storeError { _ = try StoreConnection("a\u{1B}[2J") })
        #expect(escape.description.contains("'a\\u{1b}[2J'"))
    }

    @Test func utf16File() throws {
        let connection = try StoreConnection(list.directory.file("wide.sqlite"), SQLiteOptions(.create))
        try connection.execute("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a)")
        #expect(storeError { _ = try ObjectStore(connection) }?.code == .encoding("UTF-16le"))
    }

    @Test func changeOfALockedFile() throws {
        let other = try StoreConnection(list.store.connection.path, SQLiteOptions(.readWrite))
        try other.execute("BEGIN IMMEDIATE")
        let impatient = try ObjectStore(
            StoreConnection(list.store.connection.path, SQLiteOptions(.readWrite, busyTimeout: .milliseconds(20))),
            schema: ToDoList.schema)
        let all = try FormatPredicate("TRUEPREDICATE")
        #expect(storeError { try impatient.delete("Task", where: all) }?.result == .busy)
        try other.execute("ROLLBACK")
        #expect(try impatient.delete("Task", where: all, returning: .count) == .count(6))
    }

    @Test func fileTruncatedWhileFetching() throws {
        let connection = try list.directory.database(
            "large.sqlite",
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO t SELECT i, printf('%0300d', i) FROM n;
            """)
        _ = connection
        let store = try ObjectStore(StoreConnection(list.directory.file("large.sqlite")))
        let objects = try store.fetchCursor(PredicateFetchRequest("t", try FormatPredicate("a CONTAINS '7'")))
        #expect(try objects.next() != nil)
        #expect(truncate(list.directory.file("large.sqlite"), 4096 * 3) == 0)
        let error = storeError { while try objects.next() != nil {} }
        #expect(error?.result == .corrupt || error?.result == .inputOutput)
    }

    /// SQL injection: names and values that contain SQL.
    @Test func namesAndValuesAreNotSQL() throws {
        let hostile = [
            "'; DROP TABLE t; --", "\"; DROP TABLE t; --", "x\" OR \"1\" = \"1", "?1", ":a", "$a", "/*", "--", "a]b",
            "`", "%K", "%@", "a.b", "select", " ", "\u{301}", "1) OR (1",
        ]
        for name in hostile {
            let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
            let connection = try list.directory.database(
                "\(UUID().uuidString).sqlite",
                """
                CREATE TABLE \(quoted) (id INTEGER PRIMARY KEY, \(quoted) TEXT);
                INSERT INTO \(quoted) VALUES (1, 'a'), (2, 'b');
                """)
            let store = try ObjectStore(connection)
            let key = ExpressionNode.keyPath(KeyPathExpression([.key(name)]))
            func matching(_ value: String) -> FormatPredicate {
                FormatPredicate(.comparison(ComparisonPredicate(key, .equalTo, .constantValue(.string(value)))))
            }
            #expect(try store.fetchAll(name, where: matching("a")).map(\.number) == [1], "\(name)")
            for value in hostile {
                #expect(try store.fetchAll(name, where: matching(value)).isEmpty)
            }
            try store.update(name, [name: name], where: matching("a"))
            #expect(try store.fetchOne(name, where: matching(name))?[name] == .string(name))
            #expect(try store.delete(name, where: matching(name), returning: .count) == .count(1))
            #expect(try store.fetchCount(PredicateFetchRequest(name)) == 1)
        }
    }
}
