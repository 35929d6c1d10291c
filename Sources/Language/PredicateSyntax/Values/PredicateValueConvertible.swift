#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A type whose values can be used in a predicate: as arguments for `%@` and as values of keys.
///
/// `FormatPredicate("age >= %@", 21)`: `Int` conforms.
public protocol PredicateValueConvertible: KeyedValueConvertible {
    /// The value as an argument for `%@`.
    var predicateValue: PredicateValue { get }
}

extension PredicateValueConvertible {
    /// The value of a key is the same as the value of an argument.
    @inlinable public var keyedValue: KeyedValue { predicateValue.keyedValue }
}

extension PredicateValueConvertible where Self: RawRepresentable, RawValue: KeyedValueConvertible {
    public var keyedValue: KeyedValue { predicateValue.keyedValue }
}

extension PredicateValue: PredicateValueConvertible {
    /// The value itself.
    @inlinable public var predicateValue: PredicateValue { self }

    /// The value of a key. An object constant becomes the object itself, or its reflection if the object offers no
    /// keys.
    @inlinable public var keyedValue: KeyedValue {
        if case .object(let object) = self { return object.keyedValue }
        return .value(self)
    }
}

extension Bool: PredicateValueConvertible {
    @inlinable public var predicateValue: PredicateValue { .bool(self) }
}

