import BenchmarkHarness
import BenchmarkWorkload
import CSQLite
import PredicateEvaluation
import PredicateStore
import PredicateSyntax

/// SQLite from end to end: a predicate compiled, run, and its rows read.
enum SQLiteSuites {
    static var all: [Suite] { [counting, fetching] }

    private static var counting: Suite {
        let summary = "PredicateStore.count, the same written by hand for SQLite, and the scan of structs in memory"
        return Suite(perPredicate: "sqlite-count", summary, upTo: 100_000) { predicate, data, scale in
            let people = data.people(scale)
            let database = try data.database(scale)
            let expected = data.truth(predicate, scale)
            let request = FetchRequest("people", try predicate.relational.parsed())
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let sql = predicate.handwrittenSQL
            return [
                Variant("store", operations: scale, expected: expected) { try database.store.count(request) },
                Variant(
                    "handwritten", .baseline, operations: scale,
                    expected: people.count(where: predicate.handwrittenTruth)
                ) { try database.handle.number(sql) },
                Variant("memory", .baseline, operations: scale, expected: expected) {
                    try people.count(matching: evaluator)
                },
            ]
        }
    }

    /// Two keys of each object that is found.
    private static var fetching: Suite {
        let summary = "PredicateStore.fetch of two keys, and the same statement read through SQLite's functions"
        return Suite(perPredicate: "sqlite-fetch", summary, only: ["P01", "P04", "P06", "P10"], upTo: 100_000) {
            predicate, data, scale in
            let database = try data.database(scale)
            let expected = data.truth(predicate, scale)
            let request = FetchRequest("people", try predicate.relational.parsed(), keys: ["name", "age"])
            let sql = predicate.handwrittenSQL.replacing("COUNT(*)", with: "id, name, age")
            return [
                Variant("store", operations: scale, expected: expected) { try fetched(request, database.store) },
                Variant("handwritten", .baseline, operations: scale, expected: expected) {
                    try database.handle.prepared(sql, read)
                },
            ]
        }
    }

    private static func fetched(_ request: FetchRequest, _ store: PredicateStore) throws -> Int {
        let objects = try store.fetch(request)
        var count = 0
        while let object = try objects.next() {
            if case .string(let name)? = object["name"], !name.isEmpty { count += 1 }
        }
        return count
    }

    /// Reads the rows into values of Swift, as a program would that works with them.
    private static func read(_ statement: OpaquePointer) -> Int {
        var count = 0
        while sqlite3_step(statement) == SQLITE_ROW {
            let row = HandRow(
                id: sqlite3_column_int64(statement, 0),
                name: sqlite3_column_text(statement, 1).map { String(cString: $0) } ?? "",
                age: sqlite3_column_int64(statement, 2))
            if !row.name.isEmpty { count += 1 }
        }
        return count
    }

    private struct HandRow {
        var id: Int64
        var name: String
        var age: Int64
    }
}
