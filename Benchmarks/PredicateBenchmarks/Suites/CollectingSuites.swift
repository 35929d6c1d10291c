import BenchmarkHarness
import BenchmarkWorkload
import PredicateEvaluation

/// The batch calls that give more than a number: elements, or their places.
enum CollectingSuites {
    static var all: [Suite] { [filtered, indices] }

    private static let ids: Set = ["P01", "P02", "P03", "P10"]

    private static var filtered: Suite {
        let closures = HandClosures.all
        return Suite(perPredicate: "filtered-structs", "filtered(using:), which copies what it keeps", only: ids) {
            predicate, data, scale in
            let people = data.people(scale)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let engine = Variant("filtered", operations: scale, expected: expected) {
                try people.filtered(using: evaluator).count
            }
            let baseline = closures[predicate.id].map { closure in
                Variant("filter", .baseline, operations: scale, expected: expected) { people.filter(closure).count }
            }
            return [engine] + [baseline].compactMap { $0 }
        }
    }

    private static var indices: Suite {
        let closures = HandClosures.all
        return Suite(perPredicate: "indices-structs", "indices(matching:)", only: ids) { predicate, data, scale in
            let people = data.people(scale)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let engine = Variant("indices", operations: scale, expected: expected) {
                try people.indices(matching: evaluator).count
            }
            let baseline = closures[predicate.id].map { closure in
                Variant("filter", .baseline, operations: scale, expected: expected) {
                    people.indices.filter { closure(people[$0]) }.count
                }
            }
            return [engine] + [baseline].compactMap { $0 }
        }
    }
}
