internal import PredicateSQL
import PredicateSQLite

/// Reads what `ANALYZE` has counted: the rows of tables and the values of indexed columns, with the least and the greatest.
struct StatisticsReader {
    let connection: StoreConnection

    /// The schema with the sizes that are known; the same schema if the file was never analyzed, or if what it has counted
    /// cannot be read: anything can be written to that table.
    func schema(_ schema: SQLSchema) throws(StoreError) -> SQLSchema {
        do {
            return try counted(schema)
        } catch {
            if case .sqlite(.interrupted, _) = error.code { throw error }
            return schema
        }
    }

    private func counted(_ schema: SQLSchema) throws(StoreError) -> SQLSchema {
        var counted = schema
        var ranged: Set<[String]> = []
        for row in try statistics() {
            // The number of rows, then for each column of an index the average number of rows with equal values.
            let words = row.text(1)?.split(separator: " ") ?? []
            let counts = words.compactMap { Int($0) }
            guard let table = row.text(0), let rows = counts.first, rows >= 0 else { continue }
            for (name, entity) in schema.entities where entity.table == table && entity.schema == nil {
                counted[name]?.rowCount = rows
                guard let column = row.text(2), counts.count > 1, counts[1] > 0 else { continue }
                for (key, attribute) in entity.attributes where attribute.column ?? key == column {
                    counted[name]?.attributes[key]?.valueCount = max(rows / counts[1], 1)
                    // A word such as `unordered` keeps SQLite from reading the ends of the index.
                    guard row.integer(3) == 1, words.count == counts.count, attribute.type.isOrdered,
                        ranged.insert([name, key]).inserted
                    else { continue }
                    counted[name]?.attributes[key]?.valueRange = try range(of: column, in: table, attribute.type)
                }
            }
        }
        return counted
    }

    /// Returns the tables, the counts, and the first columns of the indexes of all rows, with 1 for an index under BINARY.
    private func statistics() throws(StoreError) -> [[SQLBinding]] {
        let exists: SQLText = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'sqlite_stat1'"
        guard try !connection.rows(of: SQLFragment(exists)).all().isEmpty else { return [] }
        let sql: SQLText = """
            SELECT DISTINCT s.tbl, s.stat, i.name, i.coll = 'BINARY' COLLATE NOCASE FROM sqlite_stat1 AS s \
            LEFT JOIN pragma_index_list(s.tbl) AS l ON l.name = s.idx \
            LEFT JOIN pragma_index_xinfo(l.name) AS i ON i.seqno = 0 \
            WHERE l.partial = 0 OR s.idx IS NULL OR s.idx = s.tbl LIMIT 10000
            """
        return try connection.rows(of: SQLFragment(sql)).all()
    }

    /// Returns the least and the greatest value, which are the ends of an index under BINARY.
    private func range(
        of column: String, in table: String, _ type: SQLType
    ) throws(StoreError) -> ClosedRange<Double>? {
        let value: SQLText = "\(name: column) COLLATE BINARY"
        let rows: SQLText = "FROM \(name: table)"
        let sql: SQLText = "SELECT (SELECT min(\(value)) \(rows)), (SELECT max(\(value)) \(rows))"
        let row = try connection.rows(of: SQLFragment(sql)).all().first ?? []
        let ends = row.compactMap { $0.position(in: type) }.filter(\.isFinite)
        return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
    }
}

extension SQLType {
    /// True if SQLite orders the values as numbers or dates; decimals are strings.
    fileprivate var isOrdered: Bool {
        switch self {
        case .integer, .double, .single, .date: true
        case .decimal, .boolean, .string, .paddedString, .uuid, .data, .any, .json, .array: false
        }
    }
}

extension SQLBinding {
    /// The number that the value of a column is, or for a date its seconds since 2001; nil for any other value.
    fileprivate func position(in type: SQLType) -> Double? {
        // A number among the strings of dates has no place in their order.
        if type == .date(.iso8601), !isText { return nil }
        switch type.value(of: self) {
        case .date(let date): return date.timeIntervalSinceReferenceDate
        case .integer(let value): return Double(value)
        case .double(let value): return value
        case .null, .nullObject, .bool, .decimal, .string, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            return nil
        }
    }

    private var isText: Bool { if case .text = self { true } else { false } }
}
