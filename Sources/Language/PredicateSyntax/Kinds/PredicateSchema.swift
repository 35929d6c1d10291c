/// A description of the objects that predicates are about, known before evaluation: entities, the keys of each
/// entity, and the kinds of their values.
///
///     struct Shop: PredicateSchema {
///         var origin: SchemaOrigin { .declared }
///         func property(_ key: String, of entity: String) -> PredicateProperty? {
///             switch (entity, key) {
///             case ("Order", "total"): PredicateProperty(.number)
///             case ("Order", "items"): PredicateProperty(objects: "Item", isToMany: true)
///             case ("Item", "name"): PredicateProperty(.string)
///             default: nil
///             }
///         }
///         func keys(of entity: String) -> [String] { entity == "Order" ? ["total", "items"] : ["name"] }
///     }
///
/// With this schema, a check of `ANY items.nmae == "pen"` reports that Item has no such key. Data models, database
/// schemas, tables of key paths and observed data conform. An entity is identified by any unique string.
public protocol PredicateSchema: Sendable {
    /// The source of the schema, which determines the severity of a mismatch.
    var origin: SchemaOrigin { get }

    /// Returns the property that a key of an entity refers to; nil if the entity has no such key.
    func property(_ key: String, of entity: String) -> PredicateProperty?

    /// Returns the keys of an entity, for suggestions.
    func keys(of entity: String) -> [String]

    /// Returns the entity with this name or class name; nil if there is none.
    func entity(named name: String) -> String?

    /// Returns a Boolean value that indicates whether every object of an entity is also an object of another one.
    func isEntity(_ entity: String, kindOf other: String) -> Bool
}

/// A schema that words its own messages.
package protocol WordedSchema: PredicateSchema {
    /// Returns a noun phrase for the objects of an entity: `a dictionary`; nil for `an object of Order`.
    func words(for entity: String) -> String?

    /// Returns the description of a missing key; nil for `Order has no key 'totl'`.
    func missing(_ key: String, in entity: String) -> SchemaAbsence?
}

extension WordedSchema {
    package func words(for entity: String) -> String? { nil }
    package func missing(_ key: String, in entity: String) -> SchemaAbsence? { nil }
}

extension PredicateSchema {
    /// Returns the name itself if the entity has keys.
    public func entity(named name: String) -> String? { keys(of: name).isEmpty ? nil : name }

    /// Returns true if both entities are the same.
    public func isEntity(_ entity: String, kindOf other: String) -> Bool { entity == other }

    /// Returns a noun phrase for messages: `an object of Order`
    package func noun(of entity: String) -> String {
        (self as? any WordedSchema)?.words(for: entity) ?? "an object of \(entity)"
    }

    /// Returns `Order has no key 'totl'`, which is an error except for observed data, where a missing key is nil.
    package func absence(of key: String, in entity: String) -> SchemaAbsence {
        (self as? any WordedSchema)?.missing(key, in: entity)
            ?? SchemaAbsence("\(entity) has no key '\(key)'", isError: origin != .observed)
    }
}

/// The source of a schema.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SchemaOrigin: Hashable, Sendable, CaseIterable {
    /// Observed objects: others may have other keys, and a missing key is nil.
    case observed
    /// Types of the program, or columns of a file: a missing key is an error when a predicate is evaluated.
    case declared
    /// A store. As for `declared`, a missing key is an error. In addition, a key with several values must be compared
    /// with ANY or ALL, nil is removed from the values of a to-many relationship, and comparing kinds that are never
    /// equal is an error.
    case stored
}

/// The property that a key refers to.
///
/// `PredicateProperty(.string)`, `PredicateProperty(objects: "Item", isToMany: true)`
public struct PredicateProperty: Hashable, Sendable {
    /// The kinds of the values other than nil; empty if nothing is known about them.
    public var kinds: Set<PredicateValue.Kind>
    /// The entity of the objects that the key refers to; nil for plain values.
    public var entity: String?
    /// A Boolean value that indicates whether an object has several values: a to-many relationship, an array.
    public var isToMany: Bool
    /// True if all numbers are integers, false if some are not, nil if unknown.
    package var isWhole: Bool?
    /// The range of the integers that the property can hold: `-32768...32767`
    package var range: ClosedRange<Int64>?
    /// The name of the type, for messages and completion: `Integer 16`
    package var typeName: String?
    /// The reason why not every object of the entity has a value for the key; nil if every object has one.
    package var limitation: Limitation?

    /// Makes a property of plain values; without kinds, the values may be of any kind.
    public init(_ kinds: PredicateValue.Kind..., isToMany: Bool = false) {
        self.kinds = Set(kinds)
        self.isToMany = isToMany
    }

    /// Makes a property that refers to objects of an entity; nil for an unknown entity.
    public init(objects entity: String?, isToMany: Bool) {
        self.entity = entity
        self.isToMany = isToMany
        kinds = entity == nil ? [] : [.object]
    }

    /// A reason why not every object of an entity has a value for a key.
    package enum Limitation: Hashable, Sendable {
        /// The store has no column for the key; only objects in memory have a value for it.
        case transient
        /// The store keeps the value as one archive, in which no fetch can search.
        case archived
        /// Only objects of these subentities have the key.
        case subentities([String])
    }
}

/// The description of a missing key.
package struct SchemaAbsence: Hashable, Sendable {
    /// `Order has no key 'totl'`
    package var message: String
    /// True if using the key is an error, false if its value is nil.
    package var isError: Bool
    /// A hint; nil to suggest existing keys with a similar spelling.
    package var hint: String?

    /// Makes the description of a missing key.
    package init(_ message: String, isError: Bool, hint: String? = nil) {
        self.message = message
        self.isError = isError
        self.hint = hint
    }
}
