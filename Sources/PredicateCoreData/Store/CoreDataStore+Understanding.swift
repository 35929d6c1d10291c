import PredicateModel

extension CoreDataStore {
    /// Throws for a store of which a part is left out: a change or a migration would lose it, or make it wrong.
    ///
    /// `unfitModel` where the file lacks columns of its model, `notUnderstood` where the layout of a type is not known. An entity
    /// whose table the file does not have belongs to another configuration, and so do the relationships that lead to it.
    func checkUnderstood() throws(CoreDataError) {
        var (lacking, unknown): ([String], [String]) = ([], [])
        for omission in leftOut {
            switch omission {
            case .entity: continue
            case .attribute(_, _, nil): unknown.append(omission.description)
            case .attribute: lacking.append(omission.description)
            case .relationship(let key, let entity):
                if hasDestination(key, of: entity) { lacking.append(omission.description) }
            }
        }
        guard unknown.isEmpty else { throw CoreDataError(.notUnderstood(path, parts: unknown)) }
        guard lacking.isEmpty else { throw CoreDataError(.unfitModel(path, differences: lacking)) }
    }

    private func hasDestination(_ key: String, of entity: String) -> Bool {
        guard case .relationship(let relationship)? = model.property(key, of: entity)?.property,
            let table = relationship.destinationEntityName.flatMap({ layout.entities[$0]?.table })
        else { return false }
        return file.columns[table] != nil
    }
}

extension StoreLayout {
    /// Throws `notUnderstood` for attributes without a known layout, for which a new store would have no columns.
    func checkUnderstood(_ name: String) throws(CoreDataError) {
        var unknown: [String] = []
        for entity in model.entitiesInPreorder {
            for attribute in model.storedAttributes(of: entity.name)
            where entities[entity.name]?.columns[attribute.name] == nil {
                unknown.append("\(StoreOmission.attribute(attribute.name, entity: entity.name, column: nil))")
            }
        }
        guard unknown.isEmpty else { throw CoreDataError(.notUnderstood(name, parts: unknown)) }
    }
}
