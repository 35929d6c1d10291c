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
    /// The path as it was given.
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
    /// Throws a ``StoreError`` where there is no file, where it is no database, or where it may not be read.
    public init(_ path: String, _ options: SQLiteOptions = SQLiteOptions()) throws(StoreError) {
        self.path = path
        self.options = options
        handle = try ConnectionHandle.open(path, options)
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
