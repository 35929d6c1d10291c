import Foundation
import PredicateModel
@_spi(Dialect) import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The statements that create the tables and indexes of a new store.
struct StoreTables {
    let layout: StoreLayout

    /// `CREATE TABLE "ZITEM" ("Z_PK" INTEGER PRIMARY KEY, "Z_ENT" INTEGER, …)` and the tables that every store has.
    var tables: [SQLText] {
        let own = layout.tables.sorted { $0.key < $1.key }.map { name, columns in
            let list = columns.map { column -> SQLText in
                let key: SQLText = column.name == "Z_PK" ? " PRIMARY KEY" : ""
                return "\(name: column.name) \(verbatim: column.type)\(key)"
            }
            return "CREATE TABLE \(name: name) (\(SQLText.joined(list, by: ", ")))" as SQLText
        }
        return own + layout.joinTables.map(Self.table) + [
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        ] + (layout.model.archive == nil ? [] : ["CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"])
            + (layout.sharesTargets ? [KeptTexts.creation] : [])
    }

    private static func table(_ join: JoinTable) -> SQLText {
        let ends = [join.sourceColumn, join.targetColumn]
        let columns = ends + [join.orderColumn, join.inverseOrderColumn].compactMap(\.self)
        let list = SQLText.joined(columns.map { "\(name: $0) INTEGER" }, by: ", ")
        return "CREATE TABLE \(name: join.names.first ?? "") (\(list), PRIMARY KEY (\(SQLText.names(ends))))"
    }

