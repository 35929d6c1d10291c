import PredicateCoreData
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The options of a command that changes the objects of a Core Data store.
protocol ChangingOption: CommandOption {
    static var entity: Self { get }
    static var result: Self { get }
    static var once: Self { get }
    static var allowWrite: Self { get }
    static var model: Self { get }
}

/// The declarations that the commands which change stores share.
enum ChangeDeclarations {
    static let entity = OptionDeclaration("entity", value: .required("NAME"), help: "Entity of the objects")
    static let set = OptionDeclaration(
        "set", "s", value: .required("KEY=VALUE"),
        help: "Give a key a value (see Values); a relationship takes URIs, and a to-many one several of this option")
    static let result = OptionDeclaration(
        "result", value: .required("KIND"),
        help: "Print the count of objects, their ids, one URI a line, or the status alone (default: count)")
    static let once = OptionDeclaration(
        "once", value: .required("KEY"),
        help: "Change nothing if the metadata have KEY; else set it with the change, in one transaction")
    static let allowWrite = OptionDeclaration(
        "allow-write", value: .required("COPY"),
        help: "Copy the store to a new file and change the copy: the only way for a store of another program")
}

/// What the words of `insert`, `update` and `delete` share: which store, which entity, and what is printed.
struct ChangeWords {
    let entity: String
    private let file: WritableStore
    private let once: String?
    private let result: ResultKind

    /// What is printed of a change: the kinds of result that batch requests of Core Data have.
    enum ResultKind: String, CaseIterable {
        case status
        case ids
        case count
    }

    init<Option: ChangingOption>(
        _ reader: ArgumentReader<Option>, file: String, in command: Command
    ) throws(CommandFailure) {
        guard let entity = reader.value(of: .entity) else {
            throw .usage(UsageError("expected the entity: --entity NAME", in: command))
        }
        let word = reader.value(of: .result) ?? ResultKind.count.rawValue
        guard let result = ResultKind(rawValue: word) else {
            let names = ResultKind.allCases.map(\.rawValue)
            let hints = UsageError.suggestions(for: word, among: names)
            throw .usage(UsageError("--result takes status, ids or count, found '\(word)'", hints: hints, in: command))
        }
        (self.entity, self.result, once) = (entity, result, reader.value(of: .once))
        self.file = WritableStore(
            path: file, copy: reader.value(of: .allowWrite), model: reader.value(of: .model))
    }

    /// Runs a change that is prepared for the store, in one transaction, and prints its result.
    ///
    /// The change returns the URIs of the objects where `writesIDs`, and their number.
    func run(
        _ console: Console,
        _ prepare: (CoreDataStore, _ writesIDs: Bool) throws(CommandFailure) -> Change
    ) throws(CommandFailure) -> ExitStatus {
        try file.changing { (store) throws(CommandFailure) in
            let change = try prepare(store, result == .ids)
            let changed: Changed?
            do throws(CoreDataError) {
                changed = try store.transaction { () throws(CoreDataError) in try guarded(change, store) }
            } catch {
                throw CoreDataFile.failure(error, file.path)
            }
            guard let changed else {
                console.report("note: \(file.path): the metadata have '\(once ?? "")' already, nothing is changed")
                return .negative
            }
            try write(changed, console)
            return changed.count > 0 ? .success : .negative
        }
    }

    /// A change of a store.
    typealias Change = () throws(CoreDataError) -> Changed

    /// How many objects were changed, and which, where that is asked for.
    struct Changed {
        var count: Int
        var uris: [ObjectURI]
    }

    private func guarded(_ change: Change, _ store: CoreDataStore) throws(CoreDataError) -> Changed? {
        guard let once else { return try change() }
        guard store.metadata.values[once] == nil else { return nil }
        let changed = try change()
        try store.setMetadata(true, for: once)
        return changed
    }

    private func write(_ changed: Changed, _ console: Console) throws(CommandFailure) {
        switch result {
        case .status: try console.write("true\n")
        case .count: try console.write("\(changed.count)\n")
        case .ids: try console.write(changed.uris.map { "\($0)\n" }.joined())
        }
    }
}

/// A store that is changed: one of this library itself, one of another program as a copy.
struct WritableStore {
    let path: String
    let copy: String?
    let model: String?

    /// Opens the store for a change; a copy whose change fails is removed.
    func changing(
        _ change: (CoreDataStore) throws(CommandFailure) -> ExitStatus
    ) throws(CommandFailure) -> ExitStatus {
        let store = try open()
        do throws(CommandFailure) {
            return try change(store)
        } catch {
            if let copy { CoreDataStore.removeCopy(copy) }
            throw error
        }
    }

    private func open() throws(CommandFailure) -> CoreDataStore {
        let models = try model.map(CoreDataFile.models) ?? []
        do throws(CoreDataError) {
            guard let copy else { return try CoreDataStore(changing: path) }
            return try CoreDataStore.copy(path, to: copy, models: models)
        } catch {
            if case .notAStore = error.code {
                throw .message(
                    "expected a Core Data store, found '\(path)', another SQLite file",
                    hints: [
                        "only Core Data stores are changed: 'predicate sql FORMAT --schema \(path)' writes the condition"
                            + " for an UPDATE or DELETE by sqlite3",
                        "predicate create makes a store from a model",
                    ])
            }
            throw CoreDataFile.failure(error, path)
        }
    }
}
