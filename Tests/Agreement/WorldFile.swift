import Foundation
import PredicateSQL
import PredicateStore

/// A SQLite file with the tables and rows of a world, which is removed with this object.
package final class WorldFile: AgreementDatabase {
    package let connection: StoreConnection
    package let path: String

    package init(_ world: AgreementWorld) throws {
        path = NSTemporaryDirectory() + "/predicates-agreement-\(UUID().uuidString).sqlite"
        connection = try StoreConnection(path, SQLiteOptions(.create))
        try connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN")
        for table in WorldTables(world, EngineTraits.sqlite).all { try write(table) }
        for entity in world.schema.entities.values { try createIndexes(entity) }
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
        for row in table.rows { try connection.run(SQLFragment(verbatim: sql, bindings: row)) }
    }

    /// Creates the indexes that the schema tells of, so that conditions search them.
    private func createIndexes(_ entity: SQLEntity) throws {
        for (key, attribute) in entity.attributes {
            for function in attribute.indexedFolds.compactMap({ SQLFunction(folding: $0) }) {
                let name = "\(function.name) of \(entity.table) \(attribute.column ?? key)"
                let term = "\(function.name)(\((attribute.column ?? key).quoted))"
                try connection.execute("CREATE INDEX \(name.quoted) ON \(entity.table.quoted) (\(term))")
            }
        }
    }

    package func keys(selectedBy statements: [AgreementStatement]) -> [Result<[SQLBinding], AgreementError>] {
        statements.map { statement in
            do throws(StoreError) {
                return .success(try firstColumn(of: statement.fragment))
            } catch {
                return .failure(AgreementError(error))
            }
        }
    }

    package func outcomes(of changes: [AgreementChange]) -> [Result<AgreementChange.Outcome, AgreementError>] {
        changes.map { change in
            do throws(StoreError) {
                try connection.execute("BEGIN")
                defer { try? connection.execute("ROLLBACK") }
                let before = try firstColumn(of: Self.changeCount).first
                let keys = try firstColumn(of: change.statement.fragment)
                let count = Self.difference(try firstColumn(of: Self.changeCount).first, before)
                let rest = try firstColumn(of: change.then.fragment)
                return .success(AgreementChange.Outcome(count: count, keys: keys, rest: rest))
            } catch {
                return .failure(AgreementError(error))
            }
        }
    }

    private static let changeCount = SQLFragment("SELECT total_changes()")

    private static func difference(_ after: SQLBinding?, _ before: SQLBinding?) -> Int {
        guard case .integer(let after)? = after, case .integer(let before)? = before else { return 0 }
        return Int(after - before)
    }

    private func firstColumn(of fragment: SQLFragment) throws(StoreError) -> [SQLBinding] {
        try connection.rows(of: fragment).all().compactMap(\.first)
    }
}

extension AgreementError {
    /// The error of SQLite; one that may come from a row is an invalid pattern, or a sum that overflows.
    fileprivate init(_ error: StoreError) {
        var isOfARow = error.message == "integer overflow"
        if case .evaluation = error.code { isOfARow = true }
        self.init("\(error)", isOfARow: isOfARow)
    }
}
