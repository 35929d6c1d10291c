import PredicateModel

/// The names that XML stores give the entities and properties of a model: entities in capital letters, properties in small
/// letters. Names that differ only in case cannot be distinguished.
struct XMLStoreNames {
    /// An entity with its attributes and relationships by their names in the file.
    struct Entity {
        let name: String
        var attributes: [String: AttributeDescription] = [:]
        var relationships: [String: RelationshipDescription] = [:]
    }

    private(set) var entities: [String: Entity] = [:]

    /// Throws `unreadableModel` if two names would be the same in the file. `path` is the path of the store.
    init(_ model: ManagedObjectModel, _ path: String) throws(CoreDataError) {
        for entity in model.entitiesInPreorder where !entity.isAbstract {
            let key = entity.name.uppercased()
            if let other = entities[key] { throw Self.ambiguous(other.name, entity.name, path) }
            entities[key] = try Self.entity(entity.name, model, path)
        }
    }

    private static func entity(
        _ name: String, _ model: ManagedObjectModel, _ path: String
    ) throws(CoreDataError) -> Entity {
        var entity = Entity(name: name)
        for attribute in model.storedAttributes(of: name) {
            let old = entity.attributes.updateValue(attribute, forKey: attribute.name.lowercased())
            if let old { throw ambiguous("\(name).\(old.name)", "\(name).\(attribute.name)", path) }
        }
        for relationship in model.relationships(of: name) where !relationship.isTransient {
            let old = entity.relationships.updateValue(relationship, forKey: relationship.name.lowercased())
            if let old { throw ambiguous("\(name).\(old.name)", "\(name).\(relationship.name)", path) }
        }
        return entity
    }

    private static func ambiguous(_ one: String, _ other: String, _ path: String) -> CoreDataError {
        CoreDataError(.unreadableModel(path, .sameNames(one, other)))
    }

    /// The entity of objects with a type, which some programs do not write in capital letters.
    subscript(_ type: String) -> Entity? { entities[type] ?? entities[type.uppercased()] }
}

/// The names that an XML store uses, which show whether a model fits the store.
struct XMLStoreSurvey {
    private(set) var header = XMLStoreDocument.Header()
    /// The names of attributes and relationships by type.
    private var attributes: [String: Set<String>] = [:]
    private var relationships: [String: Set<String>] = [:]

    init(_ document: XMLStoreDocument) throws(CoreDataError) {
        var (attributes, relationships): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
        header = try document.read { object in
            let type = object.type.uppercased()
            attributes[type, default: []].formUnion(object.attributes.lazy.map { $0.name.lowercased() })
            relationships[type, default: []].formUnion(object.relationships.lazy.map { $0.name.lowercased() })
            return true
        }
        (self.attributes, self.relationships) = (attributes, relationships)
    }

    /// The names that a model lacks; empty if the model fits.
    func differences(from names: XMLStoreNames) -> [String] {
        var differences: [String] = []
        for (type, found) in attributes.sorted(by: { $0.key < $1.key }) {
            guard let entity = names[type] else {
                differences.append("the entity \(type) is unknown")
                continue
            }
            for name in found.sorted() where entity.attributes[name] == nil {
                differences.append("the attribute \(entity.name).\(name) is unknown")
            }
            for name in relationships[type, default: []].sorted() where entity.relationships[name] == nil {
                differences.append("the relationship \(entity.name).\(name) is unknown")
            }
        }
        return differences
    }

    /// The number of a model's properties that the objects lack: `certain` counts relationships and mandatory attributes,
    /// which Core Data writes for every object, `possible` the other attributes.
    func lacking(_ names: XMLStoreNames) -> (certain: Int, possible: Int) {
        var (certain, possible) = (0, 0)
        for (type, found) in attributes {
            guard let entity = names[type] else { continue }
            for (name, attribute) in entity.attributes where !found.contains(name) {
                if attribute.isMandatory { certain += 1 } else { possible += 1 }
            }
            certain += entity.relationships.keys.count { !relationships[type, default: []].contains($0) }
        }
        return (certain, possible)
    }

    /// The best of the models that fit the store. If none fits, throws `modelMismatch` with the differences from the
    /// closest one.
    func model(
        _ models: [ManagedObjectModel], _ path: String
    ) throws(CoreDataError) -> (model: ManagedObjectModel, names: XMLStoreNames) {
        var best: (model: ManagedObjectModel, names: XMLStoreNames, rank: (Int, Int, Int, Int))?
        var closest: [String]?
        for model in models {
            let names = try XMLStoreNames(model, path)
            let differences = differences(from: names)
            guard differences.isEmpty else {
                if closest.map({ differences.count < $0.count }) ?? true { closest = differences }
                continue
            }
            let lacking = lacking(names)
            let rank = (hashMismatches(model), lacking.certain, versionMismatch(model), lacking.possible)
            if best.map({ rank < $0.rank }) ?? true { best = (model, names, rank) }
        }
        guard let best else { throw CoreDataError(.modelMismatch(path, differences: closest ?? [])) }
        return (best.model, best.names)
    }

    /// The number of entities that differ from the model according to the store's version hashes.
    private func hashMismatches(_ model: ManagedObjectModel) -> Int {
        let stored = StoreMetadata(uuid: header.uuid, values: header.values).versionHashes
        guard !stored.isEmpty else { return 0 }
        let names = Set(stored.keys).symmetricDifference(model.entities.map(\.name))
        return names.count + stored.count { entry in model.versionHashes[entry.key].map { $0 != entry.value } ?? false }
    }

    private func versionMismatch(_ model: ManagedObjectModel) -> Int {
        let stored = StoreMetadata(uuid: header.uuid, values: header.values).versionIdentifiers
        return stored.isEmpty || stored == model.versionIdentifiers ? 0 : 1
    }
}
