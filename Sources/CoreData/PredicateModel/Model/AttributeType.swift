import Foundation
import PredicateSyntax

/// The type of an attribute.
///
/// `AttributeType.integer64.name` is `Integer 64`, as in model files; `archivedNumber` is the number in compiled
/// models.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum AttributeType: Hashable, Sendable {
    /// No type; valid for transient attributes only.
    case undefined
    /// Integers of 16, 32 and 64 bits.
    case integer16, integer32, integer64
    /// Decimal numbers and binary floating-point numbers of 64 and 32 bits.
    case decimal, double, float
    /// The other types whose values are stored directly.
    case string, boolean, date, binaryData, uuid, uri
    /// A value that a value transformer converts to data.
    case transformable
    /// The identity of an object, for attributes that exist only in the results of fetches.
    case objectID
    /// A group of attributes: ``CompositeDescription``.
    case composite
    /// A type that this version of the library does not know, by its name or number. It is preserved.
    case unknown(String)

    /// All types but ``unknown(_:)``.
    static let known: [AttributeType] = [
        .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
        .binaryData,
        .uuid, .uri, .transformable, .objectID, .composite,
    ]

    /// Creates the type with this name in model files: `Integer 64`
    package init(name: String) {
        self = Self.known.first { $0.name == name } ?? .unknown(name)
    }

    /// Creates the type with this number in compiled models: `300`
    package init(archivedNumber: Int) {
        self = Self.known.first { $0.archivedNumber == archivedNumber } ?? .unknown("\(archivedNumber)")
    }

    /// The name in model files: `Integer 64`
    public var name: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binaryData: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "Object ID"
        case .composite: "Composite"
        case .unknown(let name): name
        }
    }

    /// The number in compiled models; nil for an unknown type from a model file.
    package var archivedNumber: Int? {
        switch self {
        case .undefined: 0
        case .integer16: 100
        case .integer32: 200
        case .integer64: 300
        case .decimal: 400
        case .double: 500
        case .float: 600
        case .string: 700
        case .boolean: 800
        case .date: 900
        case .binaryData: 1000
        case .uuid: 1100
        case .uri: 1200
        case .transformable: 1800
        case .objectID: 2000
        case .composite: 2100
        case .unknown(let name): Int(name)
        }
    }

    /// A Boolean value that indicates whether the values are numbers; `false` for Boolean values.
    package var isNumber: Bool { kind == .number }

    /// True if the type includes all integers of another type and is wider. A store uses the same column type for
    /// both.
    package func widens(_ other: AttributeType) -> Bool {
        guard let own = integerRange, let range = other.integerRange else { return false }
        return own.upperBound > range.upperBound
    }

    /// The range of an integer type; nil for other types.
    package var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: Int64.min...Int64.max
        case .undefined, .decimal, .double, .float, .string, .boolean, .date, .binaryData, .uuid, .uri, .transformable,
            .objectID, .composite, .unknown:
            nil
        }
    }
}

/// Attribute values as strings of model files and as numbers of archives.
extension AttributeType {
    /// Converts a value to the form of the type: for a Boolean, 1 is `YES`; for a double, it is 1.0.
    func normalized(_ value: PredicateValue) -> PredicateValue {
        switch (self, value) {
        case (.boolean, .integer(let number)) where number == 0 || number == 1: .bool(number == 1)
        case (.integer16, .bool(let flag)), (.integer32, .bool(let flag)), (.integer64, .bool(let flag)):
            .integer(flag ? 1 : 0)
        case (.integer16, .double(let number)), (.integer32, .double(let number)), (.integer64, .double(let number)):
            Int64(exactly: number).map(PredicateValue.integer) ?? value
        case (.integer16, .decimal(let number)), (.integer32, .decimal(let number)), (.integer64, .decimal(let number)):
            Int64("\(number)").map(PredicateValue.integer) ?? value
        case (.double, .bool(let flag)), (.float, .bool(let flag)): .double(flag ? 1 : 0)
        case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
        case (.double, .decimal(let number)), (.float, .decimal(let number)):
            .double(Double("\(number)") ?? .nan)
        case (.decimal, .bool(let flag)): .decimal(flag ? 1 : 0)
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        case (.decimal, .double(let number)): Decimal(string: "\(number)").map(PredicateValue.decimal) ?? value
        case (.uri, .string(let text)): URL(string: text).map(PredicateValue.url) ?? value
        case (.uuid, .string(let text)): UUID(uuidString: text).map(PredicateValue.uuid) ?? value
        default: value
        }
    }

