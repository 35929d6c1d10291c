public import PredicateSyntax

/// An object that predicates can ask: the only thing it must offer is a value for a key.
///
/// `age >= 21` asks for the key `age`.
public protocol KeyValueCoding: KeyedValueConvertible {
    /// The value of one key (never a path): `.value(.null)` for a nil value, nil where there is no such key, which
    /// the evaluator reports as an error that names the key. [NSP-107]
    func value(forKey key: String) -> KeyedValue?

    /// The keys that ``value(forKey:)`` answers, for near misses in errors and for `@allKeys`; empty when unknown.
    var allKeys: [String] { get }

    /// Whether a missing key is nil, as in a dictionary, and no error.
    var toleratesMissingKeys: Bool { get }
}

extension KeyValueCoding {
    public var allKeys: [String] { [] }
    public var toleratesMissingKeys: Bool { false }
    public var keyedValue: KeyedValue { .object(self) }
}

/// A type whose values an object may give for a key.
public protocol KeyedValueConvertible {
    var keyedValue: KeyedValue { get }
}

/// What a key holds, and what every expression evaluates to: plain data, a live object, or a collection with live
/// objects in it.
@nonexhaustive
public enum KeyedValue {
    /// Plain data; collections of plain data too.
    case value(PredicateValue)
    /// An object that keys can be asked of.
    case object(any KeyValueCoding)
    /// A collection that holds at least one object.
    case collection(KeyedCollection)

    public static var null: KeyedValue { .value(.null) }
}

/// A collection with live objects in it.
public struct KeyedCollection {
    /// What the collection is to `==`, indexes and `class`.
    public enum Kind: Hashable, Sendable {
        case array
        case set
        case orderedSet
    }

    public var kind: Kind
    public var elements: [KeyedValue]

    public init(_ elements: [KeyedValue], kind: Kind = .array) {
        self.kind = kind
        self.elements = elements
    }
}
