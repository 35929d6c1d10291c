#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value of the predicate language: a constant in a format string, an argument, or what a key holds.
///
/// `21`, `"jo"`, `YES`, `nil`, `{1, 2}`, `CAST(0.000000, "NSDate")`
///
/// Numbers are narrowed once, when they enter: every integer that fits is `integer`, every binary floating-point
/// number is `double`. Strings compare by code point (their UTF-8), never by canonical equivalence. [NSP-010]
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PredicateValue: Sendable {
    /// `nil`, `NULL`
    case null
    /// `<null>`: the object that stands for nil inside collections. Compares as `nil` does. [NSP-061]
    case nullObject
    /// `YES`, `NO`, `TRUE`, `FALSE`: the numbers 1 and 0. Equal to the integer of the same value.
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
    /// `CAST("NSNumber", "Class")`: what the key `class` gives.
    case type(ClassName)
    /// `{1, 2}` when every element is a constant, and an array passed for `%@`.
    case array([PredicateValue])
    /// A set passed for `%@`, and what `UNION`, `INTERSECT` and `MINUS` give.
    case set(Set<PredicateValue>)
    /// A set that keeps its order; element order counts for equality.
    case orderedSet([PredicateValue])
    /// A dictionary passed for `%@`: `IN` and `CONTAINS` look at its values.
    case dictionary([String: PredicateValue])
    /// A host's object passed for `%@`.
    indirect case object(PredicateObject)
    /// An expression bound to a variable; it is evaluated where the variable stands.
    indirect case expression(ExpressionNode)
    /// A predicate passed for `%@` where an expression belongs: a constant.
    case predicate(PredicateNode)
}

/// An object of the host inside a tree: compared by its own `==`; its keys are followed if it offers them.
///
/// `boss == %@` with `PredicateObject(boss)`
public struct PredicateObject: Hashable, Sendable {
    /// The host's value; what does not conform to a protocol of this package is opaque to predicates.
    public let base: any Hashable & Sendable

    /// A value of the host as a constant of a predicate.
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
