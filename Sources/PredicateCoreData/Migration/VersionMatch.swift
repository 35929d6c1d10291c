import PredicateModel
import PredicateSyntax

/// What entities and properties of two versions of a model belong together: by the name that they had before, or that both
/// versions share.
struct VersionMatch {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    /// The name of the source's entity, by that of the destination's.
    private(set) var entities: [String: String] = [:]
    /// What the elements of composite attributes are matched with, by the destination's entity.
    private var elements: [String: (candidates: [AttributeDescription], claimed: Set<String>)] = [:]

    init(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) {
        (self.source, self.destination) = (source, destination)
        let renamed = Set(destination.entities.compactMap(\.renamingIdentifier))
        for entity in destination.entities {
            let found = Self.match(
                entity.name, entity.renamingIdentifier, renamed, among: source.entities, \.name, \.renamingIdentifier)
            entities[entity.name] = found?.name
            guard let old = found?.name,
                destination.attributes(of: entity.name).contains(where: { $0.type == .composite })
            else { continue }
            elements[entity.name] = (
                source.storedAttributes(of: old),
                Set(destination.storedAttributes(of: entity.name).compactMap(\.renamingIdentifier))
            )
        }
    }

    /// First the one that had this name, then one with the same former name, then one of the same name that no other claims.
    private static func match<Part>(
        _ name: String, _ former: String?, _ claimed: Set<String>, among parts: [Part],
        _ nameOf: (Part) -> String, _ formerOf: (Part) -> String?
    ) -> Part? {
        if let former {
            if let found = parts.first(where: { nameOf($0).hasSameCodePoints(as: former) }) { return found }
            if let found = parts.first(where: { formerOf($0)?.hasSameCodePoints(as: former) ?? false }) { return found }
        }
        guard former != nil || !claimed.contains(name) else { return nil }
        return parts.first { nameOf($0).hasSameCodePoints(as: name) }
    }

    /// The source's entity of an entity.
    func sourceEntity(of name: String) -> EntityDescription? { entities[name].flatMap(source.entity) }

    /// The source's attribute of an attribute of an entity, or of an element of a composite attribute.
    func sourceAttribute(_ attribute: AttributeDescription, of entity: String) -> AttributeDescription? {
        guard let old = entities[entity] else { return nil }
        if attribute.name.contains("."), let (candidates, claimed) = elements[entity] {
            return Self.match(
                attribute.name, attribute.renamingIdentifier, claimed, among: candidates, { $0.name },
                { $0.renamingIdentifier })
        }
        let claimed = Set(destination.properties(of: entity).compactMap(\.renamingIdentifier))
        return Self.match(
            attribute.name, attribute.renamingIdentifier, claimed, among: source.attributes(of: old), { $0.name },
            { $0.renamingIdentifier })
    }

    /// The source's relationship of a relationship of an entity.
    func sourceRelationship(_ relationship: RelationshipDescription, of entity: String) -> RelationshipDescription? {
        guard let old = entities[entity] else { return nil }
        let claimed = Set(destination.properties(of: entity).compactMap(\.renamingIdentifier))
        return Self.match(
            relationship.name, relationship.renamingIdentifier, claimed, among: source.relationships(of: old),
            { $0.name }, { $0.renamingIdentifier })
    }

    // MARK: - Obstacles

    /// What no inferred migration can do, each in words.
    var obstacles: [String] {
        var found: [String] = []
        for entity in destination.entitiesInPreorder {
            guard let old = entities[entity.name] else { continue }
            for attribute in destination.attributes(of: entity.name) where attribute.isStored && !attribute.isDerived {
                found += obstacles(attribute, entity.name, old)
                guard attribute.type == .composite else { continue }
                for element in destination.elements(of: attribute) { found += obstacles(element, entity.name, old) }
            }
            for relationship in destination.relationships(of: entity.name) where !relationship.isTransient {
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
        guard before.isStored, before.type != attribute.type else { return [] }
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
        return ["\(place) led to \(formerEnd) and leads to \(destination)"]
    }

    /// True if an entity became another one, or one above or below it.
    private func isRelated(_ old: String, _ new: String) -> Bool {
        let line = destination.lineage(of: new).map(\.name) + destination.subtree(of: new).map(\.name)
        let oldLine = Set(source.lineage(of: old).map(\.name) + source.subtree(of: old).map(\.name))
        return line.contains { entities[$0].map(oldLine.contains) ?? false }
    }
}
