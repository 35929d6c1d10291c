import CPredicateSQLite
import Foundation
public import PredicateSQL
import PredicateSQLite

/// The rows of one query, read one at a time.
///
/// ```swift
/// let rows = try connection.rows(of: SQLFragment("SELECT name FROM person"))
/// while let row = try rows.next() { print(row) }
/// ```
///
/// Not for concurrent use. The connection is locked only while a row is read. Writes through the same connection
/// between two rows may or may not be visible; writes through another connection are not. The statement keeps a read
/// lock on the file until the last row is read or this object is deallocated.
public final class SQLiteRows {
    private let connection: StoreConnection
    private var statement: SQLiteStatement?
    /// The steps of the statement so far, if they are limited.
    private var steps = 0

    init(_ connection: StoreConnection, _ fragment: SQLFragment) throws(StoreError) {
        self.connection = connection
        statement = try connection.checkOut(fragment)
    }

    deinit {
        finish()
    }

    /// Returns the values of the next row by their storage classes, or nil after the last.
    ///
    /// Throws a ``StoreError`` if the file cannot be read; no rows follow an error.
    public func next() throws(StoreError) -> [SQLBinding]? {
        try next { $0.row }
    }

    /// Reads the next row with a closure; returns nil after the last.
    func next<Row>(_ read: (SQLiteStatement) throws(StoreError) -> Row) throws(StoreError) -> Row? {
        guard let statement else { return nil }
        return try connection.withLock { () throws(StoreError) -> Row? in
            do throws(StoreError) {
                if try connection.step(statement, &steps) { return try read(statement) }
            } catch {
                finish()
                throw error
            }
            finish()
            return nil
        }
    }

    /// The statement, until its last row.
    var current: SQLiteStatement? { statement }

    /// Returns the remaining rows.
    public func all() throws(StoreError) -> [[SQLBinding]] {
        var rows: [[SQLBinding]] = []
        while let row = try next() { rows.append(row) }
        return rows
    }

    /// Returns the statement to the cache; `next()` then returns nil.
    func finish() {
        guard let statement else { return }
        self.statement = nil
        connection.checkIn(statement)
    }
}

/// A prepared statement, used under the lock of its connection.
///
/// It holds only a pointer, so that reading a row does no reference counting.
struct SQLiteStatement {
    let pointer: OpaquePointer

    /// The SQL string of the statement, up to its semicolon.
    var sql: String { sqlite3_sql(pointer).map { String(cString: $0) } ?? "" }

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Prepares one statement for repeated use. Throws `notOneStatement` for an empty string or several statements.
    init(_ sql: String, on handle: OpaquePointer) throws(StoreError) {
        var text = StatementReader(sql)
        guard let first = try text.next(on: handle, isPersistent: true) else {
            throw StoreError(.notOneStatement, statement: sql)
        }
        do throws(StoreError) {
            if let second = try text.next(on: handle) {
                second.finalize()
                throw StoreError(.notOneStatement, statement: sql)
            }
        } catch {
            first.finalize()
            throw error
        }
        self.init(first.pointer)
    }

    func bind(_ bindings: [SQLBinding]) throws(StoreError) {
        let expected = Int(sqlite3_bind_parameter_count(pointer))
        guard expected == bindings.count else {
            throw StoreError(.bindingCount(expected: expected, found: bindings.count), statement: sql)
        }
        var position: Int32 = 0
        for binding in bindings {
            position += 1
            guard StatementParameter(position, of: pointer).bind(binding) == SQLITE_OK else { throw bindingError }
        }
    }

    private var bindingError: StoreError {
        let handle = sqlite3_db_handle(pointer)
        guard let handle else { return StoreError(.sqlite(.misuse, extended: SQLITE_MISUSE), statement: sql) }
        let error = StoreError(handle, statement: sql)
        guard case .sqlite(.tooBig, _) = error.code else { return error }
        let limit = Int(sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1))
        return StoreError(.valueTooLarge(limit: limit), message: error.message, statement: sql)
    }

    /// Advances to the next row; returns false after the last. `fault` is evaluated only if the statement fails.
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

    /// True if SQLite has prepared the statement again because the schema has changed; its tables may then be different ones.
    var isOutdated: Bool { sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0) > 0 }

    func reset() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    func finalize() {
        sqlite3_finalize(pointer)
    }
}

/// Access to the columns of the current row. A column index out of range reads as NULL.
extension SQLiteStatement {
    var columnCount: Int { Int(sqlite3_column_count(pointer)) }

    @inline(__always)
    func cell(_ column: Int) -> SQLiteCell { SQLiteCell(sqlite3_column_value(pointer, Int32(clamping: column))) }

    /// The value of a column, by its storage class.
    func value(_ column: Int) -> SQLBinding { cell(column).binding }

