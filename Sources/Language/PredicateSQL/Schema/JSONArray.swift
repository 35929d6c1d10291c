package import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Arrays of plain values in JSON, as columns hold them: `["a", null, "b"]`
///
/// Anything but an array reads as nil, and an element of another type than the declared one reads as a nil element. [NSP-431]
package enum JSONArray {
    /// Returns the elements; nil for a string that is not a JSON array. Like SQLite, reads a string up to U+0000.
    package static func elements(of text: String, _ type: SQLType) -> [PredicateValue]? {
        let bytes = Data(text.utf8.prefix { $0 != 0 })
        guard let elements = try? JSONDecoder().decode([JSONElement].self, from: bytes) else { return nil }
        return elements.map { $0.value(type) }
    }

    /// Returns true for a JSON array whose elements are nil or have one of the given types.
    package static func holds(_ text: String, elementsOf types: [SQLType]) -> Bool {
        guard let elements = try? JSONDecoder().decode([JSONElement].self, from: Data(text.utf8)) else { return false }
        return elements.allSatisfy { element in
            element.isNull || types.contains { element.value($0) != .null }
        }
    }

    /// Returns the JSON of an array; nil if an element has another type.
    static func text(of values: [PredicateValue], _ type: SQLType) -> String? {
        var elements: [JSONElement] = []
        for value in values {
            guard let element = JSONElement(value, type) else { return nil }
            elements.append(element)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(elements)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A value of JSON: an element of an array, or a part of the document of a schema.
enum JSONElement: Codable {
    case text(String)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case null
    case list([JSONElement])
    case object([String: JSONElement])

    /// An object without those members that are nil.
    static func members(_ members: [String: JSONElement?]) -> JSONElement { .object(members.compactMapValues(\.self)) }

    /// A list of strings; nil if it is empty.
    static func texts(_ texts: [String]) -> JSONElement? { texts.isEmpty ? nil : .list(texts.map { .text($0) }) }

    init(from decoder: any Decoder) throws {
        let content = try decoder.singleValueContainer()
        if content.decodeNil() {
            self = .null
        } else if let value = try? content.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? content.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? content.decode(Double.self) {
            self = .double(value)
        } else if let value = try? content.decode(String.self) {
            self = .text(value)
        } else if let elements = try? content.decode([JSONElement].self) {
            self = .list(elements)
        } else {
            self = .object(try content.decode([String: JSONElement].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var content = encoder.singleValueContainer()
        switch self {
        case .text(let value): try content.encode(value)
        case .integer(let value): try content.encode(value)
        case .double(let value): try content.encode(value)
        case .boolean(let value): try content.encode(value)
        case .null: try content.encodeNil()
        case .list(let elements): try content.encode(elements)
        case .object(let members): try content.encode(members)
        }
    }

    var isNull: Bool { if case .null = self { true } else { false } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    var object: [String: JSONElement]? { if case .object(let members) = self { members } else { nil } }

    /// Returns the values of the elements; nil if this is not a list, or an element has none.
    func list<Value>(_ value: (JSONElement) -> Value?) -> [Value]? {
        guard case .list(let elements) = self else { return nil }
        let values = elements.compactMap(value)
        return values.count == elements.count ? values : nil
    }

    var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        case .text, .boolean, .null, .list, .object: nil
        }
    }

    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .text, .boolean, .null, .list, .object: nil
        }
    }

    /// Returns nil for a value that is not of the type.
    init?(_ value: PredicateValue, _ type: SQLType) {
        switch (value, type) {
        case (.null, _), (.nullObject, _): self = .null
        case (.string(let text), .string): self = .text(text)
        case (.integer(let number), .integer): self = .integer(number)
        case (.integer(let number), .double): self = .double(Double(number))
        case (.double(let number), .double) where number.isFinite: self = .double(number)
        case (.bool(let value), .boolean): self = .boolean(value)
        default: return nil
        }
    }

    /// The element as a value of a type; nil for one of another type.
    func value(_ type: SQLType) -> PredicateValue {
        switch (self, type) {
        case (.text(let text), .string): .string(text)
        case (_, .integer): integer.map(PredicateValue.integer) ?? .null
        case (_, .double): number.map(PredicateValue.double) ?? .null
        case (.boolean(let value), .boolean): .bool(value)
        default: .null
        }
    }
}
