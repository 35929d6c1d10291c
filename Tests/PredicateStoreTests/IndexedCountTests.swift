import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Counts over an index of a column that may hold values of several kinds. [NSP-336]
@Suite struct IndexedCountTests {
    private static func store() throws -> ObjectStore {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            """
            CREATE TABLE "odd ""t" (id INTEGER PRIMARY KEY, "a""ge" INTEGER, name TEXT, weight REAL, due DATETIME);
            CREATE INDEX i ON "odd ""t" ("a""ge" DESC, name); CREATE INDEX j ON "odd ""t" (name);
            CREATE INDEX k ON "odd ""t" (weight) WHERE weight > 0;
            INSERT INTO "odd ""t" ("a""ge", name, weight, due) VALUES
            (20, 'a', 1.5, 100), (21, 'b', 2, 200), (22, NULL, 3, 300), (NULL, 'é', NULL, NULL), (22.5, '', 4, 5.5);
            """)
        return try ObjectStore(connection)
    }

    private static let formats = [
        "%K > 20", "%K >= 21", "%K > 20 AND %K < 22", "%K > 21 OR %K > 22", "NOT %K > 21",
        "NOT (%K > 21 AND name > 'a')",
        "%K > 20 AND name >= 'b'", "name > 'a'", "name >= ''", "weight > 1", "due > CAST(-978307100, 'NSDate')",
        "%K > 20 OR name > 'b' OR weight > 3", "%K > 20 AND (name == 'b' OR NOT name > 'a')",
    ]

    /// Before and after values of other kinds come, by this connection, counts are those of memory.
    @Test func countsAreThoseOfMemory() throws {
        let store = try Self.store()
        for late in ["", "'abc'", "x'00'", "''", "'30'", "1e300", "NULL"] {
            if !late.isEmpty {
                try store.connection.execute(
                    """
                    INSERT INTO "odd ""t" ("a""ge", name, weight, due) VALUES (\(late), \(late), \(late), \(late))
                    """)
            }
            let objects = try store.fetchAll(#"odd "t"#)
            for format in Self.formats {
                let places = format.components(separatedBy: "%K").count - 1
                let keys = Array(repeating: PredicateValue.string(#"a"ge"#), count: places)
                let predicate = try FormatPredicate(format: format, arguments: keys)
                let request = PredicateFetchRequest(#"odd "t"#, predicate)
                let found = Set(try store.fetchAll(request).map(\.id))
                #expect(try store.fetchCount(request) == found.count, "\(format) with \(late)")
                for object in objects {
                    guard let isWanted = try? predicate.evaluate(with: object) else { continue }
                    #expect(isWanted == found.contains(object.id), "\(format) with \(late)")
                }
            }
        }
    }

    /// A look at the greatest value without an index would read the table once more.
    @Test func onlyAnIndexGivesTheGreatestValue() throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY, age INTEGER, width INTEGER, name TEXT);
            CREATE INDEX a ON person (age, name); CREATE INDEX s ON person (width) WHERE width > 3;
            WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO person (age, width, name) SELECT i, i, 'n' || i FROM n;
            """)
        let store = try ObjectStore(connection)
        func count(_ format: String) throws -> String {
            let request = PredicateFetchRequest("person", try FormatPredicate(format))
            #expect(try store.fetchCount(request) == 2000, "\(format)")
            return try store.countStatement(of: request)
        }
        #expect(try count("age > 1000").contains(#"MAX(t0."age")"#))
        #expect(try !count("width > 1000").contains("MAX") && !count("name > 'n1899'").contains("MAX"))
    }

    @Test func theStatementAsksTheIndexOnce() throws {
        let schema = SQLSchema([
            SQLEntity("person", attributes: ["age": SQLAttribute(.integer, affinity: .integer)])
        ])
        let query = try SQLCompiler(schema: schema).compile(FormatPredicate("age > 21"), entity: "person")
        #expect(query.boundedColumns == ["age"])
        #expect(
            query.count(withGreatestOf: ["age"]).text == """
                SELECT CASE WHEN likely((SELECT MAX(t0."age") FROM "person" AS t0) <= 9e999) \
                THEN (SELECT COUNT(*) FROM "person" AS t0 WHERE t0."age" > ?1 AND 1) \
                ELSE (SELECT COUNT(*) FROM "person" AS t0 WHERE t0."age" > ?1 AND likely(t0."age" <= 9e999)) END
                """)
        #expect(query.count(withGreatestOf: []) == query.count)
        #expect(query.count(withGreatestOf: ["name"]) == query.count)
    }

    /// Rows of another kind that another connection adds are seen by the next count.
    @Test func lateRowsOfAnotherConnection() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try StoreConnection(path, SQLiteOptions(.create))
        try writer.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER); CREATE INDEX i ON t (z)")
        try writer.execute("INSERT INTO t (z) VALUES (1), (20), (30)")
        let store = try ObjectStore(StoreConnection(path))
        let request = PredicateFetchRequest("t", try FormatPredicate("z > 10"))
        #expect(try store.fetchCount(request) == 2)
        try writer.execute("INSERT INTO t (z) VALUES ('abc'), (40)")
        #expect(try store.fetchCount(request) == 3)
    }
}
