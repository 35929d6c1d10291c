import Foundation
import PredicateSyntax

extension CGFloat: PredicateValueConvertible {}

extension Duration: PredicateValueConvertible {
    /// The number of seconds as a double: `Duration.milliseconds(1500)` is 1.5.
    public var predicateValue: PredicateValue {
        let (seconds, attoseconds) = components
        let fraction = Decimal(sign: .plus, exponent: -18, significand: Decimal(attoseconds))
        return .double((Decimal(seconds) + fraction).nearestDouble)
    }
}

extension AnyHashable: KeyedValueConvertible {
    public var keyedValue: KeyedValue { KeyedValue(bridging: base) }
}

extension KeyedValue: ObjectReflecting {
    package static func reflecting(_ object: Any) -> KeyedValue { .object(ReflectedObject(object)) }
}

/// Plain data as an object: JSON rows and encoded values.
///
/// `age >= 21` on `["age": 30]`
///
/// A dictionary has its own keys. Every other value has the properties of its class, such as `length` of a string.
extension PredicateValue: KeyValueCoding {
    public func value(forKey key: String) -> KeyedValue? {
        if case .dictionary(let entries) = self { return entries.value(exactly: key)?.keyedValue }
        return ValueProperty(rawValue: key)?.value(of: keyedValue)
    }

    public var allKeys: [String] {
        if case .dictionary(let entries) = self { return Array(entries.keys) }
        return []
    }

    /// True for dictionaries and for nil: every key of nil is nil.
    public var toleratesMissingKeys: Bool {
        switch self {
        case .dictionary, .null, .nullObject: true
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .object, .expression, .predicate:
            false
        }
    }
}

/// Dictionaries with strings as keys and values of any type: a missing key is nil.
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

extension Dictionary: PredicateValueConvertible where Key == String, Value: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .dictionary(mapValues(\.predicateValue)) }
}

// Ranges and index sets as values: `2 IN pages`, where pages is `1...3`. [NSP-173]

extension KeyedValue {
    /// The range; nil for every other value.
    package var range: PredicateRange? {
        if case .object(let object) = self { object as? PredicateRange } else { nil }
    }

    /// An index set that is too large to be listed; nil for every other value.
    package var indexes: IndexSet? {
        if case .object(let object) = self { (object as? LargeIndexSet)?.indexes } else { nil }
    }
}

extension IndexSet: PredicateValueConvertible {
    /// The maximum number of listed indexes; a few ranges may contain billions.
    private static let listedCount = 65_536

    /// A set of integers. If there are more than 65,536 of them, the set has no elements and only `IN` can search it.
    public var keyedValue: KeyedValue {
        if count > Self.listedCount { return .object(LargeIndexSet(indexes: self)) }
        return .value(.set(Set(map { .integer(Int64($0)) })))
    }

    public var predicateValue: PredicateValue {
        if count > Self.listedCount { return .object(PredicateObject(LargeIndexSet(indexes: self))) }
        return .set(Set(map { .integer(Int64($0)) }))
    }
}

/// An index set that is too large to be listed.
struct LargeIndexSet: KeyValueCoding, Hashable, Sendable {
    let indexes: IndexSet

    func value(forKey key: String) -> KeyedValue? {
        key == "count" ? indexes.count.keyedValue : nil
    }

    var allKeys: [String] { ["count"] }
}
