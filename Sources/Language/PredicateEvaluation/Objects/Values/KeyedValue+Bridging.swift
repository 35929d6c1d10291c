import Foundation
import PredicateSyntax

extension KeyedValue {
    /// Makes a value from a value of any type: types of Swift and Foundation, Optionals inside `Any`, collections,
    /// enums with raw values, and every other struct or class by reflection.
    ///
    /// `age >= 21` on `KeyedValue(bridging: ["age": NSNumber(value: 30)])`
    ///
    /// Collections that are nested deeper than `PredicateLimits.standard` allows are replaced by nil.
    public init(bridging value: Any?) {
        self = value.map { Bridge.keyedValue($0, depth: 0) } ?? .null
    }
}

extension PredicateValue {
    /// Makes plain data from a value of any type; nil if it contains a live object, which a tree cannot contain.
    ///
    /// `age IN %@` with `PredicateValue(bridging: NSArray(array: [21, 65]))`
    public init?(bridging value: Any?) {
        guard let value = KeyedValue(bridging: value).predicateValue else { return nil }
        self = value
    }
}

/// The conversion of values of any type to values of the language; likely types are tried first.
enum Bridge {
    static func keyedValue(_ value: Any, depth: Int) -> KeyedValue {
        common(value) ?? convertible(value, depth: depth)
    }

    /// Converts the most common types. Comparing metadata is cheaper than a failing cast, and prevents `NSNumber`
    /// from being taken for a Boolean.
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
        // One lookup in place of the casts below, all of which would fail.
        if StoredLayout.of(type(of: value)) != nil { return .object(ReflectedObject(value)) }
        if let value = value as? any ForeignContainer { return value.keyedValue(depth: depth + 1) }
        if let value = value as? any KeyedValueConvertible { return value.keyedValue }
        if let value = value as? any RawRepresentable { return keyedValue(rawValue(of: value), depth: depth + 1) }
        return structured(value, depth: depth + 1)
    }

    private static func rawValue<Value: RawRepresentable>(of value: Value) -> Any {
        value.rawValue
    }

    /// Converts a collection of an unknown type, or an object.
    private static func structured(_ value: Any, depth: Int) -> KeyedValue {
        if type(of: value) is AnyClass { return .object(ReflectedObject(value)) }
        if let number = value as? any BinaryInteger { return .value(number.predicateValue) }
        if let number = value as? any BinaryFloatingPoint { return .value(number.predicateValue) }
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
        // On Linux, Foundation's ordered set may return an element twice.
        return KeyedValue(elements: kind == .orderedSet ? elements.distinct : elements, kind: kind)
    }

    /// Converts an element: nil inside a collection is `<null>`.
    private static func nested(_ value: Any, depth: Int) -> KeyedValue {
        let value = keyedValue(value, depth: depth)
        return value.isNull ? .value(.nullObject) : value
    }
}

/// A container of values of any type. Its elements may be containers, so it counts the levels.
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
    /// The entries are converted on access.
    func keyedValue(depth: Int) -> KeyedValue {
        if let object = self as? any DictionaryCoding { return .object(object) }
        return Bridge.dictionary(lazy.map { (key: $0.key as Any, value: $0.value as Any) })
    }
}

// Foundation's classes as arguments and as values of keys, for code that was written for NSPredicate.

// MARK: - Foundation's classes

extension NSNumber: PredicateValueConvertible {
    /// A Boolean, an integer, a double or a decimal.
    public var predicateValue: PredicateValue {
        if let number = self as? NSDecimalNumber { return .decimal(number.decimalValue) }
        if isBoolean { return .bool(boolValue) }
        switch UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return .double(doubleValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"): return uint64Value.predicateValue
        default: return .integer(int64Value)
        }
    }

    private var isBoolean: Bool {
        #if canImport(Darwin)
            CFGetTypeID(self) == CFBooleanGetTypeID()
        #else
            // On Linux only Booleans have the type of a C character; 8-bit integers are stored in a wider type.
            UInt8(bitPattern: objCType.pointee) == UInt8(ascii: "c")
        #endif
    }
}

extension NSNull: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .nullObject }
}

extension NSString: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .string(String(describing: self)) }
}

extension NSDate: PredicateValueConvertible {
    public var predicateValue: PredicateValue {
        .date(Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate))
    }

}

extension NSData: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .data(Data(referencing: self)) }
}

extension NSUUID: PredicateValueConvertible {
    public var predicateValue: PredicateValue { UUID(uuidString: uuidString).map(PredicateValue.uuid) ?? .null }
}

extension NSURL: PredicateValueConvertible {
    public var predicateValue: PredicateValue {
        // Optional on Darwin, but not on Linux.
        let text: String? = absoluteString
        return text.flatMap { URL(string: $0) }.map(PredicateValue.url) ?? .null
    }

}

extension NSArray: PredicateValueConvertible, ForeignContainer {
    /// Live objects among the elements become constants.
    public var predicateValue: PredicateValue { keyedValue.argument }
    public var keyedValue: KeyedValue { keyedValue(depth: 0) }

    func keyedValue(depth: Int) -> KeyedValue {
        Bridge.collection(self.lazy.map { $0 }, kind: .array, depth: depth)
    }
}

extension NSSet: PredicateValueConvertible, ForeignContainer {
    /// Live objects among the elements become constants.
    public var predicateValue: PredicateValue { keyedValue.argument }
    public var keyedValue: KeyedValue { keyedValue(depth: 0) }

    func keyedValue(depth: Int) -> KeyedValue {
        Bridge.collection(allObjects, kind: .set, depth: depth)
    }
}

