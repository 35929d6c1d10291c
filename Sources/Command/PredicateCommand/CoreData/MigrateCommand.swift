import Foundation
import PredicateCoreData
import PredicateData
import PredicateModel
import PredicateSyntax

extension Subcommand {
    static let migrate = Subcommand(
        "store migrate", "Migrate a Core Data store to another version of its model",
        usage: ["predicate store migrate [OPTION...] STORE --to MODEL -o NEW"],
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
                ("3", "objects or links would be lost: there is no new store"),
            ]),
            .examples([
                "predicate store migrate ToDo.sqlite --to ToDo.xcdatamodeld -o ToDo2.sqlite",
                "predicate store migrate ToDo.sqlite --to ToDo.xcdatamodeld -o ToDo2.sqlite --rules quiet.rules",
                "predicate store migrate ToDo.sqlite --to ToDo.xcdatamodeld -o ToDo5.sqlite --mapping Mappings",
                "predicate store migrate ToDo.xml --to ToDo.xml --type sqlite -o ToDo.sqlite",
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
        "mapping", value: "FILE", .files,
        help:
            "The mapping model: .xcmappingmodel or .cdm; or a folder of them, over which the way from the store's version to"
            + " that of the bundle MODEL is found, with inferred steps between them and the rules in NAME.rules beside each"
    )
    static let type = CommandOption(
        "type", value: "TYPE", .values(of: WrittenType.self),
        help: "Type of the new store, sqlite or xml (default: the type of the old one)")
    static let allowLoss = CommandOption(
        "allow-loss", help: "Leave behind objects and links that the new store cannot have")
    static let dropHistory = CommandOption(
        "drop-history", help: "Leave the history of changes behind, which SwiftData's stores have")
    static let quiet = CommandOption("quiet", "q", help: "Do not report progress")
}

/// `predicate store migrate old.sqlite --to Model.xcdatamodeld -o new.sqlite`: migrates a Core Data store into a new file.
struct MigrateCommand {
    private let reader: ArgumentReader
    private let file: String
    private let destination: String
    private let output: String
    private let type: StoreType?
    private var isQuiet: Bool { reader.has(Self.quiet) }

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard reader.operands.count == 1 else { throw reader.failure("expected one store") }
        guard let destination = reader.value(of: Self.destination) else {
            throw reader.failure("expected the model of the new store: --to MODEL")
        }
        guard let output = reader.value(of: Self.output) else {
            throw reader.failure("expected a new file: --output NEW")
        }
        (self.reader, file, self.destination, self.output) = (reader, reader.operands[0], destination, output)
        type = try WrittenType.choice(reader, Self.type)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let models = try reader.value(of: .model).map(CoreDataFile.models) ?? []
        let chain = try chain(models)
        let store = try CoreDataFile.reading(file) { () throws(CoreDataError) in
            try chain.run(file, models: models, into: output, type: type) {
                $0.keepsHistory = !reader.has(Self.dropHistory)
                $0.allowsMissingData = reader.has(.allowMissingFiles)
            } accept: { step, losses, notes in
                for note in notes { console.report("note: \(file): \(note)") }
                if !isQuiet, chain.steps.count > 1 { console.report("\(step)") }
                return accepts(losses, console)
            } progress: { stage in
                if !isQuiet { console.report("\(stage)") }
            }
        }
        guard let store else { return .undecided }
        if !isQuiet {
            console.report("\(output): \(store.uuid)")
            for note in CoreDataFile.notes(on: store.metadata, output) { console.report(note) }
        }
        return .success
    }

    /// Reports what the migration drops. Returns false if it drops objects or links and `--allow-loss` was not given.
    private func accepts(_ losses: [MigrationLoss], _ console: Console) -> Bool {
        var lost = (objects: 0, links: 0)
        for loss in losses {
            switch loss {
            case .objects: lost.objects += 1
            case .links: lost.links += 1
            case .history, .externalData: break
            @unknown default: break
            }
            console.report("note: \(file): \(loss)")
        }
        guard lost != (0, 0), !reader.has(Self.allowLoss) else { return true }
        console.report(
            "nothing was written: --allow-loss migrates without them, "
                + (lost.objects > 0 ? "--mapping decides what becomes of them" : "--type xml keeps them"))
        return false
    }

    // MARK: - Steps

    /// Returns a chain of one step or, if `--mapping` names a folder, of the steps that its mapping models describe.
    private func chain(_ models: [ManagedObjectModel]) throws(CommandFailure) -> MigrationChain {
        let (version, given) = (reader.value(of: Self.version), reader.value(of: Self.mapping))
        let rules = try reader.value(of: Self.rules).map(Self.readRules) ?? MigrationRules()
        guard let mapping = given, Self.isFolder(mapping) else {
            let new = try ModelInput.model(destination, version: version)
            return MigrationChain([.init(to: new, try given.map(Self.readMapping), rules: rules)])
        }
        let bundle = try ModelInput.bundle(destination)
        let mappings = try Self.mappings(in: mapping)
        let end = try ModelInput.reading { () throws(ModelError) in
            if let version { try bundle.version(named: version) } else { try bundle.currentVersion() }
        }
        return try CoreDataFile.reading(file) { () throws(CoreDataError) in
            try MigrationChain(of: file, models: models, in: bundle, to: end.name, mappings: mappings, rules: rules)
        }
    }

    /// True for a folder of mapping models; an `.xcmappingmodel` is a folder, too.
    private static func isFolder(_ path: String) -> Bool {
        URL(fileURLWithPath: path).pathExtension.isEmpty && FileAccess.isFolder(path)
    }

    /// Returns the mapping models of a folder with their files, each with the rules in the file `NAME.rules` beside it.
    private static func mappings(
        in folder: String
    ) throws(CommandFailure) -> [(file: String, model: MappingModel, rules: MigrationRules)] {
        var mappings: [(file: String, model: MappingModel, rules: MigrationRules)] = []
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] {
            let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
            guard ["xcmappingmodel", "cdm"].contains(file.pathExtension) else { continue }
            let beside = file.deletingPathExtension().appendingPathExtension("rules").path
            let found = FileManager.default.fileExists(atPath: beside) ? try readRules(beside) : MigrationRules()
            mappings.append((name, try readMapping(file.path).model, found))
        }
        guard !mappings.isEmpty else {
            throw .message("--mapping: '\(folder)' contains no .xcmappingmodel and no .cdm")
        }
        return mappings
    }

    private static func readMapping(_ path: String) throws(CommandFailure) -> (file: String, model: MappingModel) {
        do throws(ModelError) {
            return (path, try MappingModel(path: path))
        } catch {
            throw CoreDataFile.failure(CoreDataError(.invalidMapping(path, .unreadable(error))), path)
        }
    }

    private static func readRules(_ path: String) throws(CommandFailure) -> MigrationRules {
        guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8)
        else { throw .message("--rules: '\(path)' cannot be read") }
        return try CoreDataFile.reading(path) { () throws(CoreDataError) in try MigrationRules(text) }
    }
}
