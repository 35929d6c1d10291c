import CPredicateSQLite

/// The tables, by name, that a statement reads and writes, also through triggers, views and foreign keys.
struct StatementAccess {
    var read: Set<String> = []
    var written: Set<String> = []
}

/// Records which tables the statements and transactions of one connection use. It is used under the connection's lock.
///
/// SQLite's authorizer is called with the tables of a statement while the statement is prepared. The update hook is not enough:
/// it is not called for WITHOUT ROWID tables, nor for a DELETE without a condition.
final class AccessRecorder {
    /// The tables of the statement that is being prepared.
    private var prepared = StatementAccess()
    /// The last table that was read; most columns of a statement belong to the same table.
    private var lastRead: UnsafePointer<CChar>?
    /// The tables that the statements of the current transaction may have changed.
    private var touched: Set<String> = []
    /// The tables that have been read since ``startReading()``; nil if they are not recorded.
    private var readTables: Set<String>?
    /// True after SQLite has begun to commit a transaction.
    private(set) var isCommitting = false
    /// The number of changed rows at the end of the last transaction.
    private var lastChanges: Int64 = 0

    /// Makes a connection report to this recorder, which must outlive it.
    func install(on handle: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { context, action, table, _, _, _ in
                if let table { AccessRecorder.of(context)?.record(action, table) }
                return SQLITE_OK
            }, context)
        sqlite3_commit_hook(
            handle,
            { context in
                AccessRecorder.of(context)?.isCommitting = true
                return 0
            }, context)
        sqlite3_rollback_hook(handle, { context in AccessRecorder.of(context)?.forgetTransaction() }, context)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> AccessRecorder? {
        context.map { Unmanaged<AccessRecorder>.fromOpaque($0).takeUnretainedValue() }
    }

    private func record(_ action: Int32, _ table: UnsafePointer<CChar>) {
        switch action {
        case SQLITE_READ where table != lastRead:
            lastRead = table
            prepared.read.insert(String(cString: table))
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: prepared.written.insert(String(cString: table))
        default: break
        }
    }

    /// The tables of the statement that has just been prepared.
    func takePrepared() -> StatementAccess {
        defer { (prepared, lastRead) = (StatementAccess(), nil) }
        return prepared
    }

    /// Adds the tables of a statement that is about to run.
    func use(_ access: StatementAccess) {
        if !access.written.isEmpty { touched.formUnion(access.written) }
        readTables?.formUnion(access.read)
    }

    // MARK: - Transactions

    /// The tables that the last transaction may have changed; empty if it changed no rows.
    func takeCommit(changes: Int64) -> Set<String> {
        defer {
            forgetTransaction()
            lastChanges = changes
        }
        return changes == lastChanges ? [] : touched
    }

    private func forgetTransaction() {
        (touched, isCommitting) = ([], false)
    }

    // MARK: - Reading

    func startReading() {
        readTables = []
    }

    @discardableResult
    func stopReading() -> Set<String> {
        defer { readTables = nil }
        return readTables ?? []
    }
}
