internal import PredicateSQL
import PredicateSQLite

/// Reads what `ANALYZE` has counted: the rows of tables and the values of indexed columns, with the least and the greatest.
struct StatisticsReader {
    let connection: StoreConnection

    /// The schema with the sizes that are known; the same schema if the file was never analyzed.
    func schema(_ schema: SQLSchema) throws(StoreError) -> SQLSchema {
        let exists: SQLText = "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'"
        guard try !connection.rows(of: SQLFragment(exists)).all().isEmpty else { return schema }
        let sql: SQLText = """
            SELECT s.tbl, s.stat, i.name FROM sqlite_stat1 AS s LEFT JOIN pragma_index_info(s.idx) AS i ON i.seqno = 0
            """
        var counted = schema
        for row in try connection.rows(of: SQLFragment(sql)).all() {
            // The number of rows, then for each column of an index the average number of rows with equal values.
            let counts = row.text(1)?.split(separator: " ").compactMap { Int($0) } ?? []
            guard let table = row.text(0), let rows = counts.first else { continue }
            for (name, entity) in schema.entities where entity.table == table && entity.schema == nil {
                counted[name]?.rowCount = rows
                guard let column = row.text(2), counts.count > 1, counts[1] > 0 else { continue }
                for (key, attribute) in entity.attributes where attribute.column ?? key == column {
                    counted[name]?.attributes[key]?.valueCount = max(rows / counts[1], 1)
                    counted[name]?.attributes[key]?.valueRange = try range(of: column, in: table, attribute.type)
                }
            }
        }
        return counted
    }

    /// Returns the least and the greatest value, which are the ends of an index.
    private func range(
        of column: String, in table: String, _ type: SQLType
    ) throws(StoreError) -> ClosedRange<Double>? {
        let (column, rows): (SQLText, SQLText) = (
            "\(name: column)", "FROM \(name: table) WHERE \(name: column) IS NOT NULL"
        )
        let sql: SQLText = "SELECT (SELECT min(\(column)) \(rows)), (SELECT max(\(column)) \(rows))"
        let row = try connection.rows(of: SQLFragment(sql)).all().first ?? []
        let ends = row.compactMap { $0.position(in: type) }
        return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
    }
}

extension SQLBinding {
    /// The number that the value of a column is, or for a date its seconds since 2001; nil for any other value.
    fileprivate func position(in type: SQLType) -> Double? {
        switch (type, self) {
        case (.date(.since1970), .integer(let value)): Double(value) - 978_307_200
        case (.date(.since1970), .double(let value)): value - 978_307_200
        case (.date, .text(let text)): StoredText.date(text)?.timeIntervalSinceReferenceDate
        case (_, .integer(let value)): Double(value)
        case (_, .double(let value)): value
        case (_, .null), (_, .boolean), (_, .text), (_, .blob): nil
        }
    }
}
