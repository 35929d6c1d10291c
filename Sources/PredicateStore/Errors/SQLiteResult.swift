/// The kind of a failure that SQLite reports: its primary result codes.
///
/// `StoreError.Code.sqlite(.busy, extended: 5)`
public enum SQLiteResult: Int32, Hashable, Sendable, CaseIterable {
    /// A generic error; also any code that a newer SQLite adds.
    case error = 1
    /// `SQLITE_INTERNAL`: a fault inside SQLite.
    case internalError = 2
    /// `SQLITE_PERM`: a new file could not be given the requested access.
    case permission = 3
    /// `SQLITE_ABORT`: a callback or a rollback stopped the statement.
    case aborted = 4
    /// Another connection has the lock.
    case busy = 5
    /// This connection has the lock itself.
    case locked = 6
    /// `SQLITE_NOMEM`: no memory could be allocated.
    case outOfMemory = 7
    /// `SQLITE_READONLY`: the database may not be written.
    case readOnly = 8
    /// `SQLITE_INTERRUPT`: the statement was stopped from outside.
    case interrupted = 9
    /// `SQLITE_IOERR`: the file system reported an error.
    case inputOutput = 10
    /// `SQLITE_CORRUPT`: the file is damaged.
    case corrupt = 11
    /// `SQLITE_NOTFOUND`: a name that SQLite was asked for does not exist.
    case notFound = 12
    /// `SQLITE_FULL`: the disk is full.
    case full = 13
    /// `SQLITE_CANTOPEN`: the file could not be opened.
    case cannotOpen = 14
    /// `SQLITE_PROTOCOL`: locks of a WAL file could not be had in time.
    case lockingProtocol = 15
    /// `SQLITE_EMPTY`: not used by current versions of SQLite.
    case empty = 16
    /// `SQLITE_SCHEMA`: the schema changed under a prepared statement.
    case schemaChanged = 17
    /// `SQLITE_TOOBIG`: a text, a blob or a statement is longer than SQLite allows.
    case tooBig = 18
    /// `SQLITE_CONSTRAINT`: a constraint such as UNIQUE or NOT NULL was violated.
    case constraint = 19
    /// `SQLITE_MISMATCH`: a value of the wrong type, such as a text for a row id.
    case mismatch = 20
    /// `SQLITE_MISUSE`: the library was called in a way that it does not allow.
    case misuse = 21
    /// `SQLITE_NOLFS`: the system has no files of this size.
    case noLargeFiles = 22
    /// `SQLITE_AUTH`: the authorizer refused the statement.
    case denied = 23
    /// `SQLITE_FORMAT`: not used by current versions of SQLite.
    case format = 24
    /// `SQLITE_RANGE`: a parameter or a column has a number that the statement does not have.
    case outOfRange = 25
    /// `SQLITE_NOTADB`: the file is no SQLite database.
    case notADatabase = 26
    /// `SQLITE_NOTICE`: a message for the log.
    case notice = 27
    /// `SQLITE_WARNING`: a warning for the log.
    case warning = 28

    /// The kind of a result code, primary or extended.
    init(code: Int32) {
        self = SQLiteResult(rawValue: code & 0xFF) ?? .error
    }
}
