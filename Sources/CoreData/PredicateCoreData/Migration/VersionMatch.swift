import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Matches entities and properties of two versions of a model: by former name (renaming identifier), otherwise by
/// name.
struct VersionMatch {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    /// The source entity's name, by the destination entity's name.
    private(set) var entities: [String: String] = [:]
    /// The candidates for elements of composite attributes, by the destination entity's name.
    private var elements: [String: (candidates: [AttributeDescription], claims: Claims)] = [:]

    /// The names and former names of the properties in the new version.
    private struct Claims {
        let former: Set<String>
        let names: Set<String>

        init(_ names: [String], _ former: [String?]) {
            (self.names, self.former) = (Set(names), Set(former.compactMap(\.self)))
        }
    }

    init(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) {
        (self.source, self.destination) = (source, destination)
        let renamed = Set(destination.entities.compactMap(\.renamingIdentifier))
        let names = Set(destination.entities.map(\.name))
        for entity in destination.entities {
            let found = Self.match(
                entity.name, entity.renamingIdentifier, renamed, names, among: source.entities, \.name,
                \.renamingIdentifier)
            entities[entity.name] = found?.name
            guard let old = found?.name,
                destination.attributes(of: entity.name).contains(where: { $0.type == .composite })
            else { continue }
            let new = destination.storedAttributes(of: entity.name)
            elements[entity.name] = (
                source.storedAttributes(of: old), Claims(new.map(\.name), new.map(\.renamingIdentifier))
            )
        }
    }

    /// Matches in this order: by former name; by equal renaming identifier; by equal name, unless another property
    /// was renamed from it; and, for a migration to an older version, by the source's former name.
    private static func match<Part>(
        _ name: String, _ former: String?, _ claimed: Set<String>, _ names: Set<String>, among parts: [Part],
        _ nameOf: (Part) -> String, _ formerOf: (Part) -> String?
    ) -> Part? {
        if let former {
            if let found = parts.first(where: { nameOf($0).hasSameCodePoints(as: former) }) { return found }
            if let found = parts.first(where: { formerOf($0)?.hasSameCodePoints(as: former) ?? false }) { return found }
        }
        guard former != nil || !claimed.contains(name) else { return nil }
        if let found = parts.first(where: { nameOf($0).hasSameCodePoints(as: name) }) { return found }
        return parts.first { part in
            let own = nameOf(part)
            return formerOf(part)?.hasSameCodePoints(as: name) ?? false && !names.contains(own)
                && !claimed.contains(own)
        }
    }

    /// The source attribute of a destination attribute, or of an element of a composite attribute, if the values are
    /// carried over.
    func sourceAttribute(_ attribute: AttributeDescription, of entity: String) -> AttributeDescription? {
        matchedAttribute(attribute, of: entity).flatMap { attribute.type.takes($0) ? $0 : nil }
    }

    private func matchedAttribute(_ attribute: AttributeDescription, of entity: String) -> AttributeDescription? {
        guard let old = entities[entity] else { return nil }
        var (candidates, claims) = (source.attributes(of: old), claims(of: entity))
        if attribute.name.contains("."), let known = elements[entity] { (candidates, claims) = known }
        return Self.match(
            attribute.name, attribute.renamingIdentifier, claims.former, claims.names, among: candidates, { $0.name },
            { $0.renamingIdentifier })
    }

    /// The source relationship of a destination relationship, if its links are carried over.
    func sourceRelationship(_ relationship: RelationshipDescription, of entity: String) -> RelationshipDescription? {
        matchedRelationship(relationship, of: entity).flatMap { obstacle(relationship, $0) == nil ? $0 : nil }
    }

    private func matchedRelationship(
        _ relationship: RelationshipDescription, of entity: String
    ) -> RelationshipDescription? {
        guard let old = entities[entity] else { return nil }
        let claims = claims(of: entity)
        return Self.match(
            relationship.name, relationship.renamingIdentifier, claims.former, claims.names,
            among: source.relationships(of: old), { $0.name }, { $0.renamingIdentifier })
    }

    private func claims(of entity: String) -> Claims {
        let properties = destination.properties(of: entity)
        return Claims(properties.map(\.name), properties.map(\.renamingIdentifier))
    }

    // MARK: - Obstacles

    /// A change that an inferred migration does not support, in words: `T.due was of type String and is of type Date`
    struct Obstacle: Hashable {
        let entity: String
        let key: String
        /// The key in the source.
        let former: String
        let words: String
    }

    /// The changes that an inferred migration does not support, unless a rule assigns a value to the property.
    func obstacles(_ rules: MigrationRules) -> [Obstacle] {
        var found: [Obstacle] = []
        var seen: Set<String> = []
        for entity in destination.entitiesInPreorder {
            guard let old = entities[entity.name] else { continue }
            func add(_ key: String, _ former: String?, _ change: String?) {
                guard let change, !rules.assign(key, of: entity.name, in: destination) else { return }
                let words = "\(entity.name).\(key) \(change)"
                guard seen.insert(words).inserted else { return }
                found.append(Obstacle(entity: entity.name, key: key, former: former ?? key, words: words))
            }
            for attribute in destination.attributes(of: entity.name) where attribute.isStored && !attribute.isDerived {
                add(attribute.name, attribute.renamingIdentifier, obstacle(attribute, entity.name, old))
                guard attribute.type == .composite else { continue }
                for element in destination.elements(of: attribute) {
                    add(element.name, element.renamingIdentifier, obstacle(element, entity.name, old))
                }
            }
            for relationship in destination.relationships(of: entity.name) where !relationship.isTransient {
                add(relationship.name, nil, obstacle(relationship, entity.name, old))
            }
        }
        return found
    }

