#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value of the predicate language: a constant in a format string, an argument, or the value of a key.
///
/// `21`, `"jo"`, `YES`, `nil`, `{1, 2}`, `CAST(0.000000, "NSDate")`
///
/// Numbers are normalized when a value is made from them: every integer that fits is `integer`, every binary floating-point
/// number is `double`. Strings compare by code points (their UTF-8), never by canonical equivalence. [NSP-010]
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PredicateValue: Sendable {
    /// `nil`, `NULL`
    case null
    /// `<null>`: the object that represents nil inside collections. It compares as `nil` does. [NSP-061]
    case nullObject
    /// `YES`, `NO`, `TRUE`, `FALSE`: the numbers 1 and 0. Equal to the corresponding integers.
    case bool(Bool)
    /// `42`, `0x2A`, `-1`
    case integer(Int64)
    /// `2.5`, `9.2e-5`
    case double(Double)
    /// `CAST("1.10", "NSDecimalNumber")`
    indirect case decimal(Decimal)
    /// `"jo"`, `'jo'`
    case string(String)
    /// `CAST(592299475.577120, "NSDate")`: seconds since 2001-01-01 00:00 UTC.
    case date(Date)
    /// `CAST("aGk=", "NSData")`: base 64.
    case data(Data)
    /// `CAST("137DECC8-B300-4954-A233-F89909F4FD89", "NSUUID")`
    case uuid(UUID)
    /// `CAST("https://swift.org", "NSURL")`
    case url(URL)
    /// `CAST("NSNumber", "Class")`: the value of the key `class`.
    case type(ClassName)
    /// `{1, 2}` if every element is a constant, and an array passed for `%@`.
    case array([PredicateValue])
    /// A set passed for `%@`, and the result of `UNION`, `INTERSECT` and `MINUS`.
    case set(Set<PredicateValue>)
    /// A set with an order; the order counts for equality.
    case orderedSet([PredicateValue])
    /// A dictionary passed for `%@`: `IN` and `CONTAINS` search its values.
    case dictionary([String: PredicateValue])
    /// An object of the host passed for `%@`.
    indirect case object(PredicateObject)
    /// An expression bound to a variable; it is evaluated where the variable occurs.
    indirect case expression(ExpressionNode)
    /// A predicate passed for `%@` where an expression is expected; it is a constant.
    case predicate(PredicateNode)
}

/// An object of the host inside a tree. It is compared by its own `==`, and its keys can be followed if it offers
/// any.
///
/// `boss == %@` with `PredicateObject(boss)`
public struct PredicateObject: Hashable, Sendable {
    /// The value of the host. A value that conforms to no protocol of this package is opaque to predicates.
    public let base: any Hashable & Sendable

    /// Makes a constant from a value of the host.
    public init(_ base: any Hashable & Sendable) {
        self.base = base
    }

    public static func == (left: PredicateObject, right: PredicateObject) -> Bool {
        AnyHashable(left.base) == AnyHashable(right.base)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(AnyHashable(base))
    }
}

extension PredicateValue {
    /// The class of a value, by the name that predicates use for it: the key `class` returns it and `isKindOfClass:`
    /// takes it.
    ///
    /// `self isKindOfClass: %@`, `class == %@`
    public struct ClassName: Hashable, Sendable {
        /// `NSNumber`, `NSString`, …, or a name that the host defines.
        public let name: String

        /// Makes a class from the name that `CAST` and archives use: `NSDate`
        public init(_ name: String) {
            self.name = name
        }

        package static let object = ClassName("NSObject")
        package static let null = ClassName("NSNull")
        package static let number = ClassName("NSNumber")
        package static let decimalNumber = ClassName("NSDecimalNumber")
        package static let string = ClassName("NSString")
        package static let date = ClassName("NSDate")
        package static let data = ClassName("NSData")
        package static let uuid = ClassName("NSUUID")
        package static let url = ClassName("NSURL")
        package static let array = ClassName("NSArray")
        package static let set = ClassName("NSSet")
        package static let orderedSet = ClassName("NSOrderedSet")
        package static let dictionary = ClassName("NSDictionary")
        package static let expression = ClassName("NSExpression")
        package static let predicate = ClassName("NSPredicate")
        package static let type = ClassName("Class")

        /// True if a value of this class is also a value of `other`. Every class is a kind of itself and of `NSObject`.
        package func isKind(of other: ClassName) -> Bool {
            self == other || other == .object || (self == .decimalNumber && other == .number)
        }
    }
}

/// Literals: `let ages: PredicateValue = [21, 65]`. There is no nil literal, since it would mean `.null` where an
/// optional value is absent; write `.null`.
extension PredicateValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    public init(floatLiteral value: Double) {
        self = .double(value)
    }

    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    public init(stringLiteral value: String) {
        self = .string(value)
    }

    public init(arrayLiteral elements: PredicateValue...) {
        self = .array(elements)
    }

    /// A duplicate key keeps its last value.
    public init(dictionaryLiteral elements: (String, PredicateValue)...) {
        self = .dictionary(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

/// A value of a record that points into the input, for loops without reference counting or copies.
///
///     {"name": "jo", "age": 21}
///
/// yields `text` with the address of two bytes, and `integer`. It is a trivial value: whoever makes it must keep the bytes
/// alive.
package enum FlatValue: BitwiseCopyable {
    /// nil, or a missing key
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    /// Seconds since 2001-01-01 00:00 UTC
    case date(Double)
    /// Valid UTF-8 without escapes
    case text(UnsafeBufferPointer<UInt8>)
    case list(UnsafeBufferPointer<FlatValue>)
    /// Any other value.
    case opaque
}

/// The order of two numbers.
package enum NumberOrder: Hashable, Sendable {
    case less
    case equal
    case greater
}

extension NumberOrder {
    /// The order of two doubles. It is total, as in Foundation's `NSNumber`: NaN equals itself and is ordered between
    /// the negative numbers and 0; -0.0 equals 0.0. [NSP-176]
    @inline(__always)
    package init(_ left: Double, _ right: Double) {
        self = left < right ? .less : left == right ? .equal : left > right ? .greater : Self.withoutNumber(left, right)
    }

    /// The order if one of the numbers is NaN.
    @inline(never)
    package static func withoutNumber(_ left: Double, _ right: Double) -> NumberOrder {
        if left.isNaN, right.isNaN { return .equal }
        return left.isNaN ? (right < 0 ? .greater : .less) : left < 0 ? .less : .greater
    }
}

/// Integers from 2^63 to 2^64 − 1 do not fit in a signed integer. They are decimals, and their literal is their
/// digits. [NSP-177]
///
/// `18446744073709551615`
extension Decimal {
    /// The decimal as an unsigned 64-bit integer; nil if it is not an integer of this range, or if a signed integer
    /// holds it.
    package var unsignedInteger: UInt64? {
        guard self >= Self.leastUnsigned, self <= Self.greatestUnsigned else { return nil }
        return UInt64(description)
    }

    private static let leastUnsigned = Decimal(UInt64(1) << 63)
    private static let greatestUnsigned = Decimal(UInt64.max)
}
