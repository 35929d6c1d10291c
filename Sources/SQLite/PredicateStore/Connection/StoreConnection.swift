import CPredicateSQLite
import Foundation
public import PredicateSQL
import PredicateSQLite

/// A connection to a SQLite database.
///
/// ```swift
/// let connection = try StoreConnection("library.sqlite")
/// let rows = try connection.rows(of: SQLFragment("SELECT name FROM person WHERE age > ?1", bindings: [.integer(21)]))
/// while let row = try rows.next() { print(row) }
/// ```
///
/// The SQL functions that compiled predicates call are registered on it.
///
/// Several tasks may share a connection; statements and transactions run one at a time. For parallel reads, open
/// several connections. The file is closed when the connection is deallocated.
///
/// A corrupt file, or one that changes while it is open, results in a ``StoreError``.
public final class StoreConnection: @unchecked Sendable {
    /// The path of the file; `:memory:` for a database in memory.
    package let path: String
    /// The absolute path of the file according to SQLite; nil for a database in memory.
    let file: String?
    /// The commits that this process makes to the file.
    let commits: FileCommits
    package let options: SQLiteOptions

    // `@unchecked`: all properties below are used under the lock, except in `interrupt`, which SQLite allows at any time.
    let handle: OpaquePointer
    var cache: StatementCache
    var transactionDepth = 0
    private var checkOuts = 0
    /// The tables of statements and of the open transaction.
    let access: AccessRecorder
    /// The limits of the registered functions, the error that one of them raised in the running statement, and the
    /// work of that statement.
    let settings: FunctionSettings
    var fault: FunctionFault { settings.fault }
    var work: StatementWork { settings.work }
    private let lock = NSRecursiveLock()

    /// Opens a file, by default for reading only.
    ///
    /// The path is always a file path, never a URI or `:memory:`. Throws a ``StoreError`` if the file is missing, is
    /// not a database, or cannot be read.
    public convenience init(_ path: String, _ options: SQLiteOptions = SQLiteOptions()) throws(StoreError) {
        try self.init(path, options, ConnectionOpener.open(path, options))
    }

    /// Creates an empty database in memory, which exists until the connection is deallocated.
    ///
    /// ```swift
    /// let connection = try StoreConnection.inMemory()
    /// try connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
    /// ```
    ///
    /// Throws a ``StoreError`` if there is not enough memory.
    public static func inMemory(
        _ options: SQLiteOptions = SQLiteOptions(.create)
    ) throws(StoreError) -> StoreConnection {
        try StoreConnection(":memory:", options, ConnectionOpener.openInMemory(options))
    }

    /// Opens a named database in memory, which the connections of this process with the same name share. It exists
    /// until the last of them is deallocated. `path` is the file that errors name.
    package static func sharedMemory(
        _ database: SharedMemoryDatabase, path: String, _ options: SQLiteOptions
    ) throws(StoreError) -> StoreConnection {
        try StoreConnection(path, options, ConnectionOpener.open(database, options), isInMemory: true)
    }

    /// Takes ownership of an open connection.
    private init(
        _ path: String, _ options: SQLiteOptions, _ handle: OpaquePointer, isInMemory: Bool = false
    ) throws(StoreError) {
        self.path = path
        self.options = options
        self.handle = handle
        let name = sqlite3_db_filename(handle, "main")
        file = name.flatMap { isInMemory || $0.pointee == 0 ? nil : String(cString: $0) }
        commits = FileCommits.of(file)
        cache = StatementCache(capacity: options.cachedStatements)
        access = AccessRecorder()
        settings = FunctionSettings(options.limits, countingSteps: true)
        do throws(SQLiteRegistrationError) {
            try SQLFunction.register(on: handle, settings)
        } catch {
            throw StoreError(error)
        }
        access.install(on: handle)
        countSteps()
        try setJournal()
    }

    deinit {
        cache.removeAll()
        sqlite3_close_v2(handle)
    }

    /// The number of statements run so far, except those of scripts.
    package var statementCount: Int { withLock { checkOuts } }

    /// The number of rows inserted, updated and deleted so far.
    package var changedRowCount: Int64 { withLock { sqlite3_total_changes64(handle) } }

    /// True within a transaction that is not nested in another one.
    package var isInOutermostTransaction: Bool { withLock { transactionDepth == 1 } }

    package var isInTransaction: Bool { withLock { transactionDepth > 0 } }

    func countStatement() { checkOuts += 1 }

    /// True if the connection was opened for reading only, or the file cannot be written.
    package var isReadOnly: Bool {
        withLock { sqlite3_db_readonly(handle, "main") != 0 }
    }

