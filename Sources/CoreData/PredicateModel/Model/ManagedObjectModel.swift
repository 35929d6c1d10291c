import Foundation
import PredicateSyntax

/// A Core Data model: entities with their attributes and relationships, and the predicates that belong to them.
///
///     let model = ManagedObjectModel([
///         EntityDescription("Item",
///             attributes: [.init("name", .string, isOptional: false), .init("due", .date)],
///             relationships: [.toOne("category", "Category", inverse: "items")]),
///         EntityDescription("Category",
///             attributes: [.init("name", .string)],
///             relationships: [.toMany("items", "Item", inverse: "category", deleteRule: .cascade)]),
///     ])
///
/// A model is a plain value. Models are equal if all their contents are, in the same order. Names are compared by code points. A
/// model created in code can contain the same mistakes as a file; `check()` finds them.
public struct ManagedObjectModel: Sendable {
    /// The entities, in the order of their source. If two have the same name, lookups find the first.
    public var entities: [EntityDescription] {
        didSet {
            hierarchy = EntityHierarchy(entities)
            if entities != oldValue { (versionHashes, archive) = ([:], nil) }
        }
    }
    /// The named subsets of entities.
    public var configurations: [ConfigurationDescription] { didSet { archive = nil } }
    /// The named fetch requests of the model.
    public var fetchRequestTemplates: [FetchRequestTemplate] { didSet { archive = nil } }
    /// The composite types, to which attributes refer by name.
    public var composites: [CompositeDescription] { didSet { archive = nil } }
    /// The version identifiers. Core Data does not use them.
    public var versionIdentifiers: [String] { didSet { archive = nil } }
    /// The attributes of the root XML element that have no property here, such as `lastSavedToolsVersion`. They are
    /// preserved when the model is written.
    package var editorAttributes: [String: String] = [:]

    /// The hashes by which Core Data distinguishes versions of entities, by name: 32 bytes each, which only Core Data can
    /// compute.
    ///
    /// A `.momd` contains them, and so does the metadata of a store that Core Data created. They are empty for other
    /// models, and after a change of the entities. Comparing models ignores them.
    package var versionHashes: [String: Data] = [:]

    /// The binary archive from which the model was read: the bytes of a `.mom`, or of the model cache of a store. nil for
    /// other models, and after a change.
    package internal(set) var archive: [UInt8]?

    /// The entities by name and their hierarchy, computed once after each change.
    private(set) var hierarchy: EntityHierarchy

    /// Creates a model.
    public init(
        _ entities: [EntityDescription] = [], configurations: [ConfigurationDescription] = [],
        fetchRequestTemplates: [FetchRequestTemplate] = [], composites: [CompositeDescription] = [],
        versionIdentifiers: [String] = []
    ) {
        self.entities = entities
        self.configurations = configurations
        self.fetchRequestTemplates = fetchRequestTemplates
        self.composites = composites
        self.versionIdentifiers = versionIdentifiers
        hierarchy = EntityHierarchy(entities)
    }
}

extension ManagedObjectModel: Hashable {
    public static func == (left: ManagedObjectModel, right: ManagedObjectModel) -> Bool {
        left.entities == right.entities && left.configurations == right.configurations
            && left.fetchRequestTemplates == right.fetchRequestTemplates && left.composites == right.composites
            && left.versionIdentifiers == right.versionIdentifiers && left.editorAttributes == right.editorAttributes
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(entities)
        hasher.combine(configurations)
        hasher.combine(fetchRequestTemplates)
        hasher.combine(composites)
        hasher.combine(versionIdentifiers)
    }
}

/// A named subset of a model's entities, which may have a store of its own.
///
/// `ConfigurationDescription("Cloud", entityNames: ["Item", "Category"])`
public struct ConfigurationDescription: Hashable, Sendable {
    /// The name, which selects the entities of a store when it is opened.
    public var name: String
    /// The names of its entities.
    public var entityNames: [String]
    /// The attributes of the XML element that have no property here, such as `usedWithCloudKit`.
    package var editorAttributes: [String: String] = [:]

    /// Creates a configuration.
    public init(_ name: String, entityNames: [String]) {
        self.name = name
        self.entityNames = entityNames
    }
}

