import PredicateConversion
import PredicateEvaluation
import PredicateSQL
import PredicateSQLite
import PredicateSyntax

/// The wording of all errors of the store.
extension StoreError {
    /// One line that says what was expected.
    public var title: String { code.title }

    /// The words next to the caret in a predicate; nil for errors about statements.
    public var label: String? {
        switch code {
        case .compilation(let error): error.code.label
        case .evaluation(let error): error.label
        default: nil
        }
    }

    /// Cures, each a sentence without a full stop.
    public var hints: [String] {
        switch code {
        case .compilation(let error): error.hints
        case .evaluation(let error): error.hints
        case .conversion(let error): error.hints
        default: code.hints
        }
    }

    /// The error as a terminal shows it; an error about a predicate as the predicate's own:
    ///
    ///     error: expected a file that is free: another connection has locked it
    ///       SELECT t0."name" FROM "person" AS t0
    ///     sqlite: database is locked (5)
    ///     hint: a longer busy timeout waits until the other one is done
    public var description: String {
        switch code {
        case .compilation(let error): return "\(error)"
        case .evaluation(let error): return "\(error)"
        case .conversion(let error): return "\(error)"
        default: break
        }
        let excerpt = text.isEmpty ? "" : "\n  \(Self.line(text))"
        let engine = message.isEmpty ? "" : "\nsqlite: \(message.printable)\(code.number.map { " (\($0))" } ?? "")"
        let hints = code.hints.map { "\nhint: \($0.printable)" }.joined()
        return "error: \(code.title.printable)\(excerpt)\(engine)\(hints)"
    }

    /// The statement on one line of limited length.
    private static func line(_ sql: String) -> String {
        let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return (words.count > 200 ? words.prefix(200) + "…" : words).printable
    }
}

extension StoreError.Code {
    /// One line that says what was expected.
    package var title: String {
        switch self {
        case .invalidPath(let path): "expected the path of a file, found '\(path)'"
        case .noSuchFile(let path): "expected a file at '\(path)', found none"
        case .isDirectory(let path): "expected a file at '\(path)', found a directory"
        case .encoding(let name): "expected a file in UTF-8, found \(name)"
        case .sqlite(let result, _): result.title
        case .schema(let error): error.placedTitle
        case .missingTable(let name, _): "expected a table '\(name)': the file has none"
        case .missingColumn(let name, let table, _): "expected a column '\(name)' in table '\(table)', found none"
        case .expectedOneStatement: "expected one statement"
        case .bindingCount(let expected, let found): "expected \(expected) values for the placeholders, found \(found)"
        case .valueTooLarge(let limit): "expected a value of at most \(limit) bytes"
        case .mixedKinds(let column, let found): FunctionError.mixedKinds(column, found)
        case .missingValue(let key, let entity): "expected a value for '\(key)': every \(entity) has one"
        case .negativeLimit(let number): "expected a limit of 0 or more, found \(number)"
        case .negativeOffset(let number): "expected an offset of 0 or more, found \(number)"
        case .severalObjects(let entity): "expected at most one \(entity), found several"
        case .expectedTextAttribute(let key, let entity):
            "expected a string attribute, found '\(key)' of \(entity)"
        case .expectedFold: "expected .caseInsensitive, .diacriticInsensitive or both"
        case .readOnlyConnection: "expected a connection that may write"
        case .conflict(let id): "expected \(id.name) as it was read: it has been changed since"
        case .noSuchObject(let id): "expected \(id.name): there is no such object"
        case .deletionDenied(let id, let key):
            "expected no '\(key)' of \(id.name), which would be deleted: there are some"
        case .countedKey(let key, _): "expected no value for '\(key)': the store counts it"
        case .metadataKind(let key, let found): "expected a single value for '\(key)' of the metadata, found \(found)"
        case .noFile: "expected a file: a database in memory has one connection only"
        case .compilation(let error): error.code.title
        case .evaluation(let error): error.code.title
        case .conversion(let error): error.title
        case .undecodable("", let entity, let problem): "expected a value of the type for \(entity): \(problem.words)"
        case .undecodable(let key, let entity, let problem):
            "expected a value of the type for '\(key)' of \(entity): \(problem.words)"
        }
    }

