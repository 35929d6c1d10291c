import Foundation
import PredicateSyntax

extension KeyedValue: KeyedValueConvertible {
    public var keyedValue: KeyedValue { self }
}

extension KeyedCollection: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .collection(self) }
}

/// Integers: `age >= 21`. One that does not fit 64 signed bits becomes a decimal number.
extension KeyedValueConvertible where Self: BinaryInteger {
    public var keyedValue: KeyedValue { .value(predicateValue) }
}

/// Enums and other types with a raw value: `extension Colour: KeyedValueConvertible {}` gives `colour == "red"`.
extension KeyedValueConvertible where Self: RawRepresentable, RawValue: KeyedValueConvertible {
    public var keyedValue: KeyedValue { rawValue.keyedValue }
}

extension Int: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.integer(Int64(self))) }
}

extension Int64: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.integer(self)) }
}

extension Int8: KeyedValueConvertible {}
extension Int16: KeyedValueConvertible {}
extension Int32: KeyedValueConvertible {}
extension UInt: KeyedValueConvertible {}
extension UInt8: KeyedValueConvertible {}
extension UInt16: KeyedValueConvertible {}
extension UInt32: KeyedValueConvertible {}
extension UInt64: KeyedValueConvertible {}

extension Bool: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.bool(self)) }
}

extension Double: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.double(self)) }
}

extension Float: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.double(Double(self))) }
}

extension CGFloat: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.double(Double(self))) }
}

extension Decimal: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.decimal(self)) }
}

extension String: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.string(self)) }
}

extension Substring: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.string(String(self))) }
}

extension Character: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.string(String(self))) }
}

extension StaticString: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.string(description)) }
}

extension Unicode.Scalar: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.string(String(self))) }
}

extension Date: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.date(self)) }
}

extension Data: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.data(self)) }
}

extension UUID: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.uuid(self)) }
}

extension URL: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.url(self)) }
}

extension PredicateValue.ClassName: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .value(.type(self)) }
}

extension Optional: KeyedValueConvertible where Wrapped: KeyedValueConvertible {
    public var keyedValue: KeyedValue { self?.keyedValue ?? .null }
}

/// Plain data stays plain; an array that holds an object becomes ``KeyedValue/collection(_:)``.
extension Array: KeyedValueConvertible where Element: KeyedValueConvertible {
    public var keyedValue: KeyedValue { KeyedValue(elements: map(\.keyedValue), kind: .array) }
}

extension ArraySlice: KeyedValueConvertible where Element: KeyedValueConvertible {
    public var keyedValue: KeyedValue { KeyedValue(elements: map(\.keyedValue), kind: .array) }
}

extension ContiguousArray: KeyedValueConvertible where Element: KeyedValueConvertible {
    public var keyedValue: KeyedValue { KeyedValue(elements: map(\.keyedValue), kind: .array) }
}

extension Set: KeyedValueConvertible where Element: KeyedValueConvertible {
    public var keyedValue: KeyedValue { KeyedValue(elements: map(\.keyedValue), kind: .set) }
}

extension AnyHashable: KeyedValueConvertible {
    public var keyedValue: KeyedValue { KeyedValue(bridging: base) }
}

extension PredicateObject: KeyedValueConvertible {
    /// The value that the object stands for: itself if it offers keys, else its reflection.
    public var keyedValue: KeyedValue {
        (base as? any KeyValueCoding)?.keyedValue ?? .object(ReflectedObject(base))
    }
}

/// Plain data as an object: JSON rows and encoded values.
///
/// `age >= 21` on `["age": 30]`
///
/// A dictionary offers its keys, every value the properties of its class, such as `length` of a string.
extension PredicateValue: KeyValueCoding {
    public var keyedValue: KeyedValue {
        if case .object(let object) = self { return object.keyedValue }
        return .value(self)
    }

    public func value(forKey key: String) -> KeyedValue? {
        if case .dictionary(let entries) = self { return entries.value(exactly: key)?.keyedValue }
        return ValueProperty(rawValue: key)?.value(of: keyedValue)
    }

    public var allKeys: [String] {
        if case .dictionary(let entries) = self { return Array(entries.keys) }
        return []
    }

    /// True for dictionaries, and for nil, every key of which is nil.
    public var toleratesMissingKeys: Bool {
        switch self {
        case .dictionary, .null, .nullObject: true
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .object, .expression, .predicate:
            false
        }
    }
}

/// Dictionaries of any values with strings for keys: a missing key is nil.
///
/// `age >= 21` on `["name": "jo", "age": 30] as [String: Any]`
extension Dictionary: KeyedValueConvertible, KeyValueCoding, DictionaryCoding where Key == String {
    public func value(forKey key: String) -> KeyedValue? {
        value(exactly: key).map { Bridge.keyedValue($0, depth: 0) }
    }

    public var allKeys: [String] { Array(keys) }

    public var toleratesMissingKeys: Bool { true }

    package var entries: [String: KeyedValue]? { mapValues { Bridge.keyedValue($0, depth: 0) } }

    package var entryCount: Int { count }
}
