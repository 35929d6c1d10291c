import PredicateSyntax

extension MappingModel {
    /// The mapping model with the expressions and the kinds that its source file leaves out.
    ///
    /// An attribute is `$source.NAME` where the source entity has the key. Where it has not, there is no expression, and a new
    /// object keeps the default of the model. A relationship leads to the objects that the one mapping to its destination made
    /// of those that the source leads to, or where there are several such mappings, any of them:
    /// `FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "NAME", $source.NAME)`.
    /// - Throws: ``ModelError`` where a model does not have an entity that the mapping names.
    public func resolved(
        from source: ManagedObjectModel, to destination: ManagedObjectModel
    ) throws(ModelError) -> MappingModel {
        var result = self
        for index in result.entityMappings.indices {
            do throws(ModelError) {
                try result.entityMappings[index].resolve(source, destination, among: entityMappings)
            } catch {
                throw error.inside("entity mapping \(entityMappings[index].name)")
            }
        }
        return result
    }
}

extension EntityMapping {
    fileprivate mutating func resolve(
        _ source: ManagedObjectModel, _ destination: ManagedObjectModel, among mappings: [EntityMapping]
    ) throws(ModelError) {
        if let name = sourceEntityName { try source.requireEntity(name) }
        if let name = destinationEntityName { try destination.requireEntity(name) }
        let isWhole = type != .undefined
        guard !isWhole else { return }
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

    private func hasSource(_ key: String, _ source: ManagedObjectModel) -> Bool {
        sourceEntityName.map { source.property(key, of: $0) != nil } ?? false
    }

    private func value(ofAttribute name: String, _ source: ManagedObjectModel) -> ModelExpression? {
        hasSource(name, source) ? .sourceKey(name) : nil
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
        return .manager(Self.byRelationship, mapping.name, path.node)
    }

    /// The entity that a relationship of the destination leads to.
    private func goal(of name: String, _ destination: ManagedObjectModel) -> String? {
        guard let entity = destinationEntityName,
            case .relationship(let relationship)? = destination.property(name, of: entity)?.property
        else { return nil }
        return relationship.destinationEntityName
    }

    private static let byMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    private static let byRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

    private func kind(isPlain: Bool) -> Kind {
        if migrationPolicyClassName != nil { return .custom }
        guard let old = sourceEntityName else { return .add }
        guard let new = destinationEntityName else { return .remove }
        return isPlain && sourceFilter == nil && old == new ? .copy : .transform
    }
}

extension PropertyMapping {
    /// True if nothing is said about the value but the name.
    fileprivate var followsFromName: Bool {
        valueExpression == nil && sourceMappingName == nil && sourceKeyPath == nil
    }
}

extension ModelExpression {
    /// `$source.name`
    static func sourceKey(_ name: String) -> ModelExpression {
        ModelExpression(FormatExpression(.keyPath(KeyPathExpression(base: .variable("source"), [.key(name)]))))
    }

    /// `FUNCTION($manager, "selector", "name", objects)`
    static func manager(_ selector: String, _ name: String, _ objects: ExpressionNode) -> ModelExpression {
        let message = MessageExpression(
            target: .variable("manager"), selector: selector, arguments: [.constantValue(.string(name)), objects])
        return ModelExpression(FormatExpression(.message(message)))
    }
}

extension ManagedObjectModel {
    /// Throws if the model has no entity of a name.
    package func requireEntity(_ name: String) throws(ModelError) {
        guard entity(name) == nil else { return }
        throw ModelError(
            .unknownEntity(name, nearMisses: NearMiss.candidates(for: name, among: entities.map(\.name))))
    }
}