    private func obstacle(_ attribute: AttributeDescription, _ entity: String, _ old: String) -> String? {
        guard let before = matchedAttribute(attribute, of: entity) else {
            let former = attribute.renamingIdentifier ?? attribute.name
            return source.relationships(of: old).contains { $0.name == former }
                ? "was a relationship and is an attribute" : nil
        }
        return attribute.type.takes(before)
            ? nil : "was of type \(before.type.name) and is of type \(attribute.type.name)"
    }

    private func obstacle(_ relationship: RelationshipDescription, _ entity: String, _ old: String) -> String? {
        if let before = matchedRelationship(relationship, of: entity) { return obstacle(relationship, before) }
        let former = relationship.renamingIdentifier ?? relationship.name
        return source.attributes(of: old).contains { $0.name == former && $0.isStored }
            ? "was an attribute and is a relationship" : nil
    }

    private func obstacle(_ relationship: RelationshipDescription, _ before: RelationshipDescription) -> String? {
        if before.isToMany, !relationship.isToMany { return "was to-many and is to-one" }
        guard let destination = relationship.destinationEntityName, let formerEnd = before.destinationEntityName,
            !isRelated(formerEnd, destination)
        else { return nil }
        return "had the destination \(formerEnd) and has the destination \(destination)"
    }

    /// True if the new entity, or one of its superentities or subentities, was matched with the old entity or with
    /// one of its superentities or subentities.
    private func isRelated(_ old: String, _ new: String) -> Bool {
        let line = destination.lineage(of: new).map(\.name) + destination.subtree(of: new).map(\.name)
        let oldLine = Set(source.lineage(of: old).map(\.name) + source.subtree(of: old).map(\.name))
        return line.contains { entities[$0].map(oldLine.contains) ?? false }
    }
}

extension AttributeType {
    /// True if the values of an attribute are values of this type.
    fileprivate func takes(_ before: AttributeDescription) -> Bool {
        !before.isStored || before.type == self || widens(before.type)
    }
}

/// Data that a migration does not carry over, because the new model has no place for it.
///
/// ``StoreMigration/losses(into:)`` finds losses before anything is written. Core Data does not report them.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum MigrationLoss: Hashable, Sendable, CustomStringConvertible {
    /// Objects of an entity that the new model does not have; with a mapping model, objects of an entity that the new model has,
    /// but for which there is no mapping. References to them become nil.
    case objects(entity: String, count: Int, links: Int)
    /// Links of a to-many relationship without an inverse to objects that several objects of an XML store share. In a SQLite
    /// store, such an object belongs only to the first of them.
    case links(key: String, entity: String, count: Int)
    /// Changes in the persistent history: those of entities that the new model does not have, or all changes, if the
    /// new store cannot have them in a known form.
    case history(changes: Int)
    /// External data files of an attribute that are missing.
    case externalData(key: String, entity: String, file: String, count: Int)

    /// `29 objects of GenericAsset are not carried over, and 31 links to them become nil`
    public var description: String {
        switch self {
        case .objects(let entity, 1, let links): "1 object of \(entity) is not carried over\(Self.words(links, "it"))"
        case .objects(let entity, let count, let links):
            "\(count) objects of \(entity) are not carried over\(Self.words(links, "them"))"
        case .links(let key, let entity, let count):
            "\(count) \(count == 1 ? "link" : "links") of \(entity).\(key) to objects that another object has are not carried over"
        case .history(1): "1 change of the history is not carried over"
        case .history(let changes): "\(changes) changes of the history are not carried over"
        case .externalData(let key, let entity, let file, let count):
            "\(MissingExternalData(key: key, entity: entity, file: file, count: count))"
        }
    }

    private static func words(_ links: Int, _ objects: String) -> String {
        switch links {
        case 0: ""
        case 1: ", and 1 link to \(objects) becomes nil"
        default: ", and \(links) links to \(objects) become nil"
        }
    }
}

extension StoreMigration {
    /// Returns the data that a migration does not carry over: objects, changes in the history and missing external data.
    ///
    /// `for loss in try migration.losses() { print(loss) }`
    ///
    /// `type` is the type of the new store, by default that of the old one; an XML store has no history.
    ///
    /// Throws a ``CoreDataError``: `store`.
    public func losses(into type: StoreType? = nil) throws(CoreDataError) -> [MigrationLoss] {
        let missing = try source.missingData().map {
            MigrationLoss.externalData(key: $0.key, entity: $0.entity, file: $0.file, count: $0.count)
        }
        return try lostObjects() + lostLinks(type ?? source.type) + lostHistory(type ?? source.type) + missing
    }

