/// The objects that a predicate is about, as far as they are known before any is evaluated: their entities, the keys of
/// each entity, and the kinds of the values.
///
///     struct Shop: PredicateSchema {
///         var origin: SchemaOrigin { .declared }
///         func property(_ key: String, of entity: String) -> SchemaProperty? {
///             switch (entity, key) {
///             case ("Order", "total"): SchemaProperty(.number)
///             case ("Order", "items"): SchemaProperty(objects: "Item", isToMany: true)
///             case ("Item", "name"): SchemaProperty(.string)
///             default: nil
///             }
///         }
///         func keys(of entity: String) -> [String] { entity == "Order" ? ["total", "items"] : ["name"] }
///     }
///
/// `ANY items.nmae == "pen"` is then found to ask for a key that no Item has. Data models, schemas of databases, tables of
/// key paths and observed data are schemas. An entity is named by any string that tells it from the others.
public protocol PredicateSchema: Sendable {
    /// Where the knowledge comes from, which decides how grave a contradiction is.
    var origin: SchemaOrigin { get }

    /// What a key of an entity's objects leads to; nil for a key that they do not have.
    func property(_ key: String, of entity: String) -> SchemaProperty?

    /// The keys of an entity's objects, for suggestions.
    func keys(of entity: String) -> [String]

    /// The entity of a name, or of the name of its class; nil for none.
    func entity(named name: String) -> String?

    /// True if every object of an entity is one of the other, too.
    func isEntity(_ entity: String, kindOf other: String) -> Bool

    /// `an object of Order`
    func noun(of entity: String) -> String

    /// Says that an entity has no such key: `Order has no key 'totl'`
    func absence(of key: String, in entity: String) -> SchemaAbsence
}

extension PredicateSchema {
    /// The name itself, if the entity has keys.
    public func entity(named name: String) -> String? { keys(of: name).isEmpty ? nil : name }

    /// True for one and the same entity.
    public func isEntity(_ entity: String, kindOf other: String) -> Bool { entity == other }

    /// `an object of Order`
    public func noun(of entity: String) -> String { "an object of \(entity)" }

    /// `Order has no key 'totl'`: an error, but of observed data, where a missing key is nil.
    public func absence(of key: String, in entity: String) -> SchemaAbsence {
        SchemaAbsence("\(entity) has no key '\(key)'", isError: origin != .observed)
    }
}

/// Where a schema comes from.
public enum SchemaOrigin: Hashable, Sendable, CaseIterable {
    /// Objects that were looked at: others may have other keys, and a missing key is nil.
    case observed
    /// Types of the program, columns of a file: a key that is not there is an error when a predicate is evaluated.
    case declared
    /// A store that is fetched from: besides, a key of several values is compared with ANY or ALL only, nil drops out of
    /// what a to-many relationship leads to, and kinds that are never equal are an error.
    case stored
}

/// What a key leads to.
///
/// `SchemaProperty(.string)`, `SchemaProperty(objects: "Item", isToMany: true)`
public struct SchemaProperty: Hashable, Sendable {
    /// The kinds of the values, nil left out; empty where nothing is known about them.
    public var kinds: Set<PredicateValue.Kind>
    /// The entity of the objects that the key leads to; nil for plain values.
    public var entity: String?
    /// True where an object has several values: a to-many relationship, an array.
    public var isToMany: Bool
    /// True if all numbers are integers, false if some are not; nil where that is unknown.
    public var isWhole: Bool?
    /// The integers that the property holds: `-32768...32767`
    public var range: ClosedRange<Int64>?
    /// The name of the type, for messages and completion: `Integer 16`
    public var typeName: String?
    /// What keeps the key from being asked of every object of the entity.
    public var limitation: Limitation?

    /// A property of plain values; without a kind they may be of any.
    public init(_ kinds: PredicateValue.Kind..., isToMany: Bool = false) {
        self.kinds = Set(kinds)
        self.isToMany = isToMany
    }

    /// A property that leads to objects of an entity, or of one that is not known.
    public init(objects entity: String?, isToMany: Bool) {
        self.entity = entity
        self.isToMany = isToMany
        kinds = entity == nil ? [] : [.object]
    }

    /// What keeps a key from being asked of every object of an entity.
    public enum Limitation: Hashable, Sendable {
        /// The store has no column for it: it can be asked of objects in memory only.
        case transient
        /// Only objects of these subentities have it.
        case subentities([String])
    }
}

/// A key that is not there, in words.
public struct SchemaAbsence: Hashable, Sendable {
    /// `Order has no key 'totl'`
    public var message: String
    /// True if asking for the key is an error, false if it is nil.
    public var isError: Bool
    /// A cure; nil to suggest existing keys with a similar spelling.
    public var hint: String?

    /// A key that is not there, in words.
    public init(_ message: String, isError: Bool, hint: String? = nil) {
        self.message = message
        self.isError = isError
        self.hint = hint
    }
}
