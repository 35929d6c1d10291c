import Foundation
import PredicateCoreData
import PredicateData
import PredicateModel
import PredicateSyntax

/// The options of `predicate migrate`.
enum MigrateOption: CommandOption {
    case to
    case version
    case output
    case model
    case rules
    case mapping
    case allowLoss
    case quiet

    var declaration: OptionDeclaration {
        switch self {
        case .to:
            .init(
                "to", value: .required("MODEL"),
                help:
                    "The model of the new store: .xcdatamodel(d), .mom or .momd (of a bundle, the current version), or a store that keeps it"
            )
        case .version:
            .init("version", value: .required("NAME"), help: "The version of a bundle, instead of the current one")
        case .output: .init("output", "o", value: .required("NEW"), help: "The new store, which must not exist yet")
        case .model: FilterOption.model.declaration
        case .rules:
            .init(
                "rules", value: .required("FILE"),
                help: "Values for migrated objects, one rule a line: entity, predicate, property = expression")
        case .mapping:
            .init("mapping", value: .required("FILE"), help: "The mapping model: .xcmappingmodel or .cdm")
        case .allowLoss:
            .init("allow-loss", help: "Leave objects of entities behind that the new model does not have")
        case .quiet: .init("quiet", "q", help: "Write no progress")
        }
    }
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
    private let allowsLoss: Bool
    private let isQuiet: Bool

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<MigrateOption>(words, .migrate)
        guard reader.positionals.count == 1, let file = reader.positionals.first else {
            throw .usage(UsageError("expected one store", in: .migrate))
        }
        guard let destination = reader.value(of: .to) else {
            throw .usage(UsageError("expected the model of the new store: --to MODEL", in: .migrate))
        }
        guard let output = reader.value(of: .output) else {
            throw .usage(UsageError("expected a new file: --output NEW", in: .migrate))
        }
        (self.file, self.destination, self.output) = (file, destination, output)
        version = reader.value(of: .version)
        model = reader.value(of: .model)
        rules = reader.value(of: .rules)
        mapping = reader.value(of: .mapping)
        (allowsLoss, isQuiet) = (reader.has(.allowLoss), reader.has(.quiet))
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let models = try model.map(CoreDataFile.models) ?? []
        let new = try destinationModel()
        let rules = try readRules()
        do throws(CoreDataError) {
            let migration: StoreMigration
            if let mapping {
                migration = try StoreMigration(
                    of: file, models: models, to: new, mapping: try readMapping(mapping), rules: rules)
            } else {
                migration = try StoreMigration(of: file, models: models, to: new, rules: rules)
            }
            guard try accepts(migration.losses(), console) else { return .undecided }
            let store = try migration.run(into: output) { step in
                if !isQuiet { console.report("\(step)") }
            }
            if !isQuiet { console.report("\(output): \(store.uuid)") }
            if !isQuiet, store.metadata.lacksVersionHashes { console.report(CoreDataFile.hashNote(output)) }
            return .success
        } catch {
            throw CoreDataFile.failure(error, file)
        }
    }

    /// Reports what the migration leaves behind; false where it is objects, and nothing allows that.
    private func accepts(_ losses: [MigrationLoss], _ console: Console) -> Bool {
        var lost = 0
        for loss in losses {
            if case .objects = loss { lost += 1 }
            console.report("note: \(file): \(loss)")
        }
        guard lost > 0, !allowsLoss else { return true }
        console.report(
            "nothing is written: --allow-loss migrates all the same, and --mapping says what becomes of them")
        return false
    }

    /// The model of a file or a bundle, or the one that a store keeps.
    private func destinationModel() throws(CommandFailure) -> ManagedObjectModel {
        try ModelInput.model(destination, version: version)
    }

    private func readMapping(_ path: String) throws(CoreDataError) -> MappingModel {
        do throws(ModelError) {
            return try MappingModel(path: path)
        } catch {
            throw CoreDataError(.invalidMapping(path, reason: error.title))
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
