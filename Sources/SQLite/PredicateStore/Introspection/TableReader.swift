internal import PredicateSQL

/// Reads the tables, columns and foreign keys of a file with the introspection pragmas of SQLite.
struct TableReader {
    let connection: StoreConnection

    /// Returns the tables and views sorted by name, except SQLite's own tables, the metadata table, and the shadow
    /// tables of virtual tables.
    func tables() throws(StoreError) -> [TableFacts] {
        let sql: SQLText = "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' ORDER BY name"
        var tables: [TableFacts] = []
        for row in try connection.rows(of: SQLFragment(sql)).all() {
            guard let name = row.text(0), let kind = row.text(1).flatMap(TableFacts.Kind.init), kind != .shadow,
                !name.lowercased().hasPrefix("sqlite_"), name != MetadataValue.table
            else { continue }
            let isStrict = row.integer(3) == 1
            let isWithoutRowID = row.integer(2) == 1
            tables.append(
                kind == .table
                    ? try table(name, isStrict: isStrict, isWithoutRowID: isWithoutRowID)
                    : readable(name, kind, isWithoutRowID: isWithoutRowID))
        }
        return tables
    }

    private func table(_ name: String, isStrict: Bool, isWithoutRowID: Bool) throws(StoreError) -> TableFacts {
        TableFacts(
            name: name, kind: .table, isStrict: isStrict, isWithoutRowID: isWithoutRowID,
            hasKeyIndex: try hasKeyIndex(name), columns: try columns(of: name), foreignKeys: try foreignKeys(of: name))
    }

    /// A view or virtual table. Reading it may fail because functions, tables or modules are missing.
    private func readable(_ name: String, _ kind: TableFacts.Kind, isWithoutRowID: Bool) -> TableFacts {
        var facts = TableFacts(
            name: name, kind: kind, isStrict: false, isWithoutRowID: isWithoutRowID, hasKeyIndex: false, columns: [],
            foreignKeys: [])
        do throws(StoreError) {
            facts.columns = try columns(of: name)
            let key = kind == .virtual && !isWithoutRowID ? facts.rowIDName : nil
            // Preparing the statement detects missing dependencies.
            let value = key ?? facts.columns.first?.name ?? "*"
            let query: SQLText = "EXPLAIN QUERY PLAN SELECT \(name: value) FROM \(name: name)"
            _ = try connection.rows(of: SQLFragment(query)).all()
        } catch {
            facts.problem = error.message.isEmpty ? error.code.title : error.message
        }
        return facts
    }

    /// Returns true if the primary key has an index. Then the key is not the rowid, as with `id INTEGER PRIMARY KEY DESC`.
    private func hasKeyIndex(_ table: String) throws(StoreError) -> Bool {
        let sql: SQLText = "SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk'"
        return try connection.rows(of: SQLFragment(sql, bindings: [.text(table)])).next() != nil
    }

    private func columns(of table: String) throws(StoreError) -> [ColumnFacts] {
        let sql: SQLText =
            "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid"
        return try connection.rows(of: SQLFragment(sql, bindings: [.text(table)])).all().compactMap { row in
            row.text(0).map { name in
                ColumnFacts(
                    name: name, declaredType: row.text(1) ?? "", isNotNull: row.integer(2) == 1,
                    keyPosition: Int(clamping: row.integer(3) ?? 0))
            }
        }
    }

    private func foreignKeys(of table: String) throws(StoreError) -> [ForeignKeyFacts] {
        let sql: SQLText =
            "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id DESC, seq"
        var keys: [(id: Int64, facts: ForeignKeyFacts)] = []
        for row in try connection.rows(of: SQLFragment(sql, bindings: [.text(table)])).all() {
            guard let id = row.integer(0), let target = row.text(1), let column = row.text(2) else { continue }
            if let last = keys.last, last.id == id {
                keys[keys.count - 1].facts = last.facts.adding(column, row.text(3))
            } else {
                keys.append((id, ForeignKeyFacts(columns: [column], table: target, targets: [row.text(3)])))
            }
        }
        return keys.map(\.facts)
    }
}

extension [SQLBinding] {
    /// The string in a column; nil for NULL and other storage classes.
    func text(_ column: Int) -> String? {
        guard indices.contains(column), case .text(let text) = self[column] else { return nil }
        return text
    }

    /// The integer in a column; nil for NULL and other storage classes.
    func integer(_ column: Int) -> Int64? {
        guard indices.contains(column), case .integer(let value) = self[column] else { return nil }
        return value
    }
}

/// A table, view or virtual table, as SQLite reports it.
struct TableFacts: Hashable {
    enum Kind: String {
        case table
        case view
        case virtual
        /// A table that stores the contents of a virtual table.
        case shadow
    }

    let name: String
    let kind: Kind
    /// True for a `STRICT` table, whose columns hold only values of their types.
    let isStrict: Bool
    let isWithoutRowID: Bool
    /// True if the primary key has an index. A key that is the rowid does not need one.
    let hasKeyIndex: Bool
    var columns: [ColumnFacts]
    let foreignKeys: [ForeignKeyFacts]
    /// SQLite's message for a view or virtual table that cannot be read; nil for all others.
    var problem: String?

    /// The columns of the primary key, in key order.
    var keyColumns: [ColumnFacts] {
        columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
    }

    /// True if no column identifies a row: for a view, for a virtual table without rowids, and for a `WITHOUT ROWID`
    /// table with a multi-column key.
    var numbersRows: Bool {
        switch kind {
        case .view: true
        case .virtual: isWithoutRowID
        case .table: isWithoutRowID && keyColumns.count > 1
        case .shadow: false
        }
    }

    /// A name of the rowid that no column hides; nil if columns hide all of them.
    var rowIDName: String? {
        let names = Set(columns.map { $0.name.lowercased() })
        return ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    }

    /// The form of the table from which relationships are derived.
    var linked: LinkedTable {
        LinkedTable(
            TableName(name, in: nil), columns: columns.map(\.name), keyColumns: keyColumns.map(\.name),
            foreignKeys: foreignKeys)
    }
}

/// A column, as SQLite reports it.
struct ColumnFacts: Hashable {
    let name: String
    /// The declared type, which may be any string, or empty.
    let declaredType: String
    let isNotNull: Bool
    /// The position in the primary key, starting at 1; 0 for other columns.
    let keyPosition: Int

    /// The affinity of the column if it may hold values of several storage classes; nil for the rowid and for a
    /// column of a `STRICT` table, except one declared as `ANY`.
    func affinity(in table: TableFacts) -> SQLiteAffinity? {
        // The expressions of a view may have several affinities, and a module may return any value.
        guard table.kind == .table else { return .unknown }
        if isRowID(in: table) { return nil }
        guard table.isStrict else { return SQLiteAffinity(declaredType: declaredType) }
        return declaredType.uppercased() == "ANY" ? .blob : nil
    }

    /// True if the column is an alias of the rowid.
    func isRowID(in table: TableFacts) -> Bool {
        !table.isWithoutRowID && !table.hasKeyIndex && table.keyColumns.count == 1 && keyPosition == 1
            && declaredType.uppercased() == "INTEGER"
    }
}
