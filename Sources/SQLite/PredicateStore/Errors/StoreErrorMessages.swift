import PredicateEvaluation
internal import PredicateSQL
import PredicateSQLite
import PredicateSyntax

/// The wording of all errors of the store.
extension StoreError {
    /// One line that states what failed.
    public var title: String { code.title }

    /// The text next to the caret in a predicate; nil for errors about statements.
    public var label: String? { predicateError?.label }

    /// Suggested remedies, each without a full stop.
    public var hints: [String] { predicateError?.hints ?? code.hints }

    /// The error as a terminal shows it. A predicate error is shown with its own excerpt.
    ///
    ///     error: the file is locked by another connection
    ///       SELECT t0."name" FROM "person" AS t0
    ///     sqlite: database is locked (5)
    ///     hint: try again when the other program has finished, or wait longer: SQLiteOptions(busyTimeout: …)
    public var description: String {
        if let predicateError { return "\(predicateError)" }
        let excerpt = text.isEmpty ? "" : "\n  \(Self.line(text))"
        let engine = message.isEmpty ? "" : "\nsqlite: \(message.printable)\(code.number.map { " (\($0))" } ?? "")"
        let hints = code.hints.map { "\nhint: \($0.printable)" }.joined()
        return "error: \(code.title.printable)\(excerpt)\(engine)\(hints)"
    }

    /// The statement on one line, truncated.
    private static func line(_ sql: String) -> String {
        let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return (words.count > 200 ? words.prefix(200) + "…" : words).printable
    }
}

extension StoreError.Code {
    package var title: String {
        switch self {
        case .invalidPath(let path): "the path '\(path)' is empty or contains U+0000"
        case .noSuchFile(let path): "there is no file '\(path)'"
        case .isDirectory(let path): "'\(path)' is a directory"
        case .encoding(let name): "the database is encoded as \(name), not UTF-8"
        case .sqlite(let result, _): result.title
        case .schema(let error): error.placedTitle
        case .missingTable(let name, _): "there is no table '\(name)'"
        case .missingColumn(let name, let table, _): "the table '\(table)' has no column '\(name)'"
        case .notOneStatement: "expected exactly one statement"
        case .bindingCount(let expected, let found): "the statement takes \(expected) values, \(found) are bound"
        case .valueTooLarge(let limit): "the value exceeds SQLite's limit of \(limit) bytes"
        case .exceeds(let name, let limit): "expected at most \(limit) \(name.unit)"
        case .mixedKinds(let column, let found): FunctionError.mixedKinds(column, found)
        case .missingValue(let key, let entity): "'\(key)' of \(entity) must have a value"
        case .negativeLimit(let number): "the limit \(number) is negative"
        case .negativeOffset(let number): "the offset \(number) is negative"
        case .severalObjects(let entity): "several objects of \(entity) match"
        case .notAStringAttribute(let key, let entity): "'\(key)' of \(entity) is not a string attribute"
        case .unsupportedFolding: "an index can fold by .caseInsensitive, .diacriticInsensitive or both"
        case .readOnlyConnection: "the connection is read-only"
        case .conflict(let id): "\(id.name) has been changed since it was read"
        case .noSuchObject(let id): "\(id.name) does not exist"
        case .deletionDenied(let id, let key):
            "cannot delete \(id.name): '\(key)' is not empty and its delete rule is deny"
        case .managedVersion(let key, let entity): "'\(key)' is the version key of \(entity); only the store sets it"
        case .unsupportedMetadata(let key, let found): "the metadata value '\(key)' is \(found), which is not supported"
        case .inMemory: "an in-memory database has only one connection"
        case .compilation(let error): error.code.title
        case .evaluation(let error): error.code.title
        case .undecodable("", let entity, let problem): "cannot decode \(entity): \(problem.words)"
        case .undecodable(let key, let entity, let problem): "cannot decode '\(key)' of \(entity): \(problem.words)"
        }
    }

