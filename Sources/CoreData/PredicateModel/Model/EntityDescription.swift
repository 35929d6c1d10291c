public import PredicateSyntax

/// An entity: a class of objects with its own properties and those of its superentity.
///
///     EntityDescription("Student", superentity: "Person",
///         attributes: [.init("number", .integer64, isOptional: false)],
///         relationships: [.toMany("courses", "Course", inverse: "students")],
///         uniquenessConstraints: [["number"]])
public struct EntityDescription: Hashable, Sendable {
    /// The name, unique in a model: `Student`
    public var name: String
    /// The class of its objects; nil for `NSManagedObject`. A leading `.` refers to the module of the app.
    public var managedObjectClassName: String?
    /// The name of the superentity.
    public var superentityName: String?
    /// A Boolean value that indicates whether only its subentities have objects.
    public var isAbstract: Bool
    /// The name of the entity in an older version; nil if it did not change.
    public var renamingIdentifier: String?
    /// A string that changes the version hash although nothing else differs.
    public var versionHashModifier: String?
    /// Custom data of the app.
    public var userInfo: [String: PredicateValue]
    /// Its own attributes; ``ManagedObjectModel/attributes(of:)`` includes inherited ones.
    public var attributes: [AttributeDescription]
    /// Its own relationships.
    public var relationships: [RelationshipDescription]
    /// Its own fetched properties.
    public var fetchedProperties: [FetchedPropertyDescription]
    /// Lists of keys whose combined values are unique.
    public var uniquenessConstraints: [[String]]
    /// Its indexes, in order.
    public var indexes: [FetchIndexDescription]
    /// Indexes of the old form, which list names only.
    public var compoundIndexes: [[String]]
    /// The attributes of the XML element that have no property here, such as `codeGenerationType`.
    package var editorAttributes: [String: String] = [:]

    /// Creates an entity.
    public init(
        _ name: String, managedObjectClassName: String? = nil, superentity superentityName: String? = nil,
        isAbstract: Bool = false, attributes: [AttributeDescription] = [],
        relationships: [RelationshipDescription] = [], fetchedProperties: [FetchedPropertyDescription] = [],
        uniquenessConstraints: [[String]] = [], indexes: [FetchIndexDescription] = [],
        compoundIndexes: [[String]] = [], renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
        userInfo: [String: PredicateValue] = [:]
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
    }

    /// Its own properties: attributes, relationships, fetched properties.
    public var properties: [PropertyDescription] {
        attributes.map(PropertyDescription.attribute) + relationships.map(PropertyDescription.relationship)
            + fetchedProperties.map(PropertyDescription.fetchedProperty)
    }
}

/// A property of an entity, of any of the three kinds.
public enum PropertyDescription: Hashable, Sendable {
    /// A value of the object.
    case attribute(AttributeDescription)
    /// A relationship to other objects.
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

    /// A Boolean value that indicates whether the value may be nil.
    public var isOptional: Bool {
        switch self {
        case .attribute(let property): property.isOptional
        case .relationship(let property): property.isOptional
        case .fetchedProperty(let property): property.isOptional
        }
    }

    /// A Boolean value that indicates whether the property is not stored.
    package var isTransient: Bool {
        switch self {
        case .attribute(let property): property.isTransient
        case .relationship(let property): property.isTransient
        case .fetchedProperty: false
        }
    }

    /// The name of the property in an older version; nil if it did not change.
    package var renamingIdentifier: String? {
        switch self {
        case .attribute(let property): property.renamingIdentifier
        case .relationship(let property): property.renamingIdentifier
        case .fetchedProperty: nil
        }
    }

    /// Custom data of the app.
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

/// An index of an entity.
///
/// `FetchIndexDescription("byDueDate", [.init("due"), .init("name", isAscending: false)], partialIndexPredicate: "done == NO")`
public struct FetchIndexDescription: Hashable, Sendable {
    /// The name, unique in its entity.
    public var name: String
    /// The indexed properties and expressions, in order.
    public var elements: [FetchIndexElementDescription]
    /// The condition on the objects in the index; nil for all objects.
    public var partialIndexPredicate: ModelPredicate?

    /// Creates an index.
    public init(
        _ name: String, _ elements: [FetchIndexElementDescription], partialIndexPredicate: ModelPredicate? = nil
    ) {
        self.name = name
        self.elements = elements
        self.partialIndexPredicate = partialIndexPredicate
    }
}

/// An element of an index: a property or an expression, with its order.
public struct FetchIndexElementDescription: Hashable, Sendable {
    /// The indexed value.
    public var value: IndexedValue
    /// The kind of index.
    public var collation: Collation
    /// A Boolean value that indicates whether smaller values come first.
    public var isAscending: Bool

    /// The indexed value.
    public enum IndexedValue: Hashable, Sendable {
        /// The name of a property of the entity, or a name such as `self` for the object and `entity` for its entity.
        case property(String)
        /// An expression.
        case expression(ModelExpression)
    }

    /// The kinds of indexes.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Collation: Hashable, Sendable {
        /// An ordinary index.
        case binary
        /// A spatial index.
        case rTree
        /// A kind that this version of the library does not know, by its name.
        case unknown(String)

        /// The name in model files: `Binary`
        package var name: String {
            switch self {
            case .binary: "Binary"
            case .rTree: "RTree"
            case .unknown(let name): name
            }
        }

        /// Creates the kind with this name in model files.
        package init(name: String) {
            self = [Self.binary, .rTree].first { $0.name.lowercased() == name.lowercased() } ?? .unknown(name)
        }
    }

    /// Creates an element for a property or an expression.
    public init(_ value: IndexedValue, collation: Collation = .binary, isAscending: Bool = true) {
        self.value = value
        self.collation = collation
        self.isAscending = isAscending
    }

    /// Creates an element for a property.
    public init(_ property: String, collation: Collation = .binary, isAscending: Bool = true) {
        self.init(.property(property), collation: collation, isAscending: isAscending)
    }
}

extension String {
    /// The string as a renaming identifier; nil if it equals the name.
    func renaming(_ name: String) -> String? { hasSameCodePoints(as: name) ? nil : self }
}
