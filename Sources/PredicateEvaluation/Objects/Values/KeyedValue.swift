public import PredicateSyntax

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
    public static var null: KeyedValue { .value(.null) }
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
    /// The elements, those of a set in any order.
    public var elements: [KeyedValue]

    /// Makes a collection of elements.
    public init(_ elements: [KeyedValue], kind: Kind = .array) {
        self.kind = kind
        self.elements = elements
    }
}
