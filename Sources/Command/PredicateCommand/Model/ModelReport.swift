import PredicateData
import PredicateJSON
import PredicateModel
import PredicateSyntax

/// Formats models and mapping models for readers.
enum ModelText {
    /// `contents` says what a data attribute contains in a store.
    static func text(
        of model: ManagedObjectModel, only name: String? = nil, contents: (String, String) -> String? = { _, _ in nil }
    ) -> String {
        var lines: [String] = []
        let entities = name.flatMap { model.entity($0) }.map { [$0] } ?? model.entitiesInPreorder
        for entity in entities { lines += Self.lines(of: entity) { contents($0, entity.name) } + [""] }
        guard name == nil else {
            let needed = Set(
                entities.flatMap { model.attributes(of: $0.name) }.flatMap { Self.composites(of: $0, model) })
            for composite in model.composites where needed.contains(composite.name) {
                lines += Self.lines(of: composite)
            }
            return text(lines)
        }
        for request in model.fetchRequestTemplates { lines.append("fetch request \(words(of: request))") }
        for composite in model.composites { lines += Self.lines(of: composite) }
        for configuration in model.configurations {
            lines.append("configuration \(configuration.name): \(configuration.entityNames.joined(separator: ", "))")
        }
        if !model.versionIdentifiers.isEmpty {
            lines.append("version identifiers: \(model.versionIdentifiers.joined(separator: ", "))")
        }
        return text(lines)
    }

    private static func lines(of composite: CompositeDescription) -> [String] {
        ["composite \(composite.name)"] + columns(composite.attributes.map { ($0.name, words(of: $0)) })
    }

    /// Returns the names of the composite types that an attribute uses, including nested ones.
    private static func composites(of attribute: AttributeDescription, _ model: ManagedObjectModel) -> [String] {
        var names: [String] = []
        var open = [attribute]
        while let next = open.popLast(), let composite = model.composite(of: next) {
            guard !names.contains(composite.name) else { continue }
            names.append(composite.name)
            open += composite.attributes.filter { $0.type == .composite }
        }
        return names
    }

    private static func text(_ lines: [String]) -> String {
        var lines = lines
        while lines.last == "" { lines.removeLast() }
        return lines.map { $0.printable + "\n" }.joined()
    }

    private static func columns(_ rows: [(String, String)]) -> [String] {
        let width = min(rows.map(\.0.count).max() ?? 0, 40)
        return rows.map { name, words in
            "  \(name)\(String(repeating: " ", count: max(width - name.count, 0)))  \(words)"
        }
    }

    private static func lines(of entity: EntityDescription, _ contents: (String) -> String?) -> [String] {
        var head = "entity \(entity.name)"
        if let parent = entity.superentityName { head += ": \(parent)" }
        let words = [
            entity.isAbstract ? "abstract" : nil, entity.managedObjectClassName.map { "class \($0)" },
            entity.renamingIdentifier.map { "renamed from \($0)" },
        ].compactMap(\.self)
        if !words.isEmpty { head += " (\(words.joined(separator: ", ")))" }
        let rows =
            entity.attributes.map { attribute in
                (attribute.name, Self.words(of: attribute) + (contents(attribute.name).map { ", holds \($0)" } ?? ""))
            }
            + entity.relationships.map { ($0.name, Self.words(of: $0)) }
            + entity.fetchedProperties.map { ($0.name, "fetched: " + ($0.fetchRequest.map(condition) ?? "nothing")) }
        let constraints = entity.uniquenessConstraints.map { "  unique: \($0.joined(separator: ", "))" }
        let indexes = entity.indexes.map { "  index \($0.name): " + Self.words(of: $0) }
        return [head] + columns(rows) + constraints + indexes
    }

