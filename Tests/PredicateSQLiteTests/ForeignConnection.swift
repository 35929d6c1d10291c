import CPredicateSQLite
import Foundation
import PredicateSQL

/// A connection that SQLite's own functions open, as any other client's.
final class ForeignConnection {
    let handle: OpaquePointer

    struct Failure: Error, Equatable {
        var message: String
    }

    init() throws {
        var handle: OpaquePointer?
        guard sqlite3_open(":memory:", &handle) == SQLITE_OK, let handle else { throw Failure(message: "no memory") }
        self.handle = handle
    }

    deinit {
        sqlite3_close(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    /// The integers of the first column.
    func integers(_ statement: SQLFragment) throws -> [Int64] {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(handle, statement.text, -1, &prepared, nil) == SQLITE_OK else { throw failure }
        defer { sqlite3_finalize(prepared) }
        for (index, binding) in statement.bindings.enumerated() { bind(binding, Int32(index + 1), prepared) }
        var found: [Int64] = []
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: found.append(sqlite3_column_int64(prepared, 0))
            case SQLITE_DONE: return found
            default: throw failure
            }
        }
    }

    private func bind(_ binding: SQLBinding, _ position: Int32, _ statement: OpaquePointer?) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch binding {
        case .null: sqlite3_bind_null(statement, position)
        case .integer(let value): sqlite3_bind_int64(statement, position, value)
        case .double(let value): sqlite3_bind_double(statement, position, value)
        case .boolean(let value): sqlite3_bind_int64(statement, position, value ? 1 : 0)
        case .text(let text): sqlite3_bind_text(statement, position, text, Int32(text.utf8.count), transient)
        case .blob(let data):
            _ = data.withUnsafeBytes {
                sqlite3_bind_blob(statement, position, $0.baseAddress, Int32($0.count), transient)
            }
        }
    }

    private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(handle))) }
}
