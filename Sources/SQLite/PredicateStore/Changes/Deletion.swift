internal import PredicateSQL
import PredicateSyntax

/// Deletes objects by the delete rules of the schema, in a transaction.
///
/// The steps are: collect the objects that cascades reach, check the deny rules, clear the references of the
/// remaining objects, delete the rows. The foreign keys of the file are checked at the end of the transaction.
struct CascadingDeletion {
    private let core: StoreCore
    /// The primary keys of the objects to delete, by entity.
    private var deletedKeys: [String: PrimaryKeySet] = [:]

    init(_ core: StoreCore) {
        self.core = core
    }

    /// Adds objects to delete, and the objects that cascades reach from them.
    mutating func add(_ keys: [SQLBinding], of entity: SQLEntity) throws(StoreError) {
        var open = [(entity, keys)]
        while let (entity, keys) = open.popLast() {
            let new = keys.filter { deletedKeys[entity.name, default: PrimaryKeySet()].insert($0) }
            guard !new.isEmpty else { continue }
            for relationship in entity.relationships.values where relationship.deleteRule == .cascade {
                let destination = try core.layout(relationship.destination).entity
                var related: [SQLBinding] = []
                try readPairs(relationship, of: entity, new) { _, object in related.append(object) }
                open.append((destination, related))
            }
        }
    }

    /// Deletes the added objects. Throws `deletionDenied`.
    func run() throws(StoreError) {
        let entities = try deletedKeys.keys.sorted().map { (name) throws(StoreError) in try core.layout(name).entity }
        try core.connection.execute("PRAGMA defer_foreign_keys = ON")
        for entity in entities { try checkDenials(entity) }
        for entity in entities { try clearReferences(entity) }
        for entity in entities { try deleteRows(entity) }
    }

    // MARK: - Rules

    private func checkDenials(_ entity: SQLEntity) throws(StoreError) {
        for (key, relationship) in entity.relationships.sorted(by: { $0.key < $1.key })
        where relationship.deleteRule == .deny {
            try readPairs(relationship, of: entity, keys(entity)) { (owner, object) throws(StoreError) in
                if isDeleted(object, relationship.destination) { return }
                let id = SQLObjectID(entity.name, key: entity.primaryKeyType.value(of: owner))
                throw StoreError(.deletionDenied(id, key: key))
            }
        }
    }

    /// Removes the join table rows of deleted objects, and the references to them from the remaining objects.
    private func clearReferences(_ entity: SQLEntity) throws(StoreError) {
        for relationship in entity.relationships.values where relationship.deleteRule != .noAction {
            switch relationship.kind {
            case .toOne: break
            case .manyToMany(let table, let source, _):
                try KeyStatement("DELETE FROM \(name: table)", where: "\(name: source)")
                    .run(for: keys(entity), on: core)
            case .toMany(let column):
                guard relationship.deleteRule == .nullify else { break }
                try nullify(column, of: try core.layout(relationship.destination).entity, relationship, entity)
            }
        }
    }

    private func nullify(
        _ column: String, of destination: SQLEntity, _ relationship: SQLRelationship, _ entity: SQLEntity
    ) throws(StoreError) {
        var staying: [SQLBinding] = []
        try readPairs(relationship, of: entity, keys(entity)) { _, object in
            if !isDeleted(object, destination.name) { staying.append(object) }
        }
        let change: SQLText = "\(name: column) = NULL\(destination.versionIncrement)"
        let statement = KeyStatement(
            "UPDATE \(name: destination.table) SET \(change)", where: "\(name: destination.primaryKey)")
        try core.explainingConstraints(of: destination) { () throws(StoreError) in
            try statement.run(for: staying, on: core)
        }
    }

    private func deleteRows(_ entity: SQLEntity) throws(StoreError) {
        try KeyStatement("DELETE FROM \(name: entity.table)", where: "\(name: entity.primaryKey)")
            .run(for: keys(entity), on: core)
    }

    // MARK: - Keys

    private func keys(_ entity: SQLEntity) -> [SQLBinding] { deletedKeys[entity.name]?.list ?? [] }

    private func isDeleted(_ key: SQLBinding, _ entity: String) -> Bool { deletedKeys[entity]?.contains(key) ?? false }

    /// Reads pairs of primary keys: the owner's, and the related object's.
    private func readPairs(
        _ relationship: SQLRelationship, of entity: SQLEntity, _ keys: [SQLBinding],
        _ body: (_ owner: SQLBinding, _ object: SQLBinding) throws(StoreError) -> Void
    ) throws(StoreError) {
        let destination = try core.layout(relationship.destination).entity
        let statement = KeyStatement(pairsOf: relationship, from: entity, to: destination)
        try statement.read(for: keys, on: core) { (row) throws(StoreError) in
            let object = row.value(1)
            if object != .null { try body(row.value(0), object) }
        }
    }
}

extension KeyStatement {
    /// The statement that reads the primary keys of owners and their related objects, for given owners.
    fileprivate init(pairsOf relationship: SQLRelationship, from entity: SQLEntity, to destination: SQLEntity) {
        switch relationship.kind {
        case .toOne(let column):
            let id: SQLText = "t0.\(name: entity.primaryKey)"
            self.init("SELECT \(id), t0.\(name: column) FROM \(name: entity.table) AS t0", where: id)
        case .toMany(let column):
            let owner: SQLText = "t0.\(name: column)"
            let id: SQLText = "t0.\(name: destination.primaryKey)"
            self.init("SELECT \(owner), \(id) FROM \(name: destination.table) AS t0", where: owner)
        case .manyToMany(let table, let source, let target):
            let owner: SQLText = "t0.\(name: source)"
            self.init("SELECT \(owner), t0.\(name: target) FROM \(name: table) AS t0", where: owner)
        }
    }
}
