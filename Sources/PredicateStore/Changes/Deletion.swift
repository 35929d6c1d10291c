import PredicateSQL
import PredicateSyntax

/// The deletion of objects by the delete rules of the schema, in a transaction.
///
/// First all objects are found that are deleted too, then denials, then the objects that stay lose what leads to the
/// deleted ones, then rows are deleted. Foreign keys of the file are checked at the end of the transaction.
struct Deletion {
    private let core: StoreCore
    /// The primary keys of the objects that are deleted, by entity.
    private var doomed: [String: StoredKeys] = [:]

    init(_ core: StoreCore) {
        self.core = core
    }

    /// Adds objects, and those that a cascade reaches from them.
    mutating func add(_ keys: [SQLBinding], of entity: SQLEntity) throws(StoreError) {
        var open = [(entity, keys)]
        while let (entity, keys) = open.popLast() {
            let new = keys.filter { doomed[entity.name, default: StoredKeys()].insert($0) }
            guard !new.isEmpty else { continue }
            for (key, relationship) in entity.relationships where entity.deleteRule(of: key) == .cascade {
                let destination = try core.layout(relationship.destination).entity
                var related: [SQLBinding] = []
                try links(relationship, of: entity, new) { _, object in related.append(object) }
                open.append((destination, related))
            }
        }
    }

    /// Deletes what was added. Throws `deletionDenied`.
    func run() throws(StoreError) {
        let entities = try doomed.keys.sorted().map { (name) throws(StoreError) in try core.layout(name).entity }
        try core.connection.execute("PRAGMA defer_foreign_keys = ON")
        for entity in entities { try checkDenials(entity) }
        for entity in entities { try loosen(entity) }
        for entity in entities { try deleteRows(entity) }
    }

    // MARK: - Rules

    private func checkDenials(_ entity: SQLEntity) throws(StoreError) {
        for (key, relationship) in entity.relationships.sorted(by: { $0.key < $1.key })
        where entity.deleteRule(of: key) == .deny {
            try links(relationship, of: entity, keys(entity)) { (owner, object) throws(StoreError) in
                if isDoomed(object, relationship.destination) { return }
                let id = SQLObjectID(entity.name, key: entity.primaryKeyType.value(of: owner))
                throw StoreError(.deletionDenied(id, key: key))
            }
        }
    }

    /// Removes the pairs of deleted objects, and what leads to them from objects that stay.
    private func loosen(_ entity: SQLEntity) throws(StoreError) {
        for (key, relationship) in entity.relationships where entity.deleteRule(of: key) != .noAction {
            switch relationship {
            case .toOne: break
            case .manyToMany(_, let table, let source, _):
                try KeyStatement("DELETE FROM \(table.quotedName)", where: source.quotedName)
                    .run(for: keys(entity), on: core)
            case .toMany(let name, let column):
                guard entity.deleteRule(of: key) == .nullify else { break }
                try nullify(column, of: try core.layout(name).entity, relationship, entity)
            }
        }
    }

    private func nullify(
        _ column: String, of destination: SQLEntity, _ relationship: SQLRelationship, _ entity: SQLEntity
    ) throws(StoreError) {
        var staying: [SQLBinding] = []
        try links(relationship, of: entity, keys(entity)) { _, object in
            if !isDoomed(object, destination.name) { staying.append(object) }
        }
        let change = "\(column.quotedName) = NULL\(destination.versionIncrement)"
        let statement = KeyStatement(
            "UPDATE \(destination.table.quotedName) SET \(change)", where: destination.primaryKey.quotedName)
        try core.explainingConstraints(of: destination) { () throws(StoreError) in
            try statement.run(for: staying, on: core)
        }
    }

    private func deleteRows(_ entity: SQLEntity) throws(StoreError) {
        try KeyStatement("DELETE FROM \(entity.table.quotedName)", where: entity.primaryKey.quotedName)
            .run(for: keys(entity), on: core)
    }

    // MARK: - Keys

    private func keys(_ entity: SQLEntity) -> [SQLBinding] { doomed[entity.name]?.list ?? [] }

    private func isDoomed(_ key: SQLBinding, _ entity: String) -> Bool { doomed[entity]?.contains(key) ?? false }

    /// Reads the primary keys at both ends of a relationship.
    private func links(
        _ relationship: SQLRelationship, of entity: SQLEntity, _ keys: [SQLBinding],
        _ body: (_ owner: SQLBinding, _ object: SQLBinding) throws(StoreError) -> Void
    ) throws(StoreError) {
        let destination = try core.layout(relationship.destination).entity
        let statement = KeyStatement(linksOf: relationship, from: entity, to: destination)
        try statement.read(for: keys, on: core) { (row) throws(StoreError) in
            let object = row.value(1)
            if object != .null { try body(row.value(0), object) }
        }
    }
}

extension KeyStatement {
    /// The statement that reads the primary keys at both ends of a relationship, for the keys at its beginning.
    fileprivate init(linksOf relationship: SQLRelationship, from entity: SQLEntity, to destination: SQLEntity) {
        switch relationship {
        case .toOne(_, let column):
            let id = "t0.\(entity.primaryKey.quotedName)"
            self.init(
                "SELECT \(id), t0.\(column.quotedName) FROM \(entity.table.quotedName) AS t0", where: id)
        case .toMany(_, let column):
            let owner = "t0.\(column.quotedName)"
            let id = "t0.\(destination.primaryKey.quotedName)"
            self.init("SELECT \(owner), \(id) FROM \(destination.table.quotedName) AS t0", where: owner)
        case .manyToMany(_, let table, let source, let target):
            let owner = "t0.\(source.quotedName)"
            self.init("SELECT \(owner), t0.\(target.quotedName) FROM \(table.quotedName) AS t0", where: owner)
        }
    }
}
