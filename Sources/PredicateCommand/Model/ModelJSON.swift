import PredicateData
import PredicateModel
import PredicateSyntax

/// Models, findings and differences as JSON.
enum ModelJSON {
    private static func line(_ members: [String: PredicateValue?], isPretty: Bool = false) -> String {
        JSONWriter(isPretty: isPretty).text(of: object(members))
    }

    private static func object(_ members: [String: PredicateValue?]) -> PredicateValue {
        .dictionary(members.compactMapValues(\.self))
    }

    private static func text(_ value: String?) -> PredicateValue? { value.map(PredicateValue.string) }

    private static func texts(_ values: [String]) -> PredicateValue? {
        values.isEmpty ? nil : .array(values.map(PredicateValue.string))
    }

    private static func list(_ values: [PredicateValue]) -> PredicateValue? { values.isEmpty ? nil : .array(values) }

    private static func flag(_ value: Bool) -> PredicateValue? { value ? .bool(true) : nil }

    private static func count(_ value: Int) -> PredicateValue? { value == 0 ? nil : .integer(Int64(value)) }

    // MARK: Findings

    static func text(of finding: ModelFinding) -> String {
        line([
            "code": .string(finding.code.name), "message": .string(finding.message),
            "suggestion": text(finding.hint), "warning": flag(finding.isWarning),
            "place": text(finding.place.description.isEmpty ? nil : finding.place.description),
            "format": text(finding.format),
            "range": finding.range.map { .array([.integer(Int64($0.lowerBound)), .integer(Int64($0.upperBound))]) },
        ])
    }

    // MARK: Models

    static func text(of model: ManagedObjectModel, only name: String?) -> String {
        let entities = name.flatMap { model.entity($0) }.map { [$0] } ?? model.entitiesInPreorder
        let members: [String: PredicateValue?] = [
            "entities": .array(entities.map { entity($0) }),
            "fetchRequests": name == nil ? list(model.fetchRequestTemplates.map(request)) : nil,
            "composites": name == nil
                ? list(
                    model.composites.map {
                        object(["name": .string($0.name), "attributes": .array($0.attributes.map(attribute))])
                    }) : nil,
            "configurations": name == nil
                ? list(
                    model.configurations.map {
                        object(["name": .string($0.name), "entities": texts($0.entityNames)])
                    }) : nil,
            "versionIdentifiers": name == nil ? texts(model.versionIdentifiers) : nil,
        ]
        return line(members, isPretty: true) + "\n"
    }

    private static func entity(_ entity: EntityDescription) -> PredicateValue {
        object([
            "name": .string(entity.name), "superentity": text(entity.superentityName),
            "abstract": flag(entity.isAbstract), "class": text(entity.managedObjectClassName),
            "renamingIdentifier": text(entity.renamingIdentifier),
            "versionHashModifier": text(entity.versionHashModifier),
            "userInfo": entity.userInfo.isEmpty ? nil : .dictionary(entity.userInfo),
            "attributes": list(entity.attributes.map(attribute)),
            "relationships": list(entity.relationships.map(relationship)),
            "fetchedProperties": list(
                entity.fetchedProperties.map {
                    object(["name": .string($0.name), "fetchRequest": $0.fetchRequest.map(request)])
                }),
            "uniquenessConstraints": list(entity.uniquenessConstraints.map { .array($0.map(PredicateValue.string)) }),
            "indexes": list(entity.indexes.map(index)),
        ])
    }

    private static func attribute(_ attribute: AttributeDescription) -> PredicateValue {
        object([
            "name": .string(attribute.name), "type": .string(attribute.type.name),
            "optional": .bool(attribute.isOptional), "transient": flag(attribute.isTransient),
            "default": attribute.defaultValue, "minimum": attribute.minimumValue, "maximum": attribute.maximumValue,
            "minimumLength": attribute.minimumLength.map { .integer(Int64($0)) },
            "maximumLength": attribute.maximumLength.map { .integer(Int64($0)) },
            "pattern": text(attribute.regularExpression), "derivation": text(attribute.derivation?.format),
            "validations": texts(attribute.validations.map(\.predicate.format)),
            "composite": text(attribute.compositeName), "transformer": text(attribute.valueTransformerName),
            "externalStorage": flag(attribute.allowsExternalBinaryDataStorage),
            "renamingIdentifier": text(attribute.renamingIdentifier),
            "userInfo": attribute.userInfo.isEmpty ? nil : .dictionary(attribute.userInfo),
        ])
    }

