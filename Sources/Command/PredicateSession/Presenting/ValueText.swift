import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Formats values for a terminal: on one line, without control characters. Midnight in the zone (nil: UTC) is written as a day.
package enum ValueText {
    /// Returns a value as it is written in a format: `"jo"`, `21`, `nil`. Collections and dictionaries are JSON.
    package static func literal(_ value: KeyedValue, in zone: LocalZone?) -> String {
        guard let data = value.predicateValue else { return json(of: value) ?? "an object" }
        return switch data {
        case .array, .set, .orderedSet, .dictionary: JSONWriter().text(of: data).printable
        case .bool(let value): value ? "YES" : "NO"
        case .date(let value): (text(of: value, zone) ?? data.printed).printable
        case .null, .nullObject: "nil"
        case .integer, .double, .decimal, .string, .data, .uuid, .url, .type, .object, .expression, .predicate:
            data.printed.printable
        }
    }

    /// Returns a value for a cell of a table: like ``literal(_:in:)``, but strings have no quotes, and decimals are digits.
    package static func cell(_ value: KeyedValue, in zone: LocalZone?) -> String {
        if case .value(.string(let text)) = value { return text.printable }
        if case .value(.decimal(let number)) = value { return number.description }
        return literal(value, in: zone)
    }

    /// `2019-03-02` for a midnight in the zone, `2019-03-02T10:15:00Z` for any other time; nil for dates that cannot be
    /// written. [NSP-496]
    private static func text(of date: Date, _ zone: LocalZone?) -> String? {
        let local = zone?.wallClock(of: date) ?? date
        if let text = ISO8601.string(from: local), text.hasSuffix("T00:00:00Z") { return String(text.dropLast(10)) }
        return ISO8601.string(from: date)
    }

    private static func json(of value: KeyedValue) -> String? {
        if let entries = value.entries { return "{\(entries.keys.sorted().joined(separator: ", "))}" }
        return value.elementCount.map { "\($0) elements" }
    }
}

/// Formats numbers in sentences.
package enum Count {
    /// `1 object`, `12,000 objects`
    package static func of(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(number == 1 ? noun : noun + "s")"
    }

    /// `1 of 3 objects matches`
    package static func matches(_ number: Int, of total: Int) -> String {
        "\(grouped(number)) of \(of(total, "object")) \(number == 1 ? "matches" : "match")"
    }

    /// `1,000,000`
    package static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var result = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { result += "," }
            result.append(digit)
        }
        return result
    }

    /// `1.3 µs`, `0.4 ms`, `1.25 s`
    package static func seconds(_ duration: Duration) -> String {
        let parts = duration.components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
        if seconds < 1e-4 { return "\(rounded(seconds * 1e6, 10)) µs" }
        return seconds < 1 ? "\(rounded(seconds * 1000, 10)) ms" : "\(rounded(seconds, 100)) s"
    }

    /// `40 %`, `0.1 %`
    package static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0 %" }
        let percent = Double(part) * 100 / Double(whole)
        if part == 0 || part == whole || (percent >= 1 && percent <= 99) { return "\(Int(percent.rounded())) %" }
        return percent < 1 ? "<1 %" : ">99 %"
    }

    private static func rounded(_ number: Double, _ scale: Double) -> Double {
        (number * scale).rounded() / scale
    }
}