    /// Cures; those of a predicate without its excerpt.
    package var hints: [String] {
        switch self {
        case .missingTable(_, let nearMisses), .missingColumn(_, _, let nearMisses): Self.suggestion(nearMisses)
        case .schema(let error): error.hints
        case .compilation(let error): error.code.hints
        case .evaluation(let error): error.code.hints
        case .conversion(let error): error.hints
        case .undecodable(_, _, let problem): problem.hints
        case .sqlite(let result, _): result.hints
        case .noSuchFile: ["SQLiteOptions(.create) makes a new file"]
        case .encoding: ["sqlite3 old.db .dump | sqlite3 new.db makes a copy in UTF-8"]
        case .valueTooLarge: ["SQLite takes no text and no BLOB that is larger"]
        case .severalObjects: ["a further condition, or a limit of 1, leaves one"]
        case .readOnlyConnection: ["SQLiteOptions(.readWrite) opens a file to change it"]
        case .mixedKinds:
            ["a schema that gives the column the type any leaves what is done with it to memory, as a residual"]
        case .missingValue: ["the column is declared NOT NULL"]
        case .expectedFold: ["comparisons without options use an ordinary index of the column"]
        case .expectedTextAttribute: ["only texts are folded"]
        case .conflict: ["fetch the object again, and apply the change to what it is now"]
        case .deletionDenied: ["the delete rule is deny: delete or move these objects first"]
        case .metadataKind: ["a collection can be kept as text or data, such as its JSON"]
        case .countedKey: ["an update of all objects that match a predicate may set it"]
        case .invalidPath, .isDirectory, .expectedOneStatement, .bindingCount, .negativeLimit, .negativeOffset,
            .noSuchObject, .noFile:
            []
        }
    }

    /// SQLite's extended result code.
    fileprivate var number: Int32? {
        if case .sqlite(_, let extended) = self { extended } else { nil }
    }

    private static func suggestion(_ names: [String]) -> [String] {
        guard let last = names.last else { return [] }
        let others = names.dropLast().joined(separator: ", ")
        return ["did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"]
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
        case .busy: "expected a file that is free: another connection has locked it"
        case .locked: "expected a table that is free: this connection is using it"
        case .corrupt: "expected a file that is whole: this one is damaged"
        case .notADatabase: "expected a SQLite database: this file is something else, or encrypted"
        case .readOnly: "expected a file that can be written"
        case .permission, .denied: "expected permission"
        case .cannotOpen: "expected a file that can be opened"
        case .full: "expected room on the disk"
        case .inputOutput: "expected the file to be readable: the disk or another program is in the way"
        case .interrupted: "expected to come to the end: the statement was stopped"
        case .constraint: "expected values that the table allows"
        case .mismatch: "expected a value of the column's type"
        case .tooBig: "expected less data"
        case .outOfMemory: "expected more memory"
        case .schemaChanged: "expected tables that stay as they are: another program changed them"
        case .error: "expected a statement that can be run"
        case .internalError, .aborted, .notFound, .lockingProtocol, .empty, .misuse, .noLargeFiles, .format,
            .outOfRange, .notice, .warning:
            "expected SQLite to do this"
        }
    }

    fileprivate var hints: [String] {
        switch self {
        case .busy: ["a longer busy timeout waits until the other one is done"]
        case .corrupt: ["sqlite3 file.db .recover saves what can be read"]
        case .notADatabase: ["a SQLite file begins with the words 'SQLite format 3'"]
        case .readOnly: ["the file, or the directory it stands in, may not be written"]
        case .cannotOpen: ["a file in WAL mode also needs to make files beside it: its directory must be writable"]
        case .error, .internalError, .permission, .aborted, .locked, .outOfMemory, .interrupted, .inputOutput,
            .notFound, .full, .lockingProtocol, .empty, .schemaChanged, .tooBig, .constraint, .mismatch, .misuse,
            .noLargeFiles, .denied, .format, .outOfRange, .notice, .warning:
            []
        }
    }
}