    /// Suggested remedies, by the code of a predicate error alone.
    package var hints: [String] {
        switch self {
        case .missingTable(_, let nearMisses), .missingColumn(_, _, let nearMisses): NearMiss.hints(nearMisses)
        case .schema(let error): error.hints
        case .compilation(let error): error.code.hints
        case .evaluation(let error): error.code.hints
        case .undecodable(_, _, let problem): problem.hints
        case .sqlite(let result, _): result.hints
        case .exceeds(let name, _): [name.hint]
        case .noSuchFile: ["open it with SQLiteOptions(.create) to create it"]
        case .encoding: ["make a copy in UTF-8: sqlite3 old.db .dump | sqlite3 new.db"]
        case .severalObjects: ["add a condition, or set a limit of 1"]
        case .readOnlyConnection: ["open the file with SQLiteOptions(.readWrite)"]
        case .mixedKinds: ["declare the column with the type any in the schema, and fetch with allowsResidual: true"]
        case .unsupportedFolding: ["comparisons without options use an ordinary index of the column"]
        case .notAStringAttribute: ["create an ordinary index in SQL: only strings are folded"]
        case .conflict: ["fetch the object again and repeat the change"]
        case .deletionDenied: ["delete or move these objects first"]
        case .unsupportedMetadata: ["store a collection as a string or as data, such as its JSON"]
        case .managedVersion: ["to set it, update all objects that match a predicate"]
        case .invalidPath, .isDirectory, .notOneStatement, .bindingCount, .negativeLimit, .negativeOffset,
            .noSuchObject, .inMemory, .valueTooLarge, .missingValue:
            []
        }
    }

    /// SQLite's extended result code.
    fileprivate var number: Int32? {
        if case .sqlite(_, let extended) = self { extended } else { nil }
    }
}

extension SQLObjectID {
    /// `Person 7`
    var name: String {
        switch key {
        case .integer(let number): "\(entity) \(number)"
        case .string(let text): "\(entity) \(text)"
        default: "\(entity) \(key)"
        }
    }
}

extension SQLiteResult {
    fileprivate var title: String {
        switch self {
        case .busy: "the file is locked by another connection"
        case .locked: "the table is locked by this connection"
        case .corrupt: "the database file is corrupt"
        case .notADatabase: "the file is not a SQLite database, or is encrypted"
        case .readOnly: "the file cannot be written"
        case .permission, .denied: "permission denied"
        case .cannotOpen: "the file cannot be opened"
        case .full: "the disk is full"
        case .inputOutput: "the file cannot be read or written"
        case .interrupted: "the statement was interrupted"
        case .constraint: "a constraint of the table is violated"
        case .mismatch: "the value does not have the column's type"
        case .tooBig: "the value or the statement exceeds SQLite's limit"
        case .outOfMemory: "out of memory"
        case .schemaChanged: "another program changed the tables"
        case .error: "SQLite reports an error in the statement"
        case .internalError, .aborted, .notFound, .lockingProtocol, .empty, .misuse, .noLargeFiles, .format,
            .outOfRange, .notice, .warning:
            "SQLite refused the operation"
        }
    }

    fileprivate var hints: [String] {
        switch self {
        case .busy: ["try again when the other program has finished, or wait longer: SQLiteOptions(busyTimeout: …)"]
        case .corrupt: ["recover what can be read: sqlite3 file.db .recover"]
        case .notADatabase: ["a SQLite file begins with 'SQLite format 3'"]
        case .readOnly: ["make the file and its directory writable"]
        case .cannotOpen: ["make the directory writable: a file in WAL mode needs further files next to it"]
        case .error, .internalError, .permission, .aborted, .locked, .outOfMemory, .interrupted, .inputOutput,
            .notFound, .full, .lockingProtocol, .empty, .schemaChanged, .tooBig, .constraint, .mismatch, .misuse,
            .noLargeFiles, .denied, .format, .outOfRange, .notice, .warning:
            []
        }
    }
}
