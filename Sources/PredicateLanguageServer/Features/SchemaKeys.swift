import PredicateChecks
import PredicateModel

/// The keys that may stand in a predicate of a document, by the data models of its project.
struct SchemaKeys {
    let schema: ModelSchema
    /// The entity of the predicate, or all where the source does not tell it.
    private let entities: [String]

    /// A key, and what it holds: `Integer 32`, `to many Order`
    struct Key: Hashable {
        var name: String
        var detail: String?
    }

    init(_ schema: ModelSchema, entity: String?) {
        self.schema = schema
        entities = entity.flatMap(schema.entity).map { [$0] } ?? schema.entityNames
    }

    /// The keys behind a path, in the order of their names: those of objects, or those that values have by themselves.
    func keys(after path: [String]) -> [Key] {
        var found: [String: Key] = [:]
        for type in types(of: path) {
            for key in keys(of: type) where found[key.name] == nil { found[key.name] = key }
        }
        return found.values.sorted { $0.name < $1.name }
    }

    private func keys(of type: KnownType) -> [Key] {
        if let entity = type.entity {
            return schema.keys(of: entity).map { Key(name: $0, detail: schema.property($0, of: entity)?.typeName) }
        }
        return type.kinds.flatMap { kind in
            kind.keys.map { Key(name: $0, detail: kind.key($0)?.result?.rawValue) }
        }
    }

    /// What the last key of a path holds: `Integer 32`, `number`; nil where it is not known, or not the same everywhere.
    func detail(of path: [String]) -> String? {
        let details = Set(
            types(of: path).map { type in
                type.property?.typeName ?? (type.kinds.count == 1 ? type.kinds.first?.rawValue : nil)
            })
        return details.count == 1 ? details.first ?? nil : nil
    }

    /// What a path leads to from each of the entities; nothing is known where one does not have it.
    private func types(of path: [String]) -> [KnownType] {
        entities.map { CheckScope(schema, entity: $0).type(at: path) }.filter {
            !$0.kinds.isEmpty || $0.property != nil
        }
    }
}
