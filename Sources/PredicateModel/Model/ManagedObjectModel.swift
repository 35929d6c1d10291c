public import Foundation

/// A Core Data model: entities with their attributes and relationships, and the predicates that live with them.
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
/// A plain value. Models are equal when all that they say is, in the same order; `normalized` leaves out order and what only
/// an editor reads. Lookups compare names by code points. A model that is made in Swift may be wrong in every way that one in a
/// file may be: `check()` finds what is.
public struct ManagedObjectModel: Sendable {
    /// The entities, in the order of their source. Of two with one name, lookups find the first.
    public var entities: [EntityDescription] {
        didSet {
            hierarchy = EntityHierarchy(entities)
            if entities != oldValue { versionHashes = [:] }
        }
    }
    /// The named subsets of entities.
    public var configurations: [ModelConfiguration]
    /// The fetch requests of the model itself, by their names.
    public var fetchRequestTemplates: [FetchRequestTemplate]
    /// The composite types, which attributes name.
    public var composites: [CompositeDescription]
    /// The version identifiers; Core Data itself does not read them.
    public var versionIdentifiers: [String]
    /// The attributes of the source's root element that have no property here, such as `lastSavedToolsVersion`: they are
    /// written again.
    public var editorAttributes: [String: String]

    /// The hashes by which Core Data tells versions of entities apart, by name: 32 bytes that no one but Core Data can work out.
    ///
    /// A `.momd` has them, and the metadata of a store that Core Data made; empty for a model from elsewhere, and once entities
    /// are changed. They do not count when models are compared.
    public var versionHashes: [String: Data] = [:]

    /// Names and the tree of entities, worked out once for every change.
    private(set) var hierarchy: EntityHierarchy

    /// Makes a model of entities.
    public init(
        _ entities: [EntityDescription] = [], configurations: [ModelConfiguration] = [],
        fetchRequestTemplates: [FetchRequestTemplate] = [], composites: [CompositeDescription] = [],
        versionIdentifiers: [String] = [], editorAttributes: [String: String] = [:]
    ) {
        self.entities = entities
        self.configurations = configurations
        self.fetchRequestTemplates = fetchRequestTemplates
        self.composites = composites
        self.versionIdentifiers = versionIdentifiers
        self.editorAttributes = editorAttributes
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
/// `ModelConfiguration("Cloud", entityNames: ["Item", "Category"])`
public struct ModelConfiguration: Hashable, Sendable {
    /// The name, by which a store is opened with the entities of this configuration.
    public var name: String
    /// The names of its entities.
    public var entityNames: [String]
    /// The attributes of the source's element that have no property here, such as `usedWithCloudKit`.
    public var editorAttributes: [String: String]

    /// Makes a configuration of a name.
    public init(_ name: String, entityNames: [String], editorAttributes: [String: String] = [:]) {
        self.name = name
        self.entityNames = entityNames
        self.editorAttributes = editorAttributes
    }
}

/// A composite type: attributes under one name, which an attribute of type ``AttributeType/composite`` holds together.
///
/// `CompositeDescription("Address", attributes: [.init("street", .string), .init("city", .string)])`
public struct CompositeDescription: Hashable, Sendable {
    /// The name, to which the type of an attribute refers.
    public var name: String
    /// The attributes that it holds together.
    public var attributes: [AttributeDescription]

    /// Makes a composite type of a name.
    public init(_ name: String, attributes: [AttributeDescription]) {
        self.name = name
        self.attributes = attributes
    }
}
