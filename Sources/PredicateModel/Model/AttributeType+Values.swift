import Foundation
import PredicateSyntax

/// Values of attributes as texts of model files and as numbers of archives.
extension AttributeType {
    /// The value in the form that this type has: 1 of a Boolean is `YES`, 1 of a double is 1.0.
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

    /// The value of a text in a model file: `YES`, `21`; nil for the empty text of a type other than string.
    ///
    /// A text that is no value of the type stays a string, so that a check can report it.
    func value(fromModelFile text: String) -> PredicateValue? {
        if case .string = self { return .string(text) }
        let word = text.trimmingCharacters(in: .whitespaces)
        if word.isEmpty { return nil }
        // An attribute that was a Boolean once keeps this word.
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
        // An attribute that was a number once keeps `0.0`.
        default: Double(word).flatMap { $0 == 0 ? false : $0 == 1 ? true : nil }
        }
    }
}

extension String {
    /// The whole text as a decimal number: Foundation reads the beginning of a text alone.
    fileprivate var decimalNumber: Decimal? {
        guard Double(self) != nil, !lowercased().contains("n"), !lowercased().contains("x") else { return nil }
        return Decimal(string: self)
    }
}

extension AttributeDescription {
    /// Keeps a condition of a compiled model as one of the bounds; false for any other condition.
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
