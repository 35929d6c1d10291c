import PredicateModel
import PredicateSQL
import PredicateStore

/// Writes the pairs of objects that the document contains for a relationship into the tables.
struct XMLStoreLinks {
    /// The number of the relationship in the table of all pairs.
    let number: Int
    let relationship: RelationshipDescription
    /// The entity that declares the relationship.
    let entity: String

    static let creation: SQLText =
        "CREATE TEMP TABLE links (relationship INTEGER, source INTEGER, place INTEGER, target INTEGER)"

    private var pairs: SQLText { "temp.links AS l WHERE l.relationship = \(bind: .integer(Int64(number)))" }

    /// Writes the pairs into the columns or the join table of the relationship. Returns a sentence about links that only one
    /// end of a to-many relationship has, or that lead to no object. Throws if the document contradicts itself.
    func resolve(
        _ connection: StoreConnection, _ layout: StoreLayout, _ document: XMLStoreDocument
    ) throws(CoreDataError) -> String? {
        guard let stored = layout.entities[entity]?.relationships[relationship.name],
            let destination = relationship.destinationEntityName.flatMap({ layout.entities[$0] })
        else { return nil }
        func run(_ statement: SQLText) throws(CoreDataError) {
            try storing { () throws(StoreError) in _ = try connection.run(SQLFragment(statement)) }
        }
        switch stored {
        case .toOne(let column, let kind, _):
            guard let own = layout.entities[entity] else { return nil }
            try checkTargets(of: column, layout, destination, connection, document)
            if let kind {
                try run(
                    """
                    UPDATE \(name: own.table) AS s SET \(name: kind) = (SELECT t.Z_ENT FROM \(name: destination.table)
                    AS t WHERE t.Z_PK = s.\(name: column)) WHERE s.\(name: column) IS NOT NULL
                    """)
            }
            let lost = try connection.number(
                """
                SELECT COUNT(s.\(name: column)) FROM \(name: own.table) AS s WHERE NOT EXISTS
                (SELECT 1 FROM \(name: destination.table) AS t WHERE t.Z_PK = s.\(name: column))
                """)
            return note(lost, "leads to an object that does not exist", "lead to objects that do not exist")
        case .toMany(let column, let order):
            try checkLinks(destination, connection, document)
            try checkOwners(column, destination, connection, document)
            let place: SQLText = order.map { ", \(name: $0) = l.place" } ?? ""
            let own = layout.entities[entity]?.table ?? ""
            let count: SQLText = """
                SELECT COUNT(*) FROM \(name: destination.table) WHERE \(name: column) IN (SELECT Z_PK FROM \(name: own))
                """
            let before = try connection.number(count)
            try run(
                """
                UPDATE \(name: destination.table) AS t SET \(name: column) = l.source\(place) FROM \(pairs)
                AND t.Z_PK = l.target
                """)
            let after = try connection.number(count)
            let listed = try connection.number("SELECT COUNT(DISTINCT l.target) FROM \(pairs)")
            return note(
                after - before + after - listed, "is at one end only, and is read at both",
                "are at one end only, and are read at both")
        case .manyToMany(let join):
            try checkLinks(destination, connection, document)
            for statement in joinRows(join) { try run(statement) }
            return nil
        }
    }

    /// `2 links of List.toDos are at one end only, and are read at both`; nil for none.
    private func note(_ count: Int64, _ one: String, _ many: String) -> String? {
        guard count > 0 else { return nil }
        return "\(count) \(count == 1 ? "link" : "links") of \(entity).\(relationship.name) \(count == 1 ? one : many)"
    }

    private func joinRows(_ join: JoinTable) -> [SQLText] {
        let table: SQLText = "\(name: join.names.first ?? "")"
        let ends = SQLText.names([join.sourceColumn, join.targetColumn])
        var rows: [SQLText] = []
        if let order = join.orderColumn {
            rows.append(
                """
                INSERT INTO \(table) (\(ends), \(name: order)) SELECT l.source, l.target, l.place FROM \(pairs)
                ON CONFLICT (\(ends)) DO UPDATE SET \(name: order) = excluded.\(name: order)
                """)
        } else {
            rows.append("INSERT OR IGNORE INTO \(table) (\(ends)) SELECT l.source, l.target FROM \(pairs)")
        }
        if join.sourceColumn == "REFLEXIVE" {
            rows.append("INSERT OR IGNORE INTO \(table) (\(ends)) SELECT l.target, l.source FROM \(pairs)")
        }
        return rows
    }

    // MARK: - Checks

    /// Throws if a to-one relationship refers to an object of another entity. An object that does not exist is not an
    /// error: Core Data leaves such references behind.
    private func checkTargets(
        of column: String, _ layout: StoreLayout, _ destination: StoredEntity, _ connection: StoreConnection,
        _ document: XMLStoreDocument
    ) throws(CoreDataError) {
        guard let own = layout.entities[entity] else { return }
        let kinds = SQLText.keys([destination.number] + destination.descendants)
        let target: SQLText = "t.Z_PK = s.\(name: column)"
        let others = SQLText.joined(
            layout.tables.keys.sorted().map { "EXISTS (SELECT 1 FROM \(name: $0) AS t WHERE \(target))" }, by: " OR ")
        let query: SQLText = """
            SELECT s.Z_PK, s.\(name: column) FROM \(name: own.table) AS s WHERE NOT EXISTS
            (SELECT 1 FROM \(name: destination.table) AS t WHERE \(target) AND t.Z_ENT IN \(kinds)) AND (\(others)) LIMIT 1
            """
        try refuse(query, connection, document)
    }

    /// Throws if a to-many relationship has an object that does not exist or is of another entity.
    private func checkLinks(
        _ destination: StoredEntity, _ connection: StoreConnection, _ document: XMLStoreDocument
    ) throws(CoreDataError) {
        let kinds = SQLText.keys([destination.number] + destination.descendants)
        let query: SQLText = """
            SELECT l.source, l.target FROM \(pairs) AND NOT EXISTS
            (SELECT 1 FROM \(name: destination.table) AS t WHERE t.Z_PK = l.target AND t.Z_ENT IN \(kinds)) LIMIT 1
            """
        try refuse(query, connection, document)
    }

    /// Throws if an object belongs to two objects although the other end of the relationship is to-one.
    private func checkOwners(
        _ column: String, _ destination: StoredEntity, _ connection: StoreConnection, _ document: XMLStoreDocument
    ) throws(CoreDataError) {
        let others: [SQLText] = [
            """
            SELECT l.source, l.target FROM \(pairs) AND EXISTS (SELECT 1 FROM \(name: destination.table) AS t
            WHERE t.Z_PK = l.target AND t.\(name: column) <> l.source) LIMIT 1
            """,
            "SELECT MIN(l.source), l.target FROM \(pairs) GROUP BY l.target HAVING COUNT(DISTINCT l.source) > 1 LIMIT 1",
        ]
        for query in others { try refuse(query, connection, document) }
    }

    /// Throws for the first pair of keys that a query finds.
    private func refuse(
        _ query: SQLText, _ connection: StoreConnection, _ document: XMLStoreDocument
    ) throws(CoreDataError) {
        let row = try connection.numbers(query)
        guard row.count == 2 else { return }
        throw document.problem(
            .contradiction(key: relationship.name, entity: entity, source: row[0], target: row[1]))
    }
}
