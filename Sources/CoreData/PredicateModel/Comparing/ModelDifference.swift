import PredicateSyntax

/// The differences between two versions of a model, with a verdict: whether a migration can be inferred.
///
///     let difference = ModelDifference(from: old, to: new)
///     difference.verdict   // .inferable
///
/// Entities and properties are matched by renaming identifier, then by name. The rules are those that Core Data's
/// documentation gives for lightweight migrations; the error numbers are those of its header.
public struct ModelDifference: Hashable, Sendable {
    /// The changes: added and removed entities, then the changes of each entity, then those of the model itself.
    public let changes: [ModelChange]

    /// The greatest effect of the changes.
    public var verdict: MigrationEffect.Level { changes.map(\.effect.level).max() ?? .nothing }

    /// Compares two versions of a model, matching entities and properties by their names and renaming identifiers.
    public init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
        var comparison = ModelComparison(old, new)
        changes = comparison.run()
    }
}

/// A difference between two versions of a model, and its effect on a migration.
///
/// `attribute due of Item is new`
public struct ModelChange: Hashable, Sendable {
    /// The kind of change.
    public var kind: Kind
    /// The entity in the new version, or the removed entity; nil for the model itself.
    public var entity: String?
    /// The property, the fetch request or the configuration.
    public var name: String?
    /// The old value in words; nil if there is none.
    public var old: String?
    /// The new value in words; nil if there is none.
    public var new: String?
    /// The effect on a migration.
    public var effect: MigrationEffect

    /// The kinds of changes.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An entity was added.
        case entityAdded = "entity-added"
        /// An entity was removed, and its objects with it.
        case entityRemoved = "entity-removed"
        /// An entity was renamed; its renaming identifier is the old name.
        case entityRenamed = "entity-renamed"
        /// An entity has a different superentity.
        case superentityChanged = "superentity-changed"
        /// Entities that had no superentity in common now have one.
        case hierarchiesMerged = "hierarchies-merged"
        /// An entity became abstract, or is no longer abstract.
        case abstractChanged = "abstract-changed"
        /// An attribute was added.
        case attributeAdded = "attribute-added"
        /// An attribute was removed, and its values with it.
        case attributeRemoved = "attribute-removed"
        /// A relationship was added.
        case relationshipAdded = "relationship-added"
        /// A relationship was removed.
        case relationshipRemoved = "relationship-removed"
        /// A fetched property was added.
        case fetchedPropertyAdded = "fetched-property-added"
        /// A fetched property was removed.
        case fetchedPropertyRemoved = "fetched-property-removed"
        /// A fetched property has a different request.
        case fetchedPropertyChanged = "fetched-property-changed"
        /// A property was renamed; its renaming identifier is the old name.
        case propertyRenamed = "property-renamed"
        /// A property moved to a superentity or to a subentity.
        case propertyMoved = "property-moved"
        /// A property has a different kind, such as a relationship that was an attribute.
        case propertyKindChanged = "property-kind-changed"
        /// An attribute has a different type.
        case typeChanged = "type-changed"
        /// An integer attribute became wider. That Core Data can infer this was observed in apps; it is not documented.
        case integerWidened = "integer-widened"
        /// A property became optional.
        case madeOptional = "made-optional"
        /// A property became mandatory.
        case madeMandatory = "made-mandatory"
        /// A property became transient, or is no longer transient.
        case transientChanged = "transient-changed"
        /// The default value changed.
        case defaultChanged = "default-changed"
        /// The bounds of valid values changed.
        case validationChanged = "validation-changed"
        /// The derivation of an attribute changed.
        case derivationChanged = "derivation-changed"
        /// External storage of large values, or encryption by CloudKit, was turned on or off.
        case storageChanged = "storage-changed"
        /// A transformable attribute has a different transformer or class.
        case transformerChanged = "transformer-changed"
        /// A relationship has a different destination.
        case destinationChanged = "destination-changed"
        /// A relationship has a different inverse.
        case inverseChanged = "inverse-changed"
        /// A to-one relationship became to-many, or the reverse.
        case cardinalityChanged = "cardinality-changed"
        /// A relationship became ordered, or is no longer ordered.
        case orderedChanged = "ordered-changed"
        /// The minimum or maximum count of a relationship changed.
        case countsChanged = "counts-changed"
        /// A relationship has a different delete rule.
        case deleteRuleChanged = "delete-rule-changed"
        /// A uniqueness constraint was added.
        case uniquenessAdded = "uniqueness-added"
        /// A uniqueness constraint was removed.
        case uniquenessRemoved = "uniqueness-removed"
        /// The indexes changed.
        case indexesChanged = "indexes-changed"
        /// The class of the objects changed.
        case classChanged = "class-changed"
        /// The entries of `userInfo` changed.
        case userInfoChanged = "user-info-changed"
        /// The version hash modifier changed.
        case hashModifierChanged = "hash-modifier-changed"
        /// The renaming identifier changed, but not the name.
        case renamingIdentifierChanged = "renaming-identifier-changed"
        /// A fetch request was added.
        case fetchRequestAdded = "fetch-request-added"
        /// A fetch request was removed.
        case fetchRequestRemoved = "fetch-request-removed"
        /// A fetch request changed.
        case fetchRequestChanged = "fetch-request-changed"
        /// The entities of a configuration changed.
        case configurationChanged = "configuration-changed"
        /// The version identifiers changed.
        case versionIdentifiersChanged = "version-identifiers-changed"
        /// The attributes of a composite type changed.
        case compositeChanged = "composite-changed"
    }
}

/// The effect of a change on a migration.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum MigrationEffect: Hashable, Sendable {
    /// None: the version hash is the same.
    case nothing
    /// A migration is needed and can be inferred.
    case inferable
    /// A migration can be inferred, but fails for some data.
    case dataMayRefuse(DataQuestion)
    /// A mapping model or code is needed. Inference fails with this error number of Core Data, for this reason.
    case needsMapping(errorNumber: Int, reason: String)

    /// The effect without its details, from least to greatest.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Level: Int, Hashable, Sendable, CaseIterable, Comparable {
        /// The levels, from no migration to a required mapping model.
        case nothing, inferable, dataMayRefuse, needsMapping

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        /// `data-may-refuse`
        package var name: String { "\(self)".hyphenated }
    }

    /// A Boolean value that indicates whether a mapping model is needed for objects of the entity only: if the old
    /// store has none of them, a migration can be inferred.
    package var concernsObjectsOnly: Bool {
        if case .needsMapping(errorNumber: 134_110, _) = self { true } else { false }
    }

    /// The effect without its details.
    public var level: Level {
        switch self {
        case .nothing: .nothing
        case .inferable: .inferable
        case .dataMayRefuse: .dataMayRefuse
        case .needsMapping: .needsMapping
        }
    }
}

extension MigrationEffect {
    /// A migration that fails for the objects of an old entity that a format selects.
    static func refused(
        _ reason: String, of entity: String, where predicate: String? = nil, _ number: Int = 134_110
    ) -> MigrationEffect {
        .dataMayRefuse(DataQuestion(entity: entity, predicate: predicate, reason: reason, errorNumber: number))
    }

    /// A question about the data of the old version, which decides whether a migration succeeds.
    ///
    /// `predicate filter 'category == nil' store.sqlite --entity Item` finds the objects for which it fails.
    public struct DataQuestion: Hashable, Sendable {
        /// The entity in the old version.
        public var entity: String
        /// A format that selects the objects for which the migration fails; nil if no predicate does.
        public var predicate: String?
        /// The question in words.
        public var reason: String
        /// The error number of Core Data for the failure.
        public var errorNumber: Int
    }
}
