import Foundation
import PredicateEvaluation
import PredicateSyntax

/// A value of the program inside a predicate.
enum CapturedValue {
    /// The value as a constant.
    static func converted(_ value: Any) throws(Refusal) -> Converted {
        .constant(try constant(value))
    }

    /// What the language has for the value: data as itself, an enum as its raw value, any other Hashable one as an object.
    static func constant(_ value: Any) throws(Refusal) -> PredicateValue {
        if let plain = PredicateValue(bridging: value) { return plain }
        if let optional = value as? any OptionalValue { return try optional.some.map(constant) ?? .null }
        if let hashable = value as? any Hashable { return .object(object(hashable)) }
        throw Refusal(.notAConstant(type: "\(type(of: value))"))
    }

    /// Every value of a predicate is Sendable, since a predicate is, though no cast can ask for that: the protocol has no
    /// functions, and so both existentials have one layout.
    private static func object(_ value: any Hashable) -> PredicateObject {
        PredicateObject(unsafeBitCast(value, to: (any Hashable & Sendable).self))
    }
}

/// An optional of any type.
protocol OptionalValue {
    static var wrapped: Any.Type { get }
    var some: Any? { get }
}

extension Optional: OptionalValue {
    static var wrapped: Any.Type { Wrapped.self }
    var some: Any? { self }
}

/// What the language can do with values of a type.
enum ValueType {
    /// True if `<` of the type is that of the language.
    static func isOrdered(_ type: Any.Type) -> Bool {
        switch type {
        case is any BinaryInteger.Type: true
        case is Double.Type, is Float.Type, is CGFloat.Type, is Decimal.Type, is Date.Type: true
        case is String.Type, is Substring.Type, is Character.Type: true
        default: false
        }
    }

    /// True if arithmetic on the type gives what the language computes, but where Swift would trap.
    static func isComputed(_ type: Any.Type) -> Bool {
        switch type {
        case is any BinaryInteger.Type, is Double.Type, is CGFloat.Type, is Decimal.Type: true
        default: false
        }
    }

    /// True for an integer without a sign that may need more than 63 bits: it is a decimal number there.
    static func isWideUnsigned(_ type: Any.Type) -> Bool {
        type == UInt.self || type == UInt64.self
    }

    static func isText(_ type: Any.Type) -> Bool {
        type == String.self || type == Substring.self
    }

    /// True for an optional of an optional, of which some values are lost.
    static func isNestedOptional(_ type: Any.Type) -> Bool {
        guard let outer = type as? any OptionalValue.Type else { return false }
        return outer.wrapped is any OptionalValue.Type
    }

    /// True for a collection that the language has.
    static func isCollection(_ type: Any.Type) -> Bool { type is any ListedCollection.Type }

    /// True for a collection whose elements have their positions from 0 on.
    static func isArray(_ type: Any.Type) -> Bool { type is any PositionedCollection.Type }
}

/// The collections whose elements SUBQUERY, IN and @max look at.
protocol ListedCollection {}

/// The collections with an element for each number from 0 on.
protocol PositionedCollection: ListedCollection {}

extension Array: PositionedCollection {}
extension ContiguousArray: PositionedCollection {}
extension ArraySlice: ListedCollection {}
extension Set: ListedCollection {}
extension Dictionary.Keys: ListedCollection {}
extension Dictionary.Values: ListedCollection {}

/// A range of Swift with its bounds.
protocol BoundedRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { get }
}

extension ClosedRange: BoundedRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, true) }
}

extension Range: BoundedRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, false) }
}

extension PartialRangeFrom: BoundedRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeThrough: BoundedRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, true) }
}

extension PartialRangeUpTo: BoundedRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, false) }
}
