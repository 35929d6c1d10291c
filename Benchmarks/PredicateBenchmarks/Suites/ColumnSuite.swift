import BenchmarkHarness
import BenchmarkWorkload
import PredicateEvaluation

/// Rows kept by column, for many queries over the same data.
enum ColumnSuite {
    static var all: [Suite] { [building, counting] }

    private static var counting: Suite {
        let loops = InlineLoops.all
        return Suite(perPredicate: "filter-columns", "count(matching:) of a column table; structs: of an array") {
            predicate, data, scale in
            let people = data.people(scale)
            let table = try data.columns(scale)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let variants = [
                Variant("columns", operations: scale, expected: expected) { try table.count(matching: evaluator) },
                Variant("structs", .baseline, operations: scale, expected: expected) {
                    try people.count(matching: evaluator)
                },
            ]
            return variants + [loops[predicate.id].map { .inline(people, expected, $0) }].compactMap { $0 }
        }
    }

    /// What it costs to make the table, which the queries must win back.
    private static var building: Suite {
        Suite(name: "build-columns", summary: "a column table of all keys made from structs") { context in
            context.scales.filter { $0 <= 100_000 }.map { scale in
                Group(suite: "build-columns", name: "structs", scale: scale, unit: "object") {
                    let people = context.data.people(scale)
                    return [
                        Variant("build", operations: scale, expected: scale) {
                            try ColumnTable(people, keyPaths: Person.keyPaths).count
                        }
                    ]
                }
            }
        }
    }
}
