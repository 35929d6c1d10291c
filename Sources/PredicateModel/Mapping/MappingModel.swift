public import Foundation
public import PredicateSyntax

/// A mapping model: how the objects of one version of a model become those of another.
///
///     let mapping = try MappingModel(path: "Library1to2.xcmappingmodel")
///     for entity in try mapping.resolved(from: old, to: new).entityMappings { print(entity) }
///
/// What a source file leaves out, since it follows from the two models, ``resolved(from:to:)`` fills in; a compiled mapping
/// model has it.
public struct MappingModel: Hashable, Sendable {
    /// In the order in which they are carried out.
    public var entityMappings: [EntityMapping]
    /// The path of the source's model in the project that the mapping was made in.
    public var sourceModelPath: String?
    /// The path of the destination's model in that project.
    public var destinationModelPath: String?

    /// Makes a mapping model of entity mappings.
    public init(
        _ entityMappings: [EntityMapping], sourceModelPath: String? = nil, destinationModelPath: String? = nil
    ) {
        self.entityMappings = entityMappings
        self.sourceModelPath = sourceModelPath
        self.destinationModelPath = destinationModelPath
    }
}

/// The mapping of one entity: which objects it takes, and the values of those that it makes.
public struct EntityMapping: Hashable, Sendable {
    /// The name in the mapping model, unique within it: `ItemToTask`
    public var name: String
    /// What the mapping does with objects.
    public var type: Kind
    /// The entity of the objects that are read; nil for a mapping that adds an entity.
    public var sourceEntityName: String?
    /// The entity of the objects that are made; nil for a mapping that removes one.
    public var destinationEntityName: String?
    /// The version hashes, where the file has them.
    public var sourceEntityVersionHash: Data?
    /// The version hash of the destination, where the file has it.
    public var destinationEntityVersionHash: Data?
    /// The condition of the objects that are read; nil for all.
    public var sourceFilter: ModelPredicate?
    /// The whole source expression of a compiled mapping: `FETCH(FUNCTION($manager, …), $manager.sourceContext, NO)`
    public var sourceExpression: ModelExpression?
    /// The values of attributes, by name.
    public var attributeMappings: [PropertyMapping]
    /// The objects of relationships, by name.
    public var relationshipMappings: [PropertyMapping]
    /// The class of a custom policy: code of the app, which is only named here.
    public var migrationPolicyClassName: String?
    /// What the mapping tells its policy.
    public var userInfo: [String: PredicateValue]

    /// The kind of a mapping; the raw value is the number of compiled mappings.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// A source file does not say it: it follows from the models.
        case undefined = 0
        /// A policy decides.
        case custom = 1
        /// The entity is new.
        case add = 2
        /// The entity is gone.
        case remove = 3
        /// Nothing changes.
        case copy = 4
        /// Values change.
        case transform = 5

        /// `transform`
        public var name: String {
            switch self {
            case .undefined: "undefined"
            case .custom: "custom"
            case .add: "add"
            case .remove: "remove"
            case .copy: "copy"
            case .transform: "transform"
            }
        }
    }

    /// Makes the mapping of an entity.
    public init(
        _ name: String, type: Kind = .undefined, source sourceEntityName: String?,
        destination destinationEntityName: String?, sourceFilter: ModelPredicate? = nil,
        attributeMappings: [PropertyMapping] = [], relationshipMappings: [PropertyMapping] = [],
        migrationPolicyClassName: String? = nil, userInfo: [String: PredicateValue] = [:]
    ) {
        self.name = name
        self.type = type
        self.sourceEntityName = sourceEntityName
        self.destinationEntityName = destinationEntityName
        self.sourceFilter = sourceFilter
        self.attributeMappings = attributeMappings
        self.relationshipMappings = relationshipMappings
        self.migrationPolicyClassName = migrationPolicyClassName
        self.userInfo = userInfo
    }
}

/// The value of one property of the objects that a mapping makes.
///
/// `PropertyMapping("title", "$source.name")`
///
/// Expressions know the variables `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping` and
/// `$entityPolicy`.
public struct PropertyMapping: Hashable, Sendable {
    /// The name of the property in the destination.
    public var name: String
    /// The value; nil where the source file leaves it to follow from the models.
    public var valueExpression: ModelExpression?
    /// Of a relationship: the entity mapping that made the objects at the other end.
    public var sourceMappingName: String?
    /// Of a relationship: the source objects whose counterparts are meant.
    public var sourceKeyPath: ModelExpression?

    /// Makes the mapping of a property.
    public init(
        _ name: String, _ valueExpression: ModelExpression? = nil, sourceMappingName: String? = nil,
        sourceKeyPath: ModelExpression? = nil
    ) {
        self.name = name
        self.valueExpression = valueExpression
        self.sourceMappingName = sourceMappingName
        self.sourceKeyPath = sourceKeyPath
    }
}
