import PredicateModel
import PredicateSQL
import PredicateStore

/// The tables of a file, and the entities listed in it.
package struct FileTables: Sendable {
    /// Column names by table.
    package private(set) var columns: [String: Set<String>] = [:]
    /// The rows of `Z_PRIMARYKEY`.
    package private(set) var entities: [EntityRow] = []
    package private(set) var triggers: [String] = []

    /// A row of `Z_PRIMARYKEY`.
    package struct EntityRow: Hashable, Sendable {
        package let number: Int64
        package let name: String
        package let parent: Int64
        /// The last primary key in use; only root entities have one.
        package let lastKey: Int64
    }

    /// The tables of a file that does not exist yet.
    init(columns: [String: Set<String>]) {
        self.columns = columns
    }

    package init(_ connection: StoreConnection) throws(StoreError) {
        // Virtual tables have no root page. Reading their columns fails if their module or tokenizer is missing.
        let query: SQLText = """
            SELECT m.name, p.name FROM sqlite_master AS m, pragma_table_info(m.name) AS p
            WHERE m.type = 'table' AND m.rootpage > 0
            """
        let rows = try connection.rows(of: SQLFragment(query))
        while let row = try rows.next() {
            guard case .text(let table)? = row.first, case .text(let column)? = row.last else { continue }
            columns[table, default: []].insert(column)
        }
        let names = try connection.rows(of: SQLFragment("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
        while let row = try names.next() {
            if case .text(let name)? = row.first { triggers.append(name) }
        }
        guard isStore else { return }
        try readEntities(connection)
    }

    /// Opens a SQLite store for reading, without its model; nil for an XML store. Throws `notAStore`, `binaryStore`.
    static func opened(_ path: String) throws(CoreDataError) -> (StoreConnection, FileTables)? {
        let type = StoreType(file: path)
        guard type != .xml else { return nil }
        guard type != .binary else { throw CoreDataError(.binaryStore(path)) }
        let connection = try storing { () throws(StoreError) in try StoreConnection(path, .untouched) }
        let file = try storing { () throws(StoreError) in try FileTables(connection) }
        guard file.isStore else { throw CoreDataError(.notAStore(path)) }
        return (connection, file)
    }

    /// True if the file has the tables that every Core Data store has.
    package var isStore: Bool {
        columns["Z_PRIMARYKEY"]?.isSuperset(of: ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]) ?? false
            && columns["Z_METADATA"]?.isSuperset(of: ["Z_UUID", "Z_PLIST"]) ?? false
    }

    private mutating func readEntities(_ connection: StoreConnection) throws(StoreError) {
        let query: SQLText = "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"
        let rows = try connection.rows(of: SQLFragment(query))
        while let row = try rows.next() {
            guard row.count == 4, let number = row[0].number, case .text(let name) = row[1] else { continue }
            entities.append(
                EntityRow(number: number, name: name, parent: row[2].number ?? 0, lastKey: row[3].number ?? 0))
        }
    }

    /// Entities of persistent history, which Core Data adds, are numbered from here on.
    static let firstInternal: Int64 = 16_000

    /// The numbers that the file gives the entities of a model.
    ///
    /// They are matched by name if every row names an entity of the model. After an in-place rename a row may have
    /// the old name; then the numbers are computed from the model.
    package func numbers(for model: ManagedObjectModel) -> [String: Int64] {
        let rows = entities.filter { $0.number < Self.firstInternal }
        let computed = StoreLayout.numbers(of: model)
        guard !rows.isEmpty, rows.allSatisfy({ computed[$0.name] != nil }) else { return computed }
        return Dictionary(rows.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The rows that hold the pairs of a relationship: those of either entity, or of a join table.
struct LinkRows {
    let table: String
    /// The columns with the keys of the objects that have the relationship, and of their related objects.
    let source: String
    let target: String
    /// The columns with the positions among the objects of the source, and of the target; nil if they are not ordered.
    var order: String?
    var inverseOrder: String?
}

extension SQLBinding {
    /// An integer; nil for any other value.
    package var number: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// A string; nil for any other value.
    package var string: String? {
        if case .text(let value) = self { value } else { nil }
    }
}

extension FileTables {
    /// The layout of a model in this file: with the file's entity numbers and join tables.
    package func layout(of model: ManagedObjectModel) -> StoreLayout {
        let sharesTargets = columns[KeptTexts.name] != nil
        return StoreLayout(model, numbers: numbers(for: model), sharesTargets: sharesTargets)
            .mapJoinTables { found($0) ?? $0 }
    }

    /// The name of a join table in the file; nil if there is no matching table.
    package func name(of table: JoinTable) -> String? {
        table.names.first { columns[$0]?.isSuperset(of: [table.sourceColumn, table.targetColumn]) ?? false }
    }

    /// The rows of a relationship of an entity; nil if the file does not have them.
    func links(
        _ relationship: RelationshipDescription, of entity: StoredEntity, in layout: StoreLayout
    ) -> LinkRows? {
        guard let form = entity.relationships[relationship.name],
            let other = relationship.destinationEntityName.flatMap({ layout.entities[$0]?.table })
        else { return nil }
        switch form {
        case .toOne(let column, _, let order):
            return LinkRows(table: entity.table, source: "Z_PK", target: column, inverseOrder: order)
        case .toMany(let column, let order):
            return LinkRows(table: other, source: column, target: "Z_PK", order: order)
        case .manyToMany(let join):
            guard let name = name(of: join) else { return nil }
            return LinkRows(
                table: name, source: join.sourceColumn, target: join.targetColumn, order: join.orderColumn,
                inverseOrder: join.inverseOrderColumn)
        }
    }

    /// A join table with the column names in the file; nil if there is no matching table.
    ///
    /// By the naming rule, `Memory.representativeAssets` and `Suggestion.representativeAssets` both have the column
    /// `Z_3REPRESENTATIVEASSETS`. Which of them has `Z_3REPRESENTATIVEASSETS1` instead differs between versions of a
    /// Photos library.
    private func found(_ table: JoinTable) -> JoinTable? {
        for name in table.names {
            guard let columns = columns[name],
                let source = Self.column(table.sourceColumn, among: columns),
                let target = Self.column(table.targetColumn, among: columns), source != target
            else { continue }
            var found = table
            (found.sourceColumn, found.targetColumn) = (source, target)
            if table.orderColumn != nil { found.orderColumn = JoinNames.order(target) }
            if table.inverseOrderColumn != nil { found.inverseOrderColumn = JoinNames.order(source) }
            return found
        }
        return nil
    }

    /// The column with that name, or the only one that differs from it by a number at the end.
    private static func column(_ wanted: String, among columns: Set<String>) -> String? {
        if columns.contains(wanted) { return wanted }
        let near = columns.filter { withoutNumber($0) == withoutNumber(wanted) }
        return near.count == 1 ? near.first : nil
    }

    private static func withoutNumber(_ name: String) -> Substring {
        var stem = name[...]
        while stem.last?.isASCIIDigit ?? false { stem = stem.dropLast() }
        return stem
    }
}
