import CPredicateSQLite
import Foundation
import PredicateSQL
import PredicateSQLite
import PredicateSyntax

/// A SQLite file with the functions of this package, as a program that links it opens one.
final class SQLiteFile {
    private let path: String
    private lazy var handle = Result { try open() }

    init(_ path: String) {
        self.path = path
    }

    private func open() throws -> OpaquePointer {
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(path, &handle, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY, nil)
        guard let handle, result == SQLITE_OK else { throw SQLiteFailure("cannot open \(path)") }
        try SQLFunction.register(on: handle)
        return handle
    }

    /// Prepares and runs a statement; returns the time that it took, and the number in its first row.
    func time(_ statement: SQLFragment) throws -> PredicateValue {
        let clock = ContinuousClock()
        var value: Int64 = 0
        let duration = try clock.measure {
            try rows(of: statement) { value = sqlite3_column_int64($0, 0) }
        }
        return ["seconds": .double(duration / .seconds(1)), "value": .integer(value)]
    }

    /// Runs a statement, and a closure for each of its rows.
    func rows(of fragment: SQLFragment, _ body: (OpaquePointer) throws -> Void) throws {
        let handle = try self.handle.get()
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, fragment.text, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw SQLiteFailure(String(cString: sqlite3_errmsg(handle)))
        }
        defer { sqlite3_finalize(statement) }
        for (index, value) in fragment.bindings.enumerated() { bind(value, Int32(index + 1), statement) }
        var result = sqlite3_step(statement)
        while result == SQLITE_ROW {
            try body(statement)
            result = sqlite3_step(statement)
        }
        guard result == SQLITE_DONE else { throw SQLiteFailure(String(cString: sqlite3_errmsg(handle))) }
    }

    private func bind(_ value: SQLBinding, _ place: Int32, _ statement: OpaquePointer) {
        // The bytes are copied before they are gone.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        case .double(let number): sqlite3_bind_double(statement, place, number)
        case .boolean(let value): sqlite3_bind_int64(statement, place, value ? 1 : 0)
        case .text(let text): sqlite3_bind_text(statement, place, text, -1, copies)
        case .blob(let data):
            _ = data.withUnsafeBytes { sqlite3_bind_blob(statement, place, $0.baseAddress, Int32($0.count), copies) }
        default: sqlite3_bind_null(statement, place)
        }
    }
}

/// An error of SQLite.
struct SQLiteFailure: Error, CustomStringConvertible {
    let description: String

    init(_ message: String) {
        description = message
    }
}
