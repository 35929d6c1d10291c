import Foundation
import PredicateSyntax

extension NumberKey {
    func value(of number: Number) -> PredicateValue {
        switch self {
        case .charValue: number.clamped(to: Int8.self)
        case .shortValue: number.clamped(to: Int16.self)
        case .intValue: number.clamped(to: Int32.self)
        case .integerValue, .longValue, .longLongValue: .integer(number.whole)
        case .unsignedCharValue: number.clamped(to: UInt8.self)
        case .unsignedShortValue: number.clamped(to: UInt16.self)
        case .unsignedIntValue: number.clamped(to: UInt32.self)
        case .unsignedIntegerValue, .unsignedLongValue, .unsignedLongLongValue: number.wholeWithoutSign.predicateValue
        case .floatValue: .double(Double(Float(number.doubleValue)))
        case .doubleValue: .double(number.doubleValue)
        case .boolValue: .bool(number.doubleValue != 0)
        case .decimalValue: .decimal(number.decimalValue)
        case .stringValue: .string(number.text)
        }
    }
}

extension Number {
    /// The whole part, as the nearest number of an integer type within 64 signed bits; 0 for not-a-number.
    fileprivate func clamped<Integer: FixedWidthInteger>(to type: Integer.Type) -> PredicateValue {
        .integer(min(max(whole, Int64(clamping: Integer.min)), Int64(clamping: Integer.max)))
    }

    /// The whole part, as the nearest number of 64 bits; 0 for not-a-number.
    @inline(never)
    fileprivate var whole: Int64 {
        switch self {
        case .integer(let value): return value
        case .double(let value):
            if value.isNaN { return 0 }
            return Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
        case .decimal(let value):
            if value.isNaN { return 0 }
            return Int64(value.truncated.description) ?? (value.isSignMinus ? .min : .max)
        }
    }

    /// The whole part, as the nearest number of 64 bits without a sign; 0 for not-a-number.
    fileprivate var wholeWithoutSign: UInt64 {
        switch self {
        case .integer(let value): return UInt64(clamping: value)
        case .double(let value):
            if value.isNaN { return 0 }
            return UInt64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
        case .decimal(let value):
            if value.isNaN { return 0 }
            return UInt64(value.truncated.description) ?? (value.isSignMinus ? .min : .max)
        }
    }

    /// The number as NSNumber spells it: `1.5`, and `2` for 2.0; Booleans are 1 and 0.
    package var text: String {
        switch self {
        case .integer(let value): return String(value)
        case .decimal(let value): return value.description
        case .double(let value):
            let text = String(value)
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
    }
}
