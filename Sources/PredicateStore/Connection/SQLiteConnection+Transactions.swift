import CSQLite

/// Transactions.
extension SQLiteConnection {
    /// Does several things or none of them.
    ///
    /// ```swift
    /// try connection.transaction { () throws(StoreError) in
    ///     try connection.run(debit)
    ///     try connection.run(credit)
    /// }
    /// ```
    ///
    /// The lock for writing is taken at once, so that nothing read inside can have changed before it is written. Other
    /// tasks wait for the end. One transaction inside another can fail alone.
    ///
    /// Throws what `body` throws, after undoing what it did, or a ``StoreError`` of its own.
    public func transaction<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try withLock { () throws(StoreError) in
            guard !isReadOnly else { throw StoreError(.readOnlyConnection) }
            let marks = TransactionMarks(depth: transactionDepth)
            try execute(marks.begin)
            transactionDepth += 1
            defer { transactionDepth -= 1 }
            do throws(StoreError) {
                let result = try body()
                try execute(marks.commit)
                return result
            } catch {
                rollBack(marks)
                throw error
            }
        }
    }

    /// Some errors, a full disk among them, have undone the transaction already.
    private func rollBack(_ marks: TransactionMarks) {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        try? execute(marks.rollBack)
    }
}

/// The statements around a transaction: the outermost has the file's lock, those inside are savepoints.
private struct TransactionMarks {
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
