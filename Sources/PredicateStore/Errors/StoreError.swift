public import PredicateEvaluation
public import PredicateSQL

/// Why a database could not be opened, read or changed: a code, SQLite's own words, and the statement.
///
/// A file that another program is writing ends in `.sqlite(.busy, extended: 5)` once the time to wait is over.
///
/// ``description`` says it in words, with a hint.
public struct StoreError: Error, Hashable, Sendable {
    /// What went wrong, named by what was expected or violated.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
        /// An empty path, or one with a zero in it.
        case invalidPath(String)
        /// There is no file at the path.
        case noSuchFile(String)
        /// At the path is a directory.
        case isDirectory(String)
        /// The file keeps its texts in UTF-16, of which SQLite compares the bytes: another order than that of code points.
        case encoding(String)
        /// A failure that SQLite reports: its kind, and its extended result code.
        case sqlite(SQLiteResult, extended: Int32)
        /// The schema names a table that the file does not have; near misses best first.
        case missingTable(String, nearMisses: [String])
        /// The schema names a column that the table does not have; near misses best first.
        case missingColumn(String, table: String, nearMisses: [String])
        /// One text with several statements, or with none, where one belongs.
        case expectedOneStatement
        /// `a = ?1 AND b = ?2` with one value.
        case bindingCount(expected: Int, found: Int)
        /// A text or a BLOB longer than SQLite takes.
        case valueTooLarge(limit: Int)

        /// `["name": nil]` where every object must have a name.
        case missingValue(key: String, entity: String)
        /// A limit or an offset below 0.
        case negative(String, Int)
        /// Several objects match where one was asked for.
        case severalObjects(entity: String)
        /// A change through a connection that only reads.
        case readOnlyConnection

        /// What was asked for cannot be said in SQL exactly, or names an entity or a key that there is not.
        case compilation(SQLCompilationError)
        /// The predicate could not be evaluated: a pattern that is none, or a part left to memory.
        case evaluation(EvaluationError)
    }

    public var code: Code
    /// SQLite's own message; empty where SQLite has not been asked.
    public var message: String
    /// The statement that failed; nil when none was run.
    public var sql: String?

    public init(_ code: Code, message: String = "", sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }
}
