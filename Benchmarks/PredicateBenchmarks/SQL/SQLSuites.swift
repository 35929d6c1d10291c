import BenchmarkHarness
import BenchmarkWorkload
import CPredicateSQLite
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Predicates compiled to SQL, and SQLite from end to end: a predicate compiled, run, and its rows read.
enum SQLSuites {
    static var all: [Suite] { [compiling, counting] + ObjectFetches.suites + [TextSearches.suite] }

    // MARK: - Compiling

    /// Formats to conditions and their bindings, against what SQLite takes to prepare the statement with them.
    private static var compiling: Suite {
        Suite(name: "sql", summary: "format strings to WHERE text and bindings, and SQLite preparing it") { _ in
            WorkloadPredicate.all.map(\.relational).map { predicate in
                Group(suite: "sql", name: predicate.id, scale: 1, unit: "format") { try compiling(predicate) }
            }
        }
    }

    private static func compiling(_ predicate: WorkloadPredicate) throws -> [Variant] {
        let compiler = SQLCompiler(schema: WorkloadSQL.schema)
        let parsed = try predicate.parsed()
        let query = try compiler.compile(parsed, entity: "people")
        let size = query.where.size
        let handle = try SQLiteHandle(":memory:")
        try handle.execute(WorkloadSQL.tables)
        for function in query.requiredFunctions { try handle.declare(function.name) }
        let statement = "SELECT t0.\"id\" FROM \(query.from.text) WHERE \(query.where.text)"
        return [
            Variant("format to where", operations: 1, expected: size) {
                try compiler.compile(predicate.parsed(), entity: "people").where.size
            },
            Variant("tree to where", operations: 1, expected: size) {
                try compiler.compile(parsed, entity: "people").where.size
            },
            Variant("sqlite3_prepare_v2", .baseline, operations: 1, expected: query.where.bindings.count) {
                try handle.prepared(statement) { Int(sqlite3_bind_parameter_count($0)) }
            },
        ]
    }

    // MARK: - Running

    private static var counting: Suite {
        let summary = "ObjectStore.count, its SQL over the same connection, handwritten SQL, and structs in memory"
        return Suite(perPredicate: "sqlite-count", summary, upTo: 100_000) { predicate, data, scale in
            let people = data.people(scale)
            let database = try data.database(scale)
            let expected = data.truth(predicate, scale)
            let request = PredicateFetchRequest("people", try predicate.relational.parsed())
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let query = try compiled(predicate, database.store)
            let handTruth = people.count(where: predicate.handwrittenTruth)
            return [
                Variant("store", operations: scale, expected: expected) { try database.store.fetchCount(request) },
                Variant("same SQL", .baseline, operations: scale, expected: expected) {
                    let row = try database.store.connection.rows(of: query.count).next()
                    guard case .integer(let count)? = row?.first else { return -1 }
                    return Int(count)
                },
                Variant("handwritten", .baseline, operations: scale, expected: handTruth) {
                    try database.handle.number(predicate.handwrittenSQL)
                },
                Variant("memory", .baseline, operations: scale, expected: expected) {
                    try people.count(matching: evaluator)
                },
            ]
        }
    }

    /// The query that the store makes of a predicate, to run its statements without the store.
    static func compiled(_ predicate: WorkloadPredicate, _ store: ObjectStore) throws -> SQLQuery {
        try SQLCompiler(schema: store.schema).compile(predicate.relational.parsed(), entity: "people")
    }
}

extension SQLFragment {
    /// The bytes of the text and the number of bindings in one number, so that a run uses both.
    fileprivate var size: Int { text.utf8.count + bindings.count }
}
