import BenchmarkHarness
import BenchmarkWorkload
import PredicateEvaluation

/// The batch calls on all cores, and the same on one: by the clock on the wall, since threads share the work.
///
/// The workload has light and heavy predicates, and every scale is measured, since sharing out little work costs more
/// than it saves: the concurrent forms are to notice that, and never to be slower.
enum ConcurrentSuites {
    static var all: [Suite] {
        [
            counting("concurrent-structs", "an array of structs") { $0.people($1) },
            counting("concurrent-objects", "an array of objects") { $0.objects($1) },
            counting("concurrent-records", "an array of records") { $0.records($1) }, filtering,
        ]
    }

    private static func counting<Element: KeyedValueConvertible & Sendable>(
        _ name: String, _ elements: String, of source: @escaping (WorkloadData, Int) -> [Element]
    ) -> Suite {
        Suite(perPredicate: name, "concurrentCount(matching:) over \(elements)", only: Suite.few) {
            predicate, data, scale in
            let elements = source(data, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            return variants(scale, data.truth(predicate, scale)) {
                try elements.concurrentCount(matching: evaluator)
            } serial: {
                try elements.count(matching: evaluator)
            }
        }
    }

    private static var filtering: Suite {
        Suite(
            perPredicate: "concurrent-filtered", "concurrentlyFiltered(using:) over an array of structs",
            only: Suite.few
        ) {
            predicate, data, scale in
            let people = data.people(scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            return variants(scale, data.truth(predicate, scale)) {
                try people.concurrentlyFiltered(using: evaluator).count
            } serial: {
                try people.filtered(using: evaluator).count
            }
        }
    }

    private static func variants(
        _ scale: Int, _ expected: Int, _ concurrent: @escaping () throws -> Int, serial: @escaping () throws -> Int
    ) -> [Variant] {
        [
            Variant("concurrent", clock: .wall, operations: scale, expected: expected, run: concurrent),
            Variant("serial", .baseline, clock: .wall, operations: scale, expected: expected, run: serial),
        ]
    }
}
