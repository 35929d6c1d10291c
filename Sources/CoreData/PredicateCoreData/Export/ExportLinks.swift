import PredicateModel
import PredicateSQL
import PredicateStore

/// The pairs of a to-many relationship, as an export and the file of an XML store have them.
struct ExportLinks {
    /// The key and the entity number of the objects at both ends, as expressions; the entity is NULL where it is known.
    let key: SQLText
    let entity: SQLText
    let otherKey: SQLText
    let otherEntity: SQLText
    /// The positions among the source's objects, and among the target's.
    let order: SQLText?
    let otherOrder: SQLText?
    /// The tables and the condition.
    let rows: SQLText

    /// `key`, then the order, then the key of the other end
    var sorting: SQLText {
        guard let order else { return "1, \(otherKey)" }
        return "1, \(order), \(otherKey)"
    }

    /// The pairs of a relationship that an entity has, in the store's tables in a schema; nil if the store does not contain it.
    init?(
        _ store: CoreDataStore, _ relationship: RelationshipDescription, of name: String, in schema: SQLText = "main"
    ) {
        let (layout, file) = (store.layout, store.file)
        guard relationship.isToMany, let own = layout.entities[name],
            let other = relationship.destinationEntityName.flatMap({ layout.entities[$0] }),
            store.schema.entities[name]?.relationships[relationship.name] != nil,
            let links = file.links(relationship, of: own, in: layout)
        else { return nil }
        func number(_ key: SQLText, _ end: StoredEntity) -> SQLText {
            end.descendants.isEmpty
                ? "NULL" : "(SELECT e.Z_ENT FROM \(schema).\(name: end.table) AS e WHERE e.Z_PK = \(key))"
        }
        func column(_ order: String?) -> SQLText? {
            order.flatMap { file.columns[links.table]?.contains($0) ?? false ? "j.\(name: $0)" : nil }
        }
        (key, otherKey) = ("j.\(name: links.source)", "j.\(name: links.target)")
        (entity, otherEntity) = (number(key, own), links.target == "Z_PK" ? "j.Z_ENT" : number(otherKey, other))
        (order, otherOrder) = (column(links.order), column(links.inverseOrder))
        rows = "\(schema).\(name: links.table) AS j WHERE \(key) IS NOT NULL AND \(otherKey) IS NOT NULL"
    }
}

/// The related objects of all objects of an entity, read in the order of the objects' keys.
final class LinkCursor {
    private let rows: SQLiteRows
    /// The key of the object that the current row belongs to; nil after the last row.
    private var owner: Int64?

    /// `condition` restricts the rows: ` AND j."ZSHELF" IN (…)`; without entities, only the keys are read.
    init(
        _ links: ExportLinks, _ connection: StoreConnection, where condition: SQLText = "", readsEntities: Bool = true
    ) throws(CoreDataError) {
        let query: SQLText = """
            SELECT \(links.key), \(links.otherKey), \(readsEntities ? links.otherEntity : "NULL") FROM \(links.rows)\(condition)
            ORDER BY \(links.sorting)
            """
        rows = try storing { () throws(StoreError) in try connection.rows(of: SQLFragment(query)) }
        try advance()
    }

    private func advance() throws(CoreDataError) {
        let isRow = try storing { () throws(StoreError) in try rows.advance() }
        if isRow, case .integer(let key) = rows.cell(0) { owner = key } else { owner = nil }
    }

    /// Calls a function with the key of each related object of an owner, and the number of its entity if it may be of several.
    /// Owners must come in ascending order.
    func forEach(of key: Int64, _ body: (Int64, _ entity: Int64?) -> Void) throws(CoreDataError) {
        while let owner, owner < key { try advance() }
        while owner == key {
            if case .integer(let other) = rows.cell(1) {
                if case .integer(let number) = rows.cell(2) { body(other, number) } else { body(other, nil) }
            }
            try advance()
        }
    }
}