    private static func relationship(_ relationship: RelationshipDescription) -> PredicateValue {
        object([
            "name": .string(relationship.name), "destination": text(relationship.destinationEntityName),
            "toMany": .bool(relationship.isToMany), "ordered": flag(relationship.isOrdered),
            "optional": .bool(relationship.isOptional), "inverse": text(relationship.inverseName),
            "deleteRule": .string(relationship.deleteRule.name), "minimumCount": count(relationship.minimumCount),
            "maximumCount": relationship.isToMany ? count(relationship.maximumCount) : nil,
            "renamingIdentifier": text(relationship.renamingIdentifier),
            "userInfo": relationship.userInfo.isEmpty ? nil : .dictionary(relationship.userInfo),
        ])
    }

    private static func request(_ request: FetchRequestTemplate) -> PredicateValue {
        object([
            "name": .string(request.name), "entity": text(request.entityName),
            "predicate": text(request.predicate?.format), "limit": count(request.fetchLimit),
            "sortKeys": texts(request.sortKeys.map(\.keyPath)),
        ])
    }

    private static func index(_ index: FetchIndexDescription) -> PredicateValue {
        let elements = index.elements.map { element in
            var members: [String: PredicateValue?] = [
                "type": .string(element.collation.name), "ascending": .bool(element.isAscending),
            ]
            switch element.subject {
            case .property(let name): members["property"] = .string(name)
            case .expression(let expression): members["expression"] = .string(expression.format)
            }
            return object(members)
        }
        return object([
            "name": .string(index.name), "elements": .array(elements),
            "predicate": text(index.partialIndexPredicate?.format),
        ])
    }

    // MARK: Mapping models

    static func text(of mapping: MappingModel) -> String {
        let entities = mapping.entityMappings.map { entity in
            object([
                "name": .string(entity.name), "type": .string(entity.type.name),
                "source": text(entity.sourceEntityName), "destination": text(entity.destinationEntityName),
                "filter": text(entity.sourceFilter?.format), "policy": text(entity.migrationPolicyClassName),
                "attributes": list(entity.attributeMappings.map(property)),
                "relationships": list(entity.relationshipMappings.map(property)),
            ])
        }
        return line(
            [
                "sourceModel": text(mapping.sourceModelPath), "destinationModel": text(mapping.destinationModelPath),
                "entityMappings": .array(entities),
            ], isPretty: true) + "\n"
    }

    private static func property(_ property: PropertyMapping) -> PredicateValue {
        object([
            "name": .string(property.name), "value": text(property.valueExpression?.format),
            "sourceMapping": text(property.sourceMappingName), "sourceKeyPath": text(property.sourceKeyPath?.format),
        ])
    }

    // MARK: Differences

    static func text(of difference: ModelDifference, from old: String, to new: String) -> String {
        line([
            "from": .string(old), "to": .string(new), "verdict": .string(difference.verdict.name),
            "changes": .array(difference.changes.map(change)),
        ])
    }

    static func change(_ change: ModelChange) -> PredicateValue {
        var members: [String: PredicateValue?] = [
            "kind": .string(change.kind.rawValue), "entity": text(change.entity), "name": text(change.name),
            "old": text(change.old), "new": text(change.new), "effect": .string(change.effect.level.name),
        ]
        switch change.effect {
        case .nothing, .inferable: break
        case .dataMayRefuse(let question):
            members["reason"] = .string(question.reason)
            members["error"] = .integer(Int64(question.errorNumber))
            members["predicate"] = text(question.predicate)
            members["predicateEntity"] = .string(question.entity)
        case .needsMapping(let number, let reason):
            members["reason"] = .string(reason)
            members["error"] = .integer(Int64(number))
        }
        return object(members)
    }
}
