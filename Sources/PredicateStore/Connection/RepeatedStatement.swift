import PredicateSQL

/// A statement that is prepared once and run many times, each time with other values; it returns one row at most.
///
/// For one task. The statement goes back to the cache when this object is deallocated.
final class RepeatedStatement {
    private let connection: SQLiteConnection
    private let statement: SQLiteStatement

    /// Prepares a statement, whose first values are bound already.
    init(_ connection: SQLiteConnection, _ fragment: SQLFragment) throws(StoreError) {
        self.connection = connection
        statement = try connection.checkOut(fragment)
    }

    deinit {
        connection.checkIn(statement)
    }

    /// Runs the statement to its end and returns the first value of its row, if it has one.
    func run(_ bindings: [SQLBinding]) throws(StoreError) -> SQLBinding? {
        try connection.withLock { () throws(StoreError) in
            defer { statement.reset() }
            try statement.bind(bindings)
            guard try statement.step(connection.fault) else { return nil }
            let value = statement.value(0)
            while try statement.step(connection.fault) {}
            return value
        }
    }
}
