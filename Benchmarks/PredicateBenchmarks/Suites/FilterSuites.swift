import BenchmarkHarness
import BenchmarkWorkload
import PredicateEvaluation
import PredicateSyntax

/// Evaluating many objects in one call.
enum FilterSuites {
    static var all: [Suite] { [structs, objects, dictionaries, records, filtered, indices] }

    private static var structs: Suite {
        let (loops, closures) = (InlineLoops.all, HandClosures<Person>.all)
        let (foundation, macros) = (FoundationClosures.all, MacroPredicate.all)
        return Suite(perPredicate: "filter-structs", "count(matching:) over an array of structs") {
            predicate, data, scale in
            let people = data.people(scale)
            let expected = data.truth(predicate, scale)
            let id = predicate.id
            let slow = scale > 100_000 ? nil : id
            let baselines: [Variant?] = [
                loops[id].map { .inline(people, expected, $0) },
                closures[id].map { .closure(people, expected, $0) },
                slow.flatMap { foundation[$0] }.map { .closure(people, expected, named: "Foundation", $0) },
                slow.flatMap { macros[$0] }.map { .macro(people, expected, $0) },
            ]
            return [try engine(predicate, people, expected)] + baselines.compactMap { $0 }
        }
    }

    private static var objects: Suite {
        batches(
            "filter-objects", "count(matching:) over an array of objects of a final class",
            HandClosures<PersonObject>.all, of: { $0.objects($1) }, beside: { $0.objects($1) })
    }

    private static var dictionaries: Suite {
        batches(
            "filter-dictionaries", "count(matching:) over an array of [String: Any]", DictionaryClosures.all,
            of: { $0.dictionaries($1) }, beside: { $0.dictionaries($1) })
    }

    private static var records: Suite {
        batches(
            "filter-records", "count(matching:) over an array of records; closure over structs",
            HandClosures<Person>.all, of: { $0.records($1) }, beside: { $0.people($1) })
    }

    private static func batches<Element: KeyedValueConvertible, Other>(
        _ name: String, _ summary: String, _ closures: [String: (Other) -> Bool],
        of source: @escaping (WorkloadData, Int) -> [Element], beside others: @escaping (WorkloadData, Int) -> [Other]
    ) -> Suite {
        Suite(perPredicate: name, summary, fewOfMany: true) { predicate, data, scale in
            let expected = data.truth(predicate, scale)
            let engine = try engine(predicate, source(data, scale), expected)
            let baseline = closures[predicate.id].map { Variant.closure(others(data, scale), expected, $0) }
            return [engine] + [baseline].compactMap { $0 }
        }
    }

    private static func engine<Element: KeyedValueConvertible>(
        _ predicate: WorkloadPredicate, _ elements: [Element], _ expected: Int
    ) throws -> Variant {
        let evaluator = try PredicateEvaluator(predicate.parsed())
        return Variant("count", operations: elements.count, expected: expected) {
            try elements.count(matching: evaluator)
        }
    }

    // MARK: - Calls that return elements or row indices

    /// One of each kind: a number, a prefix, a disjunction, a conjunction.
    private static let kinds: Set = ["P01", "P02", "P03", "P10"]

    private static var filtered: Suite {
        collecting("filtered-structs", "filtered(using:), which copies what it keeps", engine: "filtered") {
            people, evaluator in
            try people.filtered(using: evaluator).count
        } baseline: { people, test in
            people.filter(test).count
        }
    }

    private static var indices: Suite {
        collecting("indices-structs", "indices(matching:)", engine: "indices") { people, evaluator in
            try people.indices(matching: evaluator).count
        } baseline: { people, test in
            people.indices.filter { test(people[$0]) }.count
        }
    }

    private static func collecting(
        _ name: String, _ summary: String, engine: String,
        _ work: @escaping ([Person], PredicateEvaluator) throws -> Int,
        baseline: @escaping ([Person], HandClosures<Person>.Test) -> Int
    ) -> Suite {
        let closures = HandClosures<Person>.all
        return Suite(perPredicate: name, summary, only: kinds) { predicate, data, scale in
            let people = data.people(scale)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let engine = Variant(engine, operations: scale, expected: expected) { try work(people, evaluator) }
            let filter = closures[predicate.id].map { closure in
                Variant("filter", .baseline, operations: scale, expected: expected) { baseline(people, closure) }
            }
            return [engine] + [filter].compactMap { $0 }
        }
    }
}
