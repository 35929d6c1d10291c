import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

extension CoreDataStore {
    /// Exports the objects to a new SQLite file with plain tables, which every tool can read, and returns their
    /// number.
    ///
    /// `try CoreDataStore("Photos.sqlite").export(to: "plain.sqlite")`
    ///
    /// Each entity has a table with its own objects (not those of subentities). Its columns are the primary key
    /// `Z_PK`, the attributes, elements of composite attributes under their paths, and the foreign keys of to-one
    /// relationships. `NAME.entity` is added if the related objects may be of several entities, and `NAME.position`
    /// if the inverse is ordered. A many-to-many relationship is a join table, such as `Album_assets`. Persistent
    /// history is the table `history`. Dates are ISO 8601 strings, UUIDs strings, Booleans 0 and 1; external data is
    /// included.
    ///
    /// With `entities`, only the tables of these entities are exported. Everything is written in one transaction to a
    /// temporary file, which is then renamed.
    ///
    /// Throws a ``CoreDataError``: `fileExists`, `missingExternalData`, `store` with `unknownEntity`.
    @discardableResult
    public func export(to path: String, entities: [String]? = nil) throws(CoreDataError) -> Int {
        for name in entities ?? [] where schema.entities[name] == nil {
            let near = NearMiss.candidates(for: name, among: schema.entities.keys)
            throw CoreDataError(
                .store(StoreError(.compilation(SQLCompilationError(.unknownEntity(name, nearMisses: near))))))
        }
        if let entities {
            for name in entities { try checkExternalData(of: name) }
        } else {
            try checkExternalData()
        }
        let chosen = entities.map { names in
            Set(names.flatMap { model.subtree(of: $0).map(\.name) })
        }
        let work = try MigrationFile(path)
        do throws(CoreDataError) {
            let count = try ExportTables(self, entities: chosen).write(to: work.temporary, from: self)
            try work.finish(external: nil)
            return count
        } catch {
            work.remove()
            throw error
        }
    }
}

extension ExportTables {
    /// Writes the tables, and returns the number of objects.
    fileprivate func write(to path: String, from store: CoreDataStore) throws(CoreDataError) -> Int {
        let connection = try SQLiteConnection.migrating(path, attaching: store)
        let folder = ExternalFolder.path(ofStore: store.path)
        var count = 0
        try connection.migrate { () throws(CoreDataError) in
            for table in tables {
                let made = try write(table, connection)
                if table.columns.first?.name == "Z_PK" { count += made }
                for column in table.external {
                    try connection.embedExternalData(
                        in: column, of: "main.\(name: table.name)", where: "TRUE", from: folder)
                }
            }
        }
        try storing { () throws(StoreError) in try connection.execute("DETACH old") }
        return count
    }

    private func write(_ table: ExportTable, _ connection: SQLiteConnection) throws(CoreDataError) -> Int {
        let declarations = SQLText.joined(table.columns.map { "\(name: $0.name) \($0.declaration)" }, by: ", ")
        try connection.runMigrating(SQLFragment("CREATE TABLE main.\(name: table.name) (\(declarations))"))
        let values = SQLText.joined(table.columns.map(\.value), by: ", ")
        let insert: SQLText = "INSERT INTO main.\(name: table.name) SELECT \(values) FROM \(table.rows)"
        return try storing { () throws(StoreError) in try connection.run(SQLFragment(insert)) }
    }
}

/// The tables of an export: one for each entity with objects of its own, and one for each relationship that is not
/// stored in an entity's table.
struct ExportTables {
    /// A table of an export, with the query for its rows.
    struct ExportTable {
        let name: String
        /// Each column's name, its declared type, and its value as an expression over the store's tables.
        var columns: [(name: String, declaration: SQLText, value: SQLText)]
        /// `old."ZASSET" AS s WHERE s.Z_ENT = ?1`
        var rows: SQLText = ""
        /// The columns whose data may be in external files.
        var external: [String] = []
    }

    private(set) var tables: [ExportTable] = []
    private let store: CoreDataStore
    private var names = UniqueNames()

