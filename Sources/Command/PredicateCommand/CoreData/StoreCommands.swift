import PredicateCoreData
import PredicateData
import PredicateJSON
import PredicateModel
import PredicateSession
import PredicateSyntax

extension Subcommand {
    /// `predicate store`, which every command that writes or moves a Core Data store begins with.
    static let store = Subcommand(
        "store", "Create, change, compare, migrate and export Core Data stores",
        usage: ["predicate store COMMAND [ARGUMENT...]"], operands: [.words(storeVerbs.map(\.word))], options: [],
        help: [
            .paragraph(
                "Commands for the stores of Core Data and SwiftData: SQLite files and XML. To read one, use filter,"
                    + " describe, explain and the session, as with any other file. For models there is"
                    + " predicate model."),
            .rows("Commands", storeVerbs.map { ($0.word, $0.summary) }), .options,
            .examples(["predicate store migrate ToDo.sqlite --to ToDo.xcdatamodeld -o New.sqlite"]),
        ]
    ) { (reader, _) throws(CommandFailure) in
        throw reader.failure(expectedOneOf: storeVerbs.map(\.word))
    }

    static let create = Subcommand(
        "store create", "Create a Core Data store for a model",
        usage: ["predicate store create [OPTION...] STORE --model MODEL"],
        options: [[CreateCommand.model, MigrateCommand.version, CreateCommand.configuration, CreateCommand.type]],
        help: [
            .paragraph(
                "Create a Core Data store without objects, in the layout that Core Data gives the model. It contains"
                    + " the model, so that the other commands need none. Core Data on Apple's platforms may refuse to open"
                    + " it."),
            .options, .exitStatus([("0", "the store was created"), ("2", "an error: there is no store")]),
            .examples([
                "predicate store create ToDo.sqlite --model ToDo.xcdatamodeld",
                "predicate store create ToDo.xml --model ToDo.xcdatamodeld",
                "predicate store create Cloud.sqlite --model ToDo.xcdatamodeld --configuration Cloud",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try CreateCommand(reader).run(console) }

    static let metadata = Subcommand(
        "store metadata", "Print or set the metadata of a Core Data store",
        usage: [
            "predicate store metadata [OPTION...] STORE [KEY]", "predicate store metadata STORE --set KEY=VALUE...",
        ],
        options: [[MetadataCommand.all, MetadataCommand.set, .allowWrite, .model]],
        help: [
            .paragraph(
                "Print the metadata of a Core Data store as JSON, or the value of one key. Without --all, prints"
                    + " only the keys that every store has."),
            .options, .values,
            .exitStatus([("0", "success"), ("1", "there is no such key"), ("2", "an error")]),
            .examples([
                "predicate store metadata ToDo.sqlite",
                "predicate store metadata ToDo.sqlite NSStoreModelVersionIdentifiers",
                "predicate store metadata ToDo.sqlite --set lastSync=date:2026-01-31T12:00:00Z",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try MetadataCommand(reader).run(console) }
}

/// `predicate store create ToDo.sqlite --model ToDo.xcdatamodeld`: creates a Core Data store without objects.
struct CreateCommand {
    private let reader: ArgumentReader

    static let configuration = CommandOption(
        "configuration", value: "NAME",
        help: "Only the entities of this configuration of the model, with those from which they inherit")
    static let type = CommandOption(
        "type", value: "TYPE", .values(of: WrittenType.self),
        help: "Type of the store, sqlite or xml (default: xml if the name ends in .xml, otherwise sqlite)")
    static let model = CommandOption(
        "model", value: "MODEL", .files,
        help: "The model: .xcdatamodel(d), .mom or .momd (of a bundle, the current version), or a store")

    init(_ reader: ArgumentReader) { self.reader = reader }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        guard reader.operands.count == 1 else { throw reader.failure("expected the name of the new store") }
        guard let path = reader.value(of: Self.model) else {
            throw reader.failure("expected the model of the store: --model MODEL")
        }
        let (file, type) = (reader.operands[0], try WrittenType.choice(reader, Self.type))
        let model = try ModelInput.model(
            path, version: reader.value(of: MigrateCommand.version),
            configuration: reader.value(of: Self.configuration))
        let store = try CoreDataFile.reading(file) { () throws(CoreDataError) in
            try CoreDataStore.create(file, model: model, type: type)
        }
        for omission in store.omissions { console.report("note: \(file): left out \(omission)") }
        for note in CoreDataFile.notes(on: store.metadata, file) { console.report(note) }
        return .success
    }
}

/// The types of stores that the command writes.
enum WrittenType: String, CaseIterable {
    case sqlite
    case xml

    /// The type that an option chooses; nil if the option is not given.
    static func choice(_ reader: ArgumentReader, _ option: CommandOption) throws(CommandFailure) -> StoreType? {
        let chosen: WrittenType? = try reader.choice(of: option)
        return chosen.flatMap { StoreType(rawValue: $0.rawValue) }
    }
}

/// `predicate store metadata ToDo.sqlite`: prints or changes the metadata of a Core Data store.
struct MetadataCommand {
    private let file: WritableStore
    private let key: String?
    private let printsAll: Bool
    private let settings: [String]

    static let all = CommandOption("all", "a", help: "Print the app's own keys too, which may hold secrets")
    static let set = CommandOption(
        "set", "s", value: "KEY=VALUE", help: "Set the value of a key (see Values); null removes the key")

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard let path = reader.operands.first, reader.operands.count <= 2 else {
            throw reader.failure("expected one store, and at most one key")
        }
        file = WritableStore(reader, path: path)
        key = reader.operands.dropFirst().first
        (printsAll, settings) = (reader.has(Self.all), reader.values(of: Self.set))
        if settings.isEmpty, file.copy != nil { throw reader.failure("--allow-write is for --set") }
        if !settings.isEmpty, key != nil || printsAll {
            throw reader.failure("--set prints nothing: give neither a key nor --all")
        }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        guard settings.isEmpty else { return try file.changing(change) }
        let metadata = try CoreDataFile.reading(file.path) { () throws(CoreDataError) in
            try StoreMetadata(path: file.path)
        }
        guard let key else {
            var values = printsAll ? metadata.values : metadata.systemValues
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
        for (key, words) in try ChangeValues.words(settings, of: .changedValue).sorted(by: { $0.key < $1.key }) {
            do throws(ValueError) {
                values.append((key, try ValueWord.value(words.last ?? "", in: nil)))
            } catch {
                throw .message("--set \(key): \(error.message)", hints: error.hints)
            }
        }
        try CoreDataFile.reading(file.path) { () throws(CoreDataError) in
            try store.transaction { () throws(CoreDataError) in
                for (key, value) in values { try store.setMetadata(value == .null ? nil : value, for: key) }
            }
        }
        return .success
    }
}
