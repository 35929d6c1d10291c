public import PredicateSQL

/// The rows of one query, read as they are asked for.
///
/// ```swift
/// let rows = try connection.rows(of: SQLFragment("SELECT name FROM person"))
/// while let row = try rows.next() { print(row) }
/// ```
///
/// For one task. The connection is locked while a row is read and free between two rows; what is written meanwhile
/// through the same connection may or may not be seen, through another one it is not. Rows that are not read to the
/// end keep their statement, and with it a read lock on the file, until this object goes.
public final class SQLiteRows {
    public let columnNames: [String]
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

    /// The values of the next row as SQLite keeps them, nil past the last.
    ///
    /// Throws a ``StoreError`` where the file cannot be read on; there are no rows after that.
    public func next() throws(StoreError) -> [SQLBinding]? {
        try next { $0.row }
    }

    /// What is made of the next row, nil past the last.
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

    /// All rows that are left.
    public func all() throws(StoreError) -> [[SQLBinding]] {
        var rows: [[SQLBinding]] = []
        while let row = try next() { rows.append(row) }
        return rows
    }

    /// Gives the statement back before the last row has been read.
    public func finish() {
        guard let statement else { return }
        self.statement = nil
        connection.checkIn(statement)
    }
}
