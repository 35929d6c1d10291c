import Foundation
import PredicateEvaluation
import PredicateSyntax

/// CAST. [NSP-124]
extension ReferenceEvaluator {
    static let castTypes: Set<String> = [
        "NSString", "NSNumber", "NSDecimalNumber", "NSDate", "NSData", "NSUUID", "NSURL", "NSArray", "NSSet",
        "NSOrderedSet", "NSDictionary", "Class",
    ]

    mutating func value(_ node: CastExpression) throws(ReferenceError) -> ReferenceValue {
        let value = try value(node.expression)
        if value.isNull { return .null }
        try spend(1 + value.weight)
        if node.type == "NSString" { try checkDescription(of: value) }
        guard let cast = Self.cast(value, to: node.type) else { throw ReferenceError(.castFailed) }
        return cast
    }

    /// The description of collections may be far larger than they are. [NSP-166]
    func checkDescription(of value: ReferenceValue) throws(ReferenceError) {
        if value.elements != nil, value.descriptionSize(level: 0) > limits.resultSize {
            throw ReferenceError(.resultTooLarge)
        }
    }

    private static func cast(_ value: ReferenceValue, to type: String) -> ReferenceValue? {
        switch type {
        case "NSString": .text(value.text ?? value.keyedValue.descriptionText)
        case "NSArray": value.elements.map { .list($0, .array) }
        case "NSSet": value.elements.map { .list($0.distinct, .set) }
        case "NSOrderedSet": value.elements.map { .list($0.distinct, .orderedSet) }
        case "NSDictionary": value.pairs == nil ? nil : value
        case "NSNumber": number(value).map(ReferenceValue.number)
        case "NSDecimalNumber": decimal(value).map { .number(.decimal($0)) }
        case "NSDate": date(value).map(ReferenceValue.date)
        default: plain(value, type).map(ReferenceValue.plain)
        }
    }

    private static func number(_ value: ReferenceValue) -> ReferenceNumber? {
        switch value {
        case .number(let number): return number
        case .date(let date): return .double(date.timeIntervalSinceReferenceDate)
        case .text(let text):
            guard let digits = decimalNotation(text) else { return nil }
            if Int64(digits) == nil, let whole = UInt64(digits) { return .decimal(Decimal(whole)) }
            if let integer = Int64(digits) { return .integer(integer) }
            return Double(digits).flatMap { $0.isFinite ? .double($0) : nil }
        case .null, .nullObject, .plain, .list, .dictionary, .object: return nil
        }
    }

    private static func decimal(_ value: ReferenceValue) -> Decimal? {
        let found =
            value.text == nil
            ? number(value)?.asDecimal
            : value.text.flatMap(decimalNotation).flatMap { Decimal(string: $0) }
        return found.flatMap { $0.isNaN ? nil : $0 }
    }

    /// Digits with a sign, a fraction and an exponent at most, white space around them.
    private static func decimalNotation(_ text: String) -> String? {
        let trimmed = text.trimmingCharacters(in: CharacterSet(charactersIn: " \t\n\u{B}\u{C}\r"))
        let shape = "^[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?\\z"
        return trimmed.range(of: shape, options: .regularExpression) == nil ? nil : trimmed
    }

    private static func date(_ value: ReferenceValue) -> Date? {
        switch value {
        case .date(let date): return date
        case .text(let text): return ISO8601.date(from: text)
        case .number(let number):
            // As far as calendars can be trusted.
            let seconds = number.asDouble
            return abs(seconds) <= 1e15 ? Date(timeIntervalSinceReferenceDate: seconds) : nil
        case .null, .nullObject, .plain, .list, .dictionary, .object: return nil
        }
    }

    private static func plain(_ value: ReferenceValue, _ type: String) -> PredicateValue? {
        if case .plain(let plain) = value, plain.valueClass.name == type { return plain }
        guard let text = value.text else { return nil }
        switch type {
        case "NSData": return Data(base64Encoded: text).map(PredicateValue.data)
        case "NSUUID": return UUID(uuidString: text).map(PredicateValue.uuid)
        case "NSURL": return URL(string: text).map(PredicateValue.url)
        default: return text.isEmpty ? nil : .type(PredicateValue.ClassName(text))
        }
    }
}

extension ReferenceValue {
    /// Each level is indented by four more than the one around it.
    fileprivate func descriptionSize(level: Int) -> Int {
        let inner = level < PredicateLimits.standard.nesting ? elements ?? [] : []
        return inner.reduce(4 * level + (text?.utf8.count ?? 0)) { $0 + $1.descriptionSize(level: level + 1) }
    }
}
