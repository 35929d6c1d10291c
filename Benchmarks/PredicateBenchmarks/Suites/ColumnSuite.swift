import BenchmarkHarness
import BenchmarkWorkload
import PredicateData
import PredicateEvaluation
import PredicateStore
import PredicateSyntax

/// Rows kept by column, for many queries over the same data.
enum ColumnSuite {
    static var all: [Suite] { [building, paying, counting] }

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

    // MARK: - What a table costs

    /// The cost of building a table, beside reading the same rows without keeping them.
    private static var building: Suite {
        let sources: [(name: String, variants: (WorkloadData, Int) throws -> [Variant])] = [
            ("structs", structs), ("JSON Lines", jsonLines), ("CSV", csv), ("SQLite", database),
        ]
        return Suite(name: "build-columns", summary: "a column table of all keys; reading: the rows alone") { context in
            context.scales.filter { $0 <= 100_000 }.flatMap { scale in
                sources.map { source in
                    Group(suite: "build-columns", name: source.name, scale: scale, unit: "object") {
                        try source.variants(context.data, scale)
                    }
                }
            }
        }
    }

    private static func structs(_ data: WorkloadData, _ scale: Int) -> [Variant] {
        let people = data.people(scale)
        return [
            Variant("build", operations: scale, expected: scale) {
                try ColumnTable(people, keyPaths: Person.keyPaths).count
            }
        ]
    }

    private static func jsonLines(_ data: WorkloadData, _ scale: Int) -> [Variant] {
        records(data.lines(scale), RecordOptions(format: .jsonLines, types: ["created": .date]), scale)
    }

    private static func csv(_ data: WorkloadData, _ scale: Int) -> [Variant] {
        records(data.rows(scale), RecordOptions(format: .csv, types: ["created": .date]), scale)
    }

    private static func records(_ bytes: [UInt8], _ options: RecordOptions, _ scale: Int) -> [Variant] {
        [
            Variant("build", operations: scale, expected: scale) {
                let reader = try RecordReader(source: MemorySource(bytes), options: options)
                let builder = ColumnTableBuilder()
                while let record = try reader.next() { builder.append(record.value) }
                return builder.table().count
            },
            Variant("reading", .baseline, operations: scale, expected: scale) {
                let reader = try RecordReader(source: MemorySource(bytes), options: options)
                var count = 0
                while try reader.next() != nil { count += 1 }
                return count
            },
        ]
    }

    private static func database(_ data: WorkloadData, _ scale: Int) throws -> [Variant] {
        let store = try data.database(scale).store
        return [
            Variant("build", operations: scale, expected: scale) {
                try store.fetchColumns(PredicateFetchRequest("people")).count
            },
            Variant("reading", .baseline, operations: scale, expected: scale) {
                let objects = try store.fetchCursor(PredicateFetchRequest("people"))
                var count = 0
                while try objects.next() != nil { count += 1 }
                return count
            },
        ]
    }

    /// A table of dictionaries against asking them each time: it pays after build / (rows − columns) queries.
    private static var paying: Suite {
        Suite(
            perPredicate: "columns-of-rows", "rows of data evaluated, or made a table first", only: Suite.few,
            upTo: 100_000
        ) { predicate, data, scale in
            let rows = data.values(scale)
            let table = ColumnTable(rows: rows)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            return [
                Variant("columns", operations: scale, expected: expected) { try table.count(matching: evaluator) },
                Variant("build", operations: scale, expected: scale) { ColumnTable(rows: rows).count },
                Variant("rows", .baseline, operations: scale, expected: expected) {
                    try rows.count(matching: evaluator)
                },
            ]
        }
    }
}