/// A composite type: a group of attributes, for attributes of the type ``AttributeType/composite``.
///
/// `CompositeDescription("Address", attributes: [.init("street", .string), .init("city", .string)])`
public struct CompositeDescription: Hashable, Sendable {
    /// The name, to which attributes refer.
    public var name: String
    /// The attributes of the group.
    public var attributes: [AttributeDescription]

    /// Creates a composite type.
    public init(_ name: String, attributes: [AttributeDescription]) {
        self.name = name
        self.attributes = attributes
    }
}

/// Lookup of entities and properties by name, including inherited ones.
extension ManagedObjectModel {
    /// The entity with a name: `model.entity("Item")`
    package func entity(_ name: String) -> EntityDescription? {
        hierarchy.position(of: name).map { entities[$0] }
    }

    /// The entity with a name. Setting nil removes it; setting an entity adds or replaces it.
    public subscript(_ name: String) -> EntityDescription? {
        get { entity(name) }
        set {
            switch (hierarchy.position(of: name), newValue) {
            case (let position?, let entity?): entities[position] = entity
            case (let position?, nil): entities.remove(at: position)
            case (nil, let entity?): entities.append(entity)
            case (nil, nil): break
            }
        }
    }

    /// The entities without a superentity, ordered by uppercased name.
    package var rootEntities: [EntityDescription] { hierarchy.rootPositions().map { entities[$0] } }

    /// All entities in preorder, siblings ordered by uppercased name. The number of an entity in a store is its
    /// position in this list, from 1. Entities that inherit from themselves are left out.
    package var entitiesInPreorder: [EntityDescription] { hierarchy.preorder.map { entities[$0] } }

    /// The number of an entity in a store, from 1; nil for an unknown entity.
    package func entityNumber(of name: String) -> Int? { hierarchy.place(of: name).map { $0 + 1 } }

    /// The direct subentities, ordered by uppercased name.
    public func subentities(of name: String) -> [EntityDescription] {
        hierarchy.subentityPositions(of: name).map { entities[$0] }
    }

    /// The entity and all its descendants, in preorder.
    package func subtree(of name: String) -> [EntityDescription] { hierarchy.subtree(of: name).map { entities[$0] } }

    /// The descendants of an entity that declare a key, in preorder, without those that inherit it from another
    /// descendant.
    func subentities(of name: String, having key: String) -> [EntityDescription] {
        let owners = subtree(of: name).dropFirst().filter { $0.property(key) != nil }
        return owners.filter { owner in
            !lineage(of: owner.name).dropFirst().contains { above in owners.contains { $0.name == above.name } }
        }
    }

    /// The keys that descendants of an entity declare.
    func keysOfSubentities(of name: String) -> Set<String> {
        Set(subtree(of: name).dropFirst().flatMap(\.properties).map(\.name))
    }

    /// The entity and its ancestors, up to the root.
    package func lineage(of name: String) -> [EntityDescription] { hierarchy.lineage(of: name).map { entities[$0] } }

    /// The root entity of the hierarchy of an entity.
    package func rootEntity(of name: String) -> EntityDescription? { lineage(of: name).last }

    /// A Boolean value that indicates whether an entity is another one or inherits from it.
    public func isEntity(_ name: String, kindOf ancestor: String) -> Bool {
        lineage(of: name).contains { $0.name.hasSameCodePoints(as: ancestor) }
    }

    /// The attributes of an entity, inherited ones first. An attribute that a subentity declares again replaces the
    /// inherited one.
    public func attributes(of name: String) -> [AttributeDescription] {
        collect(name, \.attributes, name: \.name)
    }

    /// The relationships of an entity, inherited ones first.
    public func relationships(of name: String) -> [RelationshipDescription] {
        collect(name, \.relationships, name: \.name)
    }

    /// All properties of an entity, inherited ones first.
    public func properties(of name: String) -> [PropertyDescription] {
        collect(name, \.properties, name: \.name)
    }

    /// The property of an entity with a key, and the entity that declares it.
    public func property(
        _ key: String, of name: String
    ) -> (property: PropertyDescription, declaringEntity: EntityDescription)? {
        for entity in lineage(of: name) {
            if let own = entity.property(key) { return (own, entity) }
        }
        return nil
    }

