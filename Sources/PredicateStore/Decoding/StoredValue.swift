import Foundation
import PredicateSyntax

/// A type that a column's value becomes without code of its own.
protocol StoredDecodable {
    /// The value; throws the problem where it is of another kind, or does not fit.
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Self
}

extension DecodingPlace {
    fileprivate func mismatch(_ expected: String, _ value: PredicateValue) -> StoreError {
        failing(.kind(expected: expected, found: StoredContent.value(value).kind))
    }
}

extension StoredDecodable where Self: FixedWidthInteger {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Self {
        switch value {
        case .integer(let number):
            guard let result = Self(exactly: number) else {
                throw place.failing(.doesNotFit("\(Self.self)", found: "\(number)"))
            }
            return result
        case .double(let number):
            guard let result = Self(exactly: number) else {
                throw place.failing(.doesNotFit("\(Self.self)", found: "\(number)"))
            }
            return result
        case .bool(let value): return value ? 1 : 0
        default: throw place.mismatch("an integer", value)
        }
    }
}

extension StoredDecodable where Self: BinaryFloatingPoint {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Self {
        let number: Self?
        switch value {
        case .double(let double): number = Self(exactly: double)
        case .integer(let integer): number = Self(exactly: integer)
        default: throw place.mismatch("a number", value)
        }
        guard let number else { throw place.failing(.doesNotFit("\(Self.self)", found: value.printed)) }
        return number
    }
}

extension Int: StoredDecodable {}
extension Int8: StoredDecodable {}
extension Int16: StoredDecodable {}
extension Int32: StoredDecodable {}
extension Int64: StoredDecodable {}
extension UInt: StoredDecodable {}
extension UInt8: StoredDecodable {}
extension UInt16: StoredDecodable {}
extension UInt32: StoredDecodable {}
extension UInt64: StoredDecodable {}
extension Double: StoredDecodable {}
extension Float: StoredDecodable {}

extension Bool: StoredDecodable {
    /// A column without a type for Booleans holds 0 and 1.
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Bool {
        switch value {
        case .bool(let value): return value
        case .integer(0): return false
        case .integer(1): return true
        default: throw place.mismatch("a Boolean", value)
        }
    }
}

extension String: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> String {
        guard case .string(let text) = value else { throw place.mismatch("a string", value) }
        return text
    }
}

extension Date: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Date {
        guard case .date(let date) = value else { throw place.mismatch("a date", value) }
        return date
    }
}

extension Data: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Data {
        guard case .data(let data) = value else { throw place.mismatch("data", value) }
        return data
    }
}

extension UUID: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> UUID {
        guard case .uuid(let uuid) = value else { throw place.mismatch("a UUID", value) }
        return uuid
    }
}

extension URL: StoredDecodable {
    /// No column has a type for URLs: they are texts.
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> URL {
        guard case .string(let text) = value, let url = URL(string: text) else { throw place.mismatch("a URL", value) }
        return url
    }
}

extension Decimal: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> Decimal {
        switch value {
        case .decimal(let decimal): return decimal
        case .integer(let integer): return Decimal(integer)
        default: throw place.mismatch("a decimal number", value)
        }
    }
}

/// A value of any kind, nil too.
extension PredicateValue: StoredDecodable {
    static func decoded(_ value: PredicateValue, _ place: DecodingPlace) throws(StoreError) -> PredicateValue { value }
}
