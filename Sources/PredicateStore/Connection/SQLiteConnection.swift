import CPredicateSQLite
import Foundation
import PredicateSQL
import PredicateSQLite

/// A connection to a SQLite database.
///
/// ```swift
/// let connection = try SQLiteConnection("library.sqlite")
/// let rows = try connection.rows(of: SQLFragment("SELECT name FROM person WHERE age > ?1", bindings: [.integer(21)]))
/// while let row = try rows.next() { print(row) }
/// ```
///
/// The functions that compiled predicates call are registered on it.
///
/// Several tasks may use a connection; statements and transactions run one at a time. For parallel reads, open several
/// connections. The file is closed when the connection is deallocated.
///
/// A damaged file, and one that changes while it is open, results in a ``StoreError``.
public final class SQLiteConnection: @unchecked Sendable {
    /// The path that was opened; `:memory:` for a database in memory.
    public let path: String
    package let options: SQLiteOptions

    // `@unchecked`: everything below is used under the lock only, except in `interrupt`, which SQLite allows at any time.
    let handle: OpaquePointer
    var cache: StatementCache
    var transactionDepth = 0
    private var checkOuts = 0
    /// The error of a registered function in the running statement.
    let fault = FunctionFault()
    private let lock = NSRecursiveLock()

    /// Opens a file, by default for reading only.
    ///
    /// A path is always that of a file: never a URI, nor `:memory:`. Throws a ``StoreError`` if the file is missing, is not
    /// a database, or cannot be read.
    public convenience init(_ path: String, _ options: SQLiteOptions = SQLiteOptions()) throws(StoreError) {
        try self.init(path, options, ConnectionHandle.open(path, options))
    }

    /// Creates an empty database in memory, which exists until the connection is deallocated.
    ///
    /// ```swift
    /// let connection = try SQLiteConnection.inMemory()
    /// try connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
    /// ```
    ///
    /// Throws a ``StoreError`` if there is not enough memory.
    public static func inMemory(
        _ options: SQLiteOptions = SQLiteOptions(.create)
    ) throws(StoreError) -> SQLiteConnection {
        try SQLiteConnection(":memory:", options, ConnectionHandle.openInMemory(options))
    }

    /// Takes ownership of an open connection.
    private init(_ path: String, _ options: SQLiteOptions, _ handle: OpaquePointer) throws(StoreError) {
        self.path = path
        self.options = options
        self.handle = handle
        cache = StatementCache(capacity: options.cachedStatements)
        do throws(SQLiteRegistrationError) {
            try SQLFunction.register(on: handle, reportingTo: fault)
        } catch {
            sqlite3_close_v2(handle)
            throw StoreError(error)
        }
        try setJournal()
    }

    deinit {
        cache.removeAll()
        sqlite3_close_v2(handle)
    }

    /// The number of statements that were run so far, scripts aside.
    package var statementCount: Int { withLock { checkOuts } }

    func countStatement() { checkOuts += 1 }

    /// True if the connection was opened for reading only, or the file cannot be written.
    package var isReadOnly: Bool {
        withLock { sqlite3_db_readonly(handle, "main") != 0 }
    }

    /// Stops the running statement, which then throws `.sqlite(.interrupted, …)`. May be called at any time.
    public func interrupt() {
        sqlite3_interrupt(handle)
    }

    /// Stops statements of `work` after so many steps of SQLite's virtual machine; they throw `.sqlite(.interrupted, …)`.
    func limitingSteps<Result>(
        to count: Int32, _ work: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try withLock { () throws(StoreError) in
            sqlite3_progress_handler(handle, count, { _ in 1 }, nil)
            defer { ConnectionHandle.stopCancelledTasks(handle) }
            return try work()
        }
    }

    /// Runs a function under the lock of the connection, which is recursive.
    func withLock<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try work()
    }
}
