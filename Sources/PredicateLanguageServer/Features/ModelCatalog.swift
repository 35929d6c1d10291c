import PredicateModel

/// The keys of data models.
struct ModelCatalog: KeyCatalog {
    let models: [ManagedObjectModel]

    func keys(after path: [String], entity: String?) -> [CatalogKey] {
        var found: [String: CatalogKey] = [:]
        for model in models {
            for property in properties(after: path, entity, model) where found[property.name] == nil {
                found[property.name] = CatalogKey(name: property.name, detail: property.kind)
            }
        }
        return found.values.sorted { $0.name < $1.name }
    }

    /// The properties of an entity, or of all entities where it is not known, behind a path of relationships.
    private func properties(
        after path: [String], _ entity: String?, _ model: ManagedObjectModel
    ) -> [PropertyDescription] {
        let known = entity.flatMap { model.entity($0)?.name }
        var names = known.map { [$0] } ?? model.entities.map(\.name)
        for key in path where !key.hasPrefix("@") {
            let targets = names.flatMap { model.relationships(of: $0) }.filter { $0.name == key }
            names = Array(Set(targets.compactMap(\.destinationEntityName))).sorted()
        }
        return names.flatMap { model.properties(of: $0) }
    }
}

extension PropertyDescription {
    /// `String`, `to many Order`
    fileprivate var kind: String? {
        switch self {
        case .attribute(let attribute): attribute.type.name
        case .relationship(let relationship):
            (relationship.isToMany ? "to many " : "to one ") + (relationship.destinationEntityName ?? "")
        case .fetchedProperty: "fetched"
        }
    }
}
