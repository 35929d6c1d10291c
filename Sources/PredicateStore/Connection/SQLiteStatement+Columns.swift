import CPredicateSQLite
import Foundation
import PredicateSQL
import PredicateSQLite

/// Access to the columns of the current row. A column index out of range reads as NULL.
extension SQLiteStatement {
    var columnCount: Int { Int(sqlite3_column_count(pointer)) }

    func columnName(_ column: Int) -> String {
        sqlite3_column_name(pointer, Int32(clamping: column)).map { String(cString: $0) } ?? ""
    }

    /// The value of a column.
    @inline(__always)
    func cell(_ column: Int) -> SQLiteCell { SQLiteCell(sqlite3_column_value(pointer, Int32(clamping: column))) }

    /// The value of a column by its storage class.
    func value(_ column: Int) -> SQLBinding { cell(column).binding }

    /// The whole row.
    var row: [SQLBinding] {
        (0..<columnCount).map(value)
    }
}

/// The value of a column in the current row, looked up once for all that is asked of it; valid until the next step.
///
/// The connection serializes its calls itself, so that SQLite needs no protected copy of the value.
struct SQLiteCell {
    private let value: OpaquePointer?

    @inline(__always)
    init(_ value: OpaquePointer?) {
        self.value = value
    }

    var storage: StorageClass { StorageClass(code: sqlite3_value_type(value)) }

    var integer: Int64 { sqlite3_value_int64(value) }

    var double: Double { sqlite3_value_double(value) }

    /// The text; invalid UTF-8 is replaced.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes of a text, which SQLite does not promise to be UTF-8.
    var bytes: UnsafeBufferPointer<UInt8> {
        guard let start = sqlite3_value_text(value) else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    var blob: Data {
        guard let start = sqlite3_value_blob(value) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// The value by its storage class.
    var binding: SQLBinding {
        switch storage {
        case .null: .null
        case .integer: .integer(integer)
        case .double: .double(double)
        case .text: .text(text)
        case .blob: .blob(blob)
        }
    }
}
