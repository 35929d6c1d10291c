import CSQLite
import Foundation
import PredicateSQL

/// Access to the columns of the current row. A column index out of range reads as NULL.
extension SQLiteStatement {
    var columnCount: Int { Int(sqlite3_column_count(pointer)) }

    func columnName(_ column: Int) -> String {
        sqlite3_column_name(pointer, Int32(clamping: column)).map { String(cString: $0) } ?? ""
    }

    /// The storage class of a column's value.
    func storage(_ column: Int) -> StorageClass {
        StorageClass(code: sqlite3_column_type(pointer, Int32(clamping: column)))
    }

    func integer(_ column: Int) -> Int64 {
        sqlite3_column_int64(pointer, Int32(clamping: column))
    }

    func double(_ column: Int) -> Double {
        sqlite3_column_double(pointer, Int32(clamping: column))
    }

    /// The text of a column; invalid UTF-8 is replaced.
    func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(pointer, Int32(clamping: column)) else { return "" }
        let count = Int(sqlite3_column_bytes(pointer, Int32(clamping: column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The bytes of a text, until the next step.
    func textBytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
        guard let start = sqlite3_column_text(pointer, Int32(clamping: column)) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, Int32(clamping: column))))
    }

    func blob(_ column: Int) -> Data {
        guard let start = sqlite3_column_blob(pointer, Int32(clamping: column)) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(pointer, Int32(clamping: column))))
    }

    /// The value of a column by its storage class.
    func value(_ column: Int) -> SQLBinding {
        switch storage(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .double: .double(double(column))
        case .text: .text(text(column))
        case .blob: .blob(blob(column))
        }
    }

    /// The whole row.
    var row: [SQLBinding] {
        (0..<columnCount).map(value)
    }
}

/// The storage class of a value, which is independent of the declared type of the column.
enum StorageClass: Hashable, Sendable {
    case null
    case integer
    case double
    case text
    case blob

    init(code: Int32) {
        switch code {
        case SQLITE_INTEGER: self = .integer
        case SQLITE_FLOAT: self = .double
        case SQLITE_TEXT: self = .text
        case SQLITE_BLOB: self = .blob
        default: self = .null
        }
    }
}
