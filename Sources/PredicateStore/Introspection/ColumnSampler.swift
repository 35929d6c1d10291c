import PredicateSQL

/// Samples values of columns, since SQLite allows values of any storage class in a column of any declared type.
struct ColumnSampler {
    private let connection: SQLiteConnection
    private let typing: ColumnTyping

    /// A column as its declared type and its sample say.
    struct Column {
        let type: SQLType
        /// A text of a column that is declared as one of UUIDs and is not; nil for all others.
        var looseUUID: String?
    }

    /// A sampler for the tables of one file; a Core Data store has two tables of known names.
    init(connection: SQLiteConnection, tables: [TableFacts]) {
        let names = Set(tables.map(\.name))
        self.connection = connection
        self.typing = ColumnTyping(isCoreData: names.isSuperset(of: ["Z_PRIMARYKEY", "Z_METADATA"]))
    }

    /// Returns the columns of a table by name.
    func columns(of table: TableFacts) throws(StoreError) -> [String: Column] {
        switch table.kind {
        case .table, .shadow: try storedColumns(of: table)
        case .view, .virtual: computedColumns(of: table)
        }
    }

    private func column(_ facts: ColumnFacts, _ sample: ColumnTyping.Sample, isStrict: Bool = false) -> Column {
        let type = typing.type(facts.declaredType, sample, isStrict: isStrict)
        return Column(type: type, looseUUID: type == .string ? typing.looseUUID(facts.declaredType, sample) : nil)
    }

    // MARK: - Tables

    private func storedColumns(of table: TableFacts) throws(StoreError) -> [String: Column] {
        var columns: [String: Column] = [:]
        for facts in table.columns {
            let values = facts.isRowID(in: table) ? [] : try values(of: facts, in: table)
            columns[facts.name] = column(facts, ColumnTyping.Sample(values: values), isStrict: table.isStrict)
        }
        return columns
    }

    private static let sampledRows = 1000
    private static let sampledValues = 100

    /// Returns at most 100 values that are not NULL, of the first 1000 rows, so that large tables take no longer.
    private func values(of column: ColumnFacts, in table: TableFacts) throws(StoreError) -> [SQLBinding] {
        let rows = "SELECT t0.\(column.name.quotedName) AS value FROM \(table.name.quotedName) t0"
        let sql = """
            SELECT t1.value FROM (\(rows) LIMIT \(Self.sampledRows)) t1 WHERE t1.value IS NOT NULL \
            LIMIT \(Self.sampledValues)
            """
        return try connection.rows(of: SQLFragment(sql)).all().compactMap(\.first)
    }

    // MARK: - Views and virtual tables

    /// The steps of SQLite's virtual machine that the sample of a view may take: some hundredths of a second.
    private static let steps: Int32 = 4_000_000

    /// Reads all columns at once. Where a view takes long or fails, its columns are as they are declared, and all others
    /// have values of any kind.
    private func computedColumns(of table: TableFacts) -> [String: Column] {
        guard let rows = try? rows(of: table) else {
            return Dictionary(uniqueKeysWithValues: table.columns.map { ($0.name, Column(type: typing.type(of: $0))) })
        }
        var columns: [String: Column] = [:]
        for (index, facts) in table.columns.enumerated() {
            let values = rows.lazy.compactMap { row in row.indices.contains(index) ? row[index] : nil }
            let sample = ColumnTyping.Sample(values: Array(values.filter { $0 != .null }.prefix(Self.sampledValues)))
            // The columns of a full-text index have no declared type.
            let isText = table.kind == .virtual && sample.values.isEmpty && facts.declaredType.isEmpty
            columns[facts.name] = isText ? Column(type: .string) : column(facts, sample)
        }
        return columns
    }

    private func rows(of table: TableFacts) throws(StoreError) -> [[SQLBinding]] {
        let names = table.columns.map { "t0.\($0.name.quotedName)" }.joined(separator: ", ")
        let sql = "SELECT \(names) FROM \(table.name.quotedName) AS t0 LIMIT \(Self.sampledRows)"
        return try connection.limitingSteps(to: Self.steps) { () throws(StoreError) in
            try connection.rows(of: SQLFragment(sql)).all()
        }
    }
}