extension NSOrderedSet: PredicateValueConvertible, ForeignContainer {
    /// Live objects among the elements become constants.
    public var predicateValue: PredicateValue { keyedValue.argument }
    public var keyedValue: KeyedValue { keyedValue(depth: 0) }

    func keyedValue(depth: Int) -> KeyedValue {
        Bridge.collection(array, kind: .orderedSet, depth: depth)
    }
}

extension NSDictionary: PredicateValueConvertible {
    /// Live objects among the values become constants.
    public var predicateValue: PredicateValue { keyedValue.argument }

    /// A copy of the entries, which are converted on access.
    public var keyedValue: KeyedValue {
        Bridge.dictionary(allKeys.lazy.compactMap { key in self.object(forKey: key).map { (key: key, value: $0) } })
    }
}

extension KeyedValue {
    /// The value as an argument of a predicate; live objects are boxed.
    package var argument: PredicateValue {
        argument(depth: 0)
    }

    private func argument(depth: Int) -> PredicateValue {
        if case .value(let value) = self { return value }
        guard depth < PredicateLimits.standard.nesting else { return .null }
        if let entries { return .dictionary(entries.mapValues { $0.argument(depth: depth + 1) }) }
        if let kind = collectionKind, let elements {
            let arguments = elements.map { KeyedValue.value($0.argument(depth: depth + 1)) }
            if case .value(let value) = KeyedValue(elements: arguments, kind: kind) { return value }
        }
        if let range { return range.predicateValue }
        guard let object = hostObject else { return .null }
        if let object = object as? any PredicateValueConvertible { return object.predicateValue }
        return .object(PredicateObject(BoxedObject(object)))
    }
}

/// A live object inside a Foundation collection that was passed as an argument.
///
/// Neither its type nor Foundation's collections guarantee thread safety: the object must not change while the
/// predicate is shared.
struct BoxedObject: KeyValueCoding, Hashable, @unchecked Sendable {
    let base: Any

    init(_ base: Any) {
        self.base = base
    }

    var keyedValue: KeyedValue {
        (base as? any KeyValueCoding)?.keyedValue ?? .object(ReflectedObject(base))
    }

    func value(forKey key: String) -> KeyedValue? {
        guard case .object(let object) = keyedValue else { return nil }
        return object.value(forKey: key)
    }

    static func == (left: BoxedObject, right: BoxedObject) -> Bool {
        isEqual(left.keyedValue, right.keyedValue)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(DistinctValue(keyedValue))
    }
}

// MARK: - Dictionaries with keys of any type

/// A dictionary with keys that are not strings: `[Int: String]`, `[UUID: Person]`, `[AnyHashable: Any]`.
///
/// `rooms[1]`, `people[%@]`
///
/// An index finds a key by the equality of the language, as `objectForKey:` does: 1, 1.0 and `YES` are one key, and
/// `"1"` is another. A key path finds the keys that are strings. Values are converted on access. [NSP-171]
struct MixedDictionary: DictionaryCoding {
    private let values: [DistinctValue: Any]

    /// Makes a dictionary from keys and values. Of equal keys, the first in the order of ``orderedKeys`` counts: a
    /// number before a Boolean, regardless of the order of the hash table.
    init(_ pairs: [(key: KeyedValue, value: Any)]) {
        let ordered = pairs.sorted { $0.key.precedesAsKey($1.key) }
        values = Dictionary(
            ordered.map { (DistinctValue($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    func value(forKey key: String) -> KeyedValue? { value(for: .value(.string(key))) }

    func value(for key: KeyedValue) -> KeyedValue? {
        values[DistinctValue(key)].map { Bridge.keyedValue($0, depth: 0) }
    }

    var allKeys: [String] {
        values.keys.compactMap { if case .value(.string(let name)) = $0.value { name } else { nil } }
    }

    var toleratesMissingKeys: Bool { true }

    var entries: [String: KeyedValue]? { nil }

    var entryCount: Int { values.count }

    /// The keys in order: numbers, then all other keys by the code points of their descriptions.
    var orderedKeys: [KeyedValue] { values.keys.map(\.value).sorted { $0.precedesAsKey($1) } }
}

extension KeyedValue {
    /// The order of the keys of a dictionary with keys of several kinds.
    fileprivate func precedesAsKey(_ other: KeyedValue) -> Bool {
        switch (number, other.number) {
        case (let left?, let right?):
            switch left.compare(right) {
            case .less: return true
            case .greater: return false
            case .equal: return !isBoolean && other.isBoolean
            }
        case (.some, nil): return true
        case (nil, .some): return false
        case (nil, nil): return descriptionText.utf8.lexicographicallyPrecedes(other.descriptionText.utf8)
        }
    }

    private var isBoolean: Bool {
        if case .value(.bool) = self { true } else { false }
    }
}

extension Bridge {
    /// Converts the entries of a dictionary: to a plain dictionary if all keys are strings, to a ``MixedDictionary`` otherwise.
    static func dictionary(_ pairs: some Sequence<(key: Any, value: Any)>) -> KeyedValue {
        let bridged = pairs.map { (key: keyedValue($0.key, depth: 0), value: $0.value) }
        var named: [String: Any] = [:]
        for pair in bridged {
            guard case .value(.string(let name)) = pair.key else { return .object(MixedDictionary(bridged)) }
            named[name] = pair.value
        }
        return .object(named)
    }
}

extension KeyedValue {
    package init(dictionary pairs: [(key: KeyedValue, value: KeyedValue)]) {
        self = Bridge.dictionary(pairs.lazy.map { (key: $0.key as Any, value: $0.value as Any) })
    }
}
