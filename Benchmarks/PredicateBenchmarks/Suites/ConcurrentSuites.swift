import BenchmarkHarness
import BenchmarkWorkload
import Dispatch
import Foundation
import PredicateEvaluation

/// The batch calls on all cores, and the same on one: by the clock on the wall, since threads share the work.
///
/// The workload has light and heavy predicates, and every scale is measured, since sharing out little work costs more
/// than it saves: the concurrent forms are to notice that, and never to be slower.
enum ConcurrentSuites {
    static var all: [Suite] {
        [
            structs,
            counting("concurrent-objects", "an array of objects") { $0.objects($1) },
            counting("concurrent-records", "an array of records") { $0.records($1) }, filtering,
        ]
    }

    /// The loop written by hand on all cores, too: it tells what the memory of the machine lets several cores gain.
    private static var structs: Suite {
        let loops = InlineLoops.all
        return Suite(
            perPredicate: "concurrent-structs", "concurrentCount(matching:) over an array of structs", only: Suite.few
        ) {
            predicate, data, scale in
            let people = data.people(scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let expected = data.truth(predicate, scale)
            let inline = loops[predicate.id].map { loop in
                Variant("inline on all cores", .baseline, clock: .wall, operations: scale, expected: expected) {
                    people.withUnsafeBufferPointer { shared($0, loop) }
                }
            }
            return variants(scale, expected) {
                try people.concurrentCount(matching: evaluator)
            } serial: {
                try people.count(matching: evaluator)
            } + [inline].compactMap(\.self)
        }
    }

    /// What a loop counts in pieces, on all cores.
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
