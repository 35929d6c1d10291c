import BenchmarkHarness
import BenchmarkWorkload
import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Evaluating one object in each call.
enum ObjectSuites {
    static var all: [Suite] { [structs, objects, dictionaries] }

    private static var structs: Suite {
        let (closures, macros) = (HandClosures<Person>.all, MacroPredicate.all)
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
        single("evaluate-object", "one object of a final class in each call", HandClosures<PersonObject>.all) {
            $0.objects($1)
        }
    }

    private static var dictionaries: Suite {
        single("evaluate-dictionary", "one [String: Any] in each call", DictionaryClosures.all) { $0.dictionaries($1) }
    }

    @inline(__always)
    private static func single<Element: KeyedValueConvertible>(
        _ name: String, _ summary: String, _ closures: [String: (Element) -> Bool],
        of source: @escaping (WorkloadData, Int) -> [Element]
    ) -> Suite {
        Suite(perPredicate: name, summary, upTo: 100_000) { predicate, data, scale in
            let elements = source(data, scale)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let engine = Variant("evaluate", operations: scale, expected: expected) {
                try count(elements) { try evaluator.evaluate(with: $0) }
            }
            return [engine] + [closures[predicate.id].map { .closure(elements, expected, $0) }].compactMap { $0 }
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
