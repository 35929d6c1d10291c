import PredicateModel
@_spi(Dialect) import PredicateSQL
import PredicateStore

/// The temporary tables of an import: the new keys of objects by their former keys, and the links by former keys.
enum ImportTables {
    /// `s` is the number of the former store and entity, `k` the former key, `e` and `n` the new entity number and key.
    private static let keys: SQLText = "temp.predicates_keys"
    /// `r` is the number of the relationship, `o` the new key of its object, `p` the position of the target `s`, `k` in a list.
    private static let links: SQLText = "temp.predicates_links"

    static let created: [SQLText] =
        dropped + [
            "CREATE TABLE \(keys) (s INTEGER, k INTEGER, e INTEGER, n INTEGER, PRIMARY KEY (s, k)) WITHOUT ROWID",
            "CREATE TABLE \(links) (r INTEGER, o INTEGER, p INTEGER, s INTEGER, k INTEGER)",
        ]
    static let dropped: [SQLText] = ["DROP TABLE IF EXISTS \(keys)", "DROP TABLE IF EXISTS \(links)"]

    private static let zero = SQLBinding.integer(0)

    static let made = SQLFragment(
        "INSERT OR REPLACE INTO \(keys) (s, k, e, n) VALUES (?1, ?2, ?3, ?4)", bindings: [zero, zero, zero, zero])
    static let link = SQLFragment(
        "INSERT INTO \(links) (r, o, p, s, k) VALUES (?1, ?2, ?3, ?4, ?5)", bindings: [zero, zero, zero, zero, zero])

    /// The links of a relationship in order, with the new keys of their targets.
    static func joined(_ columns: SQLText, of number: Int64) -> SQLText {
        """
        SELECT \(columns) FROM \(links) AS l LEFT JOIN \(keys) AS m ON m.s = l.s AND m.k = l.k
        WHERE l.r = \(bind: .integer(number))
        """
    }
}

/// A relationship of the imported objects of an entity.
struct ImportedRelationship {
    let entity: String
    let description: RelationshipDescription
    private let writer: ObjectWriter
    private let number: Int64

    init(_ writer: ObjectWriter, _ entity: String, _ description: RelationshipDescription, number: Int64) {
        (self.writer, self.entity, self.description, self.number) = (writer, entity, description, number)
    }

    /// The links in the order of the import: object, former source and key, new key and entity number of the target.
    var links: SQLFragment {
        SQLFragment("\(ImportTables.joined("l.o, l.s, l.k, m.n, m.e", of: number)) ORDER BY l.rowid")
    }

    /// The entities of the targets; nil if a target was not imported, or is of an entity that the relationship does not
    /// allow.
    func newTargets() throws(CoreDataError) -> [String]? {
        var names: [String] = []
        for row in try writer.rows(ImportTables.joined("DISTINCT m.e", of: number)) {
            guard let entity = row.first?.number, let name = writer.store.layout.entity(numbered: entity)?.name,
                let destination = description.destinationEntityName,
                writer.store.model.isEntity(name, kindOf: destination)
            else { return nil }
            names.append(name)
        }
        return names
    }

    // MARK: - At once

    /// Sets the relationship of all objects by one statement. Returns false if the ends of the links depend on each other.
    func setAtOnce(_ targets: [String]) throws(CoreDataError) -> Bool {
        let (store, model) = (writer.store, writer.store.model)
        guard store.pendingHistory == nil, let stored = store.layout.entities[entity],
            let form = stored.relationships[description.name],
            let destination = description.destinationEntityName.flatMap({ store.layout.entities[$0] })
        else { return false }
        let inverse = model.inverse(of: description)
        let back = inverse.flatMap {
            store.layout.entities[$0.declaringEntity.name]?.relationships[$0.relationship.name]
        }
        switch form {
        case .toOne(let column, let entityColumn, let order):
            if case .toOne? = back { return false }
            // In a to-one relationship, no object may have two targets.
            let second = try writer.rows("\(ImportTables.joined("1", of: number)) AND l.p > 1 LIMIT 1")
            guard second.isEmpty else { return false }
            try point(stored.table, column, entityColumn, order)
        case .toMany(let column, let order):
            var columns = (entity: String?.none, order: order)
            if case .toOne(_, let entityColumn, let own)? = back { columns = (entityColumn, own) }
            try take(destination.table, column, columns.entity, columns.order, stored.number)
        case .manyToMany(let join):
            guard join.sourceColumn != "REFLEXIVE", join.inverseOrderColumn == nil,
                let table = store.file.name(of: join)
            else { return false }
            try pair(table, join)
        }
        return true
    }

