import CSQLite

/// The text of one or more statements, prepared one after another.
///
/// `DELETE FROM phone; DELETE FROM person;`
struct StatementText {
    private let text: ContiguousArray<CChar>
    private var offset = 0

    init(_ sql: String) {
        text = sql.utf8CString
    }

    /// The next statement, nil after the last: white space and comments are no statements.
    ///
    /// `isKept` says that it will be used often.
    mutating func next(on handle: OpaquePointer, isKept: Bool = false) throws(StoreError) -> SQLiteStatement? {
        let end = text.count - 1
        while offset < end {
            let start = offset
            var statement: OpaquePointer?
            let result = prepare(handle, isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &statement)
            let sql = String(decoding: text[start..<offset].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard result == SQLITE_OK else { throw StoreError(handle, sql: sql) }
            if let statement { return SQLiteStatement(statement, sql) }
        }
        return nil
    }

    /// Prepares what stands at the offset and moves that behind it, to the end where it is none.
    private mutating func prepare(_ handle: OpaquePointer, _ flags: UInt32, _ statement: inout OpaquePointer?) -> Int32
    {
        let start = offset
        let (result, next) = text.withUnsafeBufferPointer { bytes -> (Int32, Int) in
            guard let base = bytes.baseAddress else { return (SQLITE_MISUSE, start) }
            var tail: UnsafePointer<CChar>?
            let room = Int32(clamping: bytes.count - start)
            let result = sqlite3_prepare_v3(handle, base + start, room, flags, &statement, &tail)
            return (result, tail.map { $0 - base } ?? start)
        }
        // At a zero inside the text SQLite stops; what stands behind it would be no statement.
        offset = next > start ? next : text.count - 1
        return result
    }
}
