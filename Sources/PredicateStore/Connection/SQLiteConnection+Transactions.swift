import CPredicateSQLite

/// Transactions.
extension SQLiteConnection {
    /// Runs changes in a transaction: all of them or, after an error, none.
    ///
    /// ```swift
    /// try connection.transaction { () throws(StoreError) in
    ///     try connection.run(debit)
    ///     try connection.run(credit)
    /// }
    /// ```
    ///
    /// The write lock is taken at the beginning (`BEGIN IMMEDIATE`), so that rows cannot change between reading and
    /// writing them. Other tasks wait for the end. A nested transaction is a savepoint and can fail alone.
    ///
    /// Throws the error of `body`, after a rollback, or a ``StoreError`` of the transaction.
    public func transaction<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try withLock { () throws(StoreError) in
            guard !isReadOnly else { throw StoreError(.readOnlyConnection) }
            let statements = TransactionStatements(depth: transactionDepth)
            try execute(statements.begin)
            transactionDepth += 1
            defer { transactionDepth -= 1 }
            do throws(StoreError) {
                let result = try body()
                try execute(statements.commit)
                return result
            } catch {
                rollBack(statements)
                throw error
            }
        }
    }

    /// Rolls back, unless SQLite already has, as it does after some errors such as a full disk.
    private func rollBack(_ statements: TransactionStatements) {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        try? execute(statements.rollBack)
    }
}

/// The statements that begin and end a transaction; nested transactions are savepoints.
private struct TransactionStatements {
    let begin: String
    let commit: String
    let rollBack: String

    init(depth: Int) {
        guard depth > 0 else {
            (begin, commit, rollBack) = ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
            return
        }
        let name = "predicates_\(depth)"
        begin = "SAVEPOINT \(name)"
        commit = "RELEASE \(name)"
        rollBack = "ROLLBACK TO \(name); RELEASE \(name)"
    }
}
