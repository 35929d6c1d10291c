import CPredicateSQLite
import PredicateSQLite

/// A value of a row, by its storage class. Strings and blobs are valid until the next row.
package enum RawCell {
    case null
    case integer(Int64)
    case double(Double)
    /// The bytes of a TEXT value, which SQLite does not guarantee to be valid UTF-8.
    case text(UnsafeBufferPointer<UInt8>)
    case blob(UnsafeBufferPointer<UInt8>)
}

/// Rows read in place, for queries over millions of rows: no value is copied.
extension SQLiteRows {
    /// Advances to the next row, whose values ``cell(_:)`` returns; returns false after the last.
    ///
    /// No other task may use the connection meanwhile.
    package func advance() throws(StoreError) -> Bool { try next { _ in true } ?? false }

    /// The value of a column of the current row.
    package func cell(_ column: Int) -> RawCell { current?.rawCell(column) ?? .null }
}

extension SQLiteStatement {
    fileprivate func rawCell(_ column: Int) -> RawCell {
        let cell = cell(column)
        switch cell.storage {
        case .null: return .null
        case .integer: return .integer(cell.integer)
        case .double: return .double(cell.double)
        case .text: return .text(cell.bytes)
        case .blob: return .blob(cell.blobBytes.bindMemory(to: UInt8.self))
        }
    }
}

/// Values that are bound in place, for statements that run millions of times.
extension RepeatedStatement {
    /// Binds a value to a placeholder; the first is number 1. Unless `copies`, its bytes must be valid until ``run()``.
    package func bind(_ cell: RawCell, at position: Int, copies: Bool = false) throws(StoreError) {
        let owner = copies ? transientMemory : nil
        guard statement.bind(cell, at: Int32(clamping: position), owner) == SQLITE_OK else {
            throw statement.bindingError
        }
    }

    /// Runs the statement with the bound values, to its end.
    package func run() throws(StoreError) {
        try connection.withLock { () throws(StoreError) in
            defer { sqlite3_reset(statement.pointer) }
            var steps = 0
            while try connection.step(statement, &steps) {}
        }
    }
}

extension SQLiteStatement {
    fileprivate func bind(
        _ cell: RawCell, at position: Int32, _ owner: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    ) -> Int32 {
        switch cell {
        case .null: sqlite3_bind_null(pointer, position)
        case .integer(let value): sqlite3_bind_int64(pointer, position, value)
        case .double(let value): sqlite3_bind_double(pointer, position, value)
        case .text(let bytes):
            StatementParameter(position, of: pointer).bind(text: UnsafeRawBufferPointer(bytes), owner)
        case .blob(let bytes):
            StatementParameter(position, of: pointer).bind(blob: UnsafeRawBufferPointer(bytes), owner)
        }
    }
}
