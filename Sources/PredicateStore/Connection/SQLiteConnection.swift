import CSQLite
import Foundation
import PredicateEvaluation

/// A connection to one SQLite file.
///
/// ```swift
/// let connection = try SQLiteConnection("library.sqlite")
/// let rows = try connection.rows(of: SQLFragment("SELECT name FROM person WHERE age > ?1", bindings: [.integer(21)]))
/// while let row = try rows.next() { print(row) }
/// ```
///
/// The functions that compiled predicates call are registered on it.
///
/// It may be used from several tasks: one of them works with it at a time, statement by statement, and a transaction
/// keeps the others waiting to its end. Whoever needs reads side by side opens several connections. The file is closed
/// when nothing refers to the connection any more.
///
/// Every file ends in rows or in a ``StoreError``, whatever is in it and whatever happens to it meanwhile.
public final class SQLiteConnection: @unchecked Sendable {
    /// The path as it was given; `:memory:` of a database in memory.
    public let path: String
    public let options: SQLiteOptions

    // `@unchecked`: all that follows is used under the lock only, `interrupt` apart, which SQLite allows at any time.
    let handle: OpaquePointer
    var cache: StatementCache
    var transactionDepth = 0
    /// What a registered function found wrong in the statement that is running.
    let fault = FunctionFault()
    private let lock = NSRecursiveLock()

    /// Opens a file, by default to read it.
    ///
    /// A path names a file and nothing else, `:memory:` too. Throws a ``StoreError`` where there is no file, where it is
    /// no database, or where it may not be read.
    public convenience init(_ path: String, _ options: SQLiteOptions = SQLiteOptions()) throws(StoreError) {
        try self.init(path, options, ConnectionHandle.open(path, options))
    }

    /// Makes an empty database in memory, which is there for as long as something refers to the connection.
    ///
    /// ```swift
    /// let connection = try SQLiteConnection.inMemory()
    /// try connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
    /// ```
    ///
    /// Throws a ``StoreError`` where there is no memory.
    public static func inMemory(
        _ options: SQLiteOptions = SQLiteOptions(.create)
    ) throws(StoreError) -> SQLiteConnection {
        try SQLiteConnection(":memory:", options, ConnectionHandle.openInMemory(options))
    }

    /// Takes over a connection that was opened.
    private init(_ path: String, _ options: SQLiteOptions, _ handle: OpaquePointer) throws(StoreError) {
        self.path = path
        self.options = options
        self.handle = handle
        cache = StatementCache(capacity: options.cachedStatements)
        do throws(StoreError) {
            try ApplicationFunctions.register(on: handle, reportingTo: fault)
        } catch {
            sqlite3_close_v2(handle)
            throw error
        }
    }

    deinit {
        cache.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Whether nothing can be changed through this connection: it was opened to read, or the file cannot be written.
    public var isReadOnly: Bool {
        withLock { sqlite3_db_readonly(handle, "main") != 0 }
    }

    /// Stops the statement that is running, which then ends in `.sqlite(.interrupted, …)`. May be called at any time.
    public func interrupt() {
        sqlite3_interrupt(handle)
    }

    /// Does a piece of work that no other task may come into.
    func withLock<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try work()
    }
}
