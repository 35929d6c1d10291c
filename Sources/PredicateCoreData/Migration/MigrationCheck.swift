import PredicateModel
import PredicateSQL
import PredicateStore

/// What the tables of a new store must hold before it gets its name: counted in SQL, one pass for an entity.
struct MigrationCheck {
    let connection: SQLiteConnection
    let layout: StoreLayout

    /// The first value of the first row.
    func number(_ text: String, _ bindings: [SQLBinding] = []) throws(CoreDataError) -> Int64 {
        try numbers(text, bindings).first ?? 0
    }

    private func numbers(_ text: String, _ bindings: [SQLBinding]) throws(CoreDataError) -> [Int64] {
        try storing { () throws(StoreError) in
            try connection.rows(of: SQLFragment(text, bindings: bindings)).next()?.map { $0.number ?? 0 } ?? []
        }
    }

    /// Counts the objects of an entity itself; throws where one of them has no value for a key.
    ///
    ///     SELECT COUNT(*), COUNT("ZNAME"), COUNT("ZDUE") FROM main."ZITEM" WHERE Z_ENT = ?1
    @discardableResult
    func count(_ entity: StoredEntity, mandatory keys: [String] = []) throws(CoreDataError) -> Int64 {
        let columns = keys.compactMap { key in entity.column(of: key).map { (key, $0) } }
        let counts = ["COUNT(*)"] + columns.map { "COUNT(\($0.1.quotedName))" }
        let found = try numbers(
            "SELECT \(counts.joined(separator: ", ")) FROM main.\(entity.table.quotedName) WHERE Z_ENT = ?1",
            [.integer(entity.number)])
        let count = found.first ?? 0
        for ((key, _), present) in zip(columns, found.dropFirst()) where present < count {
            throw CoreDataError(
                .missingValue(key: key, entity: entity.name, count: Int(clamping: count - present)))
        }
        return count
    }

    /// Throws where objects have the same values in the keys of a uniqueness constraint.
    func checkUnique() throws(CoreDataError) {
        for entity in layout.model.entitiesInPreorder {
            for keys in entity.uniquenessConstraints { try checkUnique(keys, entity.name) }
        }
    }

    private func checkUnique(_ keys: [String], _ name: String) throws(CoreDataError) {
        guard let entity = layout.entities[name] else { return }
        let columns = keys.compactMap(entity.column).map(\.quotedName)
        guard columns.count == keys.count, !columns.isEmpty else { return }
        let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let numbers = SQLBinding.list([entity.number] + entity.descendants)
        let text = """
            SELECT 1 FROM main.\(entity.table.quotedName) WHERE \(present)
            AND Z_ENT IN (SELECT value FROM json_each(?1))
            GROUP BY \(columns.joined(separator: ", ")) HAVING COUNT(*) > 1 LIMIT 1
            """
        if try number(text, [numbers]) == 1 { throw CoreDataError(.notUnique(keys: keys, entity: name)) }
    }
}

extension AttributeDescription {
    /// True if every object must have a value in the store.
    var isMandatory: Bool { isStored && !isOptional && !isDerived }
}

extension RelationshipDescription {
    /// True if every object must lead to another one.
    var isMandatoryToOne: Bool { !isOptional && !isToMany && !isTransient }
}
