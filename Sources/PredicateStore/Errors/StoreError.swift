public import PredicateConversion
public import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax

/// An error of opening, reading or changing a database: a code, SQLite's message, and the statement.
///
/// A file on which another program holds a lock ends in `.sqlite(.busy, extended: 5)` after the busy timeout.
///
/// ``description`` shows the statement, SQLite's message and hints.
public struct StoreError: PredicateDiagnostic {
    /// The kind of error, named by what was expected or violated.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// An empty path, or one with U+0000
        case invalidPath(String)
        /// A path without a file
        case noSuchFile(String)
        /// The path of a directory
        case isDirectory(String)
        /// A file with UTF-16 text, which SQLite compares by bytes: not in the order of code points
        case encoding(String)
        /// A failure that SQLite reports: its primary result code, and its extended result code
        case sqlite(SQLiteResult, extended: Int32)
        /// A table of the schema that the file does not have; near misses best first
        case missingTable(String, nearMisses: [String])
        /// A column of the schema that the table does not have; near misses best first
        case missingColumn(String, table: String, nearMisses: [String])
        /// `SELECT 1; SELECT 2`, or an empty text, where one statement is expected
        case expectedOneStatement
        /// `a = ?1 AND b = ?2` with one value
        case bindingCount(expected: Int, found: Int)
        /// A text or a BLOB longer than SQLite allows
        case valueTooLarge(limit: Int)

        /// A schema whose ``/PredicateSQL/SQLSchema/check()`` fails: `deleteRules: ["phone": .cascade]` without such a relationship
        case schema(SQLSchemaError)

        /// `age + 1 > 3` where a row has a floating-point number in a column of integers, or another value that SQL cannot
        /// compare as an evaluator does; the kind of value that was found
        case mixedKinds(column: String, found: String)
        /// `["name": nil]` where the schema does not allow nil
        case missingValue(key: String, entity: String)
        /// `FetchRequest("Person", limit: -1)`
        case negativeLimit(Int)
        /// `FetchRequest("Person", offset: -1)`
        case negativeOffset(Int)
        /// Several objects that match where at most one is expected
        case severalObjects(entity: String)
        /// `store.createIndex(on: "Person", "age", folding: .caseInsensitive)`: an attribute that holds no texts
        case expectedTextAttribute(String, entity: String)
        /// `store.createIndex(on: "Person", "name", folding: .localeSensitive)`
        case expectedFold
        /// A change through a read-only connection
        case readOnlyConnection
        /// `update(task, …)` of an object that was changed since it was read, as its version tells
        case conflict(SQLObjectID)
        /// `update(task, …)` of an object that was deleted, or a relationship that is set to one
        case noSuchObject(SQLObjectID)
        /// `delete(list)` where the delete rule of a relationship is `deny` and it still leads to objects
        case deletionDenied(SQLObjectID, key: String)
        /// `update(task, ["version": 3])` where the schema names `version` as the version
        case countedKey(String, entity: String)
        /// `setMetadata([1, 2], for: "seen")`: a value that is no single value of a plain kind
        case metadataKind(key: String, found: String)
        /// `reader()` of a store in memory, which no other connection can read
        case noFile

        /// A predicate that SQL does not express exactly, an unknown entity or an unknown key
        case compilation(SQLCompilationError)
        /// A predicate that cannot be evaluated: an invalid pattern, or an error of its residual
        case evaluation(EvaluationError)
        /// `store.objects(Person.self, where: #Predicate { $0.isAdult })`: a predicate of Swift that the language lacks
        case conversion(PredicateConversionError)
        /// `store.objects(Person.self)` where a row is no `Person`: the keys that lead to the value, and the entity
        case undecodable(key: String, entity: String, DecodingProblem)
    }

    public var code: Code
    /// SQLite's own message; empty for errors that SQLite does not report.
    public var message: String
    /// The statement that failed; nil if none was run.
    private let statement: String?

    /// An error with SQLite's message and the statement that failed.
    public init(_ code: Code, message: String = "", statement: String? = nil) {
        self.code = code
        self.message = message
        self.statement = statement
    }

    /// The format string or the node that the error is about; for other errors the statement, empty if there is none.
    public var text: String {
        switch code {
        case .compilation(let error) where !error.text.isEmpty: error.text
        case .evaluation(let error) where !error.text.isEmpty: error.text
        case .conversion(let error): error.text
        default: statement ?? ""
        }
    }

    /// The offending range of ``text``, as UTF-8 offsets: all of a statement.
    public var range: Range<Int> {
        switch code {
        case .compilation(let error) where !error.text.isEmpty: error.range
        case .evaluation(let error) where !error.text.isEmpty: error.range
        case .conversion(let error): error.range
        default: 0..<(statement?.utf8.count ?? 0)
        }
    }

    /// The error with a code that is more specific than SQLite's.
    func with(_ code: Code) -> StoreError {
        StoreError(code, message: message, statement: statement)
    }
}
