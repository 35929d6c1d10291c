import BenchmarkHarness
import BenchmarkWorkload
import Foundation
import PredicateEvaluation

/// Asking an evaluator about one object after the other.
enum ObjectSuites {
    static var all: [Suite] { [structs, objects, dictionaries] }

    private static var structs: Suite {
        let (closures, macros) = (HandClosures.all, MacroPredicate.all)
        return Suite(perPredicate: "evaluate-struct", "one struct by value in each call", upTo: 100_000) {
            predicate, data, scale in
            let people = data.people(scale)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            var variants = [
                Variant("evaluate", operations: scale, expected: expected) {
                    try count(people) { try evaluator.evaluate(with: $0) }
                }
            ]
            if let closure = closures[predicate.id] {
                variants.append(.closure(people, expected, closure))
            }
            if let macro = macros[predicate.id] {
                variants.append(.macro(people, expected, macro))
            }
            return variants
        }
    }

    private static var objects: Suite {
        let closures = ObjectClosures.all
        return Suite(perPredicate: "evaluate-object", "one object of a final class in each call", upTo: 100_000) {
            predicate, data, scale in
            let objects = data.objects(scale)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let engine = Variant("evaluate", operations: scale, expected: expected) {
                try count(objects) { try evaluator.evaluate(with: $0) }
            }
            return [engine] + [closures[predicate.id].map { .closure(objects, expected, $0) }].compactMap { $0 }
        }
    }

    private static var dictionaries: Suite {
        let closures = DictionaryClosures.all
        return Suite(perPredicate: "evaluate-dictionary", "one [String: Any] in each call", upTo: 100_000) {
            predicate, data, scale in
            let rows = data.dictionaries(scale)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let engine = Variant("evaluate", operations: scale, expected: expected) {
                try count(rows) { try evaluator.evaluate(with: $0) }
            }
            return [engine] + [closures[predicate.id].map { .closure(rows, expected, $0) }].compactMap { $0 }
        }
    }

    @inline(__always)
    private static func count<Element>(_ elements: [Element], _ test: (Element) throws -> Bool) throws -> Int {
        var count = 0
        try elements.withUnsafeBufferPointer { elements in
            for index in elements.indices where try test(elements[index]) { count += 1 }
        }
        return count
    }
}
