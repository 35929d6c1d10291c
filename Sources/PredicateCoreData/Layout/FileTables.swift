import PredicateModel
import PredicateSQL
import PredicateStore

/// The tables of a file as they are, and what they say about its entities.
package struct FileTables: Sendable {
    /// Columns by table.
    package private(set) var columns: [String: Set<String>] = [:]
    /// The rows of `Z_PRIMARYKEY`.
    package private(set) var entities: [EntityRow] = []
    package private(set) var triggers: [String] = []

    /// A row of `Z_PRIMARYKEY`.
    package struct EntityRow: Hashable, Sendable {
        package let number: Int64
        package let name: String
        package let parent: Int64
        /// The last primary key that was given; kept by roots only.
        package let lastKey: Int64
    }

    package init(_ connection: SQLiteConnection) throws(StoreError) {
        // A virtual table has no pages, and its columns are not known where its module or its tokenizer is missing.
        let text = """
            SELECT m.name, p.name FROM sqlite_master AS m, pragma_table_info(m.name) AS p
            WHERE m.type = 'table' AND m.rootpage > 0
            """
        let rows = try connection.rows(of: SQLFragment(text))
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

    /// True if the file has the tables that every store of Core Data has.
    package var isStore: Bool {
        columns["Z_PRIMARYKEY"]?.isSuperset(of: ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]) ?? false
            && columns["Z_METADATA"]?.isSuperset(of: ["Z_UUID", "Z_PLIST"]) ?? false
    }

    private mutating func readEntities(_ connection: SQLiteConnection) throws(StoreError) {
        let text = "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"
        let rows = try connection.rows(of: SQLFragment(text))
        while let row = try rows.next() {
            guard row.count == 4, let number = row[0].number, case .text(let name) = row[1] else { continue }
            entities.append(
                EntityRow(number: number, name: name, parent: row[2].number ?? 0, lastKey: row[3].number ?? 0))
        }
    }

    /// Entities that Core Data itself adds, of the history of changes, have numbers from here on.
    private static let firstInternal: Int64 = 16_000

    /// The numbers that the file gives the entities of a model.
    ///
    /// By name where every row names an entity of the model. After a renaming in place a row may keep the old name: then the
    /// numbers are those that the model itself gives.
    package func numbers(for model: ManagedObjectModel) -> [String: Int64] {
        let rows = entities.filter { $0.number < Self.firstInternal }
        let computed = StoreLayout.numbers(of: model)
        guard !rows.isEmpty, rows.allSatisfy({ computed[$0.name] != nil }) else { return computed }
        return Dictionary(rows.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    }
}

extension SQLBinding {
    /// An integer; nil for any other value.
    package var number: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// A text; nil for any other value.
    package var string: String? {
        if case .text(let value) = self { value } else { nil }
    }
}