extension BinaryInteger {
    /// The integer as a value; an integer that does not fit in 64 signed bits becomes a decimal number.
    @inlinable public var predicateValue: PredicateValue {
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
extension Int128: PredicateValueConvertible {}
extension UInt128: PredicateValueConvertible {}

extension BinaryFloatingPoint {
    /// The nearest double.
    @inlinable public var predicateValue: PredicateValue { .double(Double(self)) }
}

extension Double: PredicateValueConvertible {
    @inlinable public var predicateValue: PredicateValue { .double(self) }
}

extension Float: PredicateValueConvertible {}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    extension Float16: PredicateValueConvertible {}
#endif

extension Decimal: PredicateValueConvertible {
    @inlinable public var predicateValue: PredicateValue { .decimal(self) }
}

extension String: PredicateValueConvertible {
    @inlinable public var predicateValue: PredicateValue { .string(self) }
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
    @inlinable public var predicateValue: PredicateValue { .date(self) }
}

extension Data: PredicateValueConvertible {
    @inlinable public var predicateValue: PredicateValue { .data(self) }
}

extension UUID: PredicateValueConvertible {
    @inlinable public var predicateValue: PredicateValue { .uuid(self) }
}

extension URL: PredicateValueConvertible {
    @inlinable public var predicateValue: PredicateValue { .url(self) }
}

extension PredicateValue.ClassName: PredicateValueConvertible {
    /// The class as a constant.
    public var predicateValue: PredicateValue { .type(self) }
}

extension PredicateObject: PredicateValueConvertible {
    /// The object as a constant.
    public var predicateValue: PredicateValue { .object(self) }

    /// The object itself if it offers keys, else its reflection.
    public var keyedValue: KeyedValue {
        (base as? any KeyValueCoding)?.keyedValue ?? KeyedValue.reflection(of: base) ?? .value(.object(self))
    }
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

// MARK: - Ranges

/// A Swift range as a value: `BETWEEN` and `IN` test whether a value lies in it.
///
/// `age IN %@` with `18...65` is `age BETWEEN {18, 65}`; `18..<65`, `18...` and `..<65` have no spelling in the
/// language. [NSP-173]
package struct PredicateRange: Hashable, Sendable, CustomStringConvertible {
    /// The lower bound; nil if there is none.
    package let lowerBound: PredicateValue?
    /// The upper bound, included or excluded; nil if there is none.
    package let upperBound: PredicateValue?
    package let includesUpperBound: Bool

    package init(_ lowerBound: PredicateValue?, _ upperBound: PredicateValue?, includesUpperBound: Bool) {
        self.lowerBound = lowerBound
        self.upperBound = upperBound
        self.includesUpperBound = includesUpperBound
    }

    package var description: String {
        let bounds = [lowerBound, upperBound].map { $0?.printed ?? "" }
        return bounds[0] + (includesUpperBound || upperBound == nil ? "..." : "..<") + bounds[1]
    }

    /// The range as a constant.
    package var predicateValue: PredicateValue { .object(PredicateObject(self)) }

    /// The two bounds if the range includes both: `{18, 65}`.
    fileprivate var twoBounds: PredicateValue? {
        guard let lowerBound, let upperBound, includesUpperBound else { return nil }
        return .array([lowerBound, upperBound])
    }
}

extension ComparisonPredicate {
    /// The comparison with a closed range on its right side spelled out as two bounds, which every stage supports: `age IN %@`
    /// with `18...65` is `age BETWEEN {18, 65}`.
    @inline(__always)
    func spellingOutRange() -> ComparisonPredicate {
        guard case .constantValue(.object(let object)) = rightExpression else { return self }
        return spellingOut(object)
    }

    @inline(never)
    private func spellingOut(_ object: PredicateObject) -> ComparisonPredicate {
        guard `operator` == .in || `operator` == .between, let range = object.base as? PredicateRange,
            let bounds = range.twoBounds
        else { return self }
        return ComparisonPredicate(
            leftExpression, .between, .constantValue(bounds), modifier: modifier, options: options)
    }
}

extension ClosedRange: PredicateValueConvertible where Bound: PredicateValueConvertible {
    /// The range, for `age BETWEEN %@` and `age IN %@`.
    public var predicateValue: PredicateValue {
        PredicateRange(lowerBound.predicateValue, upperBound.predicateValue, includesUpperBound: true).predicateValue
    }
}

extension Range: PredicateValueConvertible where Bound: PredicateValueConvertible {
    /// The range, for `age IN %@`; the upper bound is excluded.
    public var predicateValue: PredicateValue {
        PredicateRange(lowerBound.predicateValue, upperBound.predicateValue, includesUpperBound: false).predicateValue
    }
}

extension PartialRangeFrom: PredicateValueConvertible where Bound: PredicateValueConvertible {
    /// The range, for `age IN %@`.
    public var predicateValue: PredicateValue {
        PredicateRange(lowerBound.predicateValue, nil, includesUpperBound: false).predicateValue
    }
}

extension PartialRangeThrough: PredicateValueConvertible where Bound: PredicateValueConvertible {
    /// The range, for `age IN %@`.
    public var predicateValue: PredicateValue {
        PredicateRange(nil, upperBound.predicateValue, includesUpperBound: true).predicateValue
    }
}

extension PartialRangeUpTo: PredicateValueConvertible where Bound: PredicateValueConvertible {
    /// The range, for `age IN %@`; the upper bound is excluded.
    public var predicateValue: PredicateValue {
        PredicateRange(nil, upperBound.predicateValue, includesUpperBound: false).predicateValue
    }
}

extension PredicateRange: PredicateValueConvertible, KeyValueCoding {
    package func value(forKey key: String) -> KeyedValue? {
        switch key {
        case "lowerBound": lowerBound?.keyedValue ?? .null
        case "upperBound": upperBound?.keyedValue ?? .null
        default: nil
        }
    }

    package var allKeys: [String] { ["lowerBound", "upperBound"] }
}

extension KeyedValue {
    /// Makes a range from its bounds; a missing bound is nil. If a bound is not plain data, the range becomes an
    /// object by reflection.
    fileprivate init(
        _ range: some Any, _ lower: KeyedValue?, _ upper: KeyedValue?, includesUpperBound: Bool = false
    ) {
        let bounds = [lower, upper].map { $0.map { $0.plainValue() } }
        switch (bounds[0], bounds[1]) {
        case (.some(nil), _), (_, .some(nil)): self = Self.reflection(of: range) ?? .null
        case (let lower, let upper):
            self = .object(
                PredicateRange(lower ?? nil, upper ?? nil, includesUpperBound: includesUpperBound))
        }
    }
}

extension ClosedRange: KeyedValueConvertible where Bound: KeyedValueConvertible {
    /// The range, for `BETWEEN`, `IN` and the keys `lowerBound` and `upperBound`.
    public var keyedValue: KeyedValue {
        KeyedValue(self, lowerBound.keyedValue, upperBound.keyedValue, includesUpperBound: true)
    }
}

extension Range: KeyedValueConvertible where Bound: KeyedValueConvertible {
    /// The range, for `BETWEEN`, `IN` and the keys `lowerBound` and `upperBound`.
    public var keyedValue: KeyedValue { KeyedValue(self, lowerBound.keyedValue, upperBound.keyedValue) }
}

extension PartialRangeFrom: KeyedValueConvertible where Bound: KeyedValueConvertible {
    /// The range, whose key `upperBound` is nil.
    public var keyedValue: KeyedValue { KeyedValue(self, lowerBound.keyedValue, nil) }
}

extension PartialRangeThrough: KeyedValueConvertible where Bound: KeyedValueConvertible {
    /// The range, whose key `lowerBound` is nil.
    public var keyedValue: KeyedValue { KeyedValue(self, nil, upperBound.keyedValue, includesUpperBound: true) }
}

extension PartialRangeUpTo: KeyedValueConvertible where Bound: KeyedValueConvertible {
    /// The range, whose key `lowerBound` is nil.
    public var keyedValue: KeyedValue { KeyedValue(self, nil, upperBound.keyedValue) }
}
