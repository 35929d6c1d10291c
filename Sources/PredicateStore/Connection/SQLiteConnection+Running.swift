import CSQLite
public import PredicateSQL

/// Running statements.
extension SQLiteConnection {
    /// The rows that a statement gives, read as they are asked for.
    ///
    /// `try connection.rows(of: SQLFragment("SELECT name FROM person WHERE age > ?1", bindings: [.integer(21)]))`
    ///
    /// Throws a ``StoreError`` where the statement is none, or takes another number of values.
    public func rows(of fragment: SQLFragment) throws(StoreError) -> SQLiteRows {
        try SQLiteRows(self, fragment)
    }

    /// Runs a statement to its end and returns how many rows it inserted, updated or deleted.
    ///
    /// `try connection.run(SQLFragment("DELETE FROM person WHERE age < ?1", bindings: [.integer(0)]))`
    ///
    /// Throws a ``StoreError``; then nothing has been changed.
    @discardableResult
    public func run(_ fragment: SQLFragment) throws(StoreError) -> Int {
        try withLock { () throws(StoreError) in
            let before = sqlite3_total_changes64(handle)
            let statement = try checkOut(fragment)
            defer { checkIn(statement) }
            while try statement.step(fault) {}
            return sqlite3_stmt_readonly(statement.pointer) != 0 || sqlite3_total_changes64(handle) == before
                ? 0 : Int(sqlite3_changes64(handle))
        }
    }

    /// Runs statements without values, one after another.
    ///
    /// `try connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY); CREATE TABLE phone (number TEXT);")`
    ///
    /// Throws a ``StoreError`` with the statement that failed; those before it have been run.
    public func execute(_ script: String) throws(StoreError) {
        try withLock { () throws(StoreError) in
            var text = StatementText(script)
            while let statement = try text.next(on: handle) {
                defer { statement.finalize() }
                while try statement.step(fault) {}
            }
        }
    }

    /// A statement for the caller alone, with its values.
    func checkOut(_ fragment: SQLFragment) throws(StoreError) -> SQLiteStatement {
        try withLock { () throws(StoreError) in
            let statement = try statement(fragment.text)
            do throws(StoreError) {
                try statement.bind(fragment.bindings)
            } catch {
                cache.put(statement)
                throw error
            }
            return statement
        }
    }

    private func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let statement = cache.take(sql) { return statement }
        return try SQLiteStatement(sql, on: handle)
    }

    func checkIn(_ statement: SQLiteStatement) {
        withLock { cache.put(statement) }
    }
}
