import CPredicateSQLite
import Foundation
import PredicateSQL
import PredicateSQLite

/// A prepared statement, used under the lock of its connection.
///
/// A pointer alone, so that nothing is counted for a row.
struct SQLiteStatement {
    let pointer: OpaquePointer

    /// The text from which it was prepared, up to its semicolon.
    var sql: String { sqlite3_sql(pointer).map { String(cString: $0) } ?? "" }

    /// Wraps a prepared statement.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Prepares one statement for repeated use. Throws `expectedOneStatement` for an empty text or several statements.
    init(_ sql: String, on handle: OpaquePointer) throws(StoreError) {
        var text = StatementText(sql)
        guard let first = try text.next(on: handle, isPersistent: true) else {
            throw StoreError(.expectedOneStatement, statement: sql)
        }
        do throws(StoreError) {
            if let second = try text.next(on: handle) {
                second.finalize()
                throw StoreError(.expectedOneStatement, statement: sql)
            }
        } catch {
            first.finalize()
            throw error
        }
        self.init(first.pointer)
    }

    /// Binds values to the parameters.
    func bind(_ bindings: [SQLBinding]) throws(StoreError) {
        let expected = Int(sqlite3_bind_parameter_count(pointer))
        guard expected == bindings.count else {
            throw StoreError(.bindingCount(expected: expected, found: bindings.count), statement: sql)
        }
        var position: Int32 = 0
        for binding in bindings {
            position += 1
            guard bind(binding, at: position) == SQLITE_OK else { throw bindingError }
        }
    }

    private func bind(_ binding: SQLBinding, at position: Int32) -> Int32 {
        switch binding {
        case .null: return sqlite3_bind_null(pointer, position)
        case .integer(let value): return sqlite3_bind_int64(pointer, position, value)
        case .double(let value): return sqlite3_bind_double(pointer, position, value)
        case .boolean(let value): return sqlite3_bind_int64(pointer, position, value ? 1 : 0)
        case .text(var value): return value.withUTF8 { bindText($0, at: position) }
        case .blob(let value): return value.withUnsafeBytes { bindBlob($0, at: position) }
        }
    }

    /// Binds a text; an empty one has no base address, which SQLite would take for NULL.
    private func bindText(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int32) -> Int32 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_text(pointer, position, "", 0, nil)
        }
        return bytes.withMemoryRebound(to: CChar.self) { _ in
            sqlite3_bind_text64(
                pointer, position, UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self),
                sqlite3_uint64(bytes.count), transientMemory, UInt8(SQLITE_UTF8))
        }
    }

    private func bindBlob(_ bytes: UnsafeRawBufferPointer, at position: Int32) -> Int32 {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(pointer, position, 0) }
        return sqlite3_bind_blob64(pointer, position, start, sqlite3_uint64(bytes.count), transientMemory)
    }

    private var bindingError: StoreError {
        let handle = sqlite3_db_handle(pointer)
        guard let handle else { return StoreError(.sqlite(.misuse, extended: SQLITE_MISUSE), statement: sql) }
        let error = StoreError(handle, statement: sql)
        guard case .sqlite(.tooBig, _) = error.code else { return error }
        let limit = Int(sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1))
        return StoreError(.valueTooLarge(limit: limit), message: error.message, statement: sql)
    }

    /// Advances to the next row; returns false after the last. The fault is asked for when the statement has failed.
    @inline(__always)
    func step(_ fault: @autoclosure () -> FunctionFault) throws(StoreError) -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure(fault())
        }
    }

    @inline(never)
    private func failure(_ fault: FunctionFault) -> StoreError {
        if let error = fault.take() { return StoreError(StoreError.Code(error), statement: sql) }
        guard let handle = sqlite3_db_handle(pointer) else {
            return StoreError(.sqlite(.misuse, extended: SQLITE_MISUSE), statement: sql)
        }
        return StoreError(handle, statement: sql)
    }

    /// Resets the statement and clears its bindings.
    func reset() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    func finalize() {
        sqlite3_finalize(pointer)
    }
}
