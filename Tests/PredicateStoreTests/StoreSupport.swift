import Foundation
import PredicateSQL
import PredicateStore
import Testing

/// A temporary directory for one test, removed on deallocation.
final class TemporaryDirectory: Sendable {
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

    /// Creates a database with a script.
    func database(_ name: String = "store.sqlite", _ script: String = "") throws -> StoreConnection {
        let connection = try StoreConnection(file(name), SQLiteOptions(.create))
        try connection.execute(script)
        return connection
    }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}

/// Runs a function and returns its error.
func storeError(_ work: () throws -> Void) -> StoreError? {
    do {
        try work()
        return nil
    } catch {
        return error as? StoreError
    }
}

extension StoreError {
    /// The primary result code of an error that SQLite reported.
    var result: SQLiteResult? {
        if case .sqlite(let result, _) = code { result } else { nil }
    }
}

extension StoreConnection {
    /// Returns the rows of a statement.
    func rows(_ sql: String, _ bindings: SQLBinding...) throws -> [[SQLBinding]] {
        try rows(of: SQLFragment(verbatim: sql, bindings: bindings)).all()
    }

    /// Returns the first column of the first row.
    func value(_ sql: String, _ bindings: SQLBinding...) throws -> SQLBinding? {
        try rows(of: SQLFragment(verbatim: sql, bindings: bindings)).next()?.first
    }
}
