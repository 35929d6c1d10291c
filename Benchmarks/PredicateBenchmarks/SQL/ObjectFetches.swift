import BenchmarkHarness
import BenchmarkWorkload
import CPredicateSQLite
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Objects fetched one after another, against stepping through a statement by hand.
enum ObjectFetches {
    static var suites: [Suite] {
        [
            suite("sqlite-fetch", "two keys", ["name", "age"], "id, name, age", readPair),
            suite("sqlite-fetch-all", "all keys", nil, "*", readWhole),
        ]
    }

    /// Some keys of each object that is found; nil: all of them.
    private static func suite(
        _ name: String, _ title: String, _ keys: [String]?, _ columns: String,
        _ read: @escaping (OpaquePointer) -> Int
    ) -> Suite {
        let summary = "ObjectStore.fetch of \(title), its SQL over the same connection, and handwritten SQL"
        return Suite(perPredicate: name, summary, only: ["P01", "P04", "P06", "P10"], upTo: 100_000) {
            predicate, data, scale in
            let database = try data.database(scale)
            let expected = data.truth(predicate, scale)
            let request = PredicateFetchRequest("people", try predicate.relational.parsed(), keys: keys)
            let query = try SQLSuites.compiled(predicate, database.store)
            let statement = try query.select(
                keys: keys ?? ["active", "age", "created", "email", "name", "score", "dept"])
            let sql = predicate.handwrittenSQL.replacing("COUNT(*)", with: columns)
            return [
                Variant("store", operations: scale, expected: expected) { try fetched(request, database.store) },
                Variant("same SQL", .baseline, operations: scale, expected: expected) {
                    try fetched(statement, database.store.connection)
                },
                Variant("handwritten", .baseline, operations: scale, expected: expected) {
                    try database.handle.prepared(sql, read)
                },
            ]
        }
    }

    private static func fetched(_ request: PredicateFetchRequest, _ store: ObjectStore) throws -> Int {
        let objects = try store.fetchCursor(request)
        var count = 0
        while let object = try objects.next() {
            if case .string(let name)? = object["name"], !name.isEmpty { count += 1 }
        }
        return count
    }

    private static func fetched(_ sql: SQLFragment, _ connection: StoreConnection) throws -> Int {
        let rows = try connection.rows(of: sql)
        var count = 0
        while let row = try rows.next() {
            if row.contains(where: { if case .text(let name) = $0 { !name.isEmpty } else { false } }) { count += 1 }
        }
        return count
    }

    // MARK: - By hand

    // Rows are read into Swift values, as a program does that works with them.

    private static func readPair(_ statement: OpaquePointer) -> Int {
        var count = 0
        while sqlite3_step(statement) == SQLITE_ROW {
            let row = Pair(
                id: sqlite3_column_int64(statement, 0), name: text(statement, 1),
                age: sqlite3_column_int64(statement, 2))
            count += row.count
        }
        return count
    }

    private static func readWhole(_ statement: OpaquePointer) -> Int {
        var count = 0
        while sqlite3_step(statement) == SQLITE_ROW {
            let row = Whole(
                id: sqlite3_column_int64(statement, 0), name: text(statement, 1),
                age: sqlite3_column_int64(statement, 2), email: text(statement, 3),
                score: sqlite3_column_double(statement, 4), active: sqlite3_column_int64(statement, 5) != 0,
                created: sqlite3_column_double(statement, 6), department: sqlite3_column_int64(statement, 7))
            count += row.count
        }
        return count
    }

    private static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }

    private struct Pair {
        var id: Int64
        var name: String
        var age: Int64

        /// 1, worked out from the row, which is not left unread for it.
        @inline(never)
        var count: Int { name.isEmpty || age < 0 || id < 0 ? 0 : 1 }
    }

    private struct Whole {
        var id: Int64
        var name: String
        var age: Int64
        var email: String
        var score: Double
        var active: Bool
        var created: Double
        var department: Int64

        /// 1, worked out from the row, which is not left unread for it.
        @inline(never)
        var count: Int { name.isEmpty || email.isEmpty || age < 0 || id < 0 || department < 0 ? 0 : 1 }
    }
}
