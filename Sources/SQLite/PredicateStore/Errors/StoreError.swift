public import PredicateEvaluation
public import PredicateSQL
import PredicateSQLite
public import PredicateSyntax

/// An error in opening, reading or changing a database: a code, SQLite's message, and the statement.
///
/// If another program holds a lock on the file, the error is `.sqlite(.busy, extended: 5)` after the busy timeout.
///
/// ``description`` shows the statement, SQLite's message and hints.
public struct StoreError: PredicateDiagnostic {
    /// The kind of error.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// An empty path, or one with U+0000
        case invalidPath(String)
        /// A path at which no file exists
        case noSuchFile(String)
        /// The path of a directory
        case isDirectory(String)
        /// A UTF-16 database, whose strings SQLite does not compare in code point order
        case encoding(String)
        /// A failure that SQLite reports, with its primary and its extended result code
        case sqlite(SQLiteResult, extended: Int32)
        /// A table of the schema that does not exist in the file, with near misses, best first
        case missingTable(String, nearMisses: [String])
        /// A column of the schema that does not exist in the table, with near misses, best first
        case missingColumn(String, table: String, nearMisses: [String])
        /// `SELECT 1; SELECT 2`, or an empty string, instead of one statement
        case notOneStatement
        /// `a = ?1 AND b = ?2` with one value
        case bindingCount(expected: Int, found: Int)
        /// A string or a BLOB that exceeds SQLite's limit
        case valueTooLarge(limit: Int)
        /// A limit of the connection's `PredicateLimits` is exceeded: `a.x == b.x` for each pair of rows of two large
        /// tables, under `SQLiteOptions(limits: .untrusted)`
        case exceeds(PredicateLimits.Limit, limit: Int)

        /// A schema whose ``/PredicateSQL/SQLSchema/check()`` fails, such as one with a relationship to an unknown entity
        case schema(SQLSchemaError)

        /// `age + 1 > 3` for a row with a floating-point number in an integer column, or with another value that SQL and the
        /// evaluator compare differently. `found` is the kind of that value
        case mixedKinds(column: String, found: String)
        /// `["name": nil]` if the schema does not allow nil
        case missingValue(key: String, entity: String)
        /// `PredicateFetchRequest("Person", limit: -1)`
        case negativeLimit(Int)
        /// `PredicateFetchRequest("Person", offset: -1)`
        case negativeOffset(Int)
        /// Several matching objects where at most one is expected
        case severalObjects(entity: String)
        /// `store.createIndex(on: "Person", "age", folding: .caseInsensitive)`: an attribute that is not a string
        case notAStringAttribute(String, entity: String)
        /// `store.createIndex(on: "Person", "name", folding: .localeSensitive)`
        case unsupportedFolding
        /// A change on a read-only connection
        case readOnlyConnection
        /// `update(task, …)` of an object whose version has changed since it was read
        case conflict(SQLObjectID)
        /// `update(task, …)` of a deleted object, or a relationship set to a deleted object
        case noSuchObject(SQLObjectID)
        /// `delete(list)` if a relationship with the delete rule `deny` is not empty
        case deletionDenied(SQLObjectID, key: String)
        /// `update(task, ["version": 3])` if `version` is the schema's version key
        case managedVersion(String, entity: String)
        /// `setMetadata([1, 2], for: "seen")`: a value of an unsupported kind
        case unsupportedMetadata(key: String, found: String)
        /// `reader()` of an in-memory store, which no other connection can read
        case inMemory

        /// A predicate that SQL cannot express exactly, an unknown entity or an unknown key
        case compilation(SQLCompilationError)
        /// A predicate that cannot be evaluated: an invalid pattern, or an error in its residual
        case evaluation(EvaluationError)
        /// `store.fetchAll(Person.self)` if a row cannot be decoded as a `Person`; with the key path to the value, and the
        /// entity
        case undecodable(key: String, entity: String, DecodingProblem)
    }

    public var code: Code
    /// SQLite's own message; empty for errors that SQLite does not report.
    public var message: String
    /// The statement that failed; nil if none was run.
    private let statement: String?

    /// An error with SQLite's message and the statement that failed.
    package init(_ code: Code, message: String = "", statement: String? = nil) {
        self.code = code
        self.message = message
        self.statement = statement
    }

    /// The format string or the printed node of a predicate error. For other errors, the statement or an empty string.
    public var text: String {
        excerpt?.text ?? statement ?? ""
    }

    /// The offending range of ``text`` in UTF-8 offsets; for a statement, all of it.
    public var range: Range<Int> { excerpt?.range ?? 0..<(statement?.utf8.count ?? 0) }

    /// The error of the predicate, if it has a text.
    private var excerpt: (any PredicateDiagnostic)? { predicateError.flatMap { $0.text.isEmpty ? nil : $0 } }

    /// The error of a predicate that cannot be compiled or evaluated; nil for other errors.
    var predicateError: (any PredicateDiagnostic)? {
        if case .compilation(let error) = code { return error }
        return if case .evaluation(let error) = code { error } else { nil }
    }

    /// The same error with a more specific code.
    func with(_ code: Code) -> StoreError {
        StoreError(code, message: message, statement: statement)
    }
}

