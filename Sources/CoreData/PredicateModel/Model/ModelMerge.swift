import Foundation
import PredicateSyntax

extension ManagedObjectModel {
    /// Merges models into one, as `NSManagedObjectModel(byMerging:)` does.
    ///
    /// `let model = try ManagedObjectModel(merging: [library, accounts])`
    ///
    /// Entities, composite types and fetch requests of one name must be equal, apart from data that only an editor uses.
    /// Configurations of one name are united. Relationships lead to entities of any of the models, by name. [NSP-479]
    /// - Throws: ``ModelError``: `conflictingModels` for different parts of one kind and name.
    public init(merging models: [ManagedObjectModel]) throws(ModelError) {
        var merged = ManagedObjectModel()
        for model in models {
            try merged.merge(\.entities, of: model, \.name, "entity") { $0.withoutEditorAttributes }
            try merged.merge(\.composites, of: model, \.name, "composite type") { $0.withoutEditorAttributes }
            try merged.merge(\.fetchRequestTemplates, of: model, \.name, "fetch request") { $0.withoutEditorAttributes }
            merged.unite(model.configurations)
        }
        merged.versionIdentifiers = Set(models.flatMap(\.versionIdentifiers)).sorted()
        for model in models { merged.versionHashes.merge(model.versionHashes) { first, _ in first } }
        self = merged
    }

    private mutating func merge<Part: Hashable>(
        _ parts: WritableKeyPath<ManagedObjectModel, [Part]>, of other: ManagedObjectModel,
        _ name: KeyPath<Part, String>, _ kind: String, _ compared: (Part) -> Part
    ) throws(ModelError) {
        let known = Dictionary(
            self[keyPath: parts].map { (ExactName($0[keyPath: name]), $0) }, uniquingKeysWith: { first, _ in first })
        var added: [Part] = []
        for part in other[keyPath: parts] {
            guard let own = known[ExactName(part[keyPath: name])] else {
                added.append(part)
                continue
            }
            guard compared(own) != compared(part) else { continue }
            let name = part[keyPath: name]
            throw ModelError(.conflictingModels("\(kind) \(name)", differences: differences(from: other, in: name)))
        }
        self[keyPath: parts] += added
    }

    /// The changes of an entity in words.
    private func differences(from other: ManagedObjectModel, in entity: String) -> [String] {
        ModelDifference(from: self, to: other).changes.compactMap { change in
            guard change.entity == entity else { return nil }
            let words = change.kind.rawValue.split(separator: "-").joined(separator: " ")
            return change.name.map { "\($0), \(words)" } ?? words
        }
    }

    private mutating func unite(_ others: [ConfigurationDescription]) {
        for other in others {
            guard let place = configurations.firstIndex(where: { $0.name.hasSameCodePoints(as: other.name) }) else {
                configurations.append(other)
                continue
            }
            let known = Set(configurations[place].entityNames.map(ExactName.init))
            configurations[place].entityNames += other.entityNames.filter { !known.contains(ExactName($0)) }
        }
    }
}

extension ManagedObjectModel {
    /// The part of the model in a store of a configuration: its entities with the entities from which they inherit, and the
    /// relationships among them. The version hashes are those of the whole model. [NSP-479]
    /// - Throws: ``ModelError``: `unknownConfiguration`.
    public func configuration(named name: String) throws(ModelError) -> ManagedObjectModel {
        guard let configuration = configurations.first(where: { $0.name.hasSameCodePoints(as: name) }) else {
            throw ModelError(.unknownConfiguration(name, available: configurations.map(\.name)))
        }
        let names = Set(configuration.entityNames.flatMap(lineage).map { ExactName($0.name) })
        func isIncluded(_ name: String?) -> Bool { name.map { names.contains(ExactName($0)) } ?? false }
        var part = self
        part.entities = entities.filter { isIncluded($0.name) }.map { entity in
            var entity = entity
            entity.relationships.removeAll { !isIncluded($0.destinationEntityName) }
            return entity
        }
        part.configurations = [configuration]
        part.fetchRequestTemplates.removeAll { !isIncluded($0.entityName) }
        part.versionHashes = versionHashes.filter { isIncluded($0.key) }
        return part
    }
}

extension EntityDescription {
    /// The entity without data that only an editor uses.
    fileprivate var withoutEditorAttributes: EntityDescription {
        var copy = self
        copy.editorAttributes = [:]
        for index in copy.attributes.indices { copy.attributes[index].editorAttributes = [:] }
        for index in copy.relationships.indices { copy.relationships[index].editorAttributes = [:] }
        for index in copy.fetchedProperties.indices {
            copy.fetchedProperties[index].editorAttributes = [:]
            copy.fetchedProperties[index].fetchRequest?.editorAttributes = [:]
        }
        copy.attributes.sort { $0.name < $1.name }
        copy.relationships.sort { $0.name < $1.name }
        copy.fetchedProperties.sort { $0.name < $1.name }
        return copy
    }
}

extension CompositeDescription {
    fileprivate var withoutEditorAttributes: CompositeDescription {
        var copy = self
        for index in copy.attributes.indices { copy.attributes[index].editorAttributes = [:] }
        return copy
    }
}

extension FetchRequestTemplate {
    fileprivate var withoutEditorAttributes: FetchRequestTemplate {
        var copy = self
        copy.editorAttributes = [:]
        return copy
    }
}
