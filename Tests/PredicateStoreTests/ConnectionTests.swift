import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Opening files, bindings, statements and transactions.
@Suite struct ConnectionTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func bindingsRoundTrip() throws {
        let connection = try directory.database()
        let values: [SQLBinding] = [
            .null, .integer(.min), .integer(.max), .double(1e308), .double(-2.5), .text(""),
            .text("é e\u{301} 😀 \0 '\""),
            .text(String(repeating: "long ", count: 100_000)), .blob(Data()), .blob(Data([0, 255, 0])),
        ]
        for value in values {
            #expect(try connection.value("SELECT ?1", value) == value)
        }
        #expect(try connection.value("SELECT ?1", .boolean(true)) == .integer(1))
        #expect(try connection.value("SELECT ?1", .double(.nan)) == .null)
    }

    @Test func connectionsAreReadOnlyByDefault() throws {
        _ = try directory.database("store.sqlite", "CREATE TABLE t (a)")
        let connection = try StoreConnection(directory.file())
        #expect(connection.isReadOnly)
        #expect(storeError { try connection.execute("INSERT INTO t VALUES (1)") }?.result == .readOnly)
        #expect(
            storeError { try connection.transaction { () throws(StoreError) in } }?.code == .readOnlyConnection)
    }

    @Test func missingFilesAreNotCreated() throws {
        let path = directory.file("none.sqlite")
        #expect(storeError { _ = try StoreConnection(path) }?.code == .noSuchFile(path))
        #expect(storeError { _ = try StoreConnection(path, .init(.readWrite)) }?.code == .noSuchFile(path))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func pathsAreFilesOnly() throws {
        #expect(storeError { _ = try StoreConnection("") }?.code == .invalidPath(""))
        #expect(storeError { _ = try StoreConnection("a\0b") }?.code == .invalidPath("a\0b"))
        #expect(storeError { _ = try StoreConnection(":memory:") }?.code == .noSuchFile(":memory:"))
        #expect(
            storeError { _ = try StoreConnection("file:x?mode=memory") }?.code == .noSuchFile("file:x?mode=memory"))
        #expect(storeError { _ = try StoreConnection(directory.path) }?.code == .isDirectory(directory.path))
        let odd = directory.file("a?b=c#d%20 é'.sqlite")
        _ = try StoreConnection(odd, SQLiteOptions(.create)).execute("CREATE TABLE t (a)")
        #expect(try StoreConnection(odd).rows("SELECT a FROM t").isEmpty)
    }

    /// Databases in memory are independent of each other.
    @Test func databasesInMemory() throws {
        let connection = try StoreConnection.inMemory()
        #expect(!connection.isReadOnly && connection.path == ":memory:")
        try connection.execute("CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT)")
        try connection.execute("INSERT INTO task VALUES (1, 'Rest'), (2, 'Work')")
        let store = try ObjectStore(connection)
        #expect(try store.fetchCount(PredicateFetchRequest("task", FormatPredicate("title BEGINSWITH 'W'"))) == 1)
        #expect(try StoreConnection.inMemory().rows("SELECT name FROM sqlite_schema").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: ":memory:"))
    }

    @Test func statementCount() throws {
        let connection = try directory.database()
        for sql in ["", "  ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; nonsense"] {
            #expect(storeError { _ = try connection.rows(sql) } != nil, "\(sql)")
        }
        #expect(try connection.rows("SELECT 1; -- a comment") == [[.integer(1)]])
        #expect(storeError { _ = try connection.rows("") }?.code == .notOneStatement)
    }

    @Test func bindingCount() throws {
        let connection = try directory.database()
        #expect(
            storeError { _ = try connection.rows("SELECT ?1, ?2", .integer(1)) }?.code
                == .bindingCount(expected: 2, found: 1))
        #expect(try connection.rows("SELECT ?1, ?1", .integer(1)) == [[.integer(1), .integer(1)]])
    }

    @Test func unknownNamesAreNotStrings() throws {
        let connection = try directory.database("store.sqlite", "CREATE TABLE t (a)")
        let error = storeError { _ = try connection.rows("SELECT * FROM t WHERE \"b\" = 'b'") }
        #expect(error?.result == .error)
        #expect(error?.text.contains("\"b\"") == true)
        #expect(error?.message.contains("no such column") == true)
    }

    @Test func changesAreCounted() throws {
        let connection = try directory.database("store.sqlite", "CREATE TABLE t (a)")
        #expect(try connection.run(SQLFragment("INSERT INTO t VALUES (1), (2), (3)")) == 3)
        #expect(try connection.run(SQLFragment("UPDATE t SET a = 0 WHERE a > ?1", bindings: [.integer(1)])) == 2)
        #expect(try connection.run(SQLFragment("UPDATE t SET a = 0 WHERE a > 9")) == 0)
        #expect(try connection.run(SQLFragment("SELECT * FROM t")) == 0)
        #expect(try connection.run(SQLFragment("CREATE TABLE u (a)")) == 0)
    }

    @Test func transactionsAreAtomic() throws {
        let connection = try directory.database("store.sqlite", "CREATE TABLE t (a UNIQUE)")
        let insert = { (value: Int64) throws(StoreError) in
            _ = try connection.run(SQLFragment("INSERT INTO t VALUES (?1)", bindings: [.integer(value)]))
        }
        let error = storeError {
            try connection.transaction { () throws(StoreError) in
                try insert(1)
                try insert(1)
            }
        }
        #expect(error?.result == .constraint)
        #expect(try connection.rows("SELECT a FROM t").isEmpty)
        try connection.transaction { () throws(StoreError) in
            try insert(1)
            try? connection.transaction { () throws(StoreError) in
                try insert(2)
                throw StoreError(.notOneStatement)
            }
            try connection.transaction { () throws(StoreError) in try insert(3) }
        }
        #expect(try connection.rows("SELECT a FROM t ORDER BY a") == [[.integer(1)], [.integer(3)]])
    }

    @Test func preparedStatementsAreCached() throws {
        let connection = try StoreConnection(directory.file(), SQLiteOptions(.create, cachedStatements: 2))
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        for number in 0..<20 {
            #expect(try connection.rows("SELECT \(number % 5), a FROM t").count == 2)
        }
        // Two uses of one text at the same time.
        let fragment = SQLFragment("SELECT a FROM t ORDER BY a")
        let (first, second) = (try connection.rows(of: fragment), try connection.rows(of: fragment))
        #expect(try first.next() == [.integer(1)])
        #expect(try second.next() == [.integer(1)])
        #expect(try first.next() == [.integer(2)])
        #expect(try first.next() == nil)
        #expect(try first.next() == nil)
        #expect(try second.all() == [[.integer(2)]])
    }

    @Test func canonicallyEquivalentStatementsDiffer() throws {
        let connection = try directory.database(
            "store.sqlite", "CREATE TABLE t (\"é\", \"e\u{301}\"); INSERT INTO t VALUES (1, 2)")
        for _ in 0..<2 {
            #expect(try connection.value("SELECT t0.\"é\" FROM t t0") == .integer(1))
            #expect(try connection.value("SELECT t0.\"e\u{301}\" FROM t t0") == .integer(2))
        }
    }

    @Test func otherDatabasesAndExtensionsAreUnreachable() throws {
        let connection = try directory.database()
        for sql in [
            "ATTACH DATABASE ':memory:' AS other", "SELECT load_extension('x')", "PRAGMA writable_schema = ON; ",
        ] {
            _ = storeError { try connection.execute(sql) }
        }
        #expect(storeError { try connection.execute("ATTACH DATABASE ':memory:' AS other") } != nil)
        #expect(storeError { try connection.execute("SELECT load_extension('x')") } != nil)
        #expect(storeError { try connection.execute("INSERT INTO sqlite_schema VALUES (1, 2, 3, 4, 5)") } != nil)
    }
}
