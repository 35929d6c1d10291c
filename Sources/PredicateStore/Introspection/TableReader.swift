import PredicateSQL

/// Reads the tables, columns and foreign keys of a file with the introspection pragmas of SQLite.
struct TableReader {
    let connection: SQLiteConnection

    /// Returns the tables and views, by name, without the tables of SQLite itself, that of metadata, and the shadow tables of
    /// virtual ones.
    func tables() throws(StoreError) -> [TableFacts] {
        let sql = "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' ORDER BY name"
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

    /// A view or virtual table, which may need functions, tables or modules that are missing.
    private func readable(_ name: String, _ kind: TableFacts.Kind, isWithoutRowID: Bool) -> TableFacts {
        var facts = TableFacts(
            name: name, kind: kind, isStrict: false, isWithoutRowID: isWithoutRowID, hasKeyIndex: false, columns: [],
            foreignKeys: [])
        do throws(StoreError) {
            let columns = try columns(of: name)
            facts = TableFacts(
                name: name, kind: kind, isStrict: false, isWithoutRowID: isWithoutRowID, hasKeyIndex: false,
                columns: columns, foreignKeys: [])
            let key = kind == .virtual && !isWithoutRowID ? facts.rowIDName : nil
            // Preparing the statement finds what is missing.
            _ = try plan(of: "SELECT \((key ?? columns.first?.name ?? "*").quotedName) FROM \(name.quotedName)")
        } catch {
            facts.problem = error.message.isEmpty ? error.code.title : error.message
        }
        return facts
    }

    private func plan(of sql: String) throws(StoreError) -> [[SQLBinding]] {
        try connection.rows(of: SQLFragment("EXPLAIN QUERY PLAN " + sql)).all()
    }

    /// Returns true if the primary key has an index: then it is not the rowid, as with `id INTEGER PRIMARY KEY DESC`.
    private func hasKeyIndex(_ table: String) throws(StoreError) -> Bool {
        let sql = "SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk'"
        return try connection.rows(of: SQLFragment(sql, bindings: [.text(table)])).next() != nil
    }

    private func columns(of table: String) throws(StoreError) -> [ColumnFacts] {
        let sql = "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid"
        return try connection.rows(of: SQLFragment(sql, bindings: [.text(table)])).all().compactMap { row in
            row.text(0).map { name in
                ColumnFacts(
                    name: name, declaredType: row.text(1) ?? "", isNotNull: row.integer(2) == 1,
                    keyPosition: Int(clamping: row.integer(3) ?? 0))
            }
        }
    }

    private func foreignKeys(of table: String) throws(StoreError) -> [ForeignKeyFacts] {
        let sql = "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id DESC, seq"
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

extension ForeignKeyFacts {
    fileprivate func adding(_ column: String, _ target: String?) -> ForeignKeyFacts {
        ForeignKeyFacts(columns: columns + [column], table: table, targets: targets + [target])
    }
}

extension [SQLBinding] {
    /// The text in a column; nil for NULL and other storage classes.
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

extension String {
    /// The name as a quoted identifier of SQL.
    package var quotedName: String {
        "\"" + replacing("\"", with: "\"\"") + "\""
    }
}