    /// `CREATE INDEX "ZITEM_ZCATEGORY_INDEX" ON "ZITEM" ("ZCATEGORY")`: for foreign keys, for the entity column of
    /// shared tables, and for the indexes of the model.
    var indexes: [SQLText] {
        var made = IndexStatements()
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

    private func addIndexes(of entity: EntityDescription, to made: inout IndexStatements) {
        guard let stored = layout.entities[entity.name] else { return }
        for index in entity.indexes { add(index, of: entity, stored, to: &made) }
        for keys in entity.uniquenessConstraints {
            let columns = keys.compactMap(stored.column)
            guard columns.count == keys.count, !columns.isEmpty else { continue }
            let isShared = keys.contains { entity.property($0) == nil }
            let name = "Z_\(entity.name)_UNIQUE_\(keys.joined(separator: "_"))"
            let numbers = SQLText.joined(([stored.number] + stored.descendants).map { "\(number: $0)" }, by: ", ")
            made.add(name, stored.table, columns, isUnique: true, condition: isShared ? "Z_ENT IN (\(numbers))" : nil)
        }
    }

    /// Adds an index of the model. Indexes of regions and expressions are skipped, and so are partial indexes whose
    /// condition cannot be written with literals.
    private func add(
        _ index: FetchIndexDescription, of entity: EntityDescription, _ stored: StoredEntity,
        to made: inout IndexStatements
    ) {
        guard let keys = index.keys else { return }
        let columns = keys.compactMap { key in stored.indexedColumn(of: key.name).map { ($0, key.isAscending) } }
        guard columns.count == keys.count else { return }
        var condition: SQLText?
        if let partial = index.partialIndexPredicate {
            guard let node = try? partial.predicate().node,
                let sql = PartialIndexCondition(entity: stored).sql(of: node)
            else { return }
            condition = sql
        }
        made.add(
            "Z_\(entity.name)_\(index.name)", stored.table, columns.map(\.0),
            descending: Set(columns.filter { !$0.1 }.map(\.0)), condition: condition)
    }

    /// The row of `Z_MODELCACHE`, if the model was read from an archive, and those of `Z_PRIMARYKEY`.
    func ownRows(lastKeys: [String: Int64] = [:]) -> [SQLFragment] {
        let cache = layout.model.modelCache.map { content in
            SQLFragment("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?1)", bindings: [.blob(Data(content))])
        }
        return [cache].compactMap(\.self) + entityRows(lastKeys)
    }

    /// The rows of `Z_PRIMARYKEY`, with the known last keys.
    private func entityRows(_ lastKeys: [String: Int64]) -> [SQLFragment] {
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

extension FetchIndexDescription {
    /// The keys of the elements; nil for an index of expressions or regions.
    var keys: [(name: String, isAscending: Bool)]? {
        let keys = elements.compactMap { element -> (name: String, isAscending: Bool)? in
            guard case .property(let key) = element.value, element.collation == .binary else { return nil }
            return (key, element.isAscending)
        }
        return keys.isEmpty || keys.count != elements.count ? nil : keys
    }
}

extension StoredEntity {
    /// The column of an index element: `self` is the primary key, `entity` the entity number.
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

/// Collects CREATE INDEX statements with unique names.
private struct IndexStatements {
    private(set) var statements: [SQLText] = []
    private var names: Set<String> = []

    mutating func add(
        _ name: String, _ table: String, _ columns: [String], descending: Set<String> = [], isUnique: Bool = false,
        condition: SQLText? = nil
    ) {
        guard names.insert(name.lowercased()).inserted else { return }
        let list = columns.map { column -> SQLText in
            descending.contains(column) ? "\(name: column) DESC" : "\(name: column)"
        }
        let kind: SQLText = isUnique ? "UNIQUE INDEX" : "INDEX"
        let end: SQLText = condition.map { " WHERE \($0)" } ?? ""
        statements.append("CREATE \(kind) \(name: name) ON \(name: table) (\(SQLText.joined(list, by: ", ")))\(end)")
    }
}

/// The condition of a partial index, which cannot have parameters: comparisons of columns with nil and with numbers,
/// combined by AND, OR and NOT.
///
///     favorite == YES AND deleted != nil        "ZFAVORITE" = 1 AND "ZDELETED" IS NOT NULL
struct PartialIndexCondition {
    let entity: StoredEntity

    /// The SQL of a predicate; nil if it contains strings, functions or other tables.
    func sql(of predicate: PredicateNode) -> SQLText? {
        switch predicate {
        case .comparison(let comparison): sql(of: comparison)
        case .compound(let compound): sql(of: compound)
        case .constant, .string, .block: nil
        }
    }

    private func sql(of compound: CompoundPredicate) -> SQLText? {
        let parts = compound.subpredicates.compactMap(sql)
        guard parts.count == compound.subpredicates.count, let first = parts.first else { return nil }
        switch compound.type {
        case .not: return "NOT (\(first))"
        case .and: return .joined(parts.map { "(\($0))" }, by: " AND ")
        case .or: return .joined(parts.map { "(\($0))" }, by: " OR ")
        }
    }

    private func sql(of comparison: ComparisonPredicate) -> SQLText? {
        guard comparison.modifier == .direct, comparison.options.isEmpty,
            case .keyPath(let path) = comparison.leftExpression, path.base == nil,
            case .key(let key)? = path.components.first, path.components.count == 1,
            let name = entity.column(of: key),
            case .constantValue(let value) = comparison.rightExpression
        else { return nil }
        let column: SQLText = "\(name: name)"
        if value == .null || value == .nullObject { return Self.comparisonWithNil(column, comparison.operator) }
        guard let number = Self.literal(value), let sign = Self.sign(comparison.operator) else { return nil }
        return "\(column) \(sign) \(number)"
    }

    private static func comparisonWithNil(_ column: SQLText, _ comparison: ComparisonOperator) -> SQLText? {
        switch comparison {
        case .equalTo: "\(column) IS NULL"
        case .notEqualTo: "\(column) IS NOT NULL"
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between, .in, .customSelector: nil
        }
    }

    private static func sign(_ comparison: ComparisonOperator) -> SQLText? {
        switch comparison {
        case .equalTo: "="
        case .notEqualTo: "<>"
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .between, .in, .customSelector: nil
        }
    }

    /// A number as an SQL literal; nil for every other value.
    private static func literal(_ value: PredicateValue) -> SQLText? {
        switch value {
        case .bool: SQLEngine.sqlite.literal(of: value, as: .boolean)
        case .integer: SQLEngine.sqlite.literal(of: value, as: .integer64)
        case .double: SQLEngine.sqlite.literal(of: value, as: .double)
        case .null, .nullObject, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            nil
        }
    }
}
