import PredicateModel
@_spi(Dialect) import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The statements of an inferred migration: one `INSERT … SELECT` per entity, then the relationships that are not
/// stored in rows of the entities.
struct InferredStatements {
    let match: VersionMatch
    let source: StoreLayout
    let destination: StoreLayout
    let keys: KeyMap
    /// The tables of the old file, which give the names of its join tables.
    let file: FileTables

    /// `INSERT INTO "ZITEM" (…) SELECT … FROM old."ZITEM" AS s`
    func rows(of transfer: KeyMap.EntityTransfer) -> SQLFragment {
        let (old, new) = (transfer.source, transfer.destination)
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        var values: [SQLText] = ["s.Z_PK\(transfer.addedOffset)", "\(bind: .integer(new.number))", "s.Z_OPT"]
        for attribute in destination.model.storedAttributes(of: new.name) {
            guard let column = new.columns[attribute.name] else { continue }
            columns.append(column)
            values.append(value(of: attribute, transfer))
        }
        for relationship in destination.model.relationships(of: new.name) where !relationship.isTransient {
            add(relationship, transfer, &columns, &values)
        }
        let condition: SQLText = keys.isOnlyEntityInTable(old) ? "" : " WHERE s.Z_ENT = \(bind: .integer(old.number))"
        let rows: SQLText = "SELECT \(SQLText.joined(values, by: ", ")) FROM old.\(name: old.table) AS s\(condition)"
        return SQLFragment(.insert(into: "main.\(name: new.table)", columns, rows))
    }

    // MARK: - Attributes

    private func value(of attribute: AttributeDescription, _ transfer: KeyMap.EntityTransfer) -> SQLText {
        let standard = defaultBinding(attribute)
        guard let old = match.sourceAttribute(attribute, of: transfer.destination.name), old.isStored,
            let column = transfer.source.columns[old.name]
        else { return "\(bind: standard)" }
        var value: SQLText = "s.\(name: column)"
        switch (old.allowsExternalBinaryDataStorage, attribute.allowsExternalBinaryDataStorage) {
        case (false, true): value = "CASE WHEN \(value) IS NOT NULL THEN CAST(x'01' || \(value) AS BLOB) END"
        case (true, false):
            value = "CASE WHEN substr(\(value), 1, 1) = x'01' THEN substr(\(value), 2) ELSE \(value) END"
        case (true, true), (false, false): break
        }
        guard !attribute.isOptional, standard != .null else { return value }
        return "COALESCE(\(value), \(bind: standard))"
    }

    private func defaultBinding(_ attribute: AttributeDescription) -> SQLBinding {
        guard let value = attribute.defaultValue else { return .null }
        let binding = attribute.type.sqlType.binding(of: AttributeValues.plain(value, for: attribute.type)) ?? .null
        guard attribute.allowsExternalBinaryDataStorage, case .blob(let data) = binding else { return binding }
        return .blob([1] + data)
    }

    // MARK: - Relationships in columns

    /// Adds the columns of a to-one relationship that was to-one before.
    private func add(
        _ relationship: RelationshipDescription, _ transfer: KeyMap.EntityTransfer, _ columns: inout [String],
        _ values: inout [SQLText]
    ) {
        guard
            case .toOne(let column, let entityColumn, let orderColumn)? =
                transfer.destination.relationships[relationship.name],
            let old = match.sourceRelationship(relationship, of: transfer.destination.name),
            case .toOne(let oldColumn, _, let oldOrder)? = transfer.source.relationships[old.name],
            let table = old.destinationEntityName.flatMap({ source.entities[$0]?.table })
        else { return }
        let link: SQLText = "s.\(name: oldColumn)"
        columns.append(column)
        values.append(keys.key(link, in: table))
        if let entityColumn {
            columns.append(entityColumn)
            values.append(keys.entityNumber(link, in: table))
        }
        if let orderColumn, let oldOrder {
            columns.append(orderColumn)
            values.append("s.\(name: oldOrder)")
        }
    }
}

/// Relationships that the columns of the old rows do not carry over: join tables, and relationships that changed
/// their form.
extension InferredStatements {
    /// The statements for the relationships that an entity declares.
    func relationships(of entity: EntityDescription) -> [SQLFragment] {
        guard let stored = destination.entities[entity.name] else { return [] }
        var statements: [SQLFragment] = []
        let own = Set(entity.relationships.map(\.name))
        for relationship in destination.model.relationships(of: entity.name)
        where own.contains(relationship.name) && !relationship.isTransient {
            guard let form = stored.relationships[relationship.name],
                let table = relationship.destinationEntityName.flatMap({ destination.entities[$0]?.table })
            else { continue }
            switch form {
            case .toOne: statements += toOne(relationship, entity, form, stored)
            case .toMany(let column, let order):
                guard destination.model.inverse(of: relationship) == nil else { continue }
                let held = StoredRelationship.toOne(column: column, entityColumn: nil, orderColumn: order)
                statements += queries(relationship, entity.name, isReversed: true).map { update(held, table, $0) }
            case .manyToMany(let join): statements += insert(join, relationship, entity)
            }
        }
        return statements
    }

