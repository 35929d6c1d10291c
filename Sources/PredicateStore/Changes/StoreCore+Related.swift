import PredicateSQL
import PredicateSyntax

/// Changes of to-many relationships: pairs of a join table, or the column of the other entity that leads back.
extension StoreCore {
    /// Lets a relationship of an object have certain objects and no others.
    func setRelated(
        _ key: String, of entity: SQLEntity, _ owner: SQLBinding, to objects: StoredKeys
    ) throws(StoreError) {
        let statements = try RelatedStatements(entity, key, self)
        var present = StoredKeys()
        for related in try statements.related(to: owner) { present.insert(related) }
        for related in present.list where !objects.contains(related) { try statements.remove(related, from: owner) }
        for related in objects.list where !present.contains(related) { try statements.add(related, to: owner) }
    }

    func addRelated(
        _ key: String, of entity: SQLEntity, _ owner: SQLBinding, _ objects: StoredKeys
    ) throws(StoreError) {
        let statements = try RelatedStatements(entity, key, self)
        var present = StoredKeys()
        for related in try statements.related(to: owner) { present.insert(related) }
        for related in objects.list where !present.contains(related) { try statements.add(related, to: owner) }
    }

    func removeRelated(
        _ key: String, of entity: SQLEntity, _ owner: SQLBinding, _ objects: StoredKeys
    ) throws(StoreError) {
        let statements = try RelatedStatements(entity, key, self)
        for related in objects.list { try statements.remove(related, from: owner) }
    }
}

/// The statements that change one to-many relationship; the parameters are the primary keys of the owner and of the object.
private struct RelatedStatements {
    private let core: StoreCore
    private let destination: SQLEntity
    private let select: String
    private let insert: String
    private let delete: String

    init(_ entity: SQLEntity, _ key: String, _ core: StoreCore) throws(StoreError) {
        self.core = core
        let relationship = try entity.toMany(key)
        destination = try core.layout(relationship.destination).entity
        let id = destination.primaryKey.quotedName
        let table = destination.table.quotedName
        switch relationship {
        case .manyToMany(_, let joinTable, let sourceColumn, let targetColumn):
            let (pairs, source, target) = (joinTable.quotedName, sourceColumn.quotedName, targetColumn.quotedName)
            select = "SELECT \(target) FROM \(pairs) WHERE \(source) = ?1"
            insert =
                "INSERT INTO \(pairs) (\(source), \(target)) SELECT ?1, t0.\(id) FROM \(table) AS t0 WHERE t0.\(id) = ?2"
            delete = "DELETE FROM \(pairs) WHERE \(source) = ?1 AND \(target) = ?2"
        case .toMany(_, let column), .toOne(_, let column):
            let (owner, version) = (column.quotedName, destination.versionIncrement)
            select = "SELECT t0.\(id) FROM \(table) AS t0 WHERE t0.\(owner) = ?1"
            insert = "UPDATE \(table) AS t0 SET \(owner) = ?1\(version) WHERE t0.\(id) = ?2"
            delete = "UPDATE \(table) AS t0 SET \(owner) = NULL\(version) WHERE t0.\(owner) = ?1 AND t0.\(id) = ?2"
        }
    }

    /// The primary keys of the objects that the relationship has.
    func related(to owner: SQLBinding) throws(StoreError) -> [SQLBinding] {
        try core.explaining { () throws(StoreError) in
            try core.connection.rows(of: SQLFragment(select, bindings: [owner])).all().compactMap(\.first)
        }
    }

    /// Throws `noSuchObject` for an object that is not there.
    func add(_ object: SQLBinding, to owner: SQLBinding) throws(StoreError) {
        guard try run(insert, owner, object) == 0 else { return }
        let key = destination.primaryKeyType.value(of: object)
        throw StoreError(.noSuchObject(SQLObjectID(destination.name, key: key)))
    }

    func remove(_ object: SQLBinding, from owner: SQLBinding) throws(StoreError) {
        _ = try run(delete, owner, object)
    }

    private func run(_ text: String, _ owner: SQLBinding, _ object: SQLBinding) throws(StoreError) -> Int {
        try core.explainingConstraints(of: destination) { () throws(StoreError) in
            try core.connection.run(SQLFragment(text, bindings: [owner, object]))
        }
    }
}

extension SQLEntity {
    /// `, "version" = COALESCE("version", 0) + 1`; empty without a version.
    var versionIncrement: String {
        guard let versionKey, let attribute = attributes[versionKey] else { return "" }
        let column = (attribute.column ?? versionKey).quotedName
        return ", \(column) = COALESCE(\(column), 0) + 1"
    }

    /// True if a rule applies to the deletion of an object.
    var hasDeleteRules: Bool { relationships.keys.contains { deleteRule(of: $0) != .noAction } }
}
