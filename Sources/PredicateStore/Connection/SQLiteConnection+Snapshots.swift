import CPredicateSQLite
import PredicateSQL

extension SQLiteConnection {
    /// The path of the file as SQLite knows it; nil for a database in memory.
    var file: String? {
        withLock {
            guard let name = sqlite3_db_filename(handle, "main"), name.pointee != 0 else { return nil }
            return String(cString: name)
        }
    }

    /// Runs queries in a transaction that reads; inside another transaction in that.
    func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try withLock { () throws(StoreError) in
            guard transactionDepth == 0 else { return try body() }
            try execute("BEGIN")
            transactionDepth += 1
            defer {
                transactionDepth -= 1
                if sqlite3_get_autocommit(handle) == 0 { try? execute("COMMIT") }
            }
            // The state is that of the first statement that reads.
            try execute("SELECT 1 FROM sqlite_schema LIMIT 1")
            return try body()
        }
    }

    /// Gives the file the journal that the options ask for.
    func setJournal() throws(StoreError) {
        guard let journal = options.journal, !isReadOnly, file != nil else { return }
        let rows = try rows(of: SQLFragment("PRAGMA journal_mode = \(journal.word)"))
        let mode = try rows.all().first?.text(0)
        guard mode == journal.word else { throw StoreError(.sqlite(.cannotOpen, extended: SQLITE_CANTOPEN)) }
    }
}

extension SQLiteOptions.Journal {
    fileprivate var word: String {
        switch self {
        case .wal: "wal"
        case .rollback: "delete"
        }
    }
}
