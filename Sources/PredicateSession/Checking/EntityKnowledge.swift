import PredicateChecks
import PredicateSQL
import PredicateSyntax

/// What a schema says about the keys of an entity: the types of attributes, also of those that relationships lead to.
package struct EntityKnowledge: KeyKnowledge {
    private let entity: SQLEntity
    private let schema: SQLSchema

    package init(_ entity: SQLEntity, _ schema: SQLSchema) {
        (self.entity, self.schema) = (entity, schema)
    }

    package func kinds(at path: [String], elementKeys: Int?) -> KnownKinds? {
        guard elementKeys == nil, let found = attribute(at: path) else { return nil }
        return ValueKind(found.type).map { KnownKinds([$0], isToMany: found.isToMany) }
    }

    package func hasKey(_ key: String) -> Bool {
        entity.attributes[key] != nil || entity.relationships[key] != nil || entity.isComposite(key)
    }

    package func isWhole(at path: [String]) -> Bool? {
        guard case .integer? = attribute(at: path)?.type else { return nil }
        return true
    }

    /// Returns the type of the attribute at the end of a path, and whether an object has several of its values.
    func attribute(at path: [String]) -> (type: SQLType, isToMany: Bool)? {
        var (place, isToMany) = (entity, false)
        for (index, key) in path.enumerated().dropLast() {
            if place.isComposite(key) {
                return place.attributes[path[index...].joined(separator: ".")].map { ($0.type, isToMany) }
            }
            guard let relationship = place.relationships[key], let next = schema.entities[relationship.destination]
            else { return nil }
            if case .toOne = relationship {} else { isToMany = true }
            place = next
        }
        return path.last.flatMap { place.attributes[$0] }.map { ($0.type, isToMany) }
    }
}

extension ValueKind {
    /// The kind of the values of a type; nil for those of any kind.
    fileprivate init?(_ type: SQLType) {
        switch type {
        case .integer, .double, .decimal: self = .number
        case .string: self = .string
        case .boolean: self = .boolean
        case .date: self = .date
        case .uuid: self = .uuid
        case .data: self = .data
        case .any: return nil
        }
    }
}
