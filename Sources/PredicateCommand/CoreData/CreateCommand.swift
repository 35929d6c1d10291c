import PredicateCoreData
import PredicateModel

/// The options of `predicate create`.
enum CreateOption: CommandOption {
    case model
    case version

    var declaration: OptionDeclaration {
        switch self {
        case .model:
            .init(
                "model", value: .required("MODEL"),
                help: "The model: .xcdatamodel(d), .mom or .momd (of a bundle, the current version), or a store")
        case .version: MigrateOption.version.declaration
        }
    }
}

/// `predicate create ToDo.sqlite --model ToDo.xcdatamodeld`: creates a Core Data store without objects.
struct CreateCommand {
    private let file: String
    private let model: String
    private let version: String?

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<CreateOption>(words, .create)
        guard reader.positionals.count == 1, let file = reader.positionals.first else {
            throw .usage(UsageError("expected the name of the new store", in: .create))
        }
        guard let model = reader.value(of: .model) else {
            throw .usage(UsageError("expected the model of the store: --model MODEL", in: .create))
        }
        (self.file, self.model, version) = (file, model, reader.value(of: .version))
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let model = try ModelInput.model(model, version: version)
        do throws(CoreDataError) {
            let store = try CoreDataStore.create(file, model: model)
            for omission in store.leftOut { console.report("note: \(file): left out \(omission)") }
            if store.metadata.lacksVersionHashes { console.report(CoreDataFile.hashNote(file)) }
            return .success
        } catch {
            throw CoreDataFile.failure(error, file)
        }
    }
}
