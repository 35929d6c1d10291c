import Foundation
import PredicateSQL
import PredicateStore

/// Statements on rows of a store, which changes, migrations and exports have in common.
extension SQLText {
    /// `INSERT INTO "ZITEM" ("Z_PK", "ZTITLE") VALUES (?1, ?2)`; the rows are `VALUES (…)` or a query.
    static func insert(
        into table: SQLText, _ columns: [String], _ rows: SQLText, ignoringDuplicates: Bool = false
    ) -> SQLText {
        let verb: SQLText = ignoringDuplicates ? "INSERT OR IGNORE" : "INSERT"
        return "\(verb) INTO \(table) (\(names(columns))) \(rows)"
    }

    /// `VALUES (?1, ?2)`
    static func values(_ values: [SQLBinding]) -> SQLText {
        "VALUES (\(joined(values.map { "\(bind: $0)" }, by: ", ")))"
    }

    /// `"ZTITLE" = ?1`
    static func assignment(_ column: String, _ value: SQLBinding) -> SQLText { "\(name: column) = \(bind: value)" }

    /// `UPDATE "ZITEM" SET "ZTITLE" = ?1, "Z_OPT" = …`; a condition follows.
    static func update(_ table: SQLText, _ assignments: [SQLText]) -> SQLText {
        "UPDATE \(table) SET \(joined(assignments, by: ", "))"
    }

    /// The assignment that increments the version of a row.
    static let incrementedVersion = incremented("Z_OPT")

    /// `(SELECT value FROM json_each(?1))`: keys as one binding.
    static func keys(_ keys: [Int64]) -> SQLText {
        "(SELECT value FROM json_each(\(bind: .text("[\(keys.map(String.init).joined(separator: ","))]"))))"
    }
}

extension StoreConnection {
    /// The integer in the first column of the first row; 0 if there is none.
    func number(_ query: SQLText) throws(CoreDataError) -> Int64 { try numbers(query).first ?? 0 }

    /// The integers of the first row.
    func numbers(_ query: SQLText) throws(CoreDataError) -> [Int64] {
        try storing { () throws(StoreError) in
            try rows(of: SQLFragment(query)).next()?.map { $0.number ?? 0 } ?? []
        }
    }

    /// Replaces the names of external files in a column with the data of the files, in rows that satisfy a condition.
    func embedExternalData(
        in column: String, of table: SQLText, where condition: SQLText, from folder: String
    ) throws(CoreDataError) {
        let query: SQLText = """
            SELECT Z_PK, \(name: column) FROM \(table) WHERE \(condition) AND substr(\(name: column), 1, 1) = x'02'
            """
        for row in try storing({ () throws(StoreError) in try rows(of: SQLFragment(query)).all() }) {
            guard case .blob(let stored) = row[1] else { continue }
            let value = ExternalData.value(of: .data(stored), in: folder)
            guard value != .data(stored) else { continue }
            let update = SQLText.update(table, [.assignment(column, SQLType.data.binding(of: value) ?? .null)])
            try runMigrating(SQLFragment("\(update) WHERE Z_PK = \(bind: row[0])"))
        }
    }
}
