import PredicateStore
import PredicateSyntax

/// The wording of all errors of Core Data stores.
extension CoreDataError {
    /// One line that says what failed.
    public var title: String { step.map { "\($0): \(code.title)" } ?? code.title }

    /// Suggestions, each without a full stop.
    public var hints: [String] {
        if case .store(let error) = code { return error.hints }
        return code.hints
    }

    /// The error as a terminal shows it, with the line of a rule; for a database error, the description of that error.
    public var description: String {
        if case .store(let error) = code, number == nil, step == nil { return error.description }
        let number = number.map { " (\($0))" } ?? ""
        if !text.isEmpty {
            return ErrorRenderer.render(title: title + number, source: text, range: range, label: label, hints: hints)
        }
        return "error: \(title.printable)\(number)" + hints.map { "\nhint: \($0.printable)" }.joined()
    }
}

extension CoreDataError.Code {
    fileprivate var title: String {
        switch self {
        case .notAStore(let path): "'\(path)' is not a Core Data store"
        case .noModel(let path): "'\(path)' contains no model: XML stores and stores from before iOS 9 do not"
        case .unreadableModel(let path, let problem): "the model of '\(path)' cannot be used: \(problem.words)"
        case .modelMismatch(let path, let differences):
            "the model does not match '\(path)': \(Self.list(differences))"
        case .unsupportedParts(let path, let parts): "'\(path)' has unsupported parts: \(Self.list(parts))"
        case .unreadableMetadata(let reason): "the metadata is not valid: \(reason)"
        case .otherVersion(let store, let model, let differences):
            "the store has \(Self.version(store)), the model \(Self.version(model)): \(Self.list(differences))"
        case .notInferable(let reasons): "the migration cannot be inferred: \(Self.list(reasons))"
        case .missingPolicy(let name, let mapping):
            "no policy is registered for the class \(name) of the mapping \(mapping)"
        case .invalidMapping(let name, let problem): "the mapping \(name) is not valid: \(problem.words)"
        case .invalidRule(let line, _, _, let problem): "line \(line) of the rules: \(problem.words)"
        case .unreadableFile(let path, let problem): "'\(path)' is not a valid XML store: \(problem.words)"
        case .changedFile(let path): "'\(path)' was changed by another program after it was opened"
        case .binaryStore(let path):
            "'\(path)' is a binary store or another archive, which only Core Data can read"
        case .fileExists(let path): "'\(path)' already exists"
        case .file(let path, let reason): "'\(path)': \(reason)"
        case .notWritable(let names): "the store cannot be changed: it has \(Self.list(names))"
        case .unknownHistory(let entity, let problem):
            "the history of the store cannot record this change of \(entity): \(problem.words)"
        case .foreignStore(let path): "'\(path)' was created by another program"
        case .readOnly: "the store is open for reading only"
        case .missingValue(let key, let entity, 1): "\(entity).\(key) is mandatory, but has no value"
        case .missingValue(let key, let entity, let count):
            "\(entity).\(key) is mandatory, but has no value in \(count) objects"
        case .missingObject(let key, let entity, let object):
            "\(entity).\(key) refers to \(object), which does not exist"
        case .tooFewObjects(let key, let entity, let found, let minimum):
            "\(entity).\(key) needs at least \(Self.objects(minimum)), but has \(found)"
        case .tooManyObjects(let key, let entity, let found, let maximum):
            "\(entity).\(key) allows at most \(Self.objects(maximum)), but has \(found)"
        case .constraintConflict(let keys, let entity):
            "another object of \(entity) has the same \(keys.joined(separator: ", "))"
        case .invalidValue(let key, let entity, let problem): "invalid value for \(entity).\(key): \(problem.words)"
        case .notUnique(let keys, let entity):
            "several objects of \(entity) have the same \(keys.joined(separator: ", "))"
        case .missingExternalData(let key, let entity, let file):
            "the file '\(file)' with the data of \(entity).\(key) is missing"
        case .severalTables(let names):
            names.isEmpty ? "there is no table to write" : "one file of CSV holds one table, found \(Self.list(names))"
        case .abstractEntity(let name): "cannot insert an object of the abstract entity \(name)"
        case .noPrimaryKey(let name): "Z_PRIMARYKEY has no next key for \(name)"
        case .invalidURI(let uri): "expected the URI of an object of this store, found '\(uri)'"
        case .verification(let reason): "the migrated store failed verification: \(reason)"
        case .cancelled: "the migration was cancelled"
        case .store(let error): error.title
        case .expression(let place, let problem): "\(place): \(problem.words)"
        }
    }

    fileprivate var hints: [String] {
        switch self {
        case .notAStore: ["a table of any SQLite file is read by: predicate filter --table NAME TRUEPREDICATE FILE"]
        case .noModel(let path):
            [
                "pass the model with --model FILE: .xcdatamodel, .xcdatamodeld, .mom or .momd",
                "or infer one: predicate model infer '\(path)' -o Inferred.xcdatamodel",
            ]
        case .modelMismatch: ["pass a .momd or .xcdatamodeld bundle to use its matching version"]
        case .unsupportedParts: ["the store can be read, but a change or a migration would lose these parts"]
        case .otherVersion: ["use the migrate option to create a new file of the model's version"]
        case .notInferable:
            [
                "pass a mapping model with --mapping FILE",
                "or assign these properties by rules: --rules FILE",
            ]
        case .missingPolicy(let name, _):
            [
                "register it: MigrationPolicies([\"\(name)\": …])",
                "or replace it with a rule for its entity, or with MESSAGE for its messages: --rules FILE",
            ]
        case .notWritable: ["read or migrate the store: only Core Data can change it in place"]
        case .unknownHistory:
            [
                "'predicate store migrate STORE --to STORE --drop-history -o NEW' makes a store without a history, which can be changed"
            ]
        case .foreignStore, .readOnly: ["use --allow-write COPY to change a copy"]
        case .severalTables: ["choose one entity without subentities, or a folder for a file of each table"]
        case .missingExternalData:
            ["copy the folder .NAME_SUPPORT along with NAME.sqlite", "or go on with nil: --allow-missing-files"]
        case .changedFile: ["open it again and repeat the change: nothing was written"]
        case .binaryStore: ["migrate it to the SQLite or XML type with Core Data, or choose one of these types"]
        case .fileExists: ["choose another name: a store is never overwritten"]
        case .invalidRule(_, _, _, let problem): problem.hints
        case .expression(_, .evaluation(let error)):
            if case .unknownMessage(let name, _, _) = error.code {
                ["'MESSAGE \(name) = expression' in --rules FILE replaces a message to a policy"]
            } else {
                []
            }
        case .unreadableModel, .unreadableMetadata, .unreadableFile, .invalidMapping, .file, .missingValue,
            .invalidValue, .missingObject, .tooFewObjects, .tooManyObjects, .constraintConflict, .notUnique,
            .abstractEntity, .noPrimaryKey, .invalidURI, .verification, .cancelled, .store, .expression:
            []
        }
    }

    private static func objects(_ count: Int) -> String { count == 1 ? "1 object" : "\(count) objects" }

    private static func version(_ names: [String]) -> String {
        let known = names.filter { !$0.isEmpty }
        return known.isEmpty ? "a version without an identifier" : "version " + known.joined(separator: ", ")
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(6).joined(separator: "; ")
        return names.count > 6 ? "\(shown); \(names.count - 6) more" : shown
    }
}
