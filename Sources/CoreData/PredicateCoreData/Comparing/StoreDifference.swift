import PredicateModel
public import PredicateSyntax

/// The difference of two stores: objects that only one of them has, and objects whose values differ.
///
/// ```swift
/// let difference = try StoreDifference(from: CoreDataStore("Monday.sqlite"), to: CoreDataStore("Tuesday.sqlite"))
/// for part in difference.uncomparedParts { print("note: \(part)") }
/// let objects = try difference.objects()
/// while let object = try objects.next() { print(object) }
/// ```
///
/// The stores may have different versions of a model. What both have is compared, by name, and ``uncomparedParts``
/// lists the rest. Objects of an entity that one model lacks are all added or removed.
///
/// For each entity, one of these rules matches the objects:
/// - If the stores have the same UUID and type, by their primary keys, as one is a copy of the other. Keys of XML stores are
///   unique over all entities, so a store that was converted has other keys.
/// - Otherwise by the first uniqueness constraint of the model whose keys both stores have, or by the keys of
///   the options. Objects with equal keys are paired in the order of their primary keys; nil equals nil.
/// - Otherwise by their primary keys.
///
/// Columns are compared as they are stored, numbers by value. External data is compared by content. Two related objects
/// are the same if they are matched with each other; a relationship is compared as a sequence if both models order it,
/// else as a set.
///
/// Both stores are read side by side in the order of the matched keys, so memory does not grow with their size. Where
/// objects are not matched by their primary keys, the pairs are kept in a temporary file of SQLite. [NSP-466]
public struct StoreDifference: Sendable {
    /// What is compared, and how objects are matched.
    public struct Options: Hashable, Sendable {
        /// The entities, each with its subentities; nil for all.
        package var entities: [String]?
        /// The keys that are not compared: `updatedAt` of all entities, `Item.updatedAt` of one and its subentities.
        package var ignoredKeys: Set<String>
        /// The attributes that identify an object, for entities that have all of them; nil for the rules of the stores.
        package var keys: [String]?
        /// True if external data files may be missing: the values are then nil.
        package var allowsMissingData: Bool

        /// Compares everything, unless told otherwise.
        public init(
            entities: [String]? = nil, ignoring ignoredKeys: Set<String> = [], by keys: [String]? = nil,
            allowsMissingData: Bool = false
        ) {
            (self.entities, self.ignoredKeys, self.keys) = (entities, ignoredKeys, keys)
            self.allowsMissingData = allowsMissingData
        }
    }

    /// The parts of the models that cannot be compared, because the other model lacks them or gives them another type.
    public let uncomparedParts: [UncomparedPart]
    /// The entities with objects of their own that both stores have, and the rule that matches their objects.
    package var matchings: [ObjectMatching] {
        comparison.entities.filter { $0.old != nil && $0.new != nil }
            .map { ObjectMatching(entity: $0.name, rule: $0.rule) }
    }

    /// The types of both stores.
    package var types: (old: StoreType, new: StoreType) { (old.type, new.type) }

    let old: CoreDataStore
    let new: CoreDataStore
    let comparison: StoreComparison

    /// Prepares the comparison. The objects are read by ``objects()``.
    ///
    /// Throws a ``CoreDataError``: `store` with `unknownEntity` or `unknownKey` for names of entities and keys in the
    /// options that neither store has. Ignored keys may be unknown.
    public init(
        from old: CoreDataStore, to new: CoreDataStore, options: Options = Options()
    ) throws(CoreDataError) {
        (self.old, self.new) = (old, new)
        comparison = try StoreComparison(old, new, options)
        uncomparedParts = comparison.uncomparedParts
    }

    /// Starts reading the objects that differ, by entity.
    ///
    /// The stores are read as they are at this moment until the cursor is deallocated. Throws a ``CoreDataError``.
    public func objects() throws(CoreDataError) -> ObjectDifferenceCursor {
        try ObjectDifferenceCursor(comparison, old, new)
    }
}

/// The rule that matches the objects of an entity in two stores.
package struct ObjectMatching: Hashable, Sendable {
    /// The ways to match.
    package enum Rule: Hashable, Sendable {
        /// By primary key, in stores with the same UUID and type.
        case identity
        /// By the values of attributes.
        case keys([String])
        /// By primary key, in stores with different UUIDs or types: neither the model nor the caller names keys.
        case primaryKey
    }

    /// The name of the entity.
    package let entity: String
    /// The rule.
    package let rule: Rule
}

/// A part of two models that cannot be compared.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UncomparedPart: Hashable, Sendable, CustomStringConvertible {
    /// One of the two stores.
    public enum Side: String, Hashable, Sendable {
        /// The old store.
        case old
        /// The new store.
        case new
    }

    /// An entity that only one store has; its objects are added or removed.
    case entity(String, Side)
    /// An attribute or a relationship that only one store has.
    case property(String, entity: String, Side)
    /// An attribute whose columns have different types, or a relationship that is to-one in one store and to-many in
    /// the other.
    case type(String, entity: String, old: String, new: String)

    /// `Item.due is only in the new store`
    public var description: String {
        switch self {
        case .entity(let name, let side): "\(name) is only in the \(side.rawValue) store"
        case .property(let key, let entity, let side): "\(entity).\(key) is only in the \(side.rawValue) store"
        case .type(let key, let entity, let old, let new):
            "\(entity).\(key) is \(old) in the old store and \(new) in the new one"
        }
    }
}

/// An object that differs between two stores.
public struct ObjectDifference: Hashable, Sendable {
    /// The ways to differ.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Only the new store has the object.
        case added
        /// Only the old store has the object.
        case removed
        /// Both have it, with different values.
        case changed
    }

    /// Which store has the object.
    public let kind: Kind
    /// The object's own entity.
    public let entity: String
    /// The object in the old store; nil if it is added.
    public let old: ObjectURI?
    /// The object in the new store; nil if it is removed.
    public let new: ObjectURI?
    /// The values that differ, in the order of the model. For an added or removed object, these are all attributes and
    /// to-one relationships that are not nil.
    public let properties: [PropertyDifference]
}

/// A property that differs between two objects, or the value of an object that only one store has.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PropertyDifference: Hashable, Sendable {
    /// An attribute, or an element of a composite attribute by its path. `.null` is nil.
    case value(key: String, old: PredicateValue, new: PredicateValue)
    /// A to-one relationship.
    case toOne(key: String, old: ObjectURI?, new: ObjectURI?)
    /// The objects that only one of two to-many relationships has.
    case toMany(key: String, removed: [ObjectURI], added: [ObjectURI])
    /// The objects of two ordered relationships that contain the same objects in different orders.
    case order(key: String, old: [ObjectURI], new: [ObjectURI])

    /// The key of the property.
    public var key: String {
        switch self {
        case .value(let key, _, _), .toOne(let key, _, _), .toMany(let key, _, _), .order(let key, _, _): key
        }
    }
}
