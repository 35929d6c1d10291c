import Foundation
import PredicateModel
import PredicateSQL
import PredicateSyntax

/// The tables of an export, under the names of the model: one for each entity with objects of its own, and one for each
/// relationship whose objects no column of an entity's table leads to.
struct PlainTables {
    /// A table that is made, and the rows that come into it.
    struct Table {
        let name: String
        /// Each with its declaration, and its value in a row of the store.
        var columns: [(name: String, declaration: String, value: String)]
        /// `old."ZASSET" AS s WHERE s.Z_ENT = ?1`
        var rows = ""
        /// The names and numbers of entities are parameters of the statement that reads the rows.
        var builder = StatementBuilder()
        /// The columns whose data may be in files of their own.
        var external: [String] = []
    }

    private(set) var tables: [Table] = []
    private let store: CoreDataStore
    private var names = PlainNames()

    /// The tables of some entities, or of all.
    init(_ store: CoreDataStore, entities: Set<String>?) {
        self.store = store
        let stored = store.layout.ordered.filter { store.schema.entities[$0.name] != nil && !$0.isAbstract }
        for entity in stored where entities?.contains(entity.name) ?? true { addTable(entity) }
        for entity in store.model.entitiesInPreorder where entities == nil { addPairs(of: entity) }
        if entities == nil { addHistory() }
    }

    // MARK: - Entities

    private mutating func addTable(_ entity: StoredEntity) {
        var columns = PlainNames()
        var table = Table(
            name: names.add(entity.name), columns: [(columns.add("Z_PK"), "INTEGER PRIMARY KEY", "s.Z_PK")])
        table.rows = "old.\(entity.table.quotedName) AS s WHERE s.Z_ENT = \(table.builder.place(entity.number))"
        let schema = store.schema.entities[entity.name]
        for attribute in store.model.storedAttributes(of: entity.name) {
            guard let column = schema?.attributes[attribute.name]?.column else { continue }
            let name = columns.add(attribute.name)
            table.columns.append((name, attribute.type.plainType, attribute.plainValue("s.\(column.quotedName)")))
            if attribute.allowsExternalBinaryDataStorage { table.external.append(name) }
        }
        for relationship in store.model.relationships(of: entity.name) {
            guard schema?.relationships[relationship.name] != nil,
                case .toOne(let column, let kind, let order)? = entity.relationships[relationship.name]
            else { continue }
            table.columns.append((columns.add(relationship.name), "INTEGER", "s.\(column.quotedName)"))
            let present = store.file.columns[entity.table] ?? []
            if let kind, present.contains(kind) {
                table.columns.append(
                    (columns.add("\(relationship.name).entity"), "TEXT", entityName(kind, &table.builder)))
            }
            if let order, present.contains(order) {
                table.columns.append((columns.add("\(relationship.name).position"), "INTEGER", "s.\(order.quotedName)"))
            }
        }
        tables.append(table)
    }

    /// The name of the entity whose number a column has.
    private func entityName(_ column: String, _ builder: inout StatementBuilder) -> String {
        var cases: [String] = []
        for entity in store.layout.ordered {
            cases.append("WHEN \(builder.place(entity.number)) THEN \(builder.place(.text(entity.name)))")
        }
        return "CASE s.\(column.quotedName) \(cases.joined(separator: " ")) END"
    }

    // MARK: - Relationships

