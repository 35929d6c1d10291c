import Foundation
import PredicateSQL
import PredicateStore
import Testing

/// A directory of its own for one test, gone when the test is over.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/predicates-store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String = "store.sqlite") -> String {
        path + "/" + name
    }

    /// A new database made by a script.
    func database(_ name: String = "store.sqlite", _ script: String = "") throws -> SQLiteConnection {
        let connection = try SQLiteConnection(file(name), SQLiteOptions(.create))
        try connection.execute(script)
        return connection
    }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}

/// The error that a piece of work ends in.
func storeError(_ work: () throws -> Void) -> StoreError? {
    do {
        try work()
        return nil
    } catch {
        return error as? StoreError
    }
}

extension StoreError {
    /// The kind of failure that SQLite reported, if it was SQLite.
    var result: SQLiteResult? {
        if case .sqlite(let result, _) = code { result } else { nil }
    }
}

extension SQLiteConnection {
    /// The rows of a statement without values.
    func rows(_ sql: String, _ bindings: SQLBinding...) throws -> [[SQLBinding]] {
        try rows(of: SQLFragment(sql, bindings: bindings)).all()
    }

    /// The first column of the first row.
    func value(_ sql: String, _ bindings: SQLBinding...) throws -> SQLBinding? {
        try rows(of: SQLFragment(sql, bindings: bindings)).next()?.first
    }
}