    /// The value of a string in a model file: `YES`, `21`; nil for the empty string unless the type is string.
    ///
    /// A string that is not a value of the type stays a string, so that a check can report it.
    func value(fromModelFile text: String) -> PredicateValue? {
        if case .string = self { return .string(text) }
        let word = text.trimmingCharacters(in: .whitespaces)
        if word.isEmpty { return nil }
        // Model files may keep NO from a time when the attribute was a Boolean.
        if isNumber, word == "NO" { return normalized(.integer(0)) }
        let found: PredicateValue? =
            switch self {
            case .boolean: Self.boolean(word).map(PredicateValue.bool)
            case .integer16, .integer32, .integer64:
                Int64(word).map(PredicateValue.integer)
                    ?? Double(word).flatMap { Int64(exactly: $0) }.map(PredicateValue.integer)
            case .double, .float: Double(word).map(PredicateValue.double)
            case .decimal: word.decimalNumber.map(PredicateValue.decimal)
            case .uri: URL(string: word).map(PredicateValue.url)
            case .uuid: UUID(uuidString: word).map(PredicateValue.uuid)
            case .undefined, .string, .date, .binaryData, .transformable, .objectID, .composite, .unknown: nil
            }
        return found ?? .string(text)
    }

    private static func boolean(_ word: String) -> Bool? {
        switch word.uppercased() {
        case "YES", "TRUE", "1": true
        case "NO", "FALSE", "0": false
        // Model files may keep 0.0 from a time when the attribute was a number.
        default: Double(word).flatMap { $0 == 0 ? false : $0 == 1 ? true : nil }
        }
    }
}

extension String {
    /// The whole string as a decimal number. Foundation's parser accepts a string that merely begins with one.
    fileprivate var decimalNumber: Decimal? {
        guard Double(self) != nil, !lowercased().contains("n"), !lowercased().contains("x") else { return nil }
        return Decimal(string: self)
    }
}

extension AttributeDescription {
    /// Stores a condition of a compiled model as one of the bounds; returns false for any other condition.
    ///
    /// `SELF >= 1`, `SELF <= 8`, `length >= 3`, `SELF MATCHES "[a-z]+"`
    mutating func takeBound(_ node: PredicateNode) -> Bool {
        switch node {
        case .comparison(let comparison) where comparison.modifier == .direct:
            guard case .constantValue(let constant) = comparison.rightExpression else { return false }
            return takeBound(comparison.leftExpression, comparison.operator, constant)
        case .string(let comparison):
            guard case .string(let pattern)? = comparison.rightExpression.constant, comparison.operator == .matches,
                case .evaluatedObject = comparison.leftExpression, comparison.options.isEmpty, regularExpression == nil
            else { return false }
            regularExpression = pattern
            return true
        case .constant, .comparison, .compound, .block: return false
        }
    }

    private mutating func takeBound(
        _ left: ExpressionNode, _ operator: ComparisonOperator, _ constant: PredicateValue
    ) -> Bool {
        let bound = type.normalized(constant)
        switch (left, `operator`, constant) {
        case (.evaluatedObject, .greaterThanOrEqualTo, _) where minimumValue == nil: minimumValue = bound
        case (.evaluatedObject, .lessThanOrEqualTo, _) where maximumValue == nil: maximumValue = bound
        case (.keyPath(let path), .greaterThanOrEqualTo, .integer(let number))
        where path.isLength && minimumLength == nil:
            minimumLength = Int(exactly: number)
        case (.keyPath(let path), .lessThanOrEqualTo, .integer(let number))
        where path.isLength && maximumLength == nil:
            maximumLength = Int(exactly: number)
        default: return false
        }
        return true
    }
}

extension KeyPathExpression {
    /// True for `length` of the value itself.
    fileprivate var isLength: Bool {
        switch base {
        case nil, .evaluatedObject: components == [.key("length")]
        case .some: false
        }
    }
}

extension ExpressionNode {
    /// The value of a constant; nil for any other expression.
    var constant: PredicateValue? {
        if case .constantValue(let value) = self { value } else { nil }
    }
}
