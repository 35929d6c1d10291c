public import PredicateModel
import PredicateSyntax

extension MappingModel {
    /// Returns the mapping model of an inferred migration, which can be written out and changed.
    ///
    ///     let mapping = try MappingModel.inferred(from: old, to: new)
    ///     try Data(MappingDocument(mapping).text.utf8).write(to: folder.appending(path: "xcmapping.xml"))
    ///
    /// Entities and properties are matched as in a ``StoreMigration``. The parts that a mapping model leaves to the two models
    /// are filled in by `resolved(from:to:)`. [NSP-479]
    ///
    /// Throws a ``CoreDataError``: `notInferable` with the changes that need another mapping.
    public static func inferred(
        from source: ManagedObjectModel, to destination: ManagedObjectModel
    ) throws(CoreDataError) -> MappingModel {
        let (mapping, changes) = try draft(from: source, to: destination)
        guard changes.isEmpty else { throw CoreDataError(.notInferable(changes)) }
        return mapping
    }

    /// Returns a mapping model to be completed, and the changes of properties for which it has no expression.
    package static func draft(
        from source: ManagedObjectModel, to destination: ManagedObjectModel
    ) throws(CoreDataError) -> (mapping: MappingModel, changes: [String]) {
        let match = VersionMatch(source, destination)
        let composites = match.changedComposites
        guard composites.isEmpty else { throw CoreDataError(.notInferable(composites)) }
        let made = destination.entitiesInPreorder.filter { !$0.isAbstract }.map(match.mapping)
        let known = Set(match.entities.values.map(ExactName.init))
        let removed = source.entitiesInPreorder.filter { !$0.isAbstract && !known.contains(ExactName($0.name)) }
        let mapping = MappingModel(made + removed.map { EntityMapping($0.name, source: $0.name, destination: nil) })
        return (mapping, match.obstacles(MigrationRules()).map(\.words))
    }
}

extension VersionMatch {
    /// The composite attributes whose elements have changed, in words: an expression of a mapping model copies all elements.
    fileprivate var changedComposites: [String] {
        destination.entitiesInPreorder.flatMap { entity in
            destination.attributes(of: entity.name).filter { $0.type == .composite && $0.isStored }.compactMap {
                attribute in
                guard let old = sourceAttribute(attribute, of: entity.name), old.isStored else { return nil }
                func elements(_ model: ManagedObjectModel, _ attribute: AttributeDescription) -> Set<String> {
                    Set(model.elements(of: attribute).map { String($0.name.dropFirst(attribute.name.count)) })
                }
                guard elements(source, old) != elements(destination, attribute) else { return nil }
                return
                    "\(entity.name).\(attribute.name) has other elements, for which a mapping model has no expression"
            }
        }
    }

    fileprivate func mapping(of entity: EntityDescription) -> EntityMapping {
        guard let old = entities[entity.name] else {
            return EntityMapping(
                entity.name, source: nil, destination: entity.name,
                attributeMappings: destination.attributes(of: entity.name).filter(\.isCarried).map {
                    PropertyMapping($0.name)
                })
        }
        let attributes = destination.attributes(of: entity.name).filter(\.isCarried)
        let relationships = destination.relationships(of: entity.name).filter { !$0.isTransient }
        return EntityMapping(
            "\(old)To\(entity.name)", source: old, destination: entity.name,
            attributeMappings: attributes.compactMap { mapping(of: $0, in: entity.name, old) },
            relationshipMappings: relationships.compactMap { mapping(of: $0, in: entity.name, old) })
    }

    /// The mapping of an attribute. A mapping without an expression copies the source's value with the same name, so an
    /// attribute that must not be copied has no mapping if the source has such a property.
    private func mapping(
        of attribute: AttributeDescription, in entity: String, _ source: String
    ) -> PropertyMapping? {
        guard let old = sourceAttribute(attribute, of: entity), old.isStored else {
            return unmatched(attribute.name, source)
        }
        let value = ModelExpression.sourceKey(old.name)
        if old.isOptional, !attribute.isOptional, let standard = attribute.defaultValue {
            return PropertyMapping(attribute.name, value.replacingNil(with: standard))
        }
        return PropertyMapping(attribute.name, old.name.hasSameCodePoints(as: attribute.name) ? nil : value)
    }

    private func mapping(
        of relationship: RelationshipDescription, in entity: String, _ source: String
    ) -> PropertyMapping? {
        guard let old = sourceRelationship(relationship, of: entity), !old.isTransient else {
            return unmatched(relationship.name, source)
        }
        guard !old.name.hasSameCodePoints(as: relationship.name) else { return PropertyMapping(relationship.name) }
        return PropertyMapping(relationship.name, .related(old.name))
    }

    private func unmatched(_ name: String, _ entity: String) -> PropertyMapping? {
        source.property(name, of: entity) == nil ? PropertyMapping(name) : nil
    }
}

extension AttributeDescription {
    /// True if a migration gives the attribute a value.
    fileprivate var isCarried: Bool { isStored && !isDerived }
}

extension ModelExpression {
    /// `TERNARY($source.count == nil, 0, $source.count)`
    fileprivate func replacingNil(with value: PredicateValue) -> ModelExpression {
        guard let own = (try? expression())?.node else { return self }
        let isNil = PredicateNode.comparison(ComparisonPredicate(own, .equalTo, .constantValue(.null)))
        return ModelExpression(
            FormatExpression(.conditional(ConditionalExpression(isNil, true: .constantValue(value), false: own))))
    }
}
