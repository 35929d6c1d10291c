import Foundation
import PredicateSyntax

/// A value of a row of the reference's queries: cases by what order, equality and totals do with them.
///
/// Unlike ``ReferenceValue`` it knows Booleans, which are values of their own in groups. [NSP-511]
package indirect enum ReferenceCell {
    case null
    /// `YES`
    case bool(Bool)
    /// `42`
    case integer(Int64)
    /// `2.5`
    case double(Double)
    /// `CAST("1.10", "NSDecimalNumber")`
    case decimal(ReferenceDecimal)
    /// The seconds since 2001
    case date(Double)
    /// `"jo"`
    case text(String)
    /// An array or a set, with its elements
    case list(PredicateValue, [ReferenceCell])
    /// A dictionary, with its values in the order of their keys
    case dictionary(PredicateValue, [(key: String, value: ReferenceCell)])
    /// Data, UUIDs, URLs and others, of which nobody needs more than their text
    case other(PredicateValue)

    package init(_ value: PredicateValue) {
        switch value {
        case .null, .nullObject: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .decimal(let value): self = value.isNaN ? .double(.nan) : Self.decimal(value)
        case .string(let value): self = .text(value)
        case .date(let value): self = .date(value.timeIntervalSinceReferenceDate)
        case .array(let values), .orderedSet(let values): self = .list(value, values.map(Self.init))
        case .set(let values): self = .list(value, values.map(Self.init))
        case .dictionary(let members):
            let sorted = members.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
            self = .dictionary(value, sorted.map { ($0.key, Self($0.value)) })
        case .data, .uuid, .url, .type, .object, .expression, .predicate: self = .other(value)
        }
    }

    private static func decimal(_ value: Decimal) -> ReferenceCell {
        .decimal(ReferenceDecimal(value.description) ?? ReferenceDecimal())
    }

    /// The value of an expression, whose Booleans are integers.
    package init(_ value: ReferenceValue) {
        self.init(value.keyedValue.predicateValue ?? .null)
    }

    /// The value as the reference evaluator takes it.
    package var predicateValue: PredicateValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .decimal(let value): Decimal(string: value.text).map(PredicateValue.decimal) ?? .null
        case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .text(let text): .string(text)
        case .list(let value, _), .dictionary(let value, _), .other(let value): value
        }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    var isBool: Bool {
        if case .bool = self { true } else { false }
    }
}

// MARK: - Numbers

extension ReferenceCell {
    /// The nearest double of a number or a Boolean; nil for other values.
    package var nearestDouble: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.double
        case .null, .date, .text, .list, .dictionary, .other: nil
        }
    }

    /// The number for which a number or a Boolean stands; nil for infinities, NaN and other values. [NSP-510]
    package var exactNumber: ReferenceDecimal? {
        switch self {
        case .bool(let value): ReferenceDecimal(value ? 1 : 0)
        case .integer(let value): ReferenceDecimal(value)
        case .double(let value): value.isFinite ? Self.number(standingFor: value) : nil
        case .decimal(let value): value
        case .null, .date, .text, .list, .dictionary, .other: nil
        }
    }

    /// A whole double below 2¹²⁰ stands for its integer, and another for its shortest notation.
    private static func number(standingFor value: Double) -> ReferenceDecimal? {
        let isWhole = value == value.rounded() && abs(value) < 0x1p120
        return isWhole ? ReferenceDecimal(exactly: value) : ReferenceDecimal("\(value)")
    }
}

// MARK: - Texts

extension ReferenceCell {
    /// The value as a format prints it: `{1, 2}`
    var printed: String { predicateValue.description }

    /// True for a set, whose elements have no order.
    var isSet: Bool {
        if case .list(.set, _) = self { true } else { false }
    }

    /// The text that CSV has for the value. [NSP-512]
    var csvText: String {
        switch self {
        case .null: ""
        case .text(let text): text
        case .double(let value) where value.isNaN: ""
        case .bool, .integer, .double, .decimal, .date, .list, .dictionary, .other:
            json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
        }
    }

    private var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): value.isInfinite ? (value < 0 ? "-1e999" : "1e999") : "\(value)"
        case .decimal(let value): Decimal(string: value.text)?.description ?? "null"
        case .date(let seconds): Self.quoted(Self.text(ofDate: seconds))
        case .text(let text): Self.quoted(text)
        case .list(_, let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .dictionary(_, let members):
            "{" + members.map { Self.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
        case .other(let value): Self.json(of: value)
        }
    }

    private static func json(of value: PredicateValue) -> String {
        switch value {
        case .data(let value): quoted(value.base64EncodedString())
        case .uuid(let value): quoted(value.uuidString)
        case .url(let value): quoted(value.absoluteString)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .array, .set, .orderedSet,
            .dictionary, .type, .object, .expression, .predicate:
            "null"
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return "\"" + escaped + "\""
    }

    /// `2016-03-02T10:15:30.25Z`
    private static func text(ofDate seconds: Double) -> String {
        let whole = seconds.rounded(.down)
        let style = Date.ISO8601FormatStyle(timeZone: .gmt)
        let text = Date(timeIntervalSinceReferenceDate: whole).formatted(style)
        guard seconds != whole else { return text }
        return text.dropLast() + "\(seconds - whole)".dropFirst() + "Z"
    }
}
