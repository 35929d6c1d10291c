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
