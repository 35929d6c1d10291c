package import PredicateSQL
import PredicateSyntax

/// Finds the references that a deletion must remove.
package protocol RowReferences {
    /// Divides objects by their own entities, whose delete rules apply: subentities of an entity, or the entity itself.
    func divide(
        _ keys: [SQLBinding], of entity: SQLEntity
    ) throws(StoreError) -> [(entity: SQLEntity, keys: [SQLBinding])]

    /// The references to objects of an entity. They are removed with the objects.
    func references(to entity: SQLEntity) throws(StoreError) -> [RowReference]
}

/// A column that contains the primary keys of objects.
package enum RowReference {
    /// An end of a join table. Its rows are deleted.
    case joinRow(table: String, column: String)
    /// A foreign key in the rows of an entity, and the assignments that remove it: `"owner_id" = NULL`
    case foreignKey(of: SQLEntity, column: String, removal: SQLText)
}

/// Deletes objects by the delete rules of the schema, in a transaction.
///
/// The steps are: collect the objects that cascades reach, check the deny rules, clear the references of the
/// remaining objects, delete the rows. The foreign keys of the file are checked at the end of the transaction.
package struct CascadingDeletion {
    private let core: StoreCore
    private let references: any RowReferences
    private var deleted: [String: (entity: SQLEntity, keys: PrimaryKeySet)] = [:]

    package init(_ store: ObjectStore, _ references: any RowReferences) {
        (core, self.references) = (store.core, references)
    }

    init(_ core: StoreCore) {
        (self.core, references) = (core, core)
    }

    /// The objects to delete, by their own entities.
    package var objects: [(entity: SQLEntity, keys: [SQLBinding])] {
        deleted.sorted { $0.key < $1.key }.map { ($0.value.entity, $0.value.keys.list) }
    }

    /// Adds objects to delete, and the objects that cascades reach from them.
    package mutating func add(_ keys: [SQLBinding], of entity: SQLEntity) throws(StoreError) {
        var open = [(entity, keys)]
        while let (entity, keys) = open.popLast() {
            for (own, keys) in try references.divide(keys, of: entity) {
                let new = keys.filter { deleted[own.name, default: (own, PrimaryKeySet())].keys.insert($0) }
                guard !new.isEmpty else { continue }
                for relationship in own.relationships.values where relationship.deleteRule == .cascade {
                    let destination = try core.layout(relationship.destination).entity
                    var related: [SQLBinding] = []
                    try readPairs(relationship, of: own, new) { _, object in related.append(object) }
                    open.append((destination, related))
                }
            }
        }
    }

    /// Deletes the added objects. ``checkDenials()`` comes first.
    package func run() throws(StoreError) {
        try core.connection.execute("PRAGMA defer_foreign_keys = ON")
        for (entity, keys) in objects {
            for reference in try references.references(to: entity) { try remove(reference, to: keys) }
        }
        for (entity, keys) in objects {
            try KeyStatement("DELETE FROM \(name: entity.table)", where: "\(name: entity.primaryKey)")
                .run(for: keys, on: core)
        }
    }

    /// Throws `deletionDenied` if a rule forbids the deletion.
    package func checkDenials() throws(StoreError) {
        for (entity, keys) in objects {
            for (key, relationship) in entity.relationships.sorted(by: { $0.key < $1.key })
            where relationship.deleteRule == .deny {
                let destination = try core.layout(relationship.destination).entity
                try readPairs(relationship, of: entity, keys) { (owner, object) throws(StoreError) in
                    if contains(object, of: destination) { return }
                    let id = SQLObjectID(entity.name, key: entity.primaryKeyType.value(of: owner))
                    throw StoreError(.deletionDenied(id, key: key))
                }
            }
        }
    }

    private func remove(_ reference: RowReference, to keys: [SQLBinding]) throws(StoreError) {
        switch reference {
        case .joinRow(let table, let column):
            try KeyStatement("DELETE FROM \(name: table)", where: "\(name: column)").run(for: keys, on: core)
        case .foreignKey(let entity, let column, let removal):
            let key: SQLText = "\(name: entity.primaryKey)"
            var staying: [SQLBinding] = []
            let rows = KeyStatement("SELECT \(key) FROM \(name: entity.table)", where: "\(name: column)")
            try rows.read(for: keys, on: core) { row in
                if !contains(row.value(0), of: entity) { staying.append(row.value(0)) }
            }
            let statement = KeyStatement("UPDATE \(name: entity.table) SET \(removal)", where: key)
            try core.explainingConstraints(of: entity) { () throws(StoreError) in
                try statement.run(for: staying, on: core)
            }
        }
    }

    /// True if an object is to be deleted, under whichever entity of its table it was added.
    package func contains(_ key: SQLBinding, of entity: SQLEntity) -> Bool {
        deleted.values.contains { $0.entity.table == entity.table && $0.keys.contains(key) }
    }

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

/// An object store knows no references besides those of its schema.
extension StoreCore: RowReferences {
    func divide(
        _ keys: [SQLBinding], of entity: SQLEntity
    ) throws(StoreError) -> [(entity: SQLEntity, keys: [SQLBinding])] {
        [(entity, keys)]
    }

    func references(to entity: SQLEntity) throws(StoreError) -> [RowReference] {
        var found: [RowReference] = []
        for relationship in entity.relationships.values where relationship.deleteRule != .noAction {
            switch relationship.kind {
            case .toOne: break
            case .manyToMany(let table, let source, _): found.append(.joinRow(table: table, column: source))
            case .toMany(let column):
                guard relationship.deleteRule == .nullify else { break }
                let destination = try layout(relationship.destination).entity
                let removal = RelatedColumns(version: destination.versionIncrement).removal(of: column)
                found.append(.foreignKey(of: destination, column: column, removal: removal))
            }
        }
        return found
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
