import BenchmarkHarness
import BenchmarkWorkload
import Foundation
import PredicateEvaluation
import PredicateFoundation
import PredicateSyntax

/// Evaluating one object in each call, passed as `Any`: what code that was written for NSPredicate does.
enum AnySuites {
    static var all: [Suite] { [structs, objects, dictionaries, filtered] }

    private static var structs: Suite {
        single("evaluate-any-struct", "one struct as Any in each call; typed: its type is known") { $0.people($1) }
    }

    private static var objects: Suite {
        single("evaluate-any-object", "one object of a final class as Any in each call") { $0.objects($1) }
    }

    private static var dictionaries: Suite {
        single("evaluate-any-dictionary", "one [String: Any] as Any in each call") { $0.dictionaries($1) }
    }

    private static func single<Element: KeyValueCoding>(
        _ name: String, _ summary: String, of source: @escaping (WorkloadData, Int) -> [Element]
    ) -> Suite {
        Suite(perPredicate: name, summary, upTo: 100_000) { predicate, data, scale in
            let elements = source(data, scale)
            let values = elements as [Any]
            let expected = data.truth(predicate, scale)
            let parsed = try predicate.parsed()
            let evaluator = try PredicateEvaluator(parsed)
            let engine = Variant("evaluate", operations: scale, expected: expected) {
                var count = 0
                for value in values where try evaluator.evaluate(with: value) { count += 1 }
                return count
            }
            let typed = Variant("typed", .baseline, operations: scale, expected: expected) {
                var count = 0
                for element in elements where try evaluator.evaluate(with: element) { count += 1 }
                return count
            }
            return [engine, typed] + foundation(parsed, values, expected)
        }
    }

    /// `filtered(using:)` of an array of Foundation's, against a batch over the array of Swift's.
    private static var filtered: Suite {
        Suite(
            perPredicate: "filtered-any", "filtered(using:) of NSArray and [Any]; batch: the same of [Person]",
            upTo: 100_000
        ) { predicate, data, scale in
            let people = data.people(scale)
            let expected = data.truth(predicate, scale)
            let parsed = try predicate.parsed()
            let evaluator = try PredicateEvaluator(parsed)
            let values = people as [Any]
            let engine = Variant("[Any]", operations: scale, expected: expected) {
                try values.filtered(using: evaluator).count
            }
            let batch = Variant("batch", .baseline, operations: scale, expected: expected) {
                try people.filtered(using: evaluator).count
            }
            return [engine, batch] + arrays(parsed, NSArray(array: values), expected)
        }
    }

    #if canImport(Darwin)
        // Foundation's own classes ask objects of Objective-C only.
        private static func foundation(_ predicate: FormatPredicate, _ values: [Any], _ expected: Int) -> [Variant] {
            []
        }
        private static func arrays(_ predicate: FormatPredicate, _ array: NSArray, _ expected: Int) -> [Variant] { [] }
    #else
        private static func foundation(_ predicate: FormatPredicate, _ values: [Any], _ expected: Int) -> [Variant] {
            let predicate = NSPredicate(predicate)
            return [
                Variant("NSPredicate", operations: values.count, expected: expected) {
                    values.count { predicate.evaluate(with: $0) }
                }
            ]
        }

        private static func arrays(_ predicate: FormatPredicate, _ array: NSArray, _ expected: Int) -> [Variant] {
            let predicate = NSPredicate(predicate)
            return [
                Variant("NSArray", operations: array.count, expected: expected) {
                    array.filtered(using: predicate).count
                }
            ]
        }
    #endif
}