    /// A new to-one relationship whose inverse existed before.
    private func toOne(
        _ relationship: RelationshipDescription, _ entity: EntityDescription, _ form: StoredRelationship,
        _ stored: StoredEntity
    ) -> [SQLFragment] {
        let old = match.sourceRelationship(relationship, of: entity.name)
        var statements: [SQLFragment] = []
        if old == nil, let inverse = destination.model.inverse(of: relationship) {
            statements += queries(inverse.relationship, inverse.declaringEntity.name, isReversed: true)
                .map { update(form, stored.table, $0) }
        }
        // A relationship that is newly ordered gets the order of the primary keys.
        guard case .toOne(let column, _, let order?) = form else { return statements }
        let table: SQLText = "main.\(name: stored.table)"
        let ranks: SQLText = """
            SELECT Z_PK AS id, row_number() OVER (PARTITION BY \(name: column) ORDER BY Z_PK) + 1 AS place
            FROM \(table) WHERE \(name: column) IS NOT NULL
            """
        let ordering = SQLText.update(table, ["\(name: order) = r.place * \(number: ObjectWriter.orderStep)"])
        statements.append(
            SQLFragment("\(ordering) FROM (\(ranks)) AS r WHERE Z_PK = r.id AND \(name: order) IS NULL"))
        return statements
    }

    /// `UPDATE main."ZITEM" SET "ZLIST" = p.target FROM (…) AS p WHERE Z_PK = p.source`: the sources are the rows with the
    /// foreign key, whose places are those of the inverse.
    private func update(_ form: StoredRelationship, _ table: String, _ query: RelationshipQuery) -> SQLFragment {
        guard case .toOne(let column, let entityColumn, let order) = form else { return SQLFragment("SELECT 1") }
        var assignments: [SQLText] = ["\(name: column) = p.target"]
        if let entityColumn {
            let entity: SQLText = "SELECT k.Z_ENT FROM main.\(name: query.targetTable) AS k WHERE k.Z_PK = p.target"
            assignments.append("\(name: entityColumn) = (\(entity))")
        }
        if let order { assignments.append("\(name: order) = p.inverse_place") }
        let update = SQLText.update("main.\(name: table)", assignments)
        // A foreign key keeps the first of several owners.
        let owners: SQLText = "SELECT source, MIN(target) AS target, inverse_place FROM (\(query.sql)) GROUP BY source"
        return SQLFragment("\(update) FROM (\(owners)) AS p WHERE Z_PK = p.source")
    }

    private func insert(
        _ join: JoinTable, _ relationship: RelationshipDescription, _ entity: EntityDescription
    ) -> [SQLFragment] {
        guard let table = join.names.first else { return [] }
        var found = queries(relationship, entity.name, isReversed: false)
        if found.isEmpty, let inverse = destination.model.inverse(of: relationship) {
            found = queries(inverse.relationship, inverse.declaringEntity.name, isReversed: true)
        }
        return found.map { query in
            var columns = [join.sourceColumn, join.targetColumn]
            var values: [SQLText] = ["p.source", "p.target"]
            let ranks = { (group: SQLText) -> SQLText in
                "(row_number() OVER (PARTITION BY p.\(group)) + 1) * \(number: ObjectWriter.orderStep)"
            }
            if let order = join.orderColumn {
                columns.append(order)
                values.append("COALESCE(p.place, \(ranks("source")))")
            }
            if let order = join.inverseOrderColumn {
                columns.append(order)
                values.append("COALESCE(p.inverse_place, \(ranks("target")))")
            }
            let rows: SQLText = """
                SELECT \(SQLText.joined(values, by: ", ")) FROM (\(query.sql)) AS p
                WHERE p.source IS NOT NULL AND p.target IS NOT NULL
                """
            // Sorted rows are only appended. With order columns, rows keep the order of reading, which gives their places.
            let order: SQLText = columns.count == 2 ? " ORDER BY p.source, p.target" : ""
            return SQLFragment(
                .insert(into: "main.\(name: table)", columns, "\(rows)\(order)", ignoringDuplicates: true))
        }
    }

    // MARK: - Queries of the old store

    /// A query for the rows of an old relationship, with new primary keys: `source`, `target`, `place`, `inverse_place`; and the
    /// table of the targets in the new store.
    private typealias RelationshipQuery = (sql: SQLText, targetTable: String)

