import BenchmarkHarness
import BenchmarkWorkload
import CSQLite
import PredicateSQL
import PredicateSyntax

/// Formats to SQL text, against what SQLite itself takes to prepare the statement.
enum SQLSuites {
    static var all: [Suite] {
        [
            Suite(name: "sql", summary: "format strings to SQL text, and SQLite preparing the result") { _ in
                WorkloadPredicate.all.map(\.relational).map { predicate in
                    Group(suite: "sql", name: predicate.id, scale: 1, unit: "format") { try variants(predicate) }
                }
            }
        ]
    }

    private static func variants(_ predicate: WorkloadPredicate) throws -> [Variant] {
        let compiler = SQLCompiler(schema: WorkloadSQL.schema)
        let parsed = try predicate.parsed()
        let query = try compiler.compile(parsed, entity: "people")
        let sql = query.select
        let handle = try SQLiteHandle(":memory:")
        try handle.execute(WorkloadSQL.tables)
        for function in query.requiredFunctions { try handle.declare(function.name) }
        return [
            Variant("parsed and compiled", operations: 1, expected: sql.text.utf8.count) {
                try compiler.compile(predicate.parsed(), entity: "people").select.text.utf8.count
            },
            Variant("compiled", operations: 1, expected: sql.text.utf8.count) {
                try compiler.compile(parsed, entity: "people").select.text.utf8.count
            },
            Variant("sqlite3_prepare_v2", .baseline, operations: 1, expected: sql.bindings.count) {
                try handle.prepared(sql.text) { Int(sqlite3_bind_parameter_count($0)) }
            },
        ]
    }
}
