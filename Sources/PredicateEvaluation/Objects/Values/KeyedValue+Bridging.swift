import Foundation
import PredicateSyntax

extension KeyedValue {
    /// Makes a value of anything: Swift's and Foundation's own types, Optionals inside `Any`, collections of anything,
    /// enums with raw values, and every other struct or class by reflection.
    ///
    /// `age >= 21` on `KeyedValue(bridging: ["age": NSNumber(value: 30)])`
    ///
    /// Collections that nest deeper than `PredicateLimits.standard` are nil below that level.
    public init(bridging value: Any?) {
        self = value.map { Bridge.keyedValue($0, depth: 0) } ?? .null
    }
}

extension PredicateValue {
    /// Makes plain data of anything; nil if it contains a live object, which no tree can hold.
    ///
    /// `age IN %@` with `PredicateValue(bridging: NSArray(array: [21, 65]))`
    public init?(bridging value: Any?) {
        guard let value = KeyedValue(bridging: value).predicateValue else { return nil }
        self = value
    }
}

/// The bridge from values of any type to values of the language; likely types come first.
enum Bridge {
    static func keyedValue(_ value: Any, depth: Int) -> KeyedValue {
        common(value) ?? convertible(value, depth: depth)
    }

    /// Bridges the types that most keys hold. Comparing metadata is cheaper than a cast that fails, and keeps `NSNumber`
    /// from passing for a Boolean.
    private static func common(_ value: Any) -> KeyedValue? {
        let type = type(of: value)
        if type == String.self, let value = value as? String { return .value(.string(value)) }
        if type == Int.self, let value = value as? Int { return .value(.integer(Int64(value))) }
        if type == Double.self, let value = value as? Double { return .value(.double(value)) }
        if type == Bool.self, let value = value as? Bool { return .value(.bool(value)) }
        if type == PredicateValue.self, let value = value as? PredicateValue { return value.keyedValue }
        if type == [String: Any].self, let value = value as? [String: Any] { return .object(value) }
        return nil
    }

    private static func convertible(_ value: Any, depth: Int) -> KeyedValue {
        guard depth < PredicateLimits.standard.nesting else { return .null }
        if let value = value as? any ForeignContainer { return value.keyedValue(depth: depth + 1) }
        if let value = value as? any KeyedValueConvertible { return value.keyedValue }
        if let value = value as? any PredicateValueConvertible { return value.predicateValue.keyedValue }
        if let value = value as? any RawRepresentable { return keyedValue(rawValue(of: value), depth: depth + 1) }
        return structured(value, depth: depth + 1)
    }

    private static func rawValue<Value: RawRepresentable>(of value: Value) -> Any {
        value.rawValue
    }

    /// Bridges what only reflection tells apart: a collection of an unknown type, and an object.
    private static func structured(_ value: Any, depth: Int) -> KeyedValue {
        if type(of: value) is AnyClass { return .object(ReflectedObject(value)) }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection:
            return collection(mirror.children.lazy.map(\.value), kind: .array, depth: depth)
        case .set:
            return collection(mirror.children.lazy.map(\.value), kind: .set, depth: depth)
        default:
            return .object(ReflectedObject(value))
        }
    }

    static func collection(_ values: some Sequence<Any>, kind: KeyedCollection.Kind, depth: Int) -> KeyedValue {
        let elements = values.map { nested($0, depth: depth) }
        // Foundation's ordered set, as Linux has it, may give an element twice.
        return KeyedValue(elements: kind == .orderedSet ? elements.distinct : elements, kind: kind)
    }

    /// Bridges an element: nil inside a collection is `<null>`.
    private static func nested(_ value: Any, depth: Int) -> KeyedValue {
        let value = keyedValue(value, depth: depth)
        return value.isNull ? .value(.nullObject) : value
    }
}

/// A container of values of any type, of containers too: its elements are bridged with a count of levels.
protocol ForeignContainer {
    func keyedValue(depth: Int) -> KeyedValue
}

extension Optional: ForeignContainer {
    func keyedValue(depth: Int) -> KeyedValue {
        map { Bridge.keyedValue($0, depth: depth) } ?? .null
    }
}

extension AnyHashable: ForeignContainer {
    func keyedValue(depth: Int) -> KeyedValue {
        Bridge.keyedValue(base, depth: depth)
    }
}

extension Array: ForeignContainer {
    func keyedValue(depth: Int) -> KeyedValue {
        Bridge.collection(lazy.map { $0 as Any }, kind: .array, depth: depth)
    }
}

extension Set: ForeignContainer {
    func keyedValue(depth: Int) -> KeyedValue {
        Bridge.collection(lazy.map { $0 as Any }, kind: .set, depth: depth)
    }
}

extension Dictionary: ForeignContainer {
    /// Entries are bridged on access.
    func keyedValue(depth: Int) -> KeyedValue {
        if let object = self as? any DictionaryCoding { return .object(object) }
        return Bridge.dictionary(lazy.map { (key: $0.key as Any, value: $0.value as Any) })
    }
}
