import PredicateCoreData
import PredicateSyntax

/// The options of `predicate export`.
enum ExportOption: CommandOption {
    case output
    case entity
    case model
    case quiet

    var declaration: OptionDeclaration {
        switch self {
        case .output:
            .init("output", "o", value: .required("NEW"), help: "The new SQLite file, which must not exist yet")
        case .entity:
            .init(
                "entity", value: .required("NAME"), help: "An entity to write, with those below it; several are allowed"
            )
        case .model: FilterOption.model.declaration
        case .quiet: .init("quiet", "q", help: "Write no count of objects")
        }
    }
}

/// `predicate export Photos.sqlite -o plain.sqlite`: writes the objects of a Core Data store into plain tables.
struct ExportCommand {
    private let file: String
    private let output: String
    private let entities: [String]
    private let model: String?
    private let isQuiet: Bool

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<ExportOption>(words, .export)
        guard reader.positionals.count == 1, let file = reader.positionals.first else {
            throw .usage(UsageError("expected one store", in: .export))
        }
        guard let output = reader.value(of: .output) else {
            throw .usage(UsageError("expected a new file: --output NEW", in: .export))
        }
        (self.file, self.output, entities) = (file, output, reader.values(of: .entity))
        (model, isQuiet) = (reader.value(of: .model), reader.has(.quiet))
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let models = try model.map(CoreDataFile.models) ?? []
        do throws(CoreDataError) {
            let store = try CoreDataStore(file, models: models)
            for omission in store.leftOut { console.report("note: \(file): left out \(omission)") }
            let count = try store.export(to: output, entities: entities.isEmpty ? nil : entities)
            if !isQuiet { console.report("\(output): \(count) \(count == 1 ? "object" : "objects")") }
            return .success
        } catch {
            throw CoreDataFile.failure(error, file)
        }
    }
}