    /// The tables of some entities, or of all.
    init(_ store: CoreDataStore, entities: Set<String>?) {
        self.store = store
        let stored = store.layout.ordered.filter { store.schema.entities[$0.name] != nil && !$0.isAbstract }
        for entity in stored where entities?.contains(entity.name) ?? true { addTable(entity) }
        for entity in store.model.entitiesInPreorder where entities == nil { addJoinTables(of: entity) }
        if entities == nil { addHistory() }
    }

    // MARK: - Entities

    private mutating func addTable(_ entity: StoredEntity) {
        var columns = UniqueNames()
        var table = ExportTable(
            name: names.add(entity.name), columns: [(columns.add("Z_PK"), "INTEGER PRIMARY KEY", "s.Z_PK")])
        table.rows = "old.\(name: entity.table) AS s WHERE s.Z_ENT = \(bind: .integer(entity.number))"
        let schema = store.schema.entities[entity.name]
        for attribute in store.model.storedAttributes(of: entity.name) {
            guard let column = schema?.attributes[attribute.name]?.column else { continue }
            let name = columns.add(attribute.name)
            table.columns.append((name, attribute.type.exportedType, attribute.exportedValue("s.\(name: column)")))
            if attribute.allowsExternalBinaryDataStorage { table.external.append(name) }
        }
        for relationship in store.model.relationships(of: entity.name) {
            guard schema?.relationships[relationship.name] != nil,
                case .toOne(let column, let kind, let order)? = entity.relationships[relationship.name]
            else { continue }
            table.columns.append((columns.add(relationship.name), "INTEGER", "s.\(name: column)"))
            let present = store.file.columns[entity.table] ?? []
            if let kind, present.contains(kind) {
                table.columns.append((columns.add("\(relationship.name).entity"), "TEXT", entityName(kind)))
            }
            if let order, present.contains(order) {
                table.columns.append((columns.add("\(relationship.name).position"), "INTEGER", "s.\(name: order)"))
            }
        }
        tables.append(table)
    }

    /// The name of the entity whose number is in a column.
    private func entityName(_ column: String) -> SQLText {
        let cases = store.layout.ordered.map { entity -> SQLText in
            "WHEN \(bind: .integer(entity.number)) THEN \(bind: .text(entity.name))"
        }
        return "CASE s.\(name: column) \(SQLText.joined(cases, by: " ")) END"
    }

    // MARK: - Relationships

    /// Adds the join tables of an entity's relationships, each once, and a table for a relationship without an
    /// inverse.
    private mutating func addJoinTables(of entity: EntityDescription) {
        guard let stored = store.layout.entities[entity.name], let schema = store.schema.entities[entity.name] else {
            return
        }
        for relationship in entity.relationships where schema.relationships[relationship.name] != nil {
            let ends = [entity.name, relationship.name]
            switch stored.relationships[relationship.name] {
            case .manyToMany(let join)?:
                guard let name = store.file.name(of: join), isFirst(relationship, of: entity) else { continue }
                let orders = [join.orderColumn, join.inverseOrderColumn].map { order in
                    order.flatMap { store.file.columns[name]?.contains($0) ?? false ? $0 : nil }
                }
                addJoinTables(ends, (join.sourceColumn, join.targetColumn), orders, "old.\(name: name) AS s WHERE TRUE")
            case .toMany(let column, let order)?:
                guard store.model.inverse(of: relationship) == nil,
                    let table = relationship.destinationEntityName.flatMap({ store.layout.entities[$0]?.table })
                else { continue }
                addJoinTables(
                    ends, (column, "Z_PK"), [order, nil],
                    "old.\(name: table) AS s WHERE s.\(name: column) IS NOT NULL")
            case .toOne?, nil: continue
            }
        }
    }

    /// True for the first end of a join table. The other end would add the same table again.
    private func isFirst(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
        guard let inverse = store.model.inverse(of: relationship) else { return true }
        let own = store.layout.entities[entity.name]?.number ?? 0
        let other = store.layout.entities[inverse.declaringEntity.name]?.number ?? 0
        return (own, relationship.name) <= (other, inverse.relationship.name)
    }

