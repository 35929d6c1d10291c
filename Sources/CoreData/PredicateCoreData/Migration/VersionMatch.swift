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

    /// The source entity of a destination entity.
    func sourceEntity(of name: String) -> EntityDescription? { entities[name].flatMap(source.entity) }

    /// The source attribute of a destination attribute, or of an element of a composite attribute.
    func sourceAttribute(_ attribute: AttributeDescription, of entity: String) -> AttributeDescription? {
        guard let old = entities[entity] else { return nil }
        var (candidates, claims) = (source.attributes(of: old), claims(of: entity))
        if attribute.name.contains("."), let known = elements[entity] { (candidates, claims) = known }
        return Self.match(
            attribute.name, attribute.renamingIdentifier, claims.former, claims.names, among: candidates, { $0.name },
            { $0.renamingIdentifier })
    }

    /// The source relationship of a destination relationship.
    func sourceRelationship(_ relationship: RelationshipDescription, of entity: String) -> RelationshipDescription? {
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

    /// The changes that an inferred migration does not support, each described in words. A relationship to which a rule
    /// assigns objects may have been an attribute.
    func obstacles(_ rules: MigrationRules) -> [String] {
        var found: [String] = []
        for entity in destination.entitiesInPreorder {
            guard let old = entities[entity.name] else { continue }
            for attribute in destination.attributes(of: entity.name) where attribute.isStored && !attribute.isDerived {
                found += obstacles(attribute, entity.name, old)
                guard attribute.type == .composite else { continue }
                for element in destination.elements(of: attribute) { found += obstacles(element, entity.name, old) }
            }
            for relationship in destination.relationships(of: entity.name) where !relationship.isTransient {
                let isNew = sourceRelationship(relationship, of: entity.name) == nil
                if isNew, rules.assign(relationship.name, of: entity.name, in: destination) { continue }
                found += obstacles(relationship, entity.name, old)
            }
        }
        var seen: Set<String> = []
        return found.filter { seen.insert($0).inserted }
    }

    private func obstacles(_ attribute: AttributeDescription, _ entity: String, _ old: String) -> [String] {
        let place = "\(entity).\(attribute.name)"
        let former = attribute.renamingIdentifier ?? attribute.name
        guard let before = sourceAttribute(attribute, of: entity) else {
            let wasRelationship = source.relationships(of: old).contains { $0.name == former }
            return wasRelationship ? ["\(place) was a relationship and is an attribute"] : []
        }
        guard before.isStored, before.type != attribute.type, !attribute.type.widens(before.type) else { return [] }
        return ["\(place) was of type \(before.type.name) and is of type \(attribute.type.name)"]
    }

    private func obstacles(_ relationship: RelationshipDescription, _ entity: String, _ old: String) -> [String] {
        let place = "\(entity).\(relationship.name)"
        let former = relationship.renamingIdentifier ?? relationship.name
        guard let before = sourceRelationship(relationship, of: entity) else {
            let wasAttribute = source.attributes(of: old).contains { $0.name == former && $0.isStored }
            return wasAttribute ? ["\(place) was an attribute and is a relationship"] : []
        }
        if before.isToMany, !relationship.isToMany { return ["\(place) was to-many and is to-one"] }
        guard let destination = relationship.destinationEntityName, let formerEnd = before.destinationEntityName,
            !isRelated(formerEnd, destination)
        else { return [] }
        return ["\(place) had the destination \(formerEnd) and has the destination \(destination)"]
    }

    /// True if the new entity, or one of its superentities or subentities, was matched with the old entity or with
    /// one of its superentities or subentities.
    private func isRelated(_ old: String, _ new: String) -> Bool {
        let line = destination.lineage(of: new).map(\.name) + destination.subtree(of: new).map(\.name)
        let oldLine = Set(source.lineage(of: old).map(\.name) + source.subtree(of: old).map(\.name))
        return line.contains { entities[$0].map(oldLine.contains) ?? false }
    }
}

/// Data that a migration does not carry over, because the new model has no place for it.
///
/// ``StoreMigration/losses(into:)`` finds losses before anything is written. Core Data does not report them.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum MigrationLoss: Hashable, Sendable, CustomStringConvertible {
    /// Objects of an entity that the new model does not have. References to them become nil.
    case objects(entity: String, count: Int, links: Int)
    /// Changes in the persistent history: those of entities that the new model does not have, or all changes, if the
    /// new store cannot have them in a known form.
    case history(changes: Int)

    /// `29 objects of GenericAsset are not carried over, and 31 links to them become nil`
    public var description: String {
        switch self {
        case .objects(let entity, 1, let links): "1 object of \(entity) is not carried over\(Self.words(links, "it"))"
        case .objects(let entity, let count, let links):
            "\(count) objects of \(entity) are not carried over\(Self.words(links, "them"))"
        case .history(1): "1 change of the history is not carried over"
        case .history(let changes): "\(changes) changes of the history are not carried over"
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
    /// Returns the data that a migration does not carry over: changes in the history and, unless a mapping model decides
    /// about them, objects.
    ///
    /// `for loss in try migration.losses() { print(loss) }`
    ///
    /// `type` is the type of the new store, by default that of the old one; an XML store has no history.
    ///
    /// Throws a ``CoreDataError``: `store`.
    public func losses(into type: StoreType? = nil) throws(CoreDataError) -> [MigrationLoss] {
        try lostObjects() + lostHistory(type ?? source.type)
    }

    private func lostObjects() throws(CoreDataError) -> [MigrationLoss] {
        guard mapping == nil else { return [] }
        let kept = Set(KeyMap(match, source, StoreLayout(destination)).transfers.map(\.source.number))
        let gone = source.layout.ordered.filter { !kept.contains($0.number) && source.file.columns[$0.table] != nil }
        var losses: [MigrationLoss] = []
        for entity in gone {
            let count = try number(
                "SELECT COUNT(*) FROM \(name: entity.table) WHERE Z_ENT = \(bind: .integer(entity.number))")
            guard count > 0 else { continue }
            losses.append(.objects(entity: entity.name, count: count, links: try links(to: entity, kept)))
        }
        return losses
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
