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

/// An element of a JSON array.
private enum JSONElement: Codable {
    case text(String)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case null
    /// An array or an object.
    case other

    init(from decoder: any Decoder) throws {
        guard let content = try? decoder.singleValueContainer(), !content.decodeNil() else {
            self = .null
            return
        }
        if let value = try? content.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? content.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? content.decode(Double.self) {
            self = .double(value)
        } else if let value = try? content.decode(String.self) {
            self = .text(value)
        } else {
            self = .other
        }
    }

    func encode(to encoder: any Encoder) throws {
        var content = encoder.singleValueContainer()
        switch self {
        case .text(let value): try content.encode(value)
        case .integer(let value): try content.encode(value)
        case .double(let value): try content.encode(value)
        case .boolean(let value): try content.encode(value)
        case .null, .other: try content.encodeNil()
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

    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The element as a value of a type; nil for one of another type.
    func value(_ type: SQLType) -> PredicateValue {
        switch (self, type) {
        case (.text(let text), .string): .string(text)
        case (.integer(let number), .integer): .integer(number)
        case (.double(let number), .integer): Int64(exactly: number).map(PredicateValue.integer) ?? .null
        case (.integer(let number), .double): .double(Double(number))
        case (.double(let number), .double): .double(number)
        case (.boolean(let value), .boolean): .bool(value)
        default: .null
        }
    }
}
