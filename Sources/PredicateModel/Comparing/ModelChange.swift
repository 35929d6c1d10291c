/// A difference between two versions of a model, and what it asks of a migration.
///
/// `attribute due of Item is new`
public struct ModelChange: Hashable, Sendable {
    /// What has changed.
    public var kind: Kind
    /// The entity in the new version, or the one that is gone; nil for the model itself.
    public var entity: String?
    /// The property, the fetch request or the configuration.
    public var name: String?
    /// The value of the old version in words; nil where there is none.
    public var old: String?
    /// The value of the new version in words; nil where there is none.
    public var new: String?
    /// What the change asks of a migration.
    public var effect: MigrationEffect

    /// What has changed.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An entity is new.
        case entityAdded = "entity-added"
        /// An entity is gone, and with it its objects.
        case entityRemoved = "entity-removed"
        /// An entity has another name, which its renaming identifier ties to the old one.
        case entityRenamed = "entity-renamed"
        /// An entity inherits from another one.
        case superentityChanged = "superentity-changed"
        /// Entities have a superentity in common now, and had none.
        case hierarchiesMerged = "hierarchies-merged"
        /// An entity became abstract, or stopped being so.
        case abstractChanged = "abstract-changed"
        /// An attribute is new.
        case attributeAdded = "attribute-added"
        /// An attribute is gone, and with it its values.
        case attributeRemoved = "attribute-removed"
        /// A relationship is new.
        case relationshipAdded = "relationship-added"
        /// A relationship is gone.
        case relationshipRemoved = "relationship-removed"
        /// A fetched property is new.
        case fetchedPropertyAdded = "fetched-property-added"
        /// A fetched property is gone.
        case fetchedPropertyRemoved = "fetched-property-removed"
        /// A fetched property finds other objects.
        case fetchedPropertyChanged = "fetched-property-changed"
        /// A property has another name, which its renaming identifier ties to the old one.
        case propertyRenamed = "property-renamed"
        /// A property moved to a superentity or to a subentity.
        case propertyMoved = "property-moved"
        /// An attribute became a relationship, or the other way round.
        case propertyKindChanged = "property-kind-changed"
        /// An attribute has another type.
        case typeChanged = "type-changed"
        /// An attribute of integers has more bits than before. That Core Data infers it is observed in apps, not documented.
        case integerWidened = "integer-widened"
        /// A property may be without a value now.
        case madeOptional = "made-optional"
        /// A property must have a value now.
        case madeMandatory = "made-mandatory"
        /// A property is stored now, or is not any more.
        case transientChanged = "transient-changed"
        /// The value of new objects is another one.
        case defaultChanged = "default-changed"
        /// The bounds of valid values are others.
        case validationChanged = "validation-changed"
        /// A derived attribute is worked out from something else.
        case derivationChanged = "derivation-changed"
        /// Large data lies elsewhere, or is encrypted.
        case storageChanged = "storage-changed"
        /// A transformable attribute has another transformer or class.
        case transformerChanged = "transformer-changed"
        /// A relationship leads to another entity.
        case destinationChanged = "destination-changed"
        /// A relationship has another inverse.
        case inverseChanged = "inverse-changed"
        /// A relationship leads to one object and led to many, or the other way round.
        case cardinalityChanged = "cardinality-changed"
        /// A relationship keeps an order now, or does not any more.
        case orderedChanged = "ordered-changed"
        /// A relationship leads to more or fewer objects.
        case countsChanged = "counts-changed"
        /// A relationship has another delete rule.
        case deleteRuleChanged = "delete-rule-changed"
        /// A uniqueness constraint is new.
        case uniquenessAdded = "uniqueness-added"
        /// A uniqueness constraint is gone.
        case uniquenessRemoved = "uniqueness-removed"
        /// The indexes are others.
        case indexesChanged = "indexes-changed"
        /// The objects are of another class.
        case classChanged = "class-changed"
        /// The entries of `userInfo` are others.
        case userInfoChanged = "user-info-changed"
        /// The version hash modifier is another one.
        case hashModifierChanged = "hash-modifier-changed"
        /// The renaming identifier is another one, and the name is not.
        case renamingIdentifierChanged = "renaming-identifier-changed"
        /// A fetch request is new.
        case fetchRequestAdded = "fetch-request-added"
        /// A fetch request is gone.
        case fetchRequestRemoved = "fetch-request-removed"
        /// A fetch request finds other objects.
        case fetchRequestChanged = "fetch-request-changed"
        /// A configuration has other entities.
        case configurationChanged = "configuration-changed"
        /// The version identifiers are others.
        case versionIdentifiersChanged = "version-identifiers-changed"
        /// A composite type has other attributes.
        case compositeChanged = "composite-changed"
    }

    init(
        _ kind: Kind, entity: String?, name: String? = nil, old: String? = nil, new: String? = nil,
        _ effect: MigrationEffect
    ) {
        self.kind = kind
        self.entity = entity
        self.name = name
        self.old = old
        self.new = new
        self.effect = effect
    }
}

/// What a change asks of a migration.
public enum MigrationEffect: Hashable, Sendable {
    /// Nothing: the version hash is the same.
    case nothing
    /// A migration, which can be inferred.
    case inferable
    /// A migration that can be inferred, and that fails where the data answers the question with yes.
    case dataMayRefuse(DataQuestion)
    /// A mapping model or code: what inference says, as an error number of Core Data, and why.
    case needsMapping(errorNumber: Int, reason: String)

    /// The effect without its reasons, from the least to the most.
    public enum Level: Int, Hashable, Sendable, CaseIterable, Comparable {
        /// From nothing to do to a mapping model that is needed.
        case nothing, inferable, dataMayRefuse, needsMapping

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        /// `data-may-refuse`
        public var name: String {
            switch self {
            case .nothing: "nothing"
            case .inferable: "inferable"
            case .dataMayRefuse: "data-may-refuse"
            case .needsMapping: "needs-mapping"
            }
        }
    }

    /// The effect without its reasons.
    public var level: Level {
        switch self {
        case .nothing: .nothing
        case .inferable: .inferable
        case .dataMayRefuse: .dataMayRefuse
        case .needsMapping: .needsMapping
        }
    }
}

/// A question to the data of the old version, on which a migration depends.
///
/// `predicate filter 'category == nil' store.sqlite --entity Item` finds the objects that refuse.
public struct DataQuestion: Hashable, Sendable {
    /// The entity in the old version.
    public var entity: String
    /// The condition of the objects that refuse, as a format; nil where no predicate tells.
    public var predicate: String?
    /// The question in words.
    public var reason: String
    /// The error number of Core Data where it fails.
    public var errorNumber: Int
}
