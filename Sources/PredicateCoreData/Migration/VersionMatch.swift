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
    private var elements: [String: (candidates: [AttributeDescription], claims: Claims)] = [:]

    /// The former names that properties of the new version claim, and their own names.
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

    /// First the one that had this name, then one with the same former name, then one of the same name that no other claims,
    /// then, on the way back to an older version, one that was called so before.
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

    /// The source's entity of an entity.
    func sourceEntity(of name: String) -> EntityDescription? { entities[name].flatMap(source.entity) }

    /// The source's attribute of an attribute of an entity, or of an element of a composite attribute.
    func sourceAttribute(_ attribute: AttributeDescription, of entity: String) -> AttributeDescription? {
        guard let old = entities[entity] else { return nil }
        var (candidates, claims) = (source.attributes(of: old), claims(of: entity))
        if attribute.name.contains("."), let known = elements[entity] { (candidates, claims) = known }
        return Self.match(
            attribute.name, attribute.renamingIdentifier, claims.former, claims.names, among: candidates, { $0.name },
            { $0.renamingIdentifier })
    }

    /// The source's relationship of a relationship of an entity.
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
        return ["\(place) led to \(formerEnd) and leads to \(destination)"]
    }

    /// True if an entity became another one, or one above or below it.
    private func isRelated(_ old: String, _ new: String) -> Bool {
        let line = destination.lineage(of: new).map(\.name) + destination.subtree(of: new).map(\.name)
        let oldLine = Set(source.lineage(of: old).map(\.name) + source.subtree(of: old).map(\.name))
        return line.contains { entities[$0].map(oldLine.contains) ?? false }
    }
}
