package import PredicateSQL
import PredicateSyntax

/// The columns of a to-many relationship besides the two keys. An object store has only the version.
package struct RelatedColumns: Sendable {
    /// The place of an object among the owner's objects.
    package var order: String?
    /// In a join table, the place of the owner among the object's owners.
    package var inverseOrder: String?
    /// The column with the number of the owner's entity, and the number.
    package var ownerEntity: (column: String, number: Int64)?
    /// True for a join table with two rows for each pair, one in each direction.
    package var isMirrored = false
    /// The assignment that increments the version of an object; nil for none.
    package var version: SQLText?
    /// The distance between places.
    package var step: Int64

    package init(version: SQLText?, step: Int64 = 1) {
        (self.version, self.step) = (version, step)
    }
}

/// Changes to one to-many relationship: to the rows of a join table, or to the foreign keys in the rows of the objects.
package struct RelatedRows {
    private let core: StoreCore
    private let destination: SQLEntity
    private let columns: RelatedColumns
    private let statements: Statements

    /// The parameters are the primary keys of the owner and the object, and the place of the object.
    fileprivate struct Statements {
        let select: SQLText
        let insertions: [SQLText]
        let deletions: [SQLText]
        /// Changes the place of an object that is already related; nil for a relationship without places.
        let move: SQLText?
    }

    package init(
        _ store: ObjectStore, _ entity: SQLEntity, _ key: String, _ columns: RelatedColumns
    ) throws(StoreError) {
        try self.init(entity, key, store.core, columns)
    }

    init(_ entity: SQLEntity, _ key: String, _ core: StoreCore, _ given: RelatedColumns? = nil) throws(StoreError) {
        let relationship = try entity.toMany(key)
        self.core = core
        destination = try core.layout(relationship.destination).entity
        columns = given ?? RelatedColumns(version: destination.versionIncrement)
        switch relationship.kind {
        case .manyToMany(let join, let source, let target):
            statements = Statements(columns, destination, join: join, source, target)
        case .toMany(let column), .toOne(let column): statements = Statements(columns, destination, column)
        }
    }

    /// Replaces the objects of an owner with the given ones, in this order.
    package func set(_ keys: [SQLBinding], of owner: SQLBinding) throws(StoreError) {
        var objects = PrimaryKeySet()
        for key in keys { objects.insert(key) }
        try set(objects, of: owner)
    }

    func set(_ objects: PrimaryKeySet, of owner: SQLBinding) throws(StoreError) {
        let present = try related(to: owner)
        for object in present.list where !objects.contains(object) { try remove(object, from: owner) }
        for (index, object) in objects.list.enumerated() {
            let place = Int64(index + 1) * columns.step
            if !present.contains(object) {
                try insert(object, owner, place)
            } else if let move = statements.move {
                _ = try run(move, owner, object, place)
            }
        }
    }

    /// Adds the objects that are not related yet.
    func add(_ objects: PrimaryKeySet, to owner: SQLBinding) throws(StoreError) {
        let present = try related(to: owner)
        for object in objects.list where !present.contains(object) { try insert(object, owner, 0) }
    }

    func remove(_ object: SQLBinding, from owner: SQLBinding) throws(StoreError) {
        for deletion in statements.deletions { _ = try run(deletion, owner, object, nil) }
    }

    private func related(to owner: SQLBinding) throws(StoreError) -> PrimaryKeySet {
        let rows = try core.explaining { () throws(StoreError) in
            try core.connection.rows(of: SQLFragment(statements.select, bindings: [owner])).all()
        }
        var keys = PrimaryKeySet()
        for row in rows { if let key = row.first { keys.insert(key) } }
        return keys
    }

    /// Throws `noSuchObject` if the object does not exist.
    private func insert(_ object: SQLBinding, _ owner: SQLBinding, _ place: Int64) throws(StoreError) {
        for (index, insertion) in statements.insertions.enumerated() {
            guard try run(insertion, owner, object, place) == 0, index == 0 else { continue }
            let key = destination.primaryKeyType.value(of: object)
            throw StoreError(.noSuchObject(SQLObjectID(destination.name, key: key)))
        }
    }

    private func run(
        _ statement: SQLText, _ owner: SQLBinding, _ object: SQLBinding, _ place: Int64?
    ) throws(StoreError) -> Int {
        let place = columns.order == nil ? nil : place
        let bindings = [owner, object] + (place.map { [.integer($0)] } ?? [])
        return try core.explainingConstraints(of: destination) { () throws(StoreError) in
            try core.connection.run(SQLFragment(statement, bindings: bindings))
        }
    }
}

