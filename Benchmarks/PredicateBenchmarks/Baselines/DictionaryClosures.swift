import Foundation
import PredicateText

/// The predicates as hand-written closures over dictionaries, as programs with untyped rows have them.
enum DictionaryClosures {
    typealias Row = [String: Any]
    typealias Test = (Row) -> Bool

    static var all: [String: Test] {
        [
            "P01": { integer($0, "age").map { $0 > 21 } ?? false },
            "P02": p02, "P03": p03,
            "P04": { text($0, "name") == "John Smith" },
            "P05": { office($0) },
            "P06": { number($0, "score").map { $0 >= 10 && $0 <= 20 } ?? false },
            "P07": { tags($0)?.contains("swift") ?? false },
            "P08": { text($0, "name").map(HandMatching.johnLike) ?? false },
            "P09": { tags($0).map { HandMatching.beginWithS($0) > 1 } ?? false },
            "P10": p10, "P11": p11, "P12": p12,
            "P13": { text($0, "name").map(HandMatching.johnSmithLike) ?? false },
            "P14": p14,
            "P15": { tags($0)?.contains("swift") ?? false },
            "P16": { tags($0).map { $0.count > 2 } ?? false },
        ]
    }

    private static var p02: Test {
        let needle = InlineNeedle("jo")
        return { row in
            guard let age = integer(row, "age"), age >= 21, let name = text(row, "name") else { return false }
            return needle.isPrefix(of: name)
        }
    }

    private static var p03: Test {
        let needle = InlineNeedle("an")
        return { row in
            if let name = text(row, "name"), needle.isContained(in: name) { return true }
            return text(row, "email").map { HandMatching.endsWith($0, "@example.com") } ?? false
        }
    }

    private static var p10: Test {
        let needle = InlineNeedle(".org", .caseInsensitive)
        return { row in
            guard row["active"] as? Bool == true, let age = integer(row, "age"), age >= 18, age <= 65, office(row),
                let email = text(row, "email")
            else { return false }
            return !needle.isSuffix(of: email)
        }
    }

    private static var p11: Test {
        { row in
            guard let score = number(row, "score"), let age = integer(row, "age") else { return false }
            return score * 2 + 1 > 50 && age < 50
        }
    }

    private static var p12: Test {
        let middle = Date(timeIntervalSinceReferenceDate: 599_529_600)
        return { ($0["created"] as? Date).map { $0 > middle } ?? false }
    }

    private static var p14: Test {
        let needle = InlineNeedle("jose garcia")
        return { text($0, "name").map(needle.isEqual(to:)) ?? false }
    }

    private static func office(_ row: Row) -> Bool {
        guard let dept = row["dept"] as? [String: Any], let name = text(dept, "name") else { return false }
        return name == "Sales" || name == "Legal" || name == "R&D"
    }

    private static func integer(_ row: Row, _ key: String) -> Int? { row[key] as? Int }

    private static func number(_ row: Row, _ key: String) -> Double? { row[key] as? Double }

    private static func text(_ row: Row, _ key: String) -> String? { row[key] as? String }

    private static func tags(_ row: Row) -> [String]? { row["tags"] as? [String] }
}