/// SQLite's primary result codes.
///
/// `StoreError.Code.sqlite(.busy, extended: 5)`
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SQLiteResult: Int32, Hashable, Sendable, CaseIterable {
    /// `SQLITE_ERROR`: a generic error; also used for codes that a newer SQLite adds.
    case error = 1
    /// `SQLITE_INTERNAL`: an internal error in SQLite.
    case internalError = 2
    /// `SQLITE_PERM`: the requested access to a new file could not be provided.
    case permission = 3
    /// `SQLITE_ABORT`: a callback or a rollback aborted the statement.
    case aborted = 4
    /// `SQLITE_BUSY`: another connection holds the lock.
    case busy = 5
    /// `SQLITE_LOCKED`: this connection itself holds the lock.
    case locked = 6
    /// `SQLITE_NOMEM`: a memory allocation failed.
    case outOfMemory = 7
    /// `SQLITE_READONLY`: the database cannot be written.
    case readOnly = 8
    /// `SQLITE_INTERRUPT`: the statement was interrupted.
    case interrupted = 9
    /// `SQLITE_IOERR`: the file system reported an error.
    case inputOutput = 10
    /// `SQLITE_CORRUPT`: the file is corrupt.
    case corrupt = 11
    /// `SQLITE_NOTFOUND`: an unknown name was requested.
    case notFound = 12
    /// `SQLITE_FULL`: the disk is full.
    case full = 13
    /// `SQLITE_CANTOPEN`: the file could not be opened.
    case cannotOpen = 14
    /// `SQLITE_PROTOCOL`: the locks of a WAL file could not be acquired in time.
    case lockingProtocol = 15
    /// `SQLITE_EMPTY`: not used by current versions of SQLite.
    case empty = 16
    /// `SQLITE_SCHEMA`: the schema changed under a prepared statement.
    case schemaChanged = 17
    /// `SQLITE_TOOBIG`: a string, a BLOB or a statement exceeds SQLite's limit.
    case tooBig = 18
    /// `SQLITE_CONSTRAINT`: a constraint such as UNIQUE or NOT NULL was violated.
    case constraint = 19
    /// `SQLITE_MISMATCH`: a value of the wrong type, such as a string for a rowid.
    case mismatch = 20
    /// `SQLITE_MISUSE`: the library was called incorrectly.
    case misuse = 21
    /// `SQLITE_NOLFS`: the system does not support files of this size.
    case noLargeFiles = 22
    /// `SQLITE_AUTH`: the authorizer refused the statement.
    case denied = 23
    /// `SQLITE_FORMAT`: not used by current versions of SQLite.
    case format = 24
    /// `SQLITE_RANGE`: a parameter or column index out of range.
    case outOfRange = 25
    /// `SQLITE_NOTADB`: the file is not a SQLite database.
    case notADatabase = 26
    /// `SQLITE_NOTICE`: a message for the log.
    case notice = 27
    /// `SQLITE_WARNING`: a warning for the log.
    case warning = 28

    /// The result for a primary or extended result code.
    init(code: Int32) {
        self = SQLiteResult(rawValue: code & 0xFF) ?? .error
    }
}

extension StoreError.Code {
    init(_ error: FunctionError) {
        switch error {
        case .evaluation(let error): self = .evaluation(error)
        case .mixedKinds(let column, let found): self = .mixedKinds(column: column, found: found)
        }
    }
}

extension StoreError {
    init(_ error: SQLiteRegistrationError) {
        switch error.code {
        case .version: self.init(.sqlite(.error, extended: 1), message: error.title)
        case .refused(_, let result):
            self.init(.sqlite(SQLiteResult(code: result), extended: result), message: error.message)
        }
    }
}