    /// The inverse of a relationship and the entity that declares it; nil if the model has none.
    public func inverse(
        of relationship: RelationshipDescription
    ) -> (relationship: RelationshipDescription, declaringEntity: EntityDescription)? {
        guard let key = relationship.inverseName,
            let entity = relationship.inverseEntityName ?? relationship.destinationEntityName,
            case (.relationship(let inverse), let owner)? = property(key, of: entity)
        else { return nil }
        return (inverse, owner)
    }

    private func collect<Property>(
        _ name: String, _ list: KeyPath<EntityDescription, [Property]>, name nameOf: KeyPath<Property, String>
    ) -> [Property] {
        var found: [Property] = []
        var places: [ExactName: Int] = [:]
        for entity in lineage(of: name).reversed() {
            for property in entity[keyPath: list] {
                let key = ExactName(property[keyPath: nameOf])
                if let place = places[key] {
                    found[place] = property
                } else {
                    places[key] = found.count
                    found.append(property)
                }
            }
        }
        return found
    }
}

extension EntityDescription {
    /// Its own property with a name.
    public func property(_ key: String) -> PropertyDescription? {
        if let own = attributes.first(where: { $0.name.hasSameCodePoints(as: key) }) { return .attribute(own) }
        if let own = relationships.first(where: { $0.name.hasSameCodePoints(as: key) }) { return .relationship(own) }
        return fetchedProperties.first { $0.name.hasSameCodePoints(as: key) }.map(PropertyDescription.fetchedProperty)
    }

    /// The name that is the same in all versions: the renaming identifier or, without one, the name.
    package var canonicalName: String { renamingIdentifier ?? name }
}

/// The entities by name, and their hierarchy.
struct EntityHierarchy: Sendable {
    /// The positions in the list of entities, by name.
    private var positions: [ExactName: Int] = [:]
    /// The positions of the entities without a superentity in the model, in order.
    private var roots: [Int] = []
    /// The positions of direct subentities, in order.
    private var subentities: [Int: [Int]] = [:]
    /// The entities that are reachable from a root, parents first.
    private(set) var preorder: [Int] = []
    /// The index of each position in ``preorder``.
    private var places: [Int: Int] = [:]
    private var superentities: [Int: Int] = [:]

    init(_ entities: [EntityDescription]) {
        for (position, entity) in entities.enumerated() where positions[ExactName(entity.name)] == nil {
            positions[ExactName(entity.name)] = position
        }
        let ordered = positions.values.map { (position: $0, key: Self.sortKey(entities[$0].name)) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.position)
        for position in ordered {
            let parent = entities[position].superentityName.flatMap { positions[ExactName($0)] }
            if let parent {
                superentities[position] = parent
                subentities[parent, default: []].append(position)
            } else {
                roots.append(position)
            }
        }
        fillPreorder()
    }

    /// Fills ``preorder`` without recursion, as a chain of entities may have any length. Cycles are not reached.
    private mutating func fillPreorder() {
        var waiting = Array(roots.reversed())
        while let position = waiting.popLast() {
            places[position] = preorder.count
            preorder.append(position)
            waiting += (subentities[position] ?? []).reversed()
        }
    }

    /// The key for sorting names: the uppercased name, then the name itself. Stores number entities in this order.
    private static func sortKey(_ name: String) -> [UInt8] {
        Array(name.uppercased().utf8) + [0] + Array(name.utf8)
    }

    func position(of name: String) -> Int? { positions[ExactName(name)] }

    func place(of name: String) -> Int? { position(of: name).flatMap { places[$0] } }

    func rootPositions() -> [Int] { roots }

    func subentityPositions(of name: String) -> [Int] {
        position(of: name).flatMap { subentities[$0] } ?? []
    }

    /// The entity and its ancestors up to the root. A cycle ends where it closes.
    func lineage(of name: String) -> [Int] {
        var line: [Int] = []
        var next = position(of: name)
        var seen: Set<Int> = []
        while let position = next, seen.insert(position).inserted {
            line.append(position)
            next = superentities[position]
        }
        return line
    }

    /// The entity and its descendants, in preorder.
    func subtree(of name: String) -> [Int] {
        guard let root = position(of: name) else { return [] }
        var found: [Int] = []
        var waiting = [root]
        var seen: Set<Int> = []
        while let position = waiting.popLast() {
            guard seen.insert(position).inserted else { continue }
            found.append(position)
            waiting += (subentities[position] ?? []).reversed()
        }
        return found
    }
}