    /// Stops the running statement, which then throws `.sqlite(.interrupted, …)`. May be called at any time.
    public func interrupt() {
        sqlite3_interrupt(handle)
    }

    /// Runs `body` with a lower limit of steps for each statement, which then throws `exceeds`.
    func limitingSteps<Result>(
        to count: Int, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try withLock { () throws(StoreError) in
            let outer = work.limit
            work.limit = min(count, outer ?? count)
            countSteps()
            defer {
                work.limit = outer
                countSteps()
            }
            return try body()
        }
    }

    /// Makes SQLite report steps to ``work``, which counts them if they are limited and stops cancelled statements.
    private func countSteps() {
        let period = work.limit.map { Int32(clamping: min(max($0 / 100, 1), 10_000)) } ?? 20_000
        ConnectionOpener.count(work, every: period, on: handle)
    }

    /// Advances a statement to its next row. If its steps are limited, `steps` is the count so far.
    @inline(__always)
    func step(_ statement: SQLiteStatement, _ steps: inout Int) throws(StoreError) -> Bool {
        guard work.limit != nil else { return try statement.step(fault) }
        return try stepCounting(statement, &steps)
    }

    @inline(never)
    private func stepCounting(_ statement: SQLiteStatement, _ steps: inout Int) throws(StoreError) -> Bool {
        work.steps = steps
        defer { steps = work.steps }
        do throws(StoreError) {
            return try statement.step(fault)
        } catch {
            guard work.isExceeded, let limit = work.limit else { throw error }
            throw StoreError(.exceeds(.statementSteps, limit: limit), statement: statement.sql)
        }
    }

    /// Called when a statement has ended. If a transaction ended with it, tells the observers of the file.
    private func noteEnd() {
        // SQLite prepares a statement again after a change of the schema.
        access.use(access.takePrepared())
        guard access.isCommitting, sqlite3_get_autocommit(handle) != 0 else { return }
        let tables = access.takeCommit(changes: sqlite3_total_changes64(handle))
        if !tables.isEmpty { commits.publish(tables) }
    }

    /// Runs a function during which a stop, once set, ends the running statement and every later one.
    func stopping<Result, Failure: Error>(
        at stop: StatementStop, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withLock { () throws(Failure) in
            work.stop = stop
            defer { work.stop = nil }
            return try body()
        }
    }

    /// Returns the result of a function and the tables that its statements read.
    func readingTables<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> (result: Result, tables: Set<String>) {
        try withLock { () throws(StoreError) in
            access.startReading()
            defer { access.stopReading() }
            let result = try body()
            return (result, access.stopReading())
        }
    }

    /// Runs a function under the lock of the connection, which is recursive.
    func withLock<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try work()
    }
}

extension StoreConnection {
    /// Runs a query and returns its rows, which are read one at a time.
    ///
    /// `try connection.rows(of: SQLFragment("SELECT name FROM person WHERE age > ?1", bindings: [.integer(21)]))`
    ///
    /// Throws a ``StoreError`` if the string is not exactly one valid statement, or the number of bindings is wrong.
    public func rows(of fragment: SQLFragment) throws(StoreError) -> SQLiteRows {
        try SQLiteRows(self, fragment)
    }

    /// Runs a statement and returns the number of rows that it inserted, updated or deleted.
    ///
    /// `try connection.run(SQLFragment("DELETE FROM person WHERE age < ?1", bindings: [.integer(0)]))`
    ///
    /// Throws a ``StoreError``; the database is then unchanged.
    @discardableResult
    public func run(_ fragment: SQLFragment) throws(StoreError) -> Int {
        try withLock { () throws(StoreError) in
            let before = sqlite3_total_changes64(handle)
            let statement = try checkOut(fragment)
            defer { checkIn(statement) }
            var steps = 0
            while try step(statement, &steps) {}
            return sqlite3_stmt_readonly(statement.pointer) != 0 || sqlite3_total_changes64(handle) == before
                ? 0 : Int(sqlite3_changes64(handle))
        }
    }