    private mutating func addJoinTables(
        _ ends: [String], _ columns: (source: String, target: String), _ orders: [String?], _ rows: SQLText
    ) {
        var taken = UniqueNames()
        var table = ExportTable(
            name: names.add(ends.joined(separator: "_")),
            columns: [
                (taken.add(ends[0]), "INTEGER", "s.\(name: columns.source)"),
                (taken.add(ends[1]), "INTEGER", "s.\(name: columns.target)"),
            ], rows: rows)
        for (name, order) in zip(["position", "inverse position"], orders) {
            if let order { table.columns.append((taken.add(name), "INTEGER", "s.\(name: order)")) }
        }
        tables.append(table)
    }

    // MARK: - History

    /// Adds the persistent history, if the store has one: what was done to which object, and when.
    private mutating func addHistory() {
        let changes: Set = ["ZTRANSACTIONID", "ZENTITY", "ZENTITYPK", "ZCHANGETYPE"]
        guard store.file.columns["ACHANGE"]?.isSuperset(of: changes) ?? false,
            store.file.columns["ATRANSACTION"]?.contains("ZTIMESTAMP") ?? false
        else { return }
        let kind: SQLText = "CASE s.ZCHANGETYPE WHEN 0 THEN 'insert' WHEN 1 THEN 'update' WHEN 2 THEN 'delete' END"
        var table = ExportTable(name: names.add("history"), columns: [])
        table.columns = [
            ("date", "TEXT", ExportedDate.sql(of: "t.ZTIMESTAMP")), ("change", "TEXT", kind),
            ("entity", "TEXT", entityName("ZENTITY")), ("object", "INTEGER", "s.ZENTITYPK"),
        ]
        table.rows = "old.ACHANGE AS s LEFT JOIN old.ATRANSACTION AS t ON t.Z_PK = s.ZTRANSACTIONID WHERE TRUE"
        tables.append(table)
    }
}

/// Dates as ISO 8601 strings with microseconds. A number outside the years with four digits stays a number.
enum ExportedDate {
    static func sql(of column: SQLText) -> SQLText {
        let micros: SQLText = "CAST(round(\(column) * 1000000) AS INTEGER)"
        let fraction: SQLText = "((\(micros) % 1000000 + 1000000) % 1000000)"
        let whole: SQLText = "(\(micros) - \(fraction)) / 1000000 + 978307200"
        let digits: SQLText = "rtrim(printf('.%06d', \(fraction)), '0')"
        let string: SQLText = "strftime('%Y-%m-%dT%H:%M:%S', \(whole), 'unixepoch') || rtrim(\(digits), '.') || 'Z'"
        return "CASE WHEN abs(\(column)) < 1e12 THEN COALESCE(\(string), \(column)) ELSE \(column) END"
    }
}

extension AttributeDescription {
    /// The exported value of a column.
    fileprivate func exportedValue(_ column: SQLText) -> SQLText {
        if allowsExternalBinaryDataStorage {
            return "CASE WHEN substr(\(column), 1, 1) = x'01' THEN substr(\(column), 2) ELSE \(column) END"
        }
        switch type {
        case .date: return ExportedDate.sql(of: column)
        case .uuid:
            let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { start, length -> SQLText in
                "substr(hex(\(column)), \(number: start), \(number: length))"
            }
            let string = SQLText.joined(parts, by: " || '-' || ")
            return "CASE WHEN typeof(\(column)) = 'blob' AND length(\(column)) = 16 THEN \(string) ELSE \(column) END"
        case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .binaryData,
            .uri, .transformable, .objectID, .composite, .unknown:
            return column
        }
    }
}

extension AttributeType {
    /// The declared type of an exported column.
    fileprivate var exportedType: SQLText {
        switch self {
        case .integer16, .integer32, .integer64, .objectID: "INTEGER"
        case .boolean: "BOOLEAN"
        case .decimal, .double, .float: "REAL"
        case .string, .uri, .uuid, .date: "TEXT"
        case .binaryData, .transformable: "BLOB"
        case .undefined, .composite, .unknown: ""
        }
    }
}
