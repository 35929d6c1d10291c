import BenchmarkWorkload
import Foundation
import PredicateText

/// The predicates as Swift source inside the loop over a buffer: the limit for structs in memory.
enum InlineLoops {
    typealias Loop = (UnsafeBufferPointer<Person>) -> Int

    static var all: [String: Loop] {
        [
            "P01": { tally($0) { $0.pointee.age > 21 } },
            "P02": p02, "P03": p03,
            "P04": { tally($0) { $0.pointee.name == "John Smith" } },
            "P05": { tally($0) { isOffice($0.pointee.dept.name) } },
            "P06": { tally($0) { $0.pointee.score >= 10 && $0.pointee.score <= 20 } },
            "P07": { tally($0) { $0.pointee.tags.contains("swift") } },
            "P08": { tally($0) { HandMatching.johnLike($0.pointee.name) } },
            "P09": { tally($0) { HandMatching.beginWithS($0.pointee.tags) > 1 } },
            "P10": p10,
            "P11": { tally($0) { $0.pointee.score * 2 + 1 > 50 && $0.pointee.age < 50 } },
            "P12": p12,
            "P13": { tally($0) { HandMatching.johnSmithLike($0.pointee.name) } },
            "P14": p14,
            "P15": { tally($0) { $0.pointee.tags.contains("swift") } },
            "P16": { tally($0) { $0.pointee.tags.count > 2 } },
        ]
    }

    private static func p02(_ people: UnsafeBufferPointer<Person>) -> Int {
        let needle = InlineNeedle("jo")
        return tally(people) { $0.pointee.age >= 21 && needle.isPrefix(of: $0.pointee.name) }
    }

    private static func p03(_ people: UnsafeBufferPointer<Person>) -> Int {
        let needle = InlineNeedle("an")
        return tally(people) {
            needle.isContained(in: $0.pointee.name) || HandMatching.endsWith($0.pointee.email, "@example.com")
        }
    }

    private static func p10(_ people: UnsafeBufferPointer<Person>) -> Int {
        let needle = InlineNeedle(".org", .caseInsensitive)
        return tally(people) {
            $0.pointee.active && $0.pointee.age >= 18 && $0.pointee.age <= 65 && isOffice($0.pointee.dept.name)
                && !needle.isSuffix(of: $0.pointee.email)
        }
    }

    private static func p12(_ people: UnsafeBufferPointer<Person>) -> Int {
        let middle = WorkloadPredicate.middle
        return tally(people) { $0.pointee.created > middle }
    }

    private static func p14(_ people: UnsafeBufferPointer<Person>) -> Int {
        let needle = InlineNeedle("jose garcia")
        return tally(people) { needle.isEqual(to: $0.pointee.name) }
    }

    @inline(__always)
    private static func isOffice(_ name: String) -> Bool {
        name == "Sales" || name == "Legal" || name == "R&D"
    }

    /// By pointer: a loop over elements would copy each of them, and count its references.
    @inline(__always)
    private static func tally(
        _ people: UnsafeBufferPointer<Person>, _ test: (UnsafePointer<Person>) -> Bool
    ) -> Int {
        guard let start = people.baseAddress else { return 0 }
        var count = 0
        for index in 0..<people.count where test(start + index) { count += 1 }
        return count
    }
}