    /// Copies the database, as a reader of this connection sees it now, into the file of another connection.
    package func copy(to other: StoreConnection) throws(StoreError) {
        try withLock { () throws(StoreError) in
            guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
                throw StoreError(other.handle)
            }
            sqlite3_backup_step(backup, -1)
            guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw StoreError(other.handle) }
        }
    }

    /// Runs statements without parameters, one after another.
    ///
    /// `try connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY); CREATE TABLE phone (number TEXT);")`
    ///
    /// Throws a ``StoreError`` with the statement that failed; the earlier statements have taken effect.
    public func execute(_ script: String) throws(StoreError) {
        try withLock { () throws(StoreError) in
            var text = StatementReader(script)
            while let statement = try text.next(on: handle) {
                defer {
                    statement.finalize()
                    noteEnd()
                }
                access.use(access.takePrepared())
                fault.clear()
                var steps = 0
                while try step(statement, &steps) {}
            }
        }
    }

    /// Runs a statement without bindings. It is not cached.
    package func execute(_ statement: SQLText) throws(StoreError) {
        try execute(SQLFragment(statement).text)
    }

    /// Takes a statement from the cache, or prepares one, and binds its values. The caller returns it with `checkIn(_:)`.
    func checkOut(_ fragment: SQLFragment) throws(StoreError) -> SQLiteStatement {
        try withLock { () throws(StoreError) in
            countStatement()
            if work.stop?.isSet ?? false { throw StoreError.interrupted }
            let statement = try statement(fragment.text)
            access.use(cache.access(of: statement))
            // Preparing a statement may call functions.
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
        access.use(access.takePrepared())
        let statement = try SQLiteStatement(sql, on: handle)
        cache.note(access.takePrepared(), of: statement)
        return statement
    }

    func checkIn(_ statement: SQLiteStatement) {
        withLock {
            cache.put(statement)
            noteEnd()
        }
    }
}

extension StoreConnection {
    /// Runs changes in a transaction: all of them or, after an error, none.
    ///
    /// ```swift
    /// try connection.transaction { () throws(StoreError) in
    ///     try connection.run(debit)
    ///     try connection.run(credit)
    /// }
    /// ```
    ///
    /// The write lock is taken at the beginning (`BEGIN IMMEDIATE`), so no other writer can change a row between
    /// reading and writing it. Other tasks wait for the end. A nested transaction is a savepoint and can fail alone.
    ///
    /// Throws the error of `body`, after a rollback, or a ``StoreError`` of the transaction itself.
    public func transaction<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try transactionResult { Swift.Result { () throws(StoreError) in try body() } }.get()
    }

    /// Runs changes that may fail with any error in a transaction, which is then rolled back.
    package func transactionResult<Value, Failure: Error>(
        _ body: () -> Result<Value, Failure>
    ) throws(StoreError) -> Result<Value, Failure> {
        try withLock { () throws(StoreError) in
            guard !isReadOnly else { throw StoreError(.readOnlyConnection) }
            let statements = TransactionStatements(depth: transactionDepth)
            try execute(statements.begin)
            transactionDepth += 1
            defer { transactionDepth -= 1 }
            let result = body()
            do throws(StoreError) {
                if case .success = result { try execute(statements.commit) } else { rollBack(statements) }
            } catch {
                rollBack(statements)
                throw error
            }
            return result
        }
    }

    /// Rolls back, unless SQLite has already done so, as after a full disk.
    private func rollBack(_ statements: TransactionStatements) {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        try? execute(statements.rollBack)
    }
}

/// The statements that begin and end a transaction. A nested transaction is a savepoint.
private struct TransactionStatements {
    let begin: SQLText
    let commit: SQLText
    let rollBack: SQLText

    init(depth: Int) {
        guard depth > 0 else {
            (begin, commit, rollBack) = ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
            return
        }
        let name: SQLText = "predicates_\(number: depth)"
        begin = "SAVEPOINT \(name)"
        commit = "RELEASE \(name)"
        rollBack = "ROLLBACK TO \(name); RELEASE \(name)"
    }
}

extension StoreConnection {
    /// Runs queries in a read transaction, or in the current transaction if there is one.
    func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try withLock { () throws(StoreError) in
            guard transactionDepth == 0 else { return try body() }
            try execute("BEGIN")
            transactionDepth += 1
            defer {
                transactionDepth -= 1
                if sqlite3_get_autocommit(handle) == 0 { try? execute("COMMIT") }
            }
            // The snapshot is taken by the first statement that reads.
            try execute("SELECT 1 FROM sqlite_schema LIMIT 1")
            return try body()
        }
    }

    /// Sets the journal mode that the options request.
    func setJournal() throws(StoreError) {
        guard let journal = options.journal, !isReadOnly, file != nil else { return }
        let rows = try rows(of: SQLFragment("PRAGMA journal_mode = \(verbatim: journal.mode)"))
        let mode = try rows.all().first?.text(0)
        guard mode == journal.mode else { throw StoreError(.sqlite(.cannotOpen, extended: SQLITE_CANTOPEN)) }
    }
}

extension SQLiteOptions.Journal {
    /// The name of the journal mode in SQLite.
    fileprivate var mode: String {
        switch self {
        case .wal: "wal"
        case .rollback: "delete"
        }
    }
}
