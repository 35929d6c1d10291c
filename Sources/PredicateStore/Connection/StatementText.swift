import CPredicateSQLite

/// The text of one or more statements, which are prepared one after another.
///
/// `DELETE FROM phone; DELETE FROM person;`
struct StatementText {
    private let text: ContiguousArray<CChar>
    private var offset = 0

    init(_ sql: String) {
        text = sql.utf8CString
    }

    /// Prepares the next statement, skipping white space and comments; nil after the last.
    ///
    /// `isPersistent` is for statements that are kept for repeated use.
    mutating func next(on handle: OpaquePointer, isPersistent: Bool = false) throws(StoreError) -> SQLiteStatement? {
        let end = text.count - 1
        while offset < end {
            let start = offset
            var statement: OpaquePointer?
            let result = prepare(handle, isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &statement)
            guard result == SQLITE_OK else {
                let sql = String(decoding: text[start..<offset].map { UInt8(bitPattern: $0) }, as: UTF8.self)
                throw StoreError(handle, statement: sql)
            }
            if let statement { return SQLiteStatement(statement) }
        }
        return nil
    }

    /// Prepares the statement at `offset` and moves `offset` past it (to the end if there is none).
    private mutating func prepare(_ handle: OpaquePointer, _ flags: UInt32, _ statement: inout OpaquePointer?) -> Int32
    {
        let start = offset
        let (result, next) = text.withUnsafeBufferPointer { bytes -> (Int32, Int) in
            guard let base = bytes.baseAddress else { return (SQLITE_MISUSE, start) }
            var tail: UnsafePointer<CChar>?
            let length = Int32(clamping: bytes.count - start)
            let result = sqlite3_prepare_v3(handle, base + start, length, flags, &statement, &tail)
            return (result, tail.map { $0 - base } ?? start)
        }
        // SQLite stops at U+0000 in the text; the rest is ignored.
        offset = next > start ? next : text.count - 1
        return result
    }
}
