import BenchmarkHarness
import BenchmarkWorkload
import Foundation

/// The baselines that several suites are compared with.
extension Variant {
    static func inline(_ people: [Person], _ expected: Int, _ loop: @escaping InlineLoops.Loop) -> Variant {
        Variant("inline", .baseline, operations: people.count, expected: expected) {
            people.withUnsafeBufferPointer { loop($0) }
        }
    }

    static func closure<Element>(
        _ elements: [Element], _ expected: Int, named name: String = "closure", _ test: @escaping (Element) -> Bool
    ) -> Variant {
        Variant(name, .baseline, operations: elements.count, expected: expected) {
            HandClosures.count(elements, test)
        }
    }

    static func macro(_ people: [Person], _ expected: Int, _ macro: MacroPredicate) -> Variant {
        let expected = macro.truth.map { people.count(where: $0) } ?? expected
        return Variant("#Predicate", .baseline, operations: people.count, expected: expected) {
            var count = 0
            for person in people where try macro.predicate.evaluate(person) { count += 1 }
            return count
        }
    }
}
