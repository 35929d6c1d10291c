public import PredicateSyntax

/// An entity: a kind of object with its own properties and those of its superentity.
///
///     EntityDescription("Student", superentity: "Person",
///         attributes: [.init("number", .integer64, isOptional: false)],
///         relationships: [.toMany("courses", "Course", inverse: "students")],
///         uniquenessConstraints: [["number"]])
public struct EntityDescription: Hashable, Sendable {
    /// The name, unique in a model: `Student`
    public var name: String
    /// The class of its objects; nil for `NSManagedObject`. A leading `.` stands for the module of the app.
    public var managedObjectClassName: String?
    /// The name of the entity that it inherits from.
    public var superentityName: String?
    /// A Boolean value that indicates whether there are objects of its subentities only.
    public var isAbstract: Bool
    /// The name that the entity had in an older version; nil where it is the same.
    public var renamingIdentifier: String?
    /// A text that makes this version of the entity another one, although nothing else differs.
    public var versionHashModifier: String?
    /// What the app has noted beside it.
    public var userInfo: [String: PredicateValue]
    /// Its own attributes; ``ManagedObjectModel/attributes(of:)`` has the inherited ones too.
    public var attributes: [AttributeDescription]
    /// Its own relationships.
    public var relationships: [RelationshipDescription]
    /// Its own fetched properties.
    public var fetchedProperties: [FetchedPropertyDescription]
    /// Keys whose values together no two objects share.
    public var uniquenessConstraints: [[String]]
    /// Its indexes, in order.
    public var indexes: [FetchIndexDescription]
    /// Indexes in the old form, of names only.
    public var compoundIndexes: [[String]]
    /// The attributes of the source's element that have no property here, such as `codeGenerationType`.
    public var editorAttributes: [String: String]

    /// Makes an entity of a name with its own properties.
    public init(
        _ name: String, managedObjectClassName: String? = nil, superentity superentityName: String? = nil,
        isAbstract: Bool = false, attributes: [AttributeDescription] = [],
        relationships: [RelationshipDescription] = [], fetchedProperties: [FetchedPropertyDescription] = [],
        uniquenessConstraints: [[String]] = [], indexes: [FetchIndexDescription] = [],
        compoundIndexes: [[String]] = [], renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
        userInfo: [String: PredicateValue] = [:], editorAttributes: [String: String] = [:]
    ) {
        self.name = name
        self.managedObjectClassName = managedObjectClassName
        self.superentityName = superentityName
        self.isAbstract = isAbstract
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.attributes = attributes
        self.relationships = relationships
        self.fetchedProperties = fetchedProperties
        self.uniquenessConstraints = uniquenessConstraints
        self.indexes = indexes
        self.compoundIndexes = compoundIndexes
        self.editorAttributes = editorAttributes
    }

    /// Its own properties: attributes, relationships, fetched properties.
    public var properties: [PropertyDescription] {
        attributes.map(PropertyDescription.attribute) + relationships.map(PropertyDescription.relationship)
            + fetchedProperties.map(PropertyDescription.fetchedProperty)
    }
}

/// A property of an entity, of any of the three kinds.
public enum PropertyDescription: Hashable, Sendable {
    /// A value that the object holds.
    case attribute(AttributeDescription)
    /// Other objects that the object leads to.
    case relationship(RelationshipDescription)
    /// Objects that a fetch request finds.
    case fetchedProperty(FetchedPropertyDescription)

    /// The name of the property, unique in its entity.
    public var name: String {
        switch self {
        case .attribute(let property): property.name
        case .relationship(let property): property.name
        case .fetchedProperty(let property): property.name
        }
    }

    /// A Boolean value that indicates whether an object may be without a value.
    public var isOptional: Bool {
        switch self {
        case .attribute(let property): property.isOptional
        case .relationship(let property): property.isOptional
        case .fetchedProperty(let property): property.isOptional
        }
    }

    /// A Boolean value that indicates whether the property lives in memory only.
    public var isTransient: Bool {
        switch self {
        case .attribute(let property): property.isTransient
        case .relationship(let property): property.isTransient
        case .fetchedProperty: false
        }
    }

    /// The name that the property had in an older version; nil where it is the same.
    public var renamingIdentifier: String? {
        switch self {
        case .attribute(let property): property.renamingIdentifier
        case .relationship(let property): property.renamingIdentifier
        case .fetchedProperty: nil
        }
    }

    /// What the app has noted beside the property.
    public var userInfo: [String: PredicateValue] {
        switch self {
        case .attribute(let property): property.userInfo
        case .relationship(let property): property.userInfo
        case .fetchedProperty(let property): property.userInfo
        }
    }

    /// The kind in words: `attribute`
    package var noun: String {
        switch self {
        case .attribute: "attribute"
        case .relationship: "relationship"
        case .fetchedProperty: "fetched property"
        }
    }
}