    /// Sets the foreign keys of the objects. In an ordered inverse, the objects come last.
    private func point(
        _ table: String, _ column: String, _ entityColumn: String?, _ order: String?
    ) throws(CoreDataError) {
        var (columns, assignments): (SQLText, [SQLText]) = ("l.o, m.n, m.e", ["\(name: column) = p.n"])
        if let entityColumn { assignments.append("\(name: entityColumn) = p.e") }
        if let order {
            let step: SQLText = "\(number: ObjectWriter.orderStep)"
            let last: SQLText = "SELECT MAX(\(name: order)) FROM main.\(name: table) WHERE \(name: column) = m.n"
            let rank: SQLText = "row_number() OVER (PARTITION BY m.n ORDER BY l.rowid)"
            columns = "\(columns), COALESCE((\(last)), \(step)) + \(step) * \(rank) AS place"
            assignments.append("\(name: order) = p.place")
        }
        try update(table, assignments, ImportTables.joined(columns, of: number), key: "o")
    }

    /// Sets the foreign keys of the targets, replacing references to other objects.
    private func take(
        _ table: String, _ column: String, _ entityColumn: String?, _ order: String?, _ owner: Int64
    ) throws(CoreDataError) {
        let links = ImportTables.joined("l.o, m.n", of: number)
        let cleared: [SQLText] = [column, entityColumn, order].compactMap { $0.map { "\(name: $0) = NULL" } }
        let left = SQLText.update("main.\(name: table)", cleared + [.incrementedVersion])
        try writer.run(
            """
            \(left) WHERE \(name: column) IN (SELECT o FROM (\(links)))
            AND (\(name: column), Z_PK) NOT IN (SELECT o, n FROM (\(links)))
            """)
        var assignments: [SQLText] = ["\(name: column) = p.o", .incrementedVersion]
        if let entityColumn { assignments.append("\(name: entityColumn) = \(bind: .integer(owner))") }
        if let order { assignments.append("\(name: order) = p.p * \(number: ObjectWriter.orderStep)") }
        // A target of several objects belongs to the last of them.
        let last: SQLText = "\(ImportTables.joined("l.o, l.p, m.n, MAX(l.rowid)", of: number)) GROUP BY m.n"
        try update(table, assignments, last, key: "n")
    }

    private func update(
        _ table: String, _ assignments: [SQLText], _ links: SQLText, key: String
    ) throws(CoreDataError) {
        let update = SQLText.update("main.\(name: table)", assignments)
        try writer.run("\(update) FROM (\(links)) AS p WHERE Z_PK = p.\(name: key)")
    }

    /// Replaces the rows of the objects in a join table.
    private func pair(_ table: String, _ join: JoinTable) throws(CoreDataError) {
        let owners = ImportTables.joined("l.o", of: number)
        try writer.run("DELETE FROM main.\(name: table) WHERE \(name: join.sourceColumn) IN (\(owners))")
        var columns = [join.sourceColumn, join.targetColumn]
        var values: SQLText = "l.o, m.n"
        if let order = join.orderColumn {
            columns.append(order)
            values = "\(values), l.p * \(number: ObjectWriter.orderStep)"
        }
        let rows: SQLText = "\(ImportTables.joined(values, of: number)) ORDER BY l.rowid"
        try writer.run(.insert(into: "main.\(name: table)", columns, rows, ignoringDuplicates: true))
    }
}
