#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The encoded form of a predicate or an expression: the format string that it prints, and arguments for the constants that
/// have no literal. Nodes of a tree have another form, for user interfaces: see ``PredicateNode``.
///
///     {"format": "age >= 21 AND id IN %@", "arguments": [{"set": [{"int": 1}]}]}
///
/// Archives are therefore readable, and decoding has the limits and the errors of parsing. A bare string, such as a client
/// sends, is decoded as a format. A closure of the host cannot be encoded.
///
/// A decoded tree must pass a policy: ``PredicatePolicy/untrusted``, or the one under
/// `CodingUserInfoKey.predicatePolicy`.
package struct EncodedFormat: Codable {
    package var format: String
    package var arguments: [PredicateValue]?

    package init(format: String, arguments: [PredicateValue]) {
        (self.format, self.arguments) = (format, arguments.isEmpty ? nil : arguments)
    }

    /// Creates the encoded form of a predicate. Throws ``PredicateArchiveError`` if it contains a block.
    package init(_ predicate: FormatPredicate) throws(PredicateArchiveError) {
        try self.init { $0.print(predicate.node) }
    }

    /// Creates the encoded form of an expression. Throws ``PredicateArchiveError`` if it contains a block.
    package init(_ expression: FormatExpression) throws(PredicateArchiveError) {
        try self.init { $0.printFormat(expression.node) }
    }

    private init(_ print: (inout Printer) -> Void) throws(PredicateArchiveError) {
        var printer = Printer(constants: .drawnOut)
        print(&printer)
        format = printer.text
        if let block = printer.block {
            throw PredicateArchiveError(.block(block.name), text: format, range: block.range)
        }
        arguments = printer.arguments.isEmpty ? nil : printer.arguments
    }

    package init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            format = text
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        format = try container.decode(String.self, forKey: .format)
        arguments = try container.decodeIfPresent([PredicateValue].self, forKey: .arguments)
    }
}

extension EncodedFormat {
    func predicate(_ limits: PredicateLimits) throws(PredicateFormatError) -> FormatPredicate {
        try FormatPredicate(format: format, arguments: arguments ?? [], options: FormatOptions(limits: limits))
    }

    func expression(_ limits: PredicateLimits) throws(PredicateFormatError) -> FormatExpression {
        try FormatExpression(format: format, arguments: arguments ?? [], options: FormatOptions(limits: limits))
    }
}

extension FormatPredicate: Codable {
    public init(from decoder: any Decoder) throws {
        let policy = decoder.predicatePolicy
        let predicate = try EncodedFormat(from: decoder).predicate(policy.limits)
        try policy.check(predicate)
        self.init(predicate.node)
    }

    public func encode(to encoder: any Encoder) throws { try EncodedFormat(self).encode(to: encoder) }
}

extension FormatExpression: Codable {
    public init(from decoder: any Decoder) throws {
        let policy = decoder.predicatePolicy
        let expression = try EncodedFormat(from: decoder).expression(policy.limits)
        try policy.check(expression)
        self.init(expression.node)
    }

    public func encode(to encoder: any Encoder) throws { try EncodedFormat(self).encode(to: encoder) }
}

// MARK: - Constants

/// Values are encoded under the name of their kind: `{"int": 21}`, `{"set": [{"string": "a"}]}`, `{"nil": true}`.
extension PredicateValue: Codable {
    enum ArchivedKind: String, CodingKey {
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
        case .expression(let node): try container.encode(FormatExpression(node), forKey: .expression)
        case .predicate(let node): try container.encode(FormatPredicate(node), forKey: .predicate)
        case .object(let object):
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "a host object has no text form")
            throw EncodingError.invalidValue(object.base, context)
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ArchivedKind.self)
        guard let kind = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(Self.context(decoder, "expected one key that names the kind of value"))
        }
        guard let value = try Self.value(of: kind, in: container) else {
            throw DecodingError.dataCorrupted(Self.context(decoder, "expected a string with a \(kind.rawValue)"))
        }
        self = value
    }

    /// Returns the elements of a set, ordered by their printed forms, so that equal sets have equal encodings.
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
        case .expression: .expression(try container.decode(FormatExpression.self, forKey: kind).node)
        case .predicate: .predicate(try container.decode(FormatPredicate.self, forKey: kind).node)
        }
    }

    /// Doubles are encoded as strings, which keep every bit and can represent the values that JSON numbers cannot.
    private static func double(_ text: String) throws -> PredicateValue? {
        if let value = Double(text) { return .double(value) }
        guard case .constantValue(let value) = try FormatExpression(format: text, arguments: []).node else {
            return nil
        }
        return value
    }
}

// MARK: - Policy

extension CodingUserInfoKey {
    /// The key for the ``PredicatePolicy`` that decoded predicates and expressions must pass. If there is none,
    /// ``PredicatePolicy/untrusted`` applies.
    ///
    /// ```swift
    /// decoder.userInfo[.predicatePolicy] = policy                           // what clients may use
    /// decoder.userInfo[.predicatePolicy] = PredicatePolicy.unrestricted     // archives that the program wrote itself
    /// ```
    public static var predicatePolicy: CodingUserInfoKey {
        // The initializer is failable only because of its protocol; it accepts every string.
        CodingUserInfoKey(rawValue: "PredicateSyntax.PredicatePolicy") ?? .predicatePolicy
    }
}

extension Decoder {
    /// The policy for decoded trees.
    package var predicatePolicy: PredicatePolicy { userInfo[.predicatePolicy] as? PredicatePolicy ?? .untrusted }
}
