public import PredicateSQL

/// The rows of one query, read one at a time.
///
/// ```swift
/// let rows = try connection.rows(of: SQLFragment("SELECT name FROM person"))
/// while let row = try rows.next() { print(row) }
/// ```
///
/// For one task. The connection is locked only while a row is read. Writes through the same connection between two rows
/// may or may not be visible; writes through another connection are not. Until the last row is read or this object is
/// deallocated, its statement keeps a read lock on the file.
public final class SQLiteRows {
    package let columnNames: [String]
    private let connection: SQLiteConnection
    private var statement: SQLiteStatement?

    init(_ connection: SQLiteConnection, _ fragment: SQLFragment) throws(StoreError) {
        let statement = try connection.checkOut(fragment)
        self.connection = connection
        self.statement = statement
        self.columnNames = (0..<statement.columnCount).map(statement.columnName)
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

    /// Reads the next row with a function; nil after the last.
    func next<Row>(_ read: (SQLiteStatement) throws(StoreError) -> Row) throws(StoreError) -> Row? {
        guard let statement else { return nil }
        return try connection.withLock { () throws(StoreError) -> Row? in
            do throws(StoreError) {
                if try statement.step(connection.fault) { return try read(statement) }
            } catch {
                finish()
                throw error
            }
            finish()
            return nil
        }
    }

    /// Returns the remaining rows.
    public func all() throws(StoreError) -> [[SQLBinding]] {
        var rows: [[SQLBinding]] = []
        while let row = try next() { rows.append(row) }
        return rows
    }

    /// Returns the statement to the cache; further rows are not read.
    func finish() {
        guard let statement else { return }
        self.statement = nil
        connection.checkIn(statement)
    }
}
