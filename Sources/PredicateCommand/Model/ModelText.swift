import PredicateModel
import PredicateSyntax

/// Models and mapping models as text for readers.
enum ModelText {
    static func text(of model: ManagedObjectModel, only name: String? = nil) -> String {
        var lines: [String] = []
        let entities = name.flatMap { model.entity($0) }.map { [$0] } ?? model.entitiesInPreorder
        for entity in entities { lines += Self.lines(of: entity) + [""] }
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

    /// The names of the composite types that an attribute has its elements from, of those inside others too.
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

    private static func lines(of entity: EntityDescription) -> [String] {
        var head = "entity \(entity.name)"
        if let parent = entity.superentityName { head += ": \(parent)" }
        let words = [
            entity.isAbstract ? "abstract" : nil, entity.managedObjectClassName.map { "class \($0)" },
            entity.renamingIdentifier.map { "renamed from \($0)" },
        ].compactMap(\.self)
        if !words.isEmpty { head += " (\(words.joined(separator: ", ")))" }
        let rows =
            entity.attributes.map { ($0.name, Self.words(of: $0)) }
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
        if let value = attribute.defaultValue { words.append("default \(print(value))") }
        if let name = attribute.opaqueDefaultClassName { words.append("default of class \(name)") }
        if let value = attribute.minimumValue { words.append("at least \(print(value))") }
        if let value = attribute.maximumValue { words.append("at most \(print(value))") }
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

    private static func print(_ value: PredicateValue) -> String {
        ExpressionNode.constantValue(value).expressionFormat
    }

    private static func words(of relationship: RelationshipDescription) -> String {
        let kind = relationship.isToMany ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
        var words = ["\(kind) \(relationship.destinationEntityName ?? "nothing")"]
        if !relationship.isOptional { words.append("mandatory") }
        words.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
        words.append(relationship.deleteRule.name)
        if relationship.isToMany, relationship.minimumCount != 0 || relationship.maximumCount != 0 {
            let most = relationship.maximumCount == 0 ? "any" : "\(relationship.maximumCount)"
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
                switch element.subject {
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
            return "= what \(name) made of \(path)"
        }
        return "as the names say"
    }
}
