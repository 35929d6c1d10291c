import Foundation
import PredicateCommand
import PredicateData
import PredicateSQL
import PredicateStore
import Testing

/// What the statements of `predicate filter` compute of a SQLite file, and the tables that other options read.
struct StoreStatementTests {
    private static let numbers = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name TEXT);
        INSERT INTO t VALUES (1, 7, 2, 'jo'), (2, NULL, 3, NULL), (3, 9223372036854775807, 1, 'Zoé'), (4, 5, 0, 'x');
        """

    /// Values that are errors come from memory, which reports them. [NSP-463]
    @Test func expressionsOfRowsAreComputed() throws {
        try withStore(Self.numbers) { store, _ in
            let outcome = predicate("filter", store, "-k", "id, a + b AS sum, a / b AS q, uppercase(name) AS u")
            #expect(outcome.status == 2)
            #expect(
                outcome.output == """
                    {"id":1,"sum":9,"q":3,"u":"JO"}
                    {"id":2,"sum":null,"q":null,"u":null}
                    {"id":3,"sum":null,"q":9223372036854775807,"u":"ZOÉ"}
                    {"id":4,"sum":5,"q":null,"u":"X"}

                    """)
            #expect(outcome.error.contains("the result overflows"), "\(outcome.error)")
            #expect(outcome.error.contains("zero"), "\(outcome.error)")
            let first = predicate("filter", "b > 1", store, "-k", "a * 2 AS d", "--sort", "-b", "--first", "2")
            #expect(first == .success("{\"d\":null}\n{\"d\":14}\n"))
            let later = predicate("filter", store, "-k", "a * 2 AS d", "--sort", "-id", "--offset", "1", "--last")
            #expect(later.status == 2 && later.output.isEmpty)
        }
    }

    /// Values of other kinds than their columns are computed by memory. [NSP-463]
    @Test func columnsMayHoldOtherKinds() throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, d DATE);
            INSERT INTO t VALUES (9, 7, '2024-03-01'), (8, NULL, '2024-02-01'), (7, 5, NULL);
            INSERT INTO t VALUES (1, 1, '2024-01-01'), (2, 2, '2024-01-31'), (3, 2.5, '2024-02-29'), (4, 'x', 'y');
            """
        try withStore(script) { store, _ in
            func values(_ words: String...) -> String {
                predicate(["filter", store, "-o", "csv"] + words, source: silence).output
                    .split(separator: "\n").dropFirst().joined(separator: " ")
            }
            #expect(values("-k", "id, n + 1 AS m") == "1,2 2,3 3,3.5 4, 7,6 8, 9,8")
            #expect(values("-k", "id, n + 1 AS m", "--offset", "1", "--first", "4") == "2,3 3,3.5 4, 7,6")
            #expect(values("-k", "month(d) AS m", "--sort", "-id") == "3 2 2 1 1")
        }
    }

    /// Days beside expressions are those of the zone. [NSP-463] [NSP-496]
    @Test func daysBesideExpressionsAreInTheZone() throws {
        let script = "CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE); INSERT INTO t VALUES (1, '2024-03-01');"
        try withStore(script) { store, _ in
            for zone in ["UTC", "Europe/Berlin"] {
                #expect(
                    predicate("filter", store, "-k", "d, id + 1 AS n", "--zone", zone)
                        == .success("{\"d\":\"2024-03-01\",\"n\":2}\n"))
            }
        }
    }

    /// The statement has the expressions, as its plan shows: an index that covers them is read alone. [NSP-463]
    @Test func onlyTheWrittenColumnsAreRead() throws {
        try withStore(Self.numbers + "CREATE INDEX t_a ON t (a, b);") { store, _ in
            let plan = predicate("filter", "a > 5", store, "-k", "a * b AS p", "--explain-plan")
            #expect(plan.output.contains("COVERING INDEX t_a"), "\(plan.output)")
        }
    }

    /// A writer that commits while rows are written has no effect on them. [NSP-464]
    @Test func aRunSeesOneState() throws {
        let count = 20_000
        let script = """
            PRAGMA journal_mode = wal;
            CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE t (id INTEGER PRIMARY KEY, town_id INTEGER REFERENCES town(id));
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO town SELECT i, 'old' FROM n;
            INSERT INTO t SELECT id, id FROM town;
            """
        try withStore(script) { store, _ in
            let writer = try StoreConnection(store, SQLiteOptions(.readWrite))
            var (output, hasWritten) = ("", false)
            let status = CommandLineTool.run(
                arguments: ["filter", store, "--table", "t", "-k", "town.name", "-o", "lines"], input: silence,
                output: { (bytes) throws(DataError) in
                    output += String(decoding: bytes, as: UTF8.self)
                    if !hasWritten { try? writer.execute("UPDATE town SET name = 'new'") }
                    hasWritten = true
                }, errorOutput: { (_) throws(DataError) in })
            #expect(status == 0 && hasWritten)
            #expect(output == String(repeating: "old\n", count: count))
            #expect(predicate("filter", "name == 'new'", store, "--table", "town", "-c").output == "\(count)\n")
        }
    }

    private static let shop = """
        CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, born DATE);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER, total REAL);
        INSERT INTO users VALUES (1, 'Ann', '1990-05-03'), (2, 'Bo', NULL), (3, 'Cy', '1980-01-01');
        INSERT INTO orders VALUES (1, 1, 10.5), (2, 3, 3), (3, 9, 4), (4, NULL, 5), (5, 1, 7);
        """

    /// `--values` reads a table of the same file, or of another one. [NSP-467]
    @Test func valuesComeFromTables() throws {
        try withStore(Self.shop, ["users.csv": "id,x\n2,a\n3,b\n4,c\n"]) { store, paths in
            let own = ["--values", "IDS=orders:user_id", "id IN $IDS", store, "--table", "users", "-k", "name"]
            #expect(predicate(["filter"] + own, source: silence) == .success("{\"name\":\"Ann\"}\n{\"name\":\"Cy\"}\n"))
            let computed = ["--values", "N=orders:total * 2.0", "id IN $N", store, "--table", "orders", "-c"]
            #expect(predicate(["filter"] + computed, source: silence).output == "0\n")
            let other = ["--values", "IDS=\(store):orders.user_id", "id IN $IDS", paths["users.csv"] ?? "", "-k", "x"]
            #expect(predicate(["filter"] + other, source: silence) == .success("x\nb\n"))
            let one = ["--values", "IDS=\(store):user_id", "id IN $IDS", paths["users.csv"] ?? ""]
            #expect(predicate(["filter"] + one, source: silence).error.contains("the file has several tables"))
            let missing = ["--values", "IDS=order:user_id", "id IN $IDS", store, "--table", "users"]
            #expect(predicate(["filter"] + missing, source: silence).error.contains("hint: did you mean orders?"))
            let key = ["--values", "IDS=orders:usr_id", "id IN $IDS", store, "--table", "users"]
            #expect(predicate(["filter"] + key, source: silence).error.contains("did you mean user_id?"))
        }
    }

    /// `--lookup` finds rows of a table. [NSP-467]
    @Test func rowsOfTablesAreLookedUp() throws {
        try withStore(Self.shop, ["visits.csv": "user,n\n3,1\n1,2\n8,3\n"]) { store, paths in
            let words = [
                "--lookup", "user=\(store):users.id", "-k", "n,user.name", paths["visits.csv"] ?? "",
            ]
            #expect(
                predicate(["filter"] + words, source: silence)
                    == .success("n,user.name\n1,Cy\n2,Ann\n3,\n"))
            let born = ["--lookup", "user=\(store):users.id", "user.born == nil", "-c", paths["visits.csv"] ?? ""]
            #expect(predicate(["filter"] + born, source: silence).output == "1\n")
        }
    }
}
