#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A type whose values can stand in a predicate: what `%@` takes and what keys may hold.
///
/// `FormatPredicate("age >= %@", 21)`: `Int` conforms.
public protocol PredicateValueConvertible {
    /// The value as an argument: what `%@` puts into a tree.
    var predicateValue: PredicateValue { get }
}

extension PredicateValue: PredicateValueConvertible {
    /// The value itself.
    public var predicateValue: PredicateValue { self }
}

extension Bool: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .bool(self) }
}

extension BinaryInteger {
    /// The integer as a value: one that 64 signed bits cannot hold becomes a decimal number.
    public var predicateValue: PredicateValue {
        if let value = Int64(exactly: self) { return .integer(value) }
        return Decimal(string: String(self)).map(PredicateValue.decimal) ?? .double(Double(self))
    }
}

extension Int: PredicateValueConvertible {}
extension Int8: PredicateValueConvertible {}
extension Int16: PredicateValueConvertible {}
extension Int32: PredicateValueConvertible {}
extension Int64: PredicateValueConvertible {}
extension UInt: PredicateValueConvertible {}
extension UInt8: PredicateValueConvertible {}
extension UInt16: PredicateValueConvertible {}
extension UInt32: PredicateValueConvertible {}
extension UInt64: PredicateValueConvertible {}

extension Double: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .double(self) }
}

extension Float: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .double(Double(self)) }
}

extension Decimal: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .decimal(self) }
}

extension String: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .string(self) }
}

extension Substring: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .string(String(self)) }
}

extension Character: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .string(String(self)) }
}

extension StaticString: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .string(description) }
}

extension Unicode.Scalar: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .string(String(self)) }
}

extension Date: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .date(self) }
}

extension Data: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .data(self) }
}

extension UUID: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .uuid(self) }
}

extension URL: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .url(self) }
}

extension PredicateValue.ClassName: PredicateValueConvertible {
    /// As an argument a class is a constant.
    public var predicateValue: PredicateValue { .type(self) }
}

extension PredicateObject: PredicateValueConvertible {
    /// As an argument an object is a constant.
    public var predicateValue: PredicateValue { .object(self) }
}

extension Optional: PredicateValueConvertible where Wrapped: PredicateValueConvertible {
    public var predicateValue: PredicateValue { self?.predicateValue ?? .null }
}

extension Array: PredicateValueConvertible where Element: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .array(map(\.predicateValue)) }
}

extension Set: PredicateValueConvertible where Element: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .set(Set<PredicateValue>(map(\.predicateValue))) }
}

extension Dictionary: PredicateValueConvertible where Key == String, Value: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .dictionary(mapValues(\.predicateValue)) }
}
