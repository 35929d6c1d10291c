import BenchmarkHarness
import BenchmarkWorkload
import Dispatch
import Foundation
import PredicateEvaluation
import PredicateSyntax

/// The batch calls on all cores, and the same on one: by the clock on the wall, since threads share the work.
///
/// The workload has light and heavy predicates, and every scale is measured, since sharing out little work costs more
/// than it saves: the concurrent forms are to notice that, and never to be slower.
enum ConcurrentSuites {
    static var all: [Suite] {
        [
            counting("concurrent-structs", "an array of structs", of: { $0.people($1) }, beside: inline),
            counting("concurrent-objects", "an array of objects") { $0.objects($1) },
            counting("concurrent-records", "an array of records") { $0.records($1) }, filtering,
        ]
    }

    private static func counting<Element: KeyedValueConvertible & Sendable>(
        _ name: String, _ elements: String, of source: @escaping (WorkloadData, Int) -> [Element],
        beside others: @escaping (WorkloadPredicate, [Element], Int) -> [Variant] = { _, _, _ in [] }
    ) -> Suite {
        Suite(perPredicate: name, "concurrentCount(matching:) over \(elements)", only: Suite.few) {
            predicate, data, scale in
            let elements = source(data, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let expected = data.truth(predicate, scale)
            return variants(scale, expected) {
                try elements.concurrentCount(matching: evaluator)
            } serial: {
                try elements.count(matching: evaluator)
            } + others(predicate, elements, expected)
        }
    }

    /// The loop written by hand on all cores: it tells what the memory of the machine lets several cores gain.
    private static func inline(_ predicate: WorkloadPredicate, _ people: [Person], _ expected: Int) -> [Variant] {
        InlineLoops.all[predicate.id].map { loop in
            let variant = Variant(
                "inline on all cores", .baseline, clock: .wall, operations: people.count, expected: expected
            ) {
                people.withUnsafeBufferPointer { shared($0, loop) }
            }
            return [variant]
        } ?? []
    }

    /// Returns the count of a loop that runs in pieces on all cores.
    private static func shared(_ people: UnsafeBufferPointer<Person>, _ loop: @escaping InlineLoops.Loop) -> Int {
        let pieces = 8 * ProcessInfo.processInfo.activeProcessorCount
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: pieces) { counts in
            nonisolated(unsafe) let (people, loop, counts) = (people, loop, counts)
            DispatchQueue.concurrentPerform(iterations: pieces) { piece in
                let range = piece * people.count / pieces..<(piece + 1) * people.count / pieces
                counts[piece] = loop(UnsafeBufferPointer(rebasing: people[range]))
            }
            return counts.reduce(0, +)
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