    private func lostObjects() throws(CoreDataError) -> [MigrationLoss] {
        let present = source.layout.ordered.filter { source.file.columns[$0.table] != nil }
        let gone = present.filter(isDropped)
        let kept = Set(present.map(\.number)).subtracting(gone.map(\.number))
        var losses: [MigrationLoss] = []
        for entity in gone {
            let count = try number(
                "SELECT COUNT(*) FROM \(name: entity.table) WHERE Z_ENT = \(bind: .integer(entity.number))")
            guard count > 0 else { continue }
            losses.append(.objects(entity: entity.name, count: count, links: try links(to: entity, kept)))
        }
        return losses
    }

    /// Returns true for entities that the new model does not have. With a mapping model, returns true for entities that the new
    /// model has but that no entity mapping covers.
    private var isDropped: (StoredEntity) -> Bool {
        if let mapping {
            let names = Set(mapping.uncoveredEntities(from: source.model, to: destination))
            return { names.contains($0.name) }
        }
        let kept = Set(KeyMap(match, source, StoreLayout(destination)).transfers.map(\.source.number))
        return { !kept.contains($0.number) }
    }

    private func lostLinks(_ type: StoreType) throws(CoreDataError) -> [MigrationLoss] {
        var losses: [MigrationLoss] = []
        guard type != .xml, source.layout.sharesTargets else { return [] }
        let layout = StoreLayout(destination)
        for entity in source.model.entitiesInPreorder {
            for relationship in entity.relationships where source.model.inverse(of: relationship) == nil {
                guard hasOneOwner(relationship, of: entity.name, in: layout),
                    case .manyToMany(let join)? = source.layout.entities[entity.name]?.relationships[relationship.name],
                    let table = source.file.name(of: join)
                else { continue }
                let count = try number(
                    "SELECT COUNT(*) - COUNT(DISTINCT \(name: join.targetColumn)) FROM \(name: table)")
                guard count > 0 else { continue }
                losses.append(.links(key: relationship.name, entity: entity.name, count: count))
            }
        }
        return losses
    }

    /// True if the new store keeps the relationship in a column of its objects, each of which then has one owner.
    private func hasOneOwner(
        _ relationship: RelationshipDescription, of entity: String, in layout: StoreLayout
    ) -> Bool {
        match.entities.contains { new, old in
            guard source.model.isEntity(old, kindOf: entity) else { return false }
            return destination.relationships(of: new).contains {
                guard case .toMany? = layout.entities[new]?.relationships[$0.name] else { return false }
                return match.sourceRelationship($0, of: new)?.name == relationship.name
            }
        }
    }

    private func lostHistory(_ type: StoreType) throws(CoreDataError) -> [MigrationLoss] {
        guard source.file.keepsHistory else { return [] }
        let layout = StoreLayout(destination)
        let transfer = type == .xml ? nil : try HistoryTransfer(self, KeyMap(match, source, layout), layout)
        let changes: Int
        if let transfer {
            changes = try transfer.lostChanges(source)
        } else {
            changes = try number("SELECT COUNT(*) FROM ACHANGE")
        }
        return changes > 0 ? [.history(changes: changes)] : []
    }

    private func number(_ query: SQLText) throws(CoreDataError) -> Int {
        Int(clamping: try source.connection.number(query))
    }

    /// The number of references to objects of an entity from migrated objects: foreign keys and join table rows.
    private func links(to entity: StoredEntity, _ kept: Set<Int64>) throws(CoreDataError) -> Int {
        let objects: SQLText =
            "SELECT Z_PK FROM \(name: entity.table) WHERE Z_ENT = \(bind: .integer(entity.number))"
        let staying = SQLText.keys(kept.sorted())
        var links = 0
        var columns: Set<[String]> = []
        for owner in source.layout.ordered where source.file.columns[owner.table] != nil {
            for relationship in source.model.relationships(of: owner.name) {
                guard case .toOne(let column, _, _)? = owner.relationships[relationship.name],
                    let destination = relationship.destinationEntityName.flatMap({ source.layout.entities[$0] }),
                    destination.table == entity.table, columns.insert([owner.table, column]).inserted
                else { continue }
                links += try number(
                    """
                    SELECT COUNT(*) FROM \(name: owner.table)
                    WHERE \(name: column) IN (\(objects)) AND Z_ENT IN \(staying)
                    """)
            }
        }
        return links + (try pairs(with: entity, objects))
    }

    private func pairs(with entity: StoredEntity, _ objects: SQLText) throws(CoreDataError) -> Int {
        var pairs = 0
        var tables: Set<String> = []
        for relationship in source.model.relationships(of: entity.name) {
            guard case .manyToMany(let join)? = entity.relationships[relationship.name],
                let table = source.file.name(of: join), tables.insert(table).inserted
            else { continue }
            pairs += try number(
                "SELECT COUNT(*) FROM \(name: table) WHERE \(name: join.sourceColumn) IN (\(objects))")
        }
        return pairs
    }
}