    /// Tables of pairs, each once, and one for a relationship without an inverse.
    private mutating func addPairs(of entity: EntityDescription) {
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
                addPairs(ends, (join.sourceColumn, join.targetColumn), orders, "old.\(name.quotedName) AS s WHERE TRUE")
            case .toMany(let column, let order)?:
                guard store.model.inverse(of: relationship) == nil,
                    let table = relationship.destinationEntityName.flatMap({ store.layout.entities[$0]?.table })
                else { continue }
                addPairs(
                    ends, (column, "Z_PK"), [order, nil],
                    "old.\(table.quotedName) AS s WHERE s.\(column.quotedName) IS NOT NULL")
            case .toOne?, nil: continue
            }
        }
    }

    /// True for the end of a table of pairs that comes first: the other one would make the same table.
    private func isFirst(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
        guard let inverse = store.model.inverse(of: relationship) else { return true }
        let own = store.layout.entities[entity.name]?.number ?? 0
        let other = store.layout.entities[inverse.declaringEntity.name]?.number ?? 0
        return (own, relationship.name) <= (other, inverse.relationship.name)
    }

    private mutating func addPairs(
        _ ends: [String], _ columns: (source: String, target: String), _ orders: [String?], _ rows: String
    ) {
        var taken = PlainNames()
        var table = Table(
            name: names.add(ends.joined(separator: "_")),
            columns: [
                (taken.add(ends[0]), "INTEGER", "s.\(columns.source.quotedName)"),
                (taken.add(ends[1]), "INTEGER", "s.\(columns.target.quotedName)"),
            ], rows: rows)
        for (name, order) in zip(["position", "inverse position"], orders) {
            if let order { table.columns.append((taken.add(name), "INTEGER", "s.\(order.quotedName)")) }
        }
        tables.append(table)
    }

    // MARK: - History

    /// The history of changes, of a store that keeps one: what was done to which object, and when.
    private mutating func addHistory() {
        let changes: Set = ["ZTRANSACTIONID", "ZENTITY", "ZENTITYPK", "ZCHANGETYPE"]
        guard store.file.columns["ACHANGE"]?.isSuperset(of: changes) ?? false,
            store.file.columns["ATRANSACTION"]?.contains("ZTIMESTAMP") ?? false
        else { return }
        let kind = "CASE s.ZCHANGETYPE WHEN 0 THEN 'insert' WHEN 1 THEN 'update' WHEN 2 THEN 'delete' END"
        var table = Table(name: names.add("history"), columns: [])
        table.columns = [
            ("date", "TEXT", PlainDate.text(of: "t.ZTIMESTAMP")), ("change", "TEXT", kind),
            ("entity", "TEXT", entityName("ZENTITY", &table.builder)), ("object", "INTEGER", "s.ZENTITYPK"),
        ]
        table.rows = "old.ACHANGE AS s LEFT JOIN old.ATRANSACTION AS t ON t.Z_PK = s.ZTRANSACTIONID WHERE TRUE"
        tables.append(table)
    }
}

/// Names that SQLite takes for different ones: one that differs from another in case alone gets a number.
struct PlainNames {
    private var taken: Set<String> = []

    mutating func add(_ name: String) -> String {
        var (found, number) = (name, 1)
        while !taken.insert(found.lowercased()).inserted {
            number += 1
            found = "\(name) \(number)"
        }
        return found
    }
}

/// Moments as ISO 8601 texts to the microsecond; a number that is no date of four digits stays one.
enum PlainDate {
    static func text(of column: String) -> String {
        let micros = "CAST(round(\(column) * 1000000) AS INTEGER)"
        let fraction = "((\(micros) % 1000000 + 1000000) % 1000000)"
        let whole = "(\(micros) - \(fraction)) / 1000000 + 978307200"
        let digits = "rtrim(printf('.%06d', \(fraction)), '0')"
        let text = "strftime('%Y-%m-%dT%H:%M:%S', \(whole), 'unixepoch') || rtrim(\(digits), '.') || 'Z'"
        return "CASE WHEN abs(\(column)) < 1e12 THEN COALESCE(\(text), \(column)) ELSE \(column) END"
    }
}

extension AttributeDescription {
    /// The value of a column in the form of an export.
    fileprivate func plainValue(_ column: String) -> String {
        if allowsExternalBinaryDataStorage {
            return "CASE WHEN substr(\(column), 1, 1) = x'01' THEN substr(\(column), 2) ELSE \(column) END"
        }
        switch type {
        case .date: return PlainDate.text(of: column)
        case .uuid:
            let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(hex(\(column)), \($0.0), \($0.1))" }
            let text = parts.joined(separator: " || '-' || ")
            return "CASE WHEN typeof(\(column)) = 'blob' AND length(\(column)) = 16 THEN \(text) ELSE \(column) END"
        case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .binaryData,
            .uri, .transformable, .objectID, .composite, .unknown:
            return column
        }
    }
}

extension AttributeType {
    /// The type with which a column of an export is declared.
    fileprivate var plainType: String {
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