extension RelatedRows.Statements {
    /// Statements on the rows of a join table.
    init(_ columns: RelatedColumns, _ destination: SQLEntity, join: String, _ source: String, _ target: String) {
        let pair: SQLText = "\(name: source) = ?1 AND \(name: target) = ?2"
        select = "SELECT \(name: target) FROM \(name: join) WHERE \(name: source) = ?1"
        move = columns.order.map { "UPDATE \(name: join) SET \(name: $0) = ?3 WHERE \(pair)" }
        let id: SQLText = "t0.\(name: destination.primaryKey)"
        let (names, places) = columns.places(join, target)
        let row: SQLText = "INTO \(name: join) (\(name: source), \(name: target)\(names)) SELECT"
        let rest: SQLText = "\(places) FROM \(name: destination.table) AS t0 WHERE \(id) = ?2"
        var insertions: [SQLText] = ["INSERT \(row) ?1, \(id)\(rest)"]
        var deletions: [SQLText] = ["DELETE FROM \(name: join) WHERE \(pair)"]
        if columns.isMirrored {
            insertions.append("INSERT OR IGNORE \(row) \(id), ?1\(rest)")
            deletions.append("DELETE FROM \(name: join) WHERE \(name: source) = ?2 AND \(name: target) = ?1")
        }
        (self.insertions, self.deletions) = (insertions, deletions)
    }

    /// Statements on the foreign keys in the rows of the objects.
    init(_ columns: RelatedColumns, _ destination: SQLEntity, _ column: String) {
        let (id, owner): (SQLText, SQLText) = ("\(name: destination.primaryKey)", "\(name: column)")
        let update: SQLText = "UPDATE \(name: destination.table) SET"
        let entity = columns.ownerEntity.map { "\(name: $0.column) = \(number: $0.number)" as SQLText }
        let place = columns.order.map { "\(name: $0) = ?3" as SQLText }
        let set = SQLText.joined(["\(owner) = ?1", entity, place, columns.version].compactMap(\.self), by: ", ")
        select = "SELECT \(id) FROM \(name: destination.table) WHERE \(owner) = ?1"
        let insertion: SQLText = "\(update) \(set) WHERE \(id) = ?2"
        insertions = [insertion]
        deletions = ["\(update) \(columns.removal(of: column)) WHERE \(owner) = ?1 AND \(id) = ?2"]
        move = place.map { _ in insertion }
    }
}

extension RelatedColumns {
    /// The assignments that remove an object from the relationship: `"owner_id" = NULL, "version" = …`
    package func removal(of column: String) -> SQLText {
        let cleared = [column, ownerEntity?.column, order].compactMap { $0.map { "\(name: $0) = NULL" as SQLText } }
        return .joined(cleared + [version].compactMap(\.self), by: ", ")
    }

    /// The names and the values of the places in a row of a join table. The owner comes last among the object's owners.
    fileprivate func places(_ join: String, _ target: String) -> (names: SQLText, values: SQLText) {
        var (names, values): (SQLText, SQLText) = ("", "")
        if let order { (names, values) = (", \(name: order)", ", ?3") }
        guard let inverseOrder else { return (names, values) }
        let step: SQLText = "\(number: step)"
        let last: SQLText = "SELECT MAX(\(name: inverseOrder)) FROM \(name: join) WHERE \(name: target) = ?2"
        return ("\(names), \(name: inverseOrder)", "\(values), COALESCE((\(last)), \(step)) + \(step)")
    }
}
