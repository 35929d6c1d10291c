import Foundation
import PredicateSyntax

/// `CAST("2016-03-02T00:00:00Z", "NSDate")`; a cast of nil gives nil.
///
/// Throws `castFailed` for a value that the type cannot represent, `resultTooLarge` for a collection whose string is
/// too long.
final class CastPlan: ExpressionPlan {
    let node: Int
    private let expression: any ExpressionPlan
    private let type: CastType
    private let limits: PredicateLimits

    init(_ expression: any ExpressionPlan, _ type: CastType, _ limits: PredicateLimits, node: Int) {
        self.limits = limits
        self.expression = expression
        self.type = type
        self.node = node
    }

    var shape: ExpressionShape {
        .call(nil, [expression]) { [type] values in
            let value = values.argument(0)
            return value.isNull ? .null : value.isCompound ? nil : type.cast(value)
        }
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let value = try expression.value(&context)
        if value.isNull { return .null }
        try context.spend(on: value, at: node)
        if type == .string {
            do {
                try ResultLimit.check(descriptionOf: value, limits)
            } catch {
                throw EvaluationError(error, operands: [expression.node], whole: node)
            }
        }
        guard let cast = type.cast(value) else {
            throw EvaluationError(.castFailed(value: value.found, type: type.rawValue), node: node)
        }
        return cast
    }
}

extension CastType {
    /// Returns the value as this type; nil if the type cannot represent it.
    func cast(_ value: KeyedValue) -> KeyedValue? {
        switch self {
        case .array: return value.collected(as: .array)
        case .set: return value.collected(as: .set)
        case .orderedSet: return value.collected(as: .orderedSet)
        case .dictionary: return value.isDictionary ? value : nil
        case .string: return .value(.string(value.text ?? value.descriptionText))
        case .number, .decimalNumber, .date, .data, .uuid, .url, .type:
            guard case .value(let plain) = value else { return nil }
            return cast(plain).map(KeyedValue.value)
        }
    }

    /// Casts of plain data to plain data.
    private func cast(_ value: PredicateValue) -> PredicateValue? {
        switch self {
        case .number: value.castToNumber
        case .decimalNumber: value.castToDecimal
        case .date: value.castToDate
        case .data: value.castToData
        case .uuid: value.castToUUID
        case .url: value.castToURL
        case .type: value.castToType
        case .string, .array, .set, .orderedSet, .dictionary: nil
        }
    }
}

extension KeyedValue {
    /// Returns the elements in a collection of another kind: `CAST(tags, "NSSet")`.
    fileprivate func collected(as kind: KeyedCollection.Kind) -> KeyedValue? {
        guard let elements else { return nil }
        return KeyedValue(elements: kind == .array ? elements : elements.distinct, kind: kind)
    }
}

extension Date {
    /// Makes a date; nil outside the range of the calendar, and for NaN.
    init?(secondsSince2001 seconds: Double) {
        guard seconds.magnitude <= GregorianCalendar.mostSeconds else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

extension PredicateValue {
    /// A number is returned as it is; a string is parsed; a date gives its seconds since 2001.
    fileprivate var castToNumber: PredicateValue? {
        if Number(self) != nil { return self }
        switch self {
        case .string(let text): return DecimalNotation.number(text)?.predicateValue
        case .date(let date): return .double(date.timeIntervalSinceReferenceDate)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .data, .uuid, .url, .type, .array, .set,
            .orderedSet, .dictionary, .object, .expression, .predicate:
            return nil
        }
    }

    fileprivate var castToDecimal: PredicateValue? {
        if case .string(let text) = self { return DecimalNotation.decimal(text).map(PredicateValue.decimal) }
        guard let number = castToNumber.flatMap(Number.init), !number.decimalValue.isNaN else { return nil }
        return .decimal(number.decimalValue)
    }

    /// Seconds since 2001, or ISO 8601.
    fileprivate var castToDate: PredicateValue? {
        if case .date = self { return self }
        if case .string(let text) = self { return ISO8601.date(from: text).map(PredicateValue.date) }
        return Number(self).flatMap { Date(secondsSince2001: $0.doubleValue) }.map(PredicateValue.date)
    }

    /// Base 64.
    fileprivate var castToData: PredicateValue? {
        if case .data = self { return self }
        guard case .string(let text) = self else { return nil }
        return Data(base64Encoded: text).map(PredicateValue.data)
    }

    fileprivate var castToUUID: PredicateValue? {
        if case .uuid = self { return self }
        guard case .string(let text) = self else { return nil }
        return UUID(uuidString: text).map(PredicateValue.uuid)
    }

    fileprivate var castToURL: PredicateValue? {
        if case .url = self { return self }
        guard case .string(let text) = self else { return nil }
        return URL(string: text).map(PredicateValue.url)
    }

    /// A class by its name.
    fileprivate var castToType: PredicateValue? {
        if case .type = self { return self }
        guard case .string(let name) = self, !name.isEmpty else { return nil }
        return .type(PredicateValue.ClassName(name))
    }
}

/// Numbers in decimal notation: `CAST("12.5e3", "NSNumber")`.
///
/// The notation has an optional sign, fraction and exponent, and may be surrounded by white space; leading zeros are
/// ignored. Hexadecimal numbers, digit separators and words for infinity are not accepted.
enum DecimalNotation {
    /// Returns an integer if the number fits in 64 signed bits, a decimal if it is an integer that fits in 64 unsigned bits,
    /// and a double for any other number; nil for a string that is not a number. [NSP-177]
    static func number(_ text: String) -> Number? {
        guard let digits = NumericPrefix.whole(text) else { return nil }
        if let integer = Int64(digits) { return .integer(integer) }
        if let integer = UInt64(digits) { return .decimal(Decimal(integer)) }
        return Double(digits).flatMap { $0.isFinite ? .double($0) : nil }
    }

    /// Returns the exact decimal; nil for a string that is not a number, and for a number that does not fit.
    static func decimal(_ text: String) -> Decimal? {
        NumericPrefix.whole(text).flatMap { Decimal(string: $0) }.flatMap { $0.isNaN ? nil : $0 }
    }
}