    /// The values of all columns.
    var row: [SQLBinding] {
        (0..<columnCount).map(value)
    }
}

/// The value of a column in the current row. It is looked up once and valid until the next step.
///
/// The connection serializes its calls, so SQLite's unprotected value can be used without a copy.
struct SQLiteCell {
    private let value: OpaquePointer?

    @inline(__always)
    init(_ value: OpaquePointer?) {
        self.value = value
    }

    var storage: StorageClass { StorageClass(code: sqlite3_value_type(value)) }

    var integer: Int64 { sqlite3_value_int64(value) }

    var double: Double { sqlite3_value_double(value) }

    /// The TEXT value as a string; invalid UTF-8 is replaced.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes of a TEXT value, which SQLite does not guarantee to be valid UTF-8.
    var bytes: UnsafeBufferPointer<UInt8> {
        guard let start = sqlite3_value_text(value) else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    var blob: Data { Data(blobBytes) }

    var blobBytes: UnsafeRawBufferPointer {
        guard let start = sqlite3_value_blob(value) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// The value, by its storage class.
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

/// A statement that is prepared once and run many times with different values; it returns at most one row.
///
/// Not for concurrent use. The statement returns to the cache when this object is deallocated.
package final class RepeatedStatement {
    private let connection: StoreConnection
    private let statement: SQLiteStatement

    /// Prepares a statement and binds its first values.
    package init(_ connection: StoreConnection, _ fragment: SQLFragment) throws(StoreError) {
        self.connection = connection
        statement = try connection.checkOut(fragment)
    }

    deinit {
        connection.checkIn(statement)
    }

    /// Runs the statement to its end and returns the first value of its row, if any.
    package func run(_ bindings: [SQLBinding]) throws(StoreError) -> SQLBinding? {
        try connection.withLock { () throws(StoreError) in
            defer { statement.reset() }
            connection.access.use(connection.cache.access(of: statement))
            try statement.bind(bindings)
            var steps = 0
            guard try connection.step(statement, &steps) else { return nil }
            let value = statement.value(0)
            while try connection.step(statement, &steps) {}
            return value
        }
    }
}

/// A cache of unused prepared statements, keyed by their SQL; evicts the least recently used one.
///
/// A statement in use is not in the cache: a second concurrent use of the same SQL prepares it again.
struct StatementCache {
    private struct CachedStatement {
        let statement: SQLiteStatement
        let lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [String: CachedStatement] = [:]
    /// The tables of all statements, including those in use.
    private var accesses: [OpaquePointer: StatementAccess] = [:]
    private var uses: UInt64 = 0

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// Removes and returns a statement; `put(_:)` returns it after use.
    mutating func take(_ sql: String) -> SQLiteStatement? {
        // Strings that are equal in Swift may be different SQL: a name with a precomposed accent, or with a combining one.
        guard let entry = entries[sql], entry.statement.sql.utf8.elementsEqual(sql.utf8) else { return nil }
        entries[sql] = nil
        return entry.statement
    }

    mutating func put(_ statement: SQLiteStatement) {
        statement.reset()
        guard capacity > 0, !statement.isOutdated else { return finalize(statement) }
        uses += 1
        let entry = CachedStatement(statement: statement, lastUse: uses)
        if let other = entries.updateValue(entry, forKey: statement.sql) { finalize(other.statement) }
        if entries.count > capacity { removeOldest() }
    }

    private mutating func removeOldest() {
        guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        entries[oldest.key] = nil
        finalize(oldest.value.statement)
    }

    mutating func removeAll() {
        for entry in entries.values { finalize(entry.statement) }
        entries.removeAll()
    }

    private mutating func finalize(_ statement: SQLiteStatement) {
        accesses[statement.pointer] = nil
        statement.finalize()
    }

    /// Keeps the tables of a new statement.
    mutating func note(_ access: StatementAccess, of statement: SQLiteStatement) {
        accesses[statement.pointer] = access
    }

    /// The tables that a statement reads and writes.
    func access(of statement: SQLiteStatement) -> StatementAccess { accesses[statement.pointer] ?? StatementAccess() }
}

/// A string with one or more statements, which are prepared one after another.
///
/// `DELETE FROM phone; DELETE FROM person;`
struct StatementReader {
    private let text: ContiguousArray<CChar>
    private var offset = 0

    init(_ sql: String) {
        text = sql.utf8CString
    }

    /// Prepares the next statement, skipping white space and comments; returns nil after the last.
    ///
    /// `isPersistent` is a hint that the statement will be kept for repeated use.
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

    /// Prepares the statement at `offset` and moves `offset` past it, or to the end if there is none.
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
        // SQLite stops at U+0000 in the string; the rest is ignored.
        offset = next > start ? next : text.count - 1
        return result
    }
}
