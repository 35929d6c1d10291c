import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// What two stores have in common, and how their objects are matched.
struct StoreComparison: Sendable {
    /// The entities with objects of their own, in the order of the old model, then those that only the new one has.
    private(set) var entities: [ComparedEntity] = []
    /// The entities whose objects are matched: the compared ones, and the destinations of their relationships.
    private(set) var matched: [ComparedEntity] = []
    private(set) var uncomparedParts: [UncomparedPart] = []
    private let old: CoreDataStore
    private let new: CoreDataStore
    let options: StoreDifference.Options

    init(
        _ old: CoreDataStore, _ new: CoreDataStore, _ options: StoreDifference.Options
    ) throws(CoreDataError) {
        (self.old, self.new, self.options) = (old, new, options)
        try checkNames()
        let chosen = options.entities.map { names in
            Set(names.flatMap { name in [old, new].flatMap { $0.model.subtree(of: name).map(\.name) } })
        }
        let before = old.layout.ordered.map(\.name)
        let names = before + new.layout.ordered.map(\.name).filter { !before.contains($0) }
        for name in names {
            guard let entity = entity(name) else { continue }
            matched.append(entity)
            if chosen?.contains(name) ?? true { entities.append(entity) }
        }
        for name in names where chosen?.contains(name) ?? true { addParts(name) }
        let tables = neededTables
        matched = matched.filter { $0.new.map { tables.contains($0.entity.table) } ?? false }
    }

    /// The tables of the new store that hold objects of the compared entities, or their relationships.
    private var neededTables: Set<String> {
        var tables: Set<String> = []
        for entity in entities {
            if let side = entity.new { tables.insert(side.entity.table) }
            for relationship in entity.relationships {
                if let table = new.layout.entities[relationship.new.destination]?.table { tables.insert(table) }
            }
        }
        return tables
    }

    // MARK: - Entities

    private func entity(_ name: String) -> ComparedEntity? {
        let sides = [old, new].map { store in
            store.schema.entities[name].flatMap { schema in
                store.layout.entities[name].flatMap { $0.isAbstract ? nil : ComparedSide(entity: $0, schema: schema) }
            }
        }
        guard let side = sides[0] ?? sides[1] else { return nil }
        var entity = ComparedEntity(
            name: name, old: sides[0], new: sides[1], rule: rule(of: name), attributes: [], relationships: [])
        // If only one store has the entity, it is used for both sides, except for to-many relationships.
        let (first, second) = (sides[0] ?? side, sides[1] ?? side)
        let isInBoth = sides[0] != nil && sides[1] != nil
        let model = sides[0] == nil ? new.model : old.model
        for attribute in model.storedAttributes(of: name) where !isIgnored(attribute.name, of: name) {
            guard let before = first.schema.attributes[attribute.name],
                let after = second.schema.attributes[attribute.name], before.type == after.type
            else { continue }
            entity.attributes.append(ComparedAttribute(key: attribute.name, old: before, new: after))
        }
        for relationship in model.relationships(of: name) where !isIgnored(relationship.name, of: name) {
            guard let before = first.schema.relationships[relationship.name],
                let after = second.schema.relationships[relationship.name], before.isToMany == after.isToMany,
                isInBoth || !before.isToMany
            else { continue }
            entity.relationships.append(ComparedRelationship(key: relationship.name, old: before, new: after))
        }
        return entity
    }

    private func isIgnored(_ key: String, of entity: String) -> Bool {
        guard !options.ignoredKeys.isEmpty else { return false }
        // An ignored composite attribute is ignored with its elements.
        var paths: [String] = []
        var path = key[...]
        paths.append(key)
        while let end = path.lastIndex(of: ".") {
            path = path[..<end]
            paths.append(String(path))
        }
        let owners = [old, new].flatMap { $0.model.lineage(of: entity).map(\.name) }
        return paths.contains { path in
            options.ignoredKeys.contains(path) || owners.contains { options.ignoredKeys.contains("\($0).\(path)") }
        }
    }

    // MARK: - Matching

    private func rule(of name: String) -> ObjectMatching.Rule {
        if let keys = options.keys, !keys.isEmpty, hasAttributes(keys, name) { return .keys(keys) }
        if old.uuid == new.uuid, old.type == new.type { return .identity }
        let constraints = new.model.lineage(of: name).reversed().flatMap(\.uniquenessConstraints)
        return constraints.first { !$0.isEmpty && hasAttributes($0, name) }.map(ObjectMatching.Rule.keys) ?? .primaryKey
    }

    private func hasAttributes(_ keys: [String], _ entity: String) -> Bool {
        [old, new].allSatisfy { store in
            keys.allSatisfy { store.schema.entities[entity]?.attributes[$0] != nil }
        }
    }

