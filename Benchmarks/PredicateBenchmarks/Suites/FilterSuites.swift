import BenchmarkHarness
import BenchmarkWorkload
import PredicateEvaluation

/// Asking an evaluator about many objects at once: how many match.
enum FilterSuites {
    static var all: [Suite] { [structs, objects, dictionaries, records] }

    private static var structs: Suite {
        let (loops, closures) = (InlineLoops.all, HandClosures.all)
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
        let closures = ObjectClosures.all
        return Suite(
            perPredicate: "filter-objects", "count(matching:) over an array of objects of a final class",
            fewOfMany: true
        ) {
            predicate, data, scale in
            let objects = data.objects(scale)
            let expected = data.truth(predicate, scale)
            return [try engine(predicate, objects, expected)]
                + [closures[predicate.id].map { .closure(objects, expected, $0) }].compactMap { $0 }
        }
    }

    private static var dictionaries: Suite {
        let closures = DictionaryClosures.all
        return Suite(
            perPredicate: "filter-dictionaries", "count(matching:) over an array of [String: Any]", fewOfMany: true
        ) {
            predicate, data, scale in
            let rows = data.dictionaries(scale)
            let expected = data.truth(predicate, scale)
            return [try engine(predicate, rows, expected)]
                + [closures[predicate.id].map { .closure(rows, expected, $0) }].compactMap { $0 }
        }
    }

    private static var records: Suite {
        let closures = HandClosures.all
        return Suite(
            perPredicate: "filter-records", "count(matching:) over an array of records; closure over structs",
            fewOfMany: true
        ) {
            predicate, data, scale in
            let records = data.records(scale)
            let expected = data.truth(predicate, scale)
            let people = data.people(scale)
            return [try engine(predicate, records, expected)]
                + [closures[predicate.id].map { .closure(people, expected, $0) }].compactMap { $0 }
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
}