    private static func words(of attribute: AttributeDescription) -> String {
        var words = [attribute.type == .undefined ? "no type" : attribute.type.name]
        if let name = attribute.compositeName { words[0] += " \(name)" }
        if !attribute.isOptional { words.append("mandatory") }
        if attribute.isTransient { words.append("transient") }
        if let value = attribute.defaultValue { words.append("default \(value.modelText)") }
        if let name = attribute.opaqueDefaultClassName { words.append("default of class \(name)") }
        if let value = attribute.minimumValue { words.append("at least \(value.modelText)") }
        if let value = attribute.maximumValue { words.append("at most \(value.modelText)") }
        if let length = attribute.minimumLength { words.append("length at least \(length)") }
        if let length = attribute.maximumLength { words.append("length at most \(length)") }
        if let pattern = attribute.regularExpression { words.append("matches \(pattern)") }
        words += attribute.validations.map { "valid if \($0.predicate)" }
        if let derivation = attribute.derivation { words.append("derived from \(derivation)") }
        if attribute.allowsExternalBinaryDataStorage { words.append("external storage") }
        if let name = attribute.valueTransformerName { words.append("transformer \(name)") }
        if let name = attribute.renamingIdentifier { words.append("renamed from \(name)") }
        return words.joined(separator: ", ")
    }

    private static func words(of relationship: RelationshipDescription) -> String {
        let kind = relationship.isToMany ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
        var words = ["\(kind) \(relationship.destinationEntityName ?? "nothing")"]
        if !relationship.isOptional { words.append("mandatory") }
        words.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
        words.append(relationship.deleteRule.name)
        if relationship.isToMany, relationship.minimumCount != 0 || relationship.maximumCount > 0 {
            let most = relationship.maximumCount <= 0 ? "any" : "\(relationship.maximumCount)"
            words.append("\(relationship.minimumCount) to \(most)")
        }
        if let name = relationship.renamingIdentifier { words.append("renamed from \(name)") }
        return words.joined(separator: ", ")
    }

    private static func words(of request: FetchRequestTemplate) -> String {
        "\(request.name): \(condition(request))"
    }

    /// `Item where done == NO`
    private static func condition(_ request: FetchRequestTemplate) -> String {
        (request.entityName ?? "nothing") + (request.predicate.map { " where \($0)" } ?? "")
    }

    private static func words(of index: FetchIndexDescription) -> String {
        let elements = index.elements.map { element in
            let subject =
                switch element.value {
                case .property(let name): name
                case .expression(let expression): expression.format
                }
            let kind = element.collation == .binary ? "" : " (\(element.collation.name))"
            return subject + (element.isAscending ? "" : " descending") + kind
        }
        return elements.joined(separator: ", ") + (index.partialIndexPredicate.map { " where \($0)" } ?? "")
    }

    // MARK: Mapping models

    static func text(of mapping: MappingModel) -> String {
        var lines: [String] = []
        if let path = mapping.sourceModelPath { lines.append("from \(path)") }
        if let path = mapping.destinationModelPath { lines.append("to   \(path)") }
        for entity in mapping.entityMappings {
            let source = entity.sourceEntityName ?? "nothing", destination = entity.destinationEntityName ?? "nothing"
            var head = "mapping \(entity.name): \(source) to \(destination)"
            if entity.type != .undefined { head += ", \(entity.type.name)" }
            if let name = entity.migrationPolicyClassName { head += ", policy \(name)" }
            if let filter = entity.sourceFilter { head += " where \(filter)" }
            lines.append(head)
            lines += columns((entity.attributeMappings + entity.relationshipMappings).map { ($0.name, value(of: $0)) })
        }
        return text(lines)
    }

    private static func value(of property: PropertyMapping) -> String {
        if let expression = property.valueExpression { return "= \(expression)" }
        if let name = property.sourceMappingName, let path = property.sourceKeyPath {
            return "= the objects that \(name) creates from \(path)"
        }
        return "by name"
    }
}

/// Formats models, findings and differences as JSON.
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
            switch element.value {
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

    static func text(
        of difference: ModelDifference, from old: String, to new: String, verdict: MigrationEffect.Level
    ) -> String {
        line([
            "from": .string(old), "to": .string(new), "verdict": .string(verdict.name),
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
