import BenchmarkWorkload
import Foundation
import PredicateText

/// The properties that hand-written closures read, of structs and of objects alike.
protocol PersonKeys {
    var name: String { get }
    var age: Int { get }
    var email: String { get }
    var score: Double { get }
    var tags: [String] { get }
    var active: Bool { get }
    var created: Date { get }
    var deptName: String { get }
}

extension Person: PersonKeys {
    var deptName: String { dept.name }
}

extension PersonObject: PersonKeys {
    var deptName: String { dept.name }
}

/// The predicates as closures that a loop calls without seeing them: what a filter chosen at run time costs when it is
/// written by hand. The same source as the inline loops.
enum HandClosures<Subject: PersonKeys> {
    typealias Test = (Subject) -> Bool

    static var all: [String: Test] {
        [
            "P01": { $0.age > 21 },
            "P02": p02, "P03": p03,
            "P04": { $0.name == "John Smith" },
            "P05": { isOffice($0.deptName) },
            "P06": { $0.score >= 10 && $0.score <= 20 },
            "P07": { $0.tags.contains("swift") },
            "P08": { HandMatching.johnLike($0.name) },
            "P09": { HandMatching.beginWithS($0.tags) > 1 },
            "P10": p10,
            "P11": { $0.score * 2 + 1 > 50 && $0.age < 50 },
            "P12": p12,
            "P13": { HandMatching.johnSmithLike($0.name) },
            "P14": p14,
            "P15": { $0.tags.contains("swift") },
            "P16": { $0.tags.count > 2 },
        ]
    }

    private static var p02: Test {
        let needle = InlineNeedle("jo")
        return { $0.age >= 21 && needle.isPrefix(of: $0.name) }
    }

    private static var p03: Test {
        let needle = InlineNeedle("an")
        return { needle.isContained(in: $0.name) || HandMatching.endsWith($0.email, "@example.com") }
    }

    private static var p10: Test {
        let needle = InlineNeedle(".org", .caseInsensitive)
        return {
            $0.active && $0.age >= 18 && $0.age <= 65 && isOffice($0.deptName) && !needle.isSuffix(of: $0.email)
        }
    }

    private static var p12: Test {
        let middle = WorkloadPredicate.middle
        return { $0.created > middle }
    }

    private static var p14: Test {
        let needle = InlineNeedle("jose garcia")
        return { needle.isEqual(to: $0.name) }
    }

    @inline(__always)
    private static func isOffice(_ name: String) -> Bool {
        name == "Sales" || name == "Legal" || name == "R&D"
    }
}
