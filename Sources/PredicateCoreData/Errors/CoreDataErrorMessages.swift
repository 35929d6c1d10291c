import PredicateStore
import PredicateSyntax

/// The wording of all errors of Core Data's stores.
extension CoreDataError {
    /// One line that says what was expected.
    public var title: String {
        if case .store(let error) = code { return error.title }
        return code.title
    }

    /// Cures, each a sentence without a full stop.
    public var hints: [String] {
        if case .store(let error) = code { return error.hints }
        return code.hints
    }

    /// The error as a terminal shows it; an error of the database as its own.
    public var description: String {
        if case .store(let error) = code { return error.description }
        let number = number.map { " (\($0))" } ?? ""
        return "error: \(code.title.printable)\(number)" + code.hints.map { "\nhint: \($0.printable)" }.joined()
    }
}

extension CoreDataError.Code {
    fileprivate var title: String {
        switch self {
        case .notAStore(let path): "expected a store of Core Data, found '\(path)', another SQLite file"
        case .noModel(let path): "expected a model for '\(path)': a store of this age does not keep its own"
        case .unreadableModel(let path, let reason): "expected a model in '\(path)' that can be read: \(reason)"
        case .unfitModel(let path, let differences):
            "expected the model of '\(path)', found another one: \(Self.list(differences))"
        case .notUnderstood(let path, let parts):
            "expected '\(path)' to have nothing but what is understood: \(Self.list(parts))"
        case .unreadableMetadata(let reason): "expected metadata that can be read: \(reason)"
        case .otherVersion(let store, let model, let differences):
            "expected a store of \(Self.version(model)), found one of \(Self.version(store)): \(Self.list(differences))"
        case .notInferable(let reasons): "expected changes that need no mapping: \(Self.list(reasons))"
        case .missingPolicy(let name, let mapping):
            "expected a policy for the class \(name), which the mapping \(mapping) names"
        case .invalidMapping(let name, let reason): "expected a mapping that fits the models, in \(name): \(reason)"
        case .invalidRule(let line, let reason): "line \(line) of the rules: \(reason)"
        case .fileExists(let path): "expected no file at '\(path)': there is one"
        case .file(let path, let reason): "'\(path)': \(reason)"
        case .notWritable(let names): "expected a store that only its model describes, found \(Self.list(names))"
        case .foreignStore(let path): "expected a store that this library made, found '\(path)' of another program"
        case .readOnly: "expected a store that is open for changes"
        case .missingValue(let key, let entity, 1): "expected a value for \(entity).\(key), found nil"
        case .missingValue(let key, let entity, let count):
            "expected a value for \(entity).\(key), found nil in \(count) objects"
        case .missingObject(let key, let entity, let object):
            "expected an object for \(entity).\(key), found none: there is no \(object)"
        case .tooFewObjects(let key, let entity, let found, let least):
            "expected at least \(least) \(least == 1 ? "object" : "objects") for \(entity).\(key), found \(found)"
        case .tooManyObjects(let key, let entity, let found, let most):
            "expected at most \(most) \(most == 1 ? "object" : "objects") for \(entity).\(key), found \(found)"
        case .constraintConflict(let keys, let entity):
            "expected an object of \(entity) that differs from the others in \(keys.joined(separator: ", "))"
        case .invalidValue(let key, let entity, let reason, _): "expected another value for \(entity).\(key): \(reason)"
        case .notUnique(let keys, let entity):
            "expected objects of \(entity) that differ in \(keys.joined(separator: ", ")): several have the same"
        case .missingExternalData(let key, let entity, let file):
            "expected the file '\(file)' with the data of \(entity).\(key) beside the store: there is none"
        case .abstractEntity(let name): "expected an entity that has objects, found the abstract entity \(name)"
        case .noKeyLeft(let name): "expected a row of Z_PRIMARYKEY with a next key for \(name)"
        case .invalidURI(let text): "expected the URI of an object of this store, found '\(text)'"
        case .verification(let reason): "expected a complete migration: \(reason)"
        case .cancelled: "the migration was cancelled"
        case .store(let error): error.title
        case .expression(let place, let reason): "\(place): \(reason)"
        }
    }

    fileprivate var hints: [String] {
        switch self {
        case .notAStore: ["--table NAME reads a table of any SQLite file"]
        case .noModel: ["--model FILE names the model: .xcdatamodel, .xcdatamodeld, .mom or .momd"]
        case .unfitModel: ["of a bundle with several versions the fitting one is found"]
        case .notUnderstood: ["it can be read; a change or a migration would lose what is not understood"]
        case .otherVersion: ["the option to migrate makes a new file of the model's version"]
        case .notInferable: ["a mapping model says how: --mapping FILE"]
        case .missingPolicy(let name, _):
            ["register it: MigrationPolicies([\"\(name)\": …])", "without code, --rules FILE replaces it"]
        case .notWritable: ["such a store is changed by Core Data alone; it can be read and migrated"]
        case .foreignStore, .readOnly: ["--allow-write COPY changes a copy"]
        case .missingExternalData: ["the folder .NAME_SUPPORT belongs to the store NAME.sqlite: copy both"]
        case .fileExists: ["choose another name; a store is never overwritten"]
        case .unreadableModel, .unreadableMetadata, .invalidMapping, .invalidRule, .file, .missingValue,
            .invalidValue, .missingObject, .tooFewObjects, .tooManyObjects, .constraintConflict, .notUnique,
            .abstractEntity, .noKeyLeft, .invalidURI, .verification, .cancelled, .store,
            .expression:
            []
        }
    }

    private static func version(_ names: [String]) -> String {
        let known = names.filter { !$0.isEmpty }
        return known.isEmpty ? "a version without an identifier" : "version " + known.joined(separator: ", ")
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(6).joined(separator: "; ")
        return names.count > 6 ? "\(shown); \(names.count - 6) more" : shown
    }
}
