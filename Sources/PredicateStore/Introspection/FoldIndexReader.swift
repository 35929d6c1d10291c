import PredicateSQL
import PredicateSyntax

/// Finds the indexes of a file that have a column folded for `[c]`, `[d]` or `[cd]`.
///
/// `CREATE INDEX i ON person (predicates2_fold_cd(name))`
struct FoldIndexReader {
    let connection: SQLiteConnection

    /// The schema with the folds that the file has an index of.
    func schema(_ schema: SQLSchema) throws(StoreError) -> SQLSchema {
        let indexes = try indexes()
        return SQLSchema(schema.entities.values.map { entity in entity.indexed(by: indexes, self) })
    }

    /// An index that names a fold of the current version.
    struct Index {
        let name: String
        let table: String
    }

    private func indexes() throws(StoreError) -> [Index] {
        let functions = SQLFunction.foldCase.name.dropLast()
        let sql = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' AND instr(lower(sql), ?1) > 0"
        return try connection.rows(of: SQLFragment(sql, bindings: [.text(String(functions))])).all().compactMap { row in
            guard let name = row.text(0), let table = row.text(1) else { return nil }
            return Index(name: name, table: table)
        }
    }

    /// True if SQLite looks the folded column up in the index: it need not be one of ours, but must begin with that term and
    /// have all rows. If it does not, SQLite refuses to prepare the statement, or scans the index.
    fileprivate func serves(_ index: Index, _ column: String, _ function: SQLFunction) -> Bool {
        let table = index.table.quotedName
        let sql = """
            EXPLAIN QUERY PLAN SELECT 1 FROM \(table) INDEXED BY \(index.name.quotedName) \
            WHERE \(function.name)(\(table).\(column.quotedName)) = ?1
            """
        let plan = try? connection.rows(of: SQLFragment(sql, bindings: [.text("")])).all().compactMap { $0.text(3) }
        return plan?.contains { $0.hasPrefix("SEARCH") && $0.contains("(<expr>=?") } ?? false
    }
}

extension SQLEntity {
    fileprivate func indexed(by indexes: [FoldIndexReader.Index], _ reader: FoldIndexReader) -> SQLEntity {
        let indexes = indexes.filter { $0.table.lowercased() == table.lowercased() }
        var entity = self
        for (key, attribute) in attributes where attribute.type == .string {
            let folds = ComparisonOptions.foldModes.filter { fold in
                guard let function = SQLFunction(folding: fold) else { return false }
                return indexes.contains { reader.serves($0, attribute.column ?? key, function) }
            }
            entity.attributes[key]?.indexedFolds = Set(folds)
        }
        return entity
    }
}