    /// Throws for a name in the options that neither store has.
    private func checkNames() throws(CoreDataError) {
        let schemas = [old, new].flatMap { Array($0.schema.entities.values) }
        for name in options.entities ?? [] where !schemas.contains(where: { $0.name.hasSameCodePoints(as: name) }) {
            let near = NearMiss.candidates(for: name, among: schemas.map(\.name))
            throw Self.error(.unknownEntity(name, nearMisses: near))
        }
        let chosen = schemas.filter { schema in
            options.entities?.contains { name in
                [old, new].contains { $0.model.isEntity(schema.name, kindOf: name) }
            } ?? true
        }
        guard let keys = options.keys,
            let key = keys.first(where: { key in
                !chosen.contains { $0.attributes[key] != nil }
            })
        else { return }
        let near = NearMiss.candidates(for: key, among: chosen.flatMap(\.attributes.keys))
        throw Self.error(.unknownKey(key, entity: chosen.first?.name ?? "", nearMisses: near), text: key)
    }

    private static func error(_ code: SQLCompilationError.Code, text: String = "") -> CoreDataError {
        CoreDataError(
            .store(StoreError(.compilation(SQLCompilationError(code, text: text, range: 0..<text.utf8.count)))))
    }

    // MARK: - Uncompared parts

    private mutating func addParts(_ name: String) {
        guard let before = old.schema.entities[name] else { return uncomparedParts.append(.entity(name, .new)) }
        guard let after = new.schema.entities[name] else { return uncomparedParts.append(.entity(name, .old)) }
        addParts(of: name, own: old, .old, other: after)
        addParts(of: name, own: new, .new, other: before)
        for attribute in old.model.storedAttributes(of: name) where isDeclared(attribute.name, in: old, name) {
            guard let first = before.attributes[attribute.name], let second = after.attributes[attribute.name],
                first.type != second.type, !isIgnored(attribute.name, of: name)
            else { continue }
            uncomparedParts.append(
                .type(
                    attribute.name, entity: name, old: typeName(attribute.name, old, name),
                    new: typeName(attribute.name, new, name)))
        }
        for (key, first) in before.relationships.sorted(by: { $0.key < $1.key }) where isDeclared(key, in: old, name) {
            guard let second = after.relationships[key], first.isToMany != second.isToMany, !isIgnored(key, of: name)
            else { continue }
            let words = [first, second].map { $0.isToMany ? "to-many" : "to-one" }
            uncomparedParts.append(.type(key, entity: name, old: words[0], new: words[1]))
        }
    }

    private mutating func addParts(
        of name: String, own: CoreDataStore, _ side: UncomparedPart.Side, other: SQLEntity
    ) {
        guard let schema = own.schema.entities[name] else { return }
        let attributes = own.model.storedAttributes(of: name).map(\.name)
            .filter { schema.attributes[$0] != nil && other.attributes[$0] == nil }
        let relationships = own.model.relationships(of: name).map(\.name)
            .filter { schema.relationships[$0] != nil && other.relationships[$0] == nil }
        for key in attributes + relationships where isDeclared(key, in: own, name) && !isIgnored(key, of: name) {
            uncomparedParts.append(.property(key, entity: name, side))
        }
    }

    /// True for a key that the entity declares itself, so that an inherited one is reported only once.
    private func isDeclared(_ key: String, in store: CoreDataStore, _ entity: String) -> Bool {
        let first = String(key.prefix { $0 != "." })
        return store.model.entity(entity)?.property(first) != nil
    }

    private func typeName(_ key: String, _ store: CoreDataStore, _ entity: String) -> String {
        store.model.storedAttributes(of: entity).first { $0.name == key }?.type.name ?? "unknown"
    }
}

/// An entity with objects of its own, in one store or in both.
struct ComparedEntity: Sendable {
    let name: String
    let old: ComparedSide?
    let new: ComparedSide?
    let rule: ObjectMatching.Rule
    var attributes: [ComparedAttribute]
    var relationships: [ComparedRelationship]

    var toOnes: [ComparedRelationship] { relationships.filter { !$0.old.isToMany } }
    var toManys: [ComparedRelationship] { relationships.filter(\.old.isToMany) }
}

/// An entity in one store.
struct ComparedSide: Sendable {
    let entity: StoredEntity
    let schema: SQLEntity
}

/// An attribute that both stores have.
struct ComparedAttribute: Sendable {
    let key: String
    let old: SQLAttribute
    let new: SQLAttribute
    /// True if its data may be in files beside the store.
    var isExternal: Bool { old.externalFolder != nil || new.externalFolder != nil }
}

/// A relationship that both stores have.
struct ComparedRelationship: Sendable {
    let key: String
    let old: SQLRelationship
    let new: SQLRelationship
    /// True if both stores have the positions of its objects.
    var isOrdered: Bool { old.orderColumn != nil && new.orderColumn != nil }
}
