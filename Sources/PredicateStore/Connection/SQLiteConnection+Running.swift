import CPredicateSQLite
public import PredicateSQL

/// Running statements.
extension SQLiteConnection {
    /// Runs a query and returns its rows, which are read one at a time.
    ///
    /// `try connection.rows(of: SQLFragment("SELECT name FROM person WHERE age > ?1", bindings: [.integer(21)]))`
    ///
    /// Throws a ``StoreError`` if the text is not one valid statement, or has another number of parameters.
    public func rows(of fragment: SQLFragment) throws(StoreError) -> SQLiteRows {
        try SQLiteRows(self, fragment)
    }

    /// Runs a statement and returns the number of rows that it inserted, updated or deleted.
    ///
    /// `try connection.run(SQLFragment("DELETE FROM person WHERE age < ?1", bindings: [.integer(0)]))`
    ///
    /// Throws a ``StoreError``, after which nothing has changed.
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

    /// Runs statements without parameters, one after another.
    ///
    /// `try connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY); CREATE TABLE phone (number TEXT);")`
    ///
    /// Throws a ``StoreError`` with the statement that failed; the statements before it have run.
    public func execute(_ script: String) throws(StoreError) {
        try withLock { () throws(StoreError) in
            var text = StatementText(script)
            while let statement = try text.next(on: handle) {
                defer { statement.finalize() }
                fault.clear()
                while try statement.step(fault) {}
            }
        }
    }

    /// Takes a statement from the cache, or prepares one, and binds its values. The caller returns it with `checkIn(_:)`.
    func checkOut(_ fragment: SQLFragment) throws(StoreError) -> SQLiteStatement {
        try withLock { () throws(StoreError) in
            countStatement()
            let statement = try statement(fragment.text)
            // Planning may have called functions.
            fault.clear()
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
