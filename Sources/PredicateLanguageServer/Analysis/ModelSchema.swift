import PredicateLint
import PredicateModel

/// A Core Data model as the linter asks it for keys.
package struct ModelSchema: LintSchema {
    let model: ManagedObjectModel

    package init(_ model: ManagedObjectModel) {
        self.model = model
    }

    package func entity(named name: String) -> String? {
        if model.entity(name) != nil { return name }
        return model.entities.first { entity in
            entity.managedObjectClassName.map { $0 == name || $0.hasSuffix("." + name) } ?? false
        }?.name
    }

    package func property(_ key: String, of entity: String) -> LintProperty? {
        if let own = model.property(key, of: entity)?.property { return lintProperty(own) }
        // A subentity's property is reachable, though not every object has it.
        for subentity in model.subtree(of: entity) {
            if let own = subentity.property(key) { return lintProperty(own) }
        }
        return nil
    }

    private func lintProperty(_ property: PropertyDescription) -> LintProperty {
        switch property {
        case .attribute(let attribute):
            switch attribute.type {
            case .undefined, .transformable, .objectID, .composite, .unknown: .open
            case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binaryData,
                .uuid, .uri:
                .value
            }
        case .relationship(let relationship): objects(relationship.destinationEntityName)
        case .fetchedProperty(let property): objects(property.fetchRequest?.entityName)
        }
    }

    private func objects(_ entity: String?) -> LintProperty {
        guard let entity, model.entity(entity) != nil else { return .open }
        return .objects(entity: entity)
    }

    package func keys(of entity: String) -> [String] { model.properties(of: entity).map(\.name) }
}

/// Several models as one: an entity is looked for in each.
package struct ModelSchemas: LintSchema {
    private let schemas: [ModelSchema]

    package init(_ models: [ManagedObjectModel]) {
        schemas = models.map(ModelSchema.init)
    }

    package func entity(named name: String) -> String? { schemas.lazy.compactMap { $0.entity(named: name) }.first }

    package func property(_ key: String, of entity: String) -> LintProperty? {
        schemas.lazy.compactMap { $0.property(key, of: entity) }.first
    }

    package func keys(of entity: String) -> [String] { schemas.flatMap { $0.keys(of: entity) } }
}

/// Reads data models with the library.
package struct ModelReader: LintModelReader {
    package init() {}

    package func schema(ofModel contents: [UInt8]) -> (any LintSchema)? {
        (try? ManagedObjectModel(bytes: contents)).map(ModelSchema.init)
    }

    package func predicates(ofModel contents: [UInt8]) -> [LintModelPredicate] {
        guard let model = try? ManagedObjectModel(bytes: contents) else { return [] }
        let templates = model.fetchRequestTemplates.compactMap { Self.predicate($0, owner: nil) }
        return templates
            + model.entities.flatMap { entity in
                entity.fetchedProperties.compactMap { property in
                    property.fetchRequest.flatMap { Self.predicate($0, owner: entity.name) }
                }
            }
    }

    private static func predicate(_ template: FetchRequestTemplate, owner: String?) -> LintModelPredicate? {
        template.predicate.map {
            LintModelPredicate(format: $0.format, entity: template.entityName, owner: owner)
        }
    }
}
