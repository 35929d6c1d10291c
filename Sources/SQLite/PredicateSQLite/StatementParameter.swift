internal import CPredicateSQLite
internal import Foundation
package import PredicateSQL

/// A parameter of a prepared statement. Binding a value returns SQLite's result code.
package struct StatementParameter {
    private let statement: OpaquePointer
    private let position: Int32

    /// Creates the parameter at a position, from 1.
    package init(_ position: Int32, of statement: OpaquePointer) {
        (self.statement, self.position) = (statement, position)
    }

    /// Binds a copy of a value.
    package func bind(_ value: SQLBinding) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, position)
        case .integer(let value): sqlite3_bind_int64(statement, position, value)
        case .double(let value): sqlite3_bind_double(statement, position, value)
        case .boolean(let value): sqlite3_bind_int64(statement, position, value ? 1 : 0)
        case .text(var value): value.withUTF8 { bind(text: UnsafeRawBufferPointer($0)) }
        case .blob(let value): value.withUnsafeBytes { bind(blob: $0) }
        }
    }

    /// Binds the UTF-8 of a string. An empty buffer has no base address, which SQLite would take as NULL.
    private func bind(text bytes: UnsafeRawBufferPointer) -> Int32 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_text(statement, position, "", 0, nil)
        }
        return sqlite3_bind_text64(
            statement, position, start.assumingMemoryBound(to: CChar.self), sqlite3_uint64(bytes.count),
            transientMemory, UInt8(SQLITE_UTF8))
    }

    private func bind(blob bytes: UnsafeRawBufferPointer) -> Int32 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_zeroblob(statement, position, 0)
        }
        return sqlite3_bind_blob64(statement, position, start, sqlite3_uint64(bytes.count), transientMemory)
    }
}
