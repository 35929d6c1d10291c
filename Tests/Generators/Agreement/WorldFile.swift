import Foundation
import PredicateSQL
import PredicateStore

/// A SQLite file with the tables and rows of a world, which is removed with this object.
package final class WorldFile: AgreementDatabase {
    package let connection: SQLiteConnection
    package let path: String

    package init(_ world: AgreementWorld) throws {
        path = NSTemporaryDirectory() + "/predicates-agreement-\(UUID().uuidString).sqlite"
        connection = try SQLiteConnection(path, SQLiteOptions(.create))
        try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
        for table in WorldTables(world, EngineTraits.sqlite).all { try write(table) }
        try connection.execute("COMMIT")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    private func write(_ table: WorldTable) throws {
        let names = table.columns.map(\.name.quoted)
        let declared = zip(names, table.columns).map { "\($0) \($1.declaration)" }.joined(separator: ", ")
        try connection.execute("CREATE TABLE \(table.name.quoted) (\(declared))")
        let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let sql = "INSERT INTO \(table.name.quoted) (\(names.joined(separator: ", "))) VALUES (\(places))"
        for row in table.rows { try connection.run(SQLFragment(sql, bindings: row)) }
    }

    package func keys(selectedBy statements: [AgreementStatement]) -> [Result<[SQLBinding], AgreementError>] {
        statements.map { statement in
            do throws(StoreError) {
                return .success(try connection.rows(of: statement.fragment).all().compactMap(\.first))
            } catch {
                return .failure(AgreementError("\(error)", isOfARow: error.isOfARow))
            }
        }
    }
}

extension StoreError {
    /// True if the error may come from a row: an invalid pattern, a sum that overflows.
    fileprivate var isOfARow: Bool {
        if case .evaluation = code { true } else { message == "integer overflow" }
    }
}
