import PredicateSyntax

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
/// - ``KeyPathCoding``: a table of Swift key paths, which bytecode programs read in place;
/// - ``KeyedRecord``: rows of plain values that share a layout, and ``ColumnTable``: rows stored by column;
/// - `[String: Any]` and `PredicateValue.dictionary`: data whose keys are not known beforehand;
/// - ``EncodableObject``: any `Encodable` value, encoded once;
/// - any other struct or class: its stored properties, which bytecode programs read in place, on Apple's platforms by reflection,
///   which is slow: see ``ReflectedObject``.
public protocol KeyValueCoding: KeyedValueConvertible {
    /// Returns the value of one key, which is never a path: `.null` for a nil value, nil if there is no such key.
    ///
    /// A missing key ends in ``EvaluationError/Code/undefinedKey(_:of:nearMisses:)``, unless ``KeyValueCoding/toleratesMissingKeys`` is
    /// true. [NSP-107]
    func value(forKey key: String) -> KeyedValue?

    /// The keys of ``value(forKey:)``, for near misses in errors and for `@allKeys`; empty if unknown.
    var allKeys: [String] { get }

    /// The keys whose values `ANYKEY` asks: ``allKeys`` without those of relationships. [NSP-179]
    var attributeKeys: [String] { get }

    /// A Boolean value that indicates whether a missing key is nil, as in a dictionary, instead of an error.
    var toleratesMissingKeys: Bool { get }
}

extension KeyValueCoding {
    public var allKeys: [String] { [] }
    public var attributeKeys: [String] { allKeys }
    public var toleratesMissingKeys: Bool { false }
    public var keyedValue: KeyedValue { .object(self) }
}

/// A type whose values may be the values of keys: plain data, objects, and collections of them.
///
/// `enum Status: String, KeyedValueConvertible` needs no code: it has its raw value.
public protocol KeyedValueConvertible {
    /// The value as predicates read it.
    var keyedValue: KeyedValue { get }
}
