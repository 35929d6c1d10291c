import Foundation
import PredicateCoreData
import PredicateData
import PredicateModel
import PredicateSyntax

extension Subcommand {
    static let migrate = Subcommand(
        "migrate", "Migrate a Core Data store to another version of its model",
        usage: ["predicate migrate [OPTION...] STORE --to MODEL -o NEW"],
        options: [
            [
                MigrateCommand.destination, MigrateCommand.version, MigrateCommand.output, .model, MigrateCommand.rules,
                MigrateCommand.mapping, MigrateCommand.type, MigrateCommand.dropHistory, MigrateCommand.allowLoss,
                .allowMissingFiles, MigrateCommand.quiet,
            ]
        ],
        help: [
            .paragraph(
                "Migrate a Core Data store to another version of its model, into a new file. The old store is only read;"
                    + " the new one is written under another name, checked and renamed. With --type and the model that the"
                    + " store has, it is converted."),
            .options,
            .rows(
                "Rules",
                [
                    ("Album, title == nil, title = $source.name", "sets a value"),
                    ("Album, TRUEPREDICATE, due = CAST($source.due, \"NSDate\")", "also one of another type"),
                    ("Album, TRUEPREDICATE, id = UUID()", "sets a new UUID"),
                    (
                        "Album, TRUEPREDICATE, artist = FIND Artist(name = $source.artist) OR MAKE",
                        "finds or makes an object"
                    ),
                    ("… OR MAKE FOR $tag IN expression", "finds or makes objects for the elements of a collection"),
                    ("Album, TRUEPREDICATE, MAKE Note(text = title)", "makes an object"),
                    ("Draft, $source.isOld == YES, DELETE", "deletes objects"),
                    ("MESSAGE migrateIconURL = \"icon.png\"", "replaces a message to the policy of a mapping model"),
                ]),
            .exitStatus([
                ("0", "the store was migrated"), ("2", "an error: there is no new store"),
                ("3", "objects would be lost: there is no new store"),
            ]),
            .examples([
                "predicate migrate ToDo.sqlite --to ToDo.xcdatamodeld -o ToDo2.sqlite",
                "predicate migrate ToDo.sqlite --to ToDo.xcdatamodeld -o ToDo2.sqlite --rules quiet.rules",
                "predicate migrate ToDo.xml --to ToDo.xml --type sqlite -o ToDo.sqlite",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try MigrateCommand(reader).run(console) }
}

extension MigrateCommand {
    static let destination = CommandOption(
        "to", value: "MODEL", .files,
        help: "The model of the new store: .xcdatamodel(d), .mom or .momd (of a bundle, the current version), or a"
            + " store that contains it")
    static let version = CommandOption(
        "version", value: "NAME", help: "The version of a bundle, instead of the current one")
    static let output = CommandOption(
        "output", "o", value: "NEW", .files, help: "The new store, which must not exist yet")
    static let rules = CommandOption(
        "rules", value: "FILE", .files,
        help: "Rules for migrated objects, one per line: entity, predicate, action (see Rules)")
    static let mapping = CommandOption(
        "mapping", value: "FILE", .files, help: "The mapping model: .xcmappingmodel or .cdm")
    static let type = CommandOption(
        "type", value: "TYPE", .values(of: WrittenType.self),
        help: "Type of the new store, sqlite or xml (default: the type of the old one)")
    static let allowLoss = CommandOption(
        "allow-loss", help: "Leave behind objects of entities that the new model does not have")
    static let dropHistory = CommandOption(
        "drop-history", help: "Leave the history of changes behind, which SwiftData's stores have")
    static let quiet = CommandOption("quiet", "q", help: "Do not report progress")
}

/// `predicate migrate old.sqlite --to Model.xcdatamodeld -o new.sqlite`: migrates a Core Data store into a new file.
struct MigrateCommand {
    private let file: String
    private let destination: String
    private let version: String?
    private let output: String
    private let model: String?
    private let rules: String?
    private let mapping: String?
    private let type: StoreType?
    private let allowsLoss: Bool
    private let dropsHistory: Bool
    private let allowsMissingData: Bool
    private let isQuiet: Bool

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard reader.operands.count == 1 else { throw reader.failure("expected one store") }
        guard let destination = reader.value(of: Self.destination) else {
            throw reader.failure("expected the model of the new store: --to MODEL")
        }
        guard let output = reader.value(of: Self.output) else {
            throw reader.failure("expected a new file: --output NEW")
        }
        (file, self.destination, self.output) = (reader.operands[0], destination, output)
        version = reader.value(of: Self.version)
        model = reader.value(of: .model)
        rules = reader.value(of: Self.rules)
        mapping = reader.value(of: Self.mapping)
        type = try WrittenType.choice(reader, Self.type)
        (allowsLoss, isQuiet) = (reader.has(Self.allowLoss), reader.has(Self.quiet))
        (dropsHistory, allowsMissingData) = (reader.has(Self.dropHistory), reader.has(.allowMissingFiles))
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let models = try model.map(CoreDataFile.models) ?? []
        let new = try destinationModel()
        let rules = try readRules()
        do throws(CoreDataError) {
            var migration: StoreMigration
            if let mapping {
                migration = try StoreMigration(
                    of: file, models: models, to: new, mapping: try readMapping(mapping), rules: rules)
            } else {
                migration = try StoreMigration(of: file, models: models, to: new, rules: rules)
            }
            (migration.keepsHistory, migration.allowsMissingData) = (!dropsHistory, allowsMissingData)
            guard try accepts(migration.losses(into: type), console) else { return .undecided }
            let store = try migration.run(into: output, type: type) { step in
                if !isQuiet { console.report("\(step)") }
            }
            if !isQuiet { console.report("\(output): \(store.uuid)") }
            if !isQuiet {
                for note in CoreDataFile.notes(on: store.metadata, output) { console.report(note) }
            }
            return .success
        } catch {
            throw CoreDataFile.failure(error, file)
        }
    }

    /// Reports what the migration drops. Returns false if it drops objects and `--allow-loss` was not given.
    private func accepts(_ losses: [MigrationLoss], _ console: Console) -> Bool {
        var lost = 0
        for loss in losses {
            if case .objects = loss { lost += 1 }
            console.report("note: \(file): \(loss)")
        }
        guard lost > 0, !allowsLoss else { return true }
        console.report(
            "nothing was written: --allow-loss migrates without these objects, --mapping decides what becomes of them")
        return false
    }

    /// Returns the model of a file, a bundle or a store.
    private func destinationModel() throws(CommandFailure) -> ManagedObjectModel {
        try ModelInput.model(destination, version: version)
    }

    private func readMapping(_ path: String) throws(CoreDataError) -> MappingModel {
        do throws(ModelError) {
            return try MappingModel(path: path)
        } catch {
            throw CoreDataError(.invalidMapping(path, .unreadable(error)))
        }
    }

    private func readRules() throws(CommandFailure) -> MigrationRules {
        guard let rules else { return MigrationRules() }
        guard let data = FileManager.default.contents(atPath: rules), let text = String(data: data, encoding: .utf8)
        else { throw .message("--rules: '\(rules)' cannot be read") }
        do throws(CoreDataError) {
            return try MigrationRules(text)
        } catch {
            throw CoreDataFile.failure(error, rules)
        }
    }
}
