import PredicateSQL

/// Samples values of columns, since SQLite allows values of any storage class in a column of any declared type.
struct ColumnSampler {
    private let connection: SQLiteConnection
    private let typing: ColumnTyping

    /// A sampler for the tables of one file; a Core Data store has two tables of known names.
    init(connection: SQLiteConnection, tables: [TableFacts]) {
        let names = Set(tables.map(\.name))
        self.connection = connection
        self.typing = ColumnTyping(isCoreData: names.isSuperset(of: ["Z_PRIMARYKEY", "Z_METADATA"]))
    }

    /// Returns the type of each column.
    func types(of table: TableFacts) throws(StoreError) -> [String: SQLType] {
        var types: [String: SQLType] = [:]
        for column in table.columns {
            let sample = ColumnTyping.Sample(values: column.isRowID(in: table) ? [] : try values(of: column, in: table))
            types[column.name] = typing.type(column.declaredType, sample)
        }
        return types
    }

    /// Returns at most 100 values that are not NULL, of the first 1000 rows, so that large tables take no longer.
    private func values(of column: ColumnFacts, in table: TableFacts) throws(StoreError) -> [SQLBinding] {
        let rows = "SELECT t0.\(column.name.quotedName) AS value FROM \(table.name.quotedName) t0 LIMIT 1000"
        let sql = "SELECT t1.value FROM (\(rows)) t1 WHERE t1.value IS NOT NULL LIMIT 100"
        return try connection.rows(of: SQLFragment(sql)).all().compactMap(\.first)
    }
}
