#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A value is encoded under the name of its kind: `{"int": 21}`, `{"set": [{"string": "a"}]}`, `{"nil": true}`.
extension PredicateValue: Codable {
    private enum ArchivedKind: String, CodingKey {
        case `nil`, nsnull, bool, int, double, decimal, string, date, data, uuid, url, `class`, array, set, orderedset
        case dict, expression, predicate
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ArchivedKind.self)
        switch self {
        case .null: try container.encode(true, forKey: .nil)
        case .nullObject: try container.encode(true, forKey: .nsnull)
        case .bool(let value): try container.encode(value, forKey: .bool)
        case .integer(let value): try container.encode(value, forKey: .int)
        case .double(let value): try container.encode(value.isFinite ? "\(value)" : printed, forKey: .double)
        case .decimal(let value): try container.encode("\(value)", forKey: .decimal)
        case .string(let value): try container.encode(value, forKey: .string)
        case .date(let value): try container.encode(value.timeIntervalSinceReferenceDate, forKey: .date)
        case .data(let value): try container.encode(value.base64EncodedString(), forKey: .data)
        case .uuid(let value): try container.encode(value, forKey: .uuid)
        case .url(let value): try container.encode(value.absoluteString, forKey: .url)
        case .type(let value): try container.encode(value.name, forKey: .class)
        case .array(let values): try container.encode(values, forKey: .array)
        case .set(let values): try container.encode(Self.ordered(values), forKey: .set)
        case .orderedSet(let values): try container.encode(values, forKey: .orderedset)
        case .dictionary(let values): try container.encode(values, forKey: .dict)
        case .expression(let node): try container.encode(node, forKey: .expression)
        case .predicate(let node): try container.encode(node, forKey: .predicate)
        case .object(let object):
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "an object of the host's has no text")
            throw EncodingError.invalidValue(object.base, context)
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ArchivedKind.self)
        guard let kind = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(Self.context(decoder, "expected one key that names the kind of value"))
        }
        guard let value = try Self.value(of: kind, in: container) else {
            throw DecodingError.dataCorrupted(Self.context(decoder, "expected the text of a \(kind.rawValue)"))
        }
        self = value
    }

    /// The elements of a set in the order of their prints, so that equal sets have equal encodings.
    private static func ordered(_ values: Set<PredicateValue>) -> [PredicateValue] {
        let groups = Dictionary(grouping: values, by: \.printed)
        return Array(groups.keys).inOrder().flatMap { groups[$0] ?? [] }
    }

    private static func context(_ decoder: any Decoder, _ text: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: text)
    }

    private static func value(
        of kind: ArchivedKind, in container: KeyedDecodingContainer<ArchivedKind>
    ) throws -> PredicateValue? {
        switch kind {
        case .nil: .null
        case .nsnull: .nullObject
        case .bool: .bool(try container.decode(Bool.self, forKey: kind))
        case .int: .integer(try container.decode(Int64.self, forKey: kind))
        case .double: try double(try container.decode(String.self, forKey: kind))
        case .decimal: try container.decode(String.self, forKey: kind).decimalLiteral.map(PredicateValue.decimal)
        case .string: .string(try container.decode(String.self, forKey: kind))
        case .date: .date(Date(timeIntervalSinceReferenceDate: try container.decode(Double.self, forKey: kind)))
        case .data: Data(base64Encoded: try container.decode(String.self, forKey: kind)).map(PredicateValue.data)
        case .uuid: .uuid(try container.decode(UUID.self, forKey: kind))
        case .url: URL(string: try container.decode(String.self, forKey: kind)).map(PredicateValue.url)
        case .class: .type(PredicateValue.ClassName(try container.decode(String.self, forKey: kind)))
        case .array: .array(try container.decode([PredicateValue].self, forKey: kind))
        case .set: .set(Set<PredicateValue>(try container.decode([PredicateValue].self, forKey: kind)))
        case .orderedset: .orderedSet(try container.decode([PredicateValue].self, forKey: kind))
        case .dict: .dictionary(try container.decode([String: PredicateValue].self, forKey: kind))
        case .expression: .expression(try container.decode(ExpressionNode.self, forKey: kind))
        case .predicate: .predicate(try container.decode(PredicateNode.self, forKey: kind))
        }
    }

    /// Text keeps every bit and the values that JSON has no number for.
    private static func double(_ text: String) throws -> PredicateValue? {
        if let value = Double(text) { return .double(value) }
        guard case .constantValue(let value) = try FormatExpression(format: text, arguments: []).node else {
            return nil
        }
        return value
    }
}
