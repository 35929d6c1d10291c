import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The statements that make the tables and indexes of a new store.
struct StoreTables {
    let layout: StoreLayout

    /// `CREATE TABLE "ZITEM" ("Z_PK" INTEGER PRIMARY KEY, "Z_ENT" INTEGER, …)` and the tables of every store.
    var tables: [String] {
        let own = layout.tables.sorted { $0.key < $1.key }.map { name, columns in
            let list = columns.map { column in
                "\(column.name.quotedName) \(column.type)" + (column.name == "Z_PK" ? " PRIMARY KEY" : "")
            }
            return "CREATE TABLE \(name.quotedName) (\(list.joined(separator: ", ")))"
        }
        return own + layout.joinTables.map(Self.table) + [
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        ]
    }

    private static func table(_ join: JoinTable) -> String {
        let ends = [join.sourceColumn, join.targetColumn]
        let columns = ends + [join.orderColumn, join.inverseOrderColumn].compactMap(\.self)
        let list = columns.map { "\($0.quotedName) INTEGER" }.joined(separator: ", ")
        let key = ends.map(\.quotedName).joined(separator: ", ")
        return "CREATE TABLE \((join.names.first ?? "").quotedName) (\(list), PRIMARY KEY (\(key)))"
    }

    /// `CREATE INDEX "ZITEM_ZCATEGORY_INDEX" ON "ZITEM" ("ZCATEGORY")`: of columns that lead to objects, of the entities of
    /// a shared table, and those of the model.
    var indexes: [String] {
        var made = Indexes()
        for (table, columns) in layout.tables.sorted(by: { $0.key < $1.key }) {
            if layout.entities.values.contains(where: { $0.table == table && $0.parent != 0 }) {
                made.add("\(table)_Z_ENT_INDEX", table, ["Z_ENT"])
            }
            for column in columns where leadsToObjects(column) {
                made.add("\(table)_\(column.name)_INDEX", table, [column.name])
            }
        }
        for join in layout.joinTables {
            let table = join.names.first ?? ""
            made.add("\(table)_\(join.targetColumn)_INDEX", table, [join.targetColumn, join.sourceColumn])
        }
        for entity in layout.model.entitiesInPreorder { addIndexes(of: entity, to: &made) }
        return made.statements
    }

    private func leadsToObjects(_ column: StoredColumn) -> Bool {
        guard let entity = column.entity, let key = column.key else {
            return column.key == nil && !column.name.hasPrefix("Z_") && !column.name.hasPrefix("Z_FOK_")
        }
        return layout.entities[entity]?.columns[key] == nil
    }

    private func addIndexes(of entity: EntityDescription, to made: inout Indexes) {
        guard let stored = layout.entities[entity.name] else { return }
        for index in entity.indexes { add(index, of: entity, stored, to: &made) }
        for keys in entity.uniquenessConstraints {
            let columns = keys.compactMap(stored.column)
            guard columns.count == keys.count, !columns.isEmpty else { continue }
            let isShared = keys.contains { entity.property($0) == nil }
            let name = "Z_\(entity.name)_UNIQUE_\(keys.joined(separator: "_"))"
            let numbers = ([stored.number] + stored.descendants).map(String.init).joined(separator: ", ")
            made.add(name, stored.table, columns, isUnique: true, condition: isShared ? "Z_ENT IN (\(numbers))" : nil)
        }
    }

    /// Adds an index of the model; none for one of regions, of an expression, or with a condition that SQL has no literals for.
    private func add(
        _ index: FetchIndexDescription, of entity: EntityDescription, _ stored: StoredEntity, to made: inout Indexes
    ) {
        let columns = index.elements.compactMap { element -> (name: String, isAscending: Bool)? in
            guard case .property(let key) = element.subject, element.collation == .binary else { return nil }
            return stored.indexedColumn(of: key).map { ($0, element.isAscending) }
        }
        guard columns.count == index.elements.count, !columns.isEmpty else { return }
        var condition: String?
        if let partial = index.partialIndexPredicate {
            guard let node = try? partial.predicate().node,
                let text = PartialIndexCondition(entity: stored).text(of: node)
            else { return }
            condition = text
        }
        made.add(
            "Z_\(entity.name)_\(index.name)", stored.table, columns.map(\.name),
            descending: Set(columns.filter { !$0.isAscending }.map(\.name)), condition: condition)
    }

    /// The rows of `Z_PRIMARYKEY`, with the last keys that are known.
    func entityRows(lastKeys: [String: Int64] = [:]) -> [SQLFragment] {
        layout.ordered.map { entity in
            SQLFragment(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, ?3, ?4)",
                bindings: [
                    .integer(entity.number), .text(entity.name), .integer(entity.parent),
                    .integer(entity.parent == 0 ? lastKeys[entity.table] ?? 0 : 0),
                ])
        }
    }
}

extension StoredEntity {
    /// The column of an element of an index: `self` is the object, `entity` its entity.
    fileprivate func indexedColumn(of key: String) -> String? {
        switch key {
        case "self": "Z_PK"
        case "entity": "Z_ENT"
        default: column(of: key)
        }
    }

    /// The column of an attribute or a to-one relationship; nil for other keys.
    func column(of key: String) -> String? {
        if let column = columns[key] { return column }
        if case .toOne(let column, _, _)? = relationships[key] { return column }
        return nil
    }
}

/// Indexes that are being made, each name once.
private struct Indexes {
    private(set) var statements: [String] = []
    private var names: Set<String> = []

    mutating func add(
        _ name: String, _ table: String, _ columns: [String], descending: Set<String> = [], isUnique: Bool = false,
        condition: String? = nil
    ) {
        guard names.insert(name.lowercased()).inserted else { return }
        let list = columns.map { $0.quotedName + (descending.contains($0) ? " DESC" : "") }.joined(separator: ", ")
        let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
        let end = condition.map { " WHERE \($0)" } ?? ""
        statements.append("CREATE \(kind) \(name.quotedName) ON \(table.quotedName) (\(list))\(end)")
    }
}
