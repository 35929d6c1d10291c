import PredicateSQL

/// Looks at some values of columns, as SQLite lets any column hold any value, whatever type it declares.
struct ColumnSampler {
    private let connection: SQLiteConnection
    private let typing: ColumnTyping

    /// A store of Core Data's has these two tables.
    init(connection: SQLiteConnection, tables: [TableFacts]) {
        let names = Set(tables.map(\.name))
        self.connection = connection
        self.typing = ColumnTyping(isCoreData: names.isSuperset(of: ["Z_PRIMARYKEY", "Z_METADATA"]))
    }

    /// The type of each column.
    func types(of table: TableFacts) throws(StoreError) -> [String: SQLType] {
        var types: [String: SQLType] = [:]
        for column in table.columns {
            let sample = ColumnTyping.Sample(values: column.isRowID(in: table) ? [] : try values(of: column, in: table))
            types[column.name] = typing.type(column.declaredType, sample)
        }
        return types
    }

    /// A few values that are not NULL, out of the first thousand rows: however large the table, this is quick.
    private func values(of column: ColumnFacts, in table: TableFacts) throws(StoreError) -> [SQLBinding] {
        let rows = "SELECT t0.\(column.name.quotedName) AS value FROM \(table.name.quotedName) t0 LIMIT 1000"
        let sql = "SELECT t1.value FROM (\(rows)) t1 WHERE t1.value IS NOT NULL LIMIT 100"
        return try connection.rows(of: SQLFragment(sql)).all().compactMap(\.first)
    }
}
