import PredicateCoreData
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// The options of `predicate update`.
enum UpdateOption: SelectingOption {
    case entity
    case set
    case arg
    case result
    case once
    case allowWrite
    case model

    var declaration: OptionDeclaration {
        switch self {
        case .entity: ChangeDeclarations.entity
        case .set: ChangeDeclarations.set
        case .arg: FilterOption.arg.declaration
        case .result: ChangeDeclarations.result
        case .once: ChangeDeclarations.once
        case .allowWrite: ChangeDeclarations.allowWrite
        case .model: FilterOption.model.declaration
        }
    }
}

/// `predicate update 'due < now()' ToDo.sqlite --entity ToDo --set isDone=YES`: gives matching objects values.
struct UpdateCommand {
    private let words: SelectionWords
    private let settings: [String]

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<UpdateOption>(words, .update)
        self.words = try SelectionWords(reader, in: .update)
        settings = reader.values(of: .set)
        guard !settings.isEmpty else {
            throw .usage(UsageError("expected what is to change: --set KEY=VALUE", in: .update))
        }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        try words.run(console) { (store, entity, format, writesIDs) throws(CommandFailure) in
            let values = try ChangeValues.values(settings, of: entity, in: store)
            return { () throws(CoreDataError) in
                let report = try store.update(entity, values, where: format, returning: .primaryKeys)
                return try report.changed(entity, in: store, writesIDs: writesIDs)
            }
        }
    }
}

/// The options of `predicate delete`.
enum DeleteOption: SelectingOption {
    case entity
    case arg
    case result
    case once
    case allowWrite
    case model

    var declaration: OptionDeclaration {
        switch self {
        case .entity: ChangeDeclarations.entity
        case .arg: FilterOption.arg.declaration
        case .result: ChangeDeclarations.result
        case .once: ChangeDeclarations.once
        case .allowWrite: ChangeDeclarations.allowWrite
        case .model: FilterOption.model.declaration
        }
    }
}

/// `predicate delete 'isDone == YES' ToDo.sqlite --entity ToDo`: deletes matching objects by the rules of the model.
struct DeleteCommand {
    private let words: SelectionWords

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        self.words = try SelectionWords(ArgumentReader<DeleteOption>(words, .delete), in: .delete)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        try words.run(console) { (store, entity, format, writesIDs) throws(CommandFailure) in
            { () throws(CoreDataError) in
                // URIs name the entity of a row, which must be there still.
                let uris = writesIDs ? try store.uris(entity, where: format) : []
                let report = try store.delete(entity, where: format, returning: .primaryKeys)
                return ChangeWords.Changed(count: report.keys.count, uris: uris)
            }
        }
    }
}

/// The options of a command that changes what a predicate selects.
protocol SelectingOption: ChangingOption {
    static var arg: Self { get }
}

/// What the words of `update` and `delete` share: a predicate and a store.
private struct SelectionWords {
    private let words: ChangeWords
    private let predicate: PredicateWords

    init<Option: SelectingOption>(_ reader: ArgumentReader<Option>, in command: Command) throws(CommandFailure) {
        guard reader.positionals.count == 2 else {
            let hints = ["TRUEPREDICATE selects all objects of the entity"]
            throw .usage(UsageError("expected a format and one store", hints: hints, in: command))
        }
        words = try ChangeWords(reader, file: reader.positionals[1], in: command)
        predicate = try PredicateWords(
            reader.positionals[0], arguments: reader.values(of: .arg), settings: nil, in: command)
    }

    /// Runs a change of the objects of an entity that match the predicate, as ``ChangeWords`` does.
    func run(
        _ console: Console,
        _ prepare: (
            CoreDataStore, _ entity: String, FormatPredicate, _ writesIDs: Bool
        ) throws(CommandFailure) -> ChangeWords.Change
    ) throws(CommandFailure) -> ExitStatus {
        let format = try predicate.predicate()
        return try words.run(console) { (store, writesIDs) throws(CommandFailure) in
            guard let entity = store.schema.entities[words.entity] else {
                // The store knows similar names.
                return try prepare(store, words.entity, format, writesIDs)
            }
            let format = try Optional(store).reading(format, of: entity, in: store.schema)
            return try prepare(store, words.entity, format, writesIDs)
        }
    }
}

extension ChangeReport {
    fileprivate var keys: [PredicateValue] { if case .primaryKeys(let keys) = self { keys } else { [] } }

    fileprivate func changed(
        _ entity: String, in store: CoreDataStore, writesIDs: Bool
    ) throws(CoreDataError) -> ChangeWords.Changed {
        var uris: [ObjectURI] = []
        if writesIDs { for key in keys { uris.append(try store.uri(of: SQLObjectID(entity, key: key))) } }
        return ChangeWords.Changed(count: keys.count, uris: uris)
    }
}

extension CoreDataStore {
    /// The URIs of the objects that match a predicate.
    fileprivate func uris(_ entity: String, where predicate: FormatPredicate) throws(CoreDataError) -> [ObjectURI] {
        let ids: [SQLObjectID]
        do throws(StoreError) {
            ids = try objects.ids(FetchRequest(entity, predicate))
        } catch {
            throw CoreDataError(.store(error))
        }
        var uris: [ObjectURI] = []
        for id in ids { uris.append(try uri(of: id)) }
        return uris
    }
}
