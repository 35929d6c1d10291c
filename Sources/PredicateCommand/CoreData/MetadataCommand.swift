import PredicateCoreData
import PredicateData
import PredicateSession
import PredicateSyntax

/// The options of `predicate metadata`.
enum MetadataOption: CommandOption {
    case all
    case set
    case allowWrite
    case model

    var declaration: OptionDeclaration {
        switch self {
        case .all: .init("all", "a", help: "Print the app's own keys too, which may hold secrets")
        case .set:
            .init("set", "s", value: .required("KEY=VALUE"), help: "Give a key a value (see Values); null removes it")
        case .allowWrite: ChangeDeclarations.allowWrite
        case .model: FilterOption.model.declaration
        }
    }
}

/// `predicate metadata ToDo.sqlite`: prints or changes the metadata of a Core Data store.
struct MetadataCommand {
    private let file: WritableStore
    private let key: String?
    private let printsAll: Bool
    private let settings: [String]

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<MetadataOption>(words, .metadata)
        guard let path = reader.positionals.first, reader.positionals.count <= 2 else {
            throw .usage(UsageError("expected one store, and at most one key", in: .metadata))
        }
        file = WritableStore(path: path, copy: reader.value(of: .allowWrite), model: reader.value(of: .model))
        key = reader.positionals.dropFirst().first
        (printsAll, settings) = (reader.has(.all), reader.values(of: .set))
        if settings.isEmpty, file.copy != nil {
            throw .usage(UsageError("--allow-write is for --set", in: .metadata))
        }
        if !settings.isEmpty, key != nil || printsAll {
            throw .usage(UsageError("--set prints nothing: give neither a key nor --all", in: .metadata))
        }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        guard settings.isEmpty else { return try file.changing(change) }
        let metadata: StoreMetadata
        do throws(CoreDataError) {
            metadata = try StoreMetadata(path: file.path)
        } catch {
            throw CoreDataFile.failure(error, file.path)
        }
        guard let key else {
            var values = printsAll ? metadata.values : metadata.known
            values[StoreMetadata.modelKey] = nil
            values["NSStoreUUID"] = .string(metadata.uuid)
            try console.write(JSONWriter().text(of: .dictionary(values)) + "\n")
            return .success
        }
        guard let value = metadata.values[key] else { return .negative }
        try console.write(JSONWriter().text(of: value) + "\n")
        return .success
    }

    private func change(_ store: CoreDataStore) throws(CommandFailure) -> ExitStatus {
        var values: [(key: String, value: PredicateValue)] = []
        for (key, words) in try ChangeValues.words(settings).sorted(by: { $0.key < $1.key }) {
            do throws(ValueError) {
                values.append((key, try ValueWord.value(words.last ?? "")))
            } catch {
                throw .message("--set \(key): \(error.message)", hints: error.hints)
            }
        }
        do throws(CoreDataError) {
            try store.transaction { () throws(CoreDataError) in
                for (key, value) in values { try store.setMetadata(value == .null ? nil : value, for: key) }
            }
        } catch {
            throw CoreDataFile.failure(error, file.path)
        }
        return .success
    }
}
