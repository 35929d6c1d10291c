import BenchmarkWorkload
import Foundation

/// The predicates on text as closures with the string functions of Foundation: what people write.
enum FoundationClosures {
    static var all: [String: (Person) -> Bool] {
        [
            "P02": { $0.age >= 21 && contains($0.name, "jo", .anchored) },
            "P03": { contains($0.name, "an") || $0.email.hasSuffix("@example.com") },
            "P08": p08,
            "P10": {
                $0.active && (18...65).contains($0.age) && WorkloadPredicate.offices.contains($0.dept.name)
                    && $0.email.range(of: ".ORG", options: [.caseInsensitive, .anchored, .backwards]) == nil
            },
            "P13": p13,
            "P14": {
                $0.name.compare("jose garcia", options: [.caseInsensitive, .diacriticInsensitive]) == .orderedSame
            },
        ]
    }

    private static var p08: (Person) -> Bool {
        let pattern = try? NSRegularExpression(pattern: "^J.*n S.*$")
        return { person in
            let all = NSRange(location: 0, length: person.name.utf16.count)
            return pattern?.firstMatch(in: person.name, range: all) != nil
        }
    }

    private static var p13: (Person) -> Bool {
        let pattern = try? NSRegularExpression(pattern: "^j.*n s.ith$", options: .caseInsensitive)
        return { person in
            let all = NSRange(location: 0, length: person.name.utf16.count)
            return pattern?.firstMatch(in: person.name, range: all) != nil
        }
    }

    private static func contains(_ text: String, _ needle: String, _ options: String.CompareOptions = []) -> Bool {
        text.range(of: needle, options: options.union([.caseInsensitive, .diacriticInsensitive])) != nil
    }
}

/// The predicates as Foundation's `#Predicate` where it can say them. It knows no comparison without case, so P02, P03
/// and P10 are case-sensitive: less work, and expected results of their own.
struct MacroPredicate: Sendable {
    var predicate: Foundation.Predicate<Person>
    /// The expected result where it differs from the format's.
    var truth: (@Sendable (Person) -> Bool)?

    static let all: [String: MacroPredicate] = simple.merging(compound) { $1 }

    private static let simple: [String: MacroPredicate] = [
        "P01": .init(predicate: #Predicate { $0.age > 21 }),
        "P04": .init(predicate: #Predicate { $0.name == "John Smith" }),
        "P05": p05,
        "P06": .init(predicate: #Predicate { $0.score >= 10 && $0.score <= 20 }),
        "P07": .init(predicate: #Predicate { $0.tags.contains("swift") }),
        "P09": .init(predicate: #Predicate { $0.tags.filter { $0.starts(with: "s") }.count > 1 }),
        "P11": .init(predicate: #Predicate { $0.score * 2.0 + 1.0 > 50.0 && $0.age < 50 }),
        "P12": p12,
        "P15": .init(predicate: #Predicate { $0.tags.contains("swift") }),
        "P16": .init(predicate: #Predicate { $0.tags.count > 2 }),
    ]

    private static let compound: [String: MacroPredicate] = [
        "P02": .init(
            predicate: #Predicate { $0.age >= 21 && $0.name.starts(with: "Jo") },
            truth: { $0.age >= 21 && $0.name.hasPrefix("Jo") }),
        "P03": .init(
            predicate: #Predicate { $0.name.contains("an") || $0.email.contains("@example.com") },
            truth: { $0.name.range(of: "an") != nil || $0.email.hasSuffix("@example.com") }),
        "P10": p10,
    ]

    private static var p05: MacroPredicate {
        let offices = WorkloadPredicate.offices
        return .init(predicate: #Predicate { offices.contains($0.dept.name) })
    }

    private static var p10: MacroPredicate {
        let offices = WorkloadPredicate.offices
        return .init(
            predicate: #Predicate {
                $0.active && $0.age >= 18 && $0.age <= 65 && offices.contains($0.dept.name)
                    && !$0.email.contains(".org")
            },
            truth: {
                $0.active && (18...65).contains($0.age) && offices.contains($0.dept.name)
                    && !$0.email.hasSuffix(".org")
            })
    }

    private static var p12: MacroPredicate {
        let middle = WorkloadPredicate.middle
        return .init(predicate: #Predicate { $0.created > middle })
    }
}
