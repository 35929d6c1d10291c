import Foundation
import PredicateSyntax

/// A mapping model: the rules that convert the objects of one version of a model to those of another.
///
///     let mapping = try MappingModel(path: "Library1to2.xcmappingmodel")
///     for finding in try mapping.resolved(from: old, to: new).check(from: old, to: new) { print(finding) }
///
/// A source file leaves out what follows from the two models; ``resolved(from:to:)`` fills it in. A compiled mapping
/// model is complete.
public struct MappingModel: Hashable, Sendable {
    /// The entity mappings, in the order in which they run.
    package var entityMappings: [EntityMapping]
    /// The path of the source model in the project that contains the mapping model.
    package var sourceModelPath: String?
    /// The path of the destination model in that project.
    package var destinationModelPath: String?

    /// Creates a mapping model.
    package init(
        _ entityMappings: [EntityMapping], sourceModelPath: String? = nil, destinationModelPath: String? = nil
    ) {
        self.entityMappings = entityMappings
        self.sourceModelPath = sourceModelPath
        self.destinationModelPath = destinationModelPath
    }
}

/// The mapping of an entity: the objects that it reads, and the values of the objects that it creates.
package struct EntityMapping: Hashable, Sendable {
    /// The name in the mapping model, unique within it: `ItemToTask`
    package var name: String
    /// The kind of the mapping.
    package var type: Kind
    /// The entity of the source objects; nil for a mapping that adds an entity.
    package var sourceEntityName: String?
    /// The entity of the new objects; nil for a mapping that removes an entity.
    package var destinationEntityName: String?
    /// The version hash of the source entity, if the file has it.
    package var sourceEntityVersionHash: Data?
    /// The version hash of the destination entity, if the file has it.
    package var destinationEntityVersionHash: Data?
    /// The condition on the source objects; nil for all objects.
    package var sourceFilter: ModelPredicate?
    /// The source expression of a compiled mapping: `FETCH(FUNCTION($manager, …), $manager.sourceContext, NO)`
    package var sourceExpression: ModelExpression?
    /// The values of attributes, by name.
    package var attributeMappings: [PropertyMapping]
    /// The objects of relationships, by name.
    package var relationshipMappings: [PropertyMapping]
    /// The class of a custom policy, which is code of the app.
    package var migrationPolicyClassName: String?
    /// Values for the policy.
    package var userInfo: [String: PredicateValue]

    /// The kinds of mappings. The raw value is the number in compiled mapping models.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// Not given in a source file: the models determine it.
        case undefined = 0
        /// A policy does the mapping.
        case custom = 1
        /// The entity was added.
        case add = 2
        /// The entity was removed.
        case remove = 3
        /// The objects are copied unchanged.
        case copy = 4
        /// The objects change.
        case transform = 5

        /// `transform`
        package var name: String { "\(self)" }
    }

    /// Creates the mapping of an entity.
    package init(
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

/// The value of a property of the objects that a mapping creates.
///
/// `PropertyMapping("title", "$source.name")`
///
/// Expressions may use the variables `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping` and
/// `$entityPolicy`.
package struct PropertyMapping: Hashable, Sendable {
    /// The name of the property in the destination.
    package var name: String
    /// The value; nil if a source file leaves it out.
    package var valueExpression: ModelExpression?
    /// For a relationship: the entity mapping that creates the related objects.
    package var sourceMappingName: String?
    /// For a relationship: the source objects that correspond to the related objects.
    package var sourceKeyPath: ModelExpression?

    /// Creates the mapping of a property.
    package init(
        _ name: String, _ valueExpression: ModelExpression? = nil, sourceMappingName: String? = nil,
        sourceKeyPath: ModelExpression? = nil
    ) {
        self.name = name
        self.valueExpression = valueExpression
        self.sourceMappingName = sourceMappingName
        self.sourceKeyPath = sourceKeyPath
    }
}

extension MappingModel {
    /// Returns the mapping model with the expressions and kinds that its source file leaves out.
    ///
    /// An attribute is `$source.NAME` if the source entity has that key; otherwise it has no expression, and new
    /// objects keep the default value of the model. If only one entity mapping can create the objects of a
    /// relationship, the relationship refers to those created for the related source objects. Otherwise any mapping
    /// may have created them: `FUNCTION($manager,
    /// "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "NAME", $source.NAME)`.
    /// - Throws: ``ModelError`` if a model does not have an entity that the mapping names.
    public func resolved(
        from source: ManagedObjectModel, to destination: ManagedObjectModel
    ) throws(ModelError) -> MappingModel {
        var result = self
        for index in result.entityMappings.indices {
            try ModelError.placing("entity mapping \(entityMappings[index].name)") { () throws(ModelError) in
                try result.entityMappings[index].resolve(source, destination, among: entityMappings)
            }
        }
        return result
    }

    /// Returns the entities of both models that no entity mapping covers.
    package func uncoveredEntities(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> [String] {
        let covered = Set(entityMappings.compactMap(\.sourceEntityName))
        let others = source.entities.filter { !$0.isAbstract && !covered.contains($0.name) }
        return others.map(\.name).filter { destination.entity($0) != nil }
    }
}

extension EntityMapping {
    fileprivate mutating func resolve(
        _ source: ManagedObjectModel, _ destination: ManagedObjectModel, among mappings: [EntityMapping]
    ) throws(ModelError) {
        if let name = sourceEntityName { try source.requireEntity(name) }
        if let name = destinationEntityName { try destination.requireEntity(name) }
        guard type == .undefined else { return }
        let isPlain = attributeMappings.allSatisfy { $0.followsFromName }
        for index in attributeMappings.indices where attributeMappings[index].valueExpression == nil {
            attributeMappings[index].valueExpression = value(ofAttribute: attributeMappings[index].name, source)
        }
        for index in relationshipMappings.indices where relationshipMappings[index].valueExpression == nil {
            relationshipMappings[index].valueExpression = value(
                of: relationshipMappings[index], source, destination, mappings)
        }
        type = kind(isPlain: isPlain)
    }

    private func value(ofAttribute name: String, _ source: ManagedObjectModel) -> ModelExpression? {
        sourceEntityName.flatMap { source.property(name, of: $0) }.map { _ in .sourceKey(name) }
    }

    private func value(
        of mapping: PropertyMapping, _ source: ManagedObjectModel, _ destination: ManagedObjectModel,
        _ mappings: [EntityMapping]
    ) -> ModelExpression? {
        if let name = mapping.sourceMappingName, let path = try? mapping.sourceKeyPath?.expression() {
            return .manager(Self.byMapping, name, path.node)
        }
        guard let entity = sourceEntityName,
            case .relationship(let relationship)? = source.property(mapping.name, of: entity)?.property,
            let path = try? ModelExpression.sourceKey(mapping.name).expression()
        else { return nil }
        if let target = relationship.destinationEntityName {
            let goal = goal(of: mapping.name, destination)
            let makers = mappings.filter { maker in
                guard let old = maker.sourceEntityName, let new = maker.destinationEntityName else { return false }
                return source.isEntity(old, kindOf: target)
                    && (goal.map { destination.isEntity(new, kindOf: $0) } ?? true)
            }
            if makers.count == 1 { return .manager(Self.byMapping, makers[0].name, path.node) }
        }
        return .related(mapping.name)
    }

    /// The destination entity of a relationship.
    private func goal(of name: String, _ destination: ManagedObjectModel) -> String? {
        guard let entity = destinationEntityName,
            case .relationship(let relationship)? = destination.property(name, of: entity)?.property
        else { return nil }
        return relationship.destinationEntityName
    }

    private static let byMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"

    private func kind(isPlain: Bool) -> Kind {
        if migrationPolicyClassName != nil { return .custom }
        guard let old = sourceEntityName else { return .add }
        guard let new = destinationEntityName else { return .remove }
        return isPlain && sourceFilter == nil && old == new ? .copy : .transform
    }
}

extension PropertyMapping {
    /// True if the source file contains only the name.
    fileprivate var followsFromName: Bool {
        valueExpression == nil && sourceMappingName == nil && sourceKeyPath == nil
    }
}

extension ModelExpression {
    /// `$source.name`
    package static func sourceKey(_ name: String) -> ModelExpression {
        ModelExpression(FormatExpression(.keyPath(KeyPathExpression(base: .variable("source"), [.key(name)]))))
    }

    /// `FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "items", $source.items)`
    package static func related(_ name: String) -> ModelExpression {
        manager(
            "destinationInstancesForSourceRelationshipNamed:sourceInstances:", name,
            .keyPath(KeyPathExpression(base: .variable("source"), [.key(name)])))
    }

    /// `FUNCTION($manager, "selector", "name", objects)`
    static func manager(_ selector: String, _ name: String, _ objects: ExpressionNode) -> ModelExpression {
        let message = MessageExpression(
            target: .variable("manager"), selector: selector, arguments: [.constantValue(.string(name)), objects])
        return ModelExpression(FormatExpression(.message(message)))
    }
}

extension ManagedObjectModel {
    /// Throws if the model has no entity of this name.
    package func requireEntity(_ name: String) throws(ModelError) {
        guard entity(name) == nil else { return }
        throw ModelError(
            .unknownEntity(name, nearMisses: NearMiss.candidates(for: name, among: entities.map(\.name))))
    }
}
