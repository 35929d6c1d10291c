/// The value of a key, and the result of an expression: plain data, a live object, or a collection with live objects.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum KeyedValue {
    /// Plain data, and collections of plain data.
    case value(PredicateValue)
    /// An object that offers keys.
    case object(any KeyValueCoding)
    /// A collection that contains at least one object.
    case collection(KeyedCollection)

    /// nil.
    @inlinable public static var null: KeyedValue { .value(.null) }
}

/// A collection with live objects in it.
public struct KeyedCollection {
    /// The class of the collection for `==`, indexes and `class`.
    public enum Kind: Hashable, Sendable {
        /// An ordered collection that may hold equal elements: `NSArray`.
        case array
        /// A collection without order or equal elements: `NSSet`.
        case set
        /// An ordered collection without equal elements: `NSOrderedSet`.
        case orderedSet
    }

    /// The class of the collection.
    public var kind: Kind
    /// The elements, in any order for a set.
    public var elements: [KeyedValue]

    /// Makes a collection of elements.
    public init(_ elements: [KeyedValue], kind: Kind = .array) {
        self.kind = kind
        self.elements = elements
    }
}

/// A type whose values may be the values of keys: plain data, objects, and collections of them.
///
/// `enum Status: String, KeyedValueConvertible` needs no code: its value is the raw value.
public protocol KeyedValueConvertible {
    /// The value as predicates read it.
    var keyedValue: KeyedValue { get }
}

/// An object that predicates can be evaluated with: it offers values for keys.
///
/// `age >= 21` reads the key `age` of
/// ```swift
/// struct Person: KeyValueCoding {
///     var age: Int
///     func value(forKey key: String) -> KeyedValue? { key == "age" ? age.keyedValue : nil }
/// }
/// ```
///
/// Other ways to make a type usable, from the fastest to the most convenient:
/// - `KeyPathCoding`: a table of Swift key paths, which bytecode programs read in place;
/// - `KeyedRecord`: rows of plain values that share a layout;
/// - `[String: Any]` and `PredicateValue.dictionary`: data whose keys are not known beforehand;
/// - `EncodableObject`: any `Encodable` value, encoded once;
/// - any other struct or class: its stored properties. Bytecode programs read them in place, except on Apple's
///   platforms, where they are read by reflection, which is slow: see `ReflectedObject`.
public protocol KeyValueCoding: KeyedValueConvertible {
    /// Returns the value of one key, which is never a path: `.null` for a nil value, nil if there is no such key.
    ///
    /// For a missing key, evaluation throws `EvaluationError.Code.undefinedKey`, unless
    /// ``KeyValueCoding/toleratesMissingKeys`` is true. [NSP-107]
    func value(forKey key: String) -> KeyedValue?

    /// The keys of ``value(forKey:)``, for near misses in errors and for `@allKeys`; empty if unknown.
    var allKeys: [String] { get }

    /// The keys whose values `ANYKEY` compares: ``allKeys`` without the keys of relationships. [NSP-179]
    var attributeKeys: [String] { get }

    /// A Boolean value that indicates whether a missing key is nil, as in a dictionary, instead of an error.
    var toleratesMissingKeys: Bool { get }
}

extension KeyValueCoding {
    public var allKeys: [String] { [] }
    public var attributeKeys: [String] { allKeys }
    public var toleratesMissingKeys: Bool { false }
    @inlinable public var keyedValue: KeyedValue { .object(self) }
}

extension KeyValueCoding where Self: PredicateValueConvertible {
    @inlinable public var keyedValue: KeyedValue { .object(self) }
}

// MARK: - Conversions

extension KeyedValue: KeyedValueConvertible {
    @inlinable public var keyedValue: KeyedValue { self }
}

extension KeyedCollection: KeyedValueConvertible {
    public var keyedValue: KeyedValue { .collection(self) }
}

/// Enums and other types with a raw value: with `extension Colour: KeyedValueConvertible {}`, `colour == "red"`
/// compares the raw value.
extension KeyedValueConvertible where Self: RawRepresentable, RawValue: KeyedValueConvertible {
    public var keyedValue: KeyedValue { rawValue.keyedValue }
}

extension Optional: KeyedValueConvertible where Wrapped: KeyedValueConvertible {
    @inlinable public var keyedValue: KeyedValue { self?.keyedValue ?? .null }
}

/// An array of plain data is plain data; an array that holds an object is a ``KeyedValue/collection(_:)``.
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

extension KeyedValue {
    /// Makes a collection: plain data if all elements are plain data.
    package init(elements: [KeyedValue], kind: KeyedCollection.Kind) {
        var plain: [PredicateValue] = []
        plain.reserveCapacity(elements.count)
        for element in elements {
            guard case .value(let value) = element else {
                self = .collection(KeyedCollection(elements, kind: kind))
                return
            }
            plain.append(value)
        }
        switch kind {
        case .array: self = .value(.array(plain))
        case .set: self = .value(.set(Set(plain)))
        case .orderedSet: self = .value(.orderedSet(plain))
        }
    }

    /// The value as plain data, which is Hashable and Sendable; nil if it contains an object that has no plain form.
    func plainValue(depth: Int = 0) -> PredicateValue? {
        switch self {
        case .value(let value): return value
        case .object(let object): return (object as? any PredicateValueConvertible)?.predicateValue
        case .collection(let collection):
            guard depth < PredicateLimits.standard.nesting else { return nil }
            let plain = collection.elements.compactMap { $0.plainValue(depth: depth + 1) }
            guard plain.count == collection.elements.count else { return nil }
            return KeyedValue(elements: plain.map(KeyedValue.value), kind: collection.kind).plainValue()
        }
    }
}

// MARK: - Reflection

/// The reflection of objects that offer no keys: PredicateEvaluation conforms ``KeyedValue`` to this protocol.
package protocol ObjectReflecting {
    /// The object with its stored properties as keys.
    static func reflecting(_ object: Any) -> KeyedValue
}

extension KeyedValue {
    /// The reflection of an object; nil in a program without the evaluator, since nothing reads keys there.
    static func reflection(of object: Any) -> KeyedValue? {
        let type: any Any.Type = KeyedValue.self
        return (type as? any ObjectReflecting.Type)?.reflecting(object)
    }
}