    /// The query for a relationship in the old store; empty if the relationship did not exist.
    private func queries(
        _ relationship: RelationshipDescription, _ entity: String, isReversed: Bool
    ) -> [RelationshipQuery] {
        guard let old = match.sourceRelationship(relationship, of: entity),
            let owner = match.entities[entity].flatMap({ source.entities[$0] }),
            let other = old.destinationEntityName.flatMap({ source.entities[$0]?.table }),
            let rows = file.links(old, of: owner, in: source)
        else { return [] }
        let ends = [keys.key("s.\(name: rows.source)", in: owner.table), keys.key("s.\(name: rows.target)", in: other)]
        let orders = [rows.order, rows.inverseOrder].map { column -> SQLText in
            column.map { "s.\(name: $0)" } ?? "NULL"
        }
        let (first, last) = isReversed ? (1, 0) : (0, 1)
        let query: SQLText = """
            SELECT \(ends[first]) AS source, \(ends[last]) AS target, \(orders[first]) AS place,
            \(orders[last]) AS inverse_place FROM old.\(name: rows.table) AS s
            WHERE s.\(name: rows.source) IS NOT NULL AND s.\(name: rows.target) IS NOT NULL
            """
        let end = isReversed ? entity : relationship.destinationEntityName ?? ""
        return [(query, destination.entities[end]?.table ?? "")]
    }
}

/// The primary keys of rows in the new store. They are the old keys, unless rows of several tables move into one
/// table.
struct KeyMap {
    /// An entity of the old store whose rows are migrated.
    struct EntityTransfer {
        let source: StoredEntity
        let destination: StoredEntity
        /// The number added to primary keys.
        let offset: Int64

        /// ` + ?1`; empty if the offset is 0.
        var addedOffset: SQLText { offset == 0 ? "" : " + \(bind: .integer(offset))" }
    }

    private(set) var transfers: [EntityTransfer] = []
    /// The numbers of the old store's entities, by table.
    private var numbers: [String: Set<Int64>] = [:]

    /// Entities of a configuration that the old store does not contain are left out.
    init(_ match: VersionMatch, _ store: CoreDataStore, _ destination: StoreLayout) {
        let (source, lastKeys) = (store.layout, store.lastKeys)
        for entity in source.entities.values { numbers[entity.table, default: []].insert(entity.number) }
        var offsets: [String: [String: Int64]] = [:]
        var ends: [String: Int64] = [:]
        for new in destination.ordered where !new.isAbstract {
            guard let old = match.entities[new.name].flatMap({ source.entities[$0] }),
                store.file.columns[old.table] != nil
            else { continue }
            let offset = offsets[new.table]?[old.table] ?? ends[new.table, default: 0]
            if offsets[new.table]?[old.table] == nil {
                offsets[new.table, default: [:]][old.table] = offset
                ends[new.table] = offset + (lastKeys[old.table] ?? 0)
            }
            transfers.append(EntityTransfer(source: old, destination: new, offset: offset))
        }
        newLastKeys = ends
    }

    /// The object that was created from an object of the old store.
    func made(of old: ObjectKey) -> ObjectKey? {
        transfers.first { $0.source.name == old.entity }.map {
            ObjectKey(entity: $0.destination.name, key: old.key + $0.offset)
        }
    }

    /// The object of the old store from which an object was created.
    func source(of made: ObjectKey) -> ObjectKey? {
        transfers.first { $0.destination.name == made.entity }.map {
            ObjectKey(entity: $0.source.name, key: made.key - $0.offset)
        }
    }

    /// The last primary keys of the new store, by table.
    let newLastKeys: [String: Int64]

    /// True if no other entity shares the entity's table.
    func isOnlyEntityInTable(_ entity: StoredEntity) -> Bool { numbers[entity.table]?.count == 1 }

    private func transfers(from table: String) -> [EntityTransfer] { transfers.filter { $0.source.table == table } }

    /// True if all rows of a table are migrated and keep their keys.
    private func keepsKeys(_ table: String) -> Bool {
        let found = transfers(from: table)
        let gone = (numbers[table] ?? []).subtracting(found.map(\.source.number))
        return found.allSatisfy { $0.offset == 0 } && gone.isEmpty
    }

    /// The new key for a foreign key to an old table; NULL if the referenced row is not migrated.
    func key(_ column: SQLText, in table: String) -> SQLText {
        if keepsKeys(table) { return column }
        return byEntity(column, in: table) { "k.Z_PK\($0.addedOffset)" }
    }

    /// The new entity number of the row that a foreign key references.
    func entityNumber(_ column: SQLText, in table: String) -> SQLText {
        byEntity(column, in: table) { "\(bind: .integer($0.destination.number))" }
    }

    /// `(SELECT CASE k.Z_ENT WHEN ?1 THEN k.Z_PK … END FROM old."ZITEM" AS k WHERE k.Z_PK = s."ZLIST")`
    private func byEntity(_ column: SQLText, in table: String, _ value: (EntityTransfer) -> SQLText) -> SQLText {
        let cases = transfers(from: table).map { transfer -> SQLText in
            "WHEN \(bind: .integer(transfer.source.number)) THEN \(value(transfer))"
        }
        guard !cases.isEmpty else { return "NULL" }
        let selected: SQLText = "CASE k.Z_ENT \(SQLText.joined(cases, by: " ")) END"
        return "(SELECT \(selected) FROM old.\(name: table) AS k WHERE k.Z_PK = \(column))"
    }
}
