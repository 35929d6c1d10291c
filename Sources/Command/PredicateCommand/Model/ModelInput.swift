import Foundation
import PredicateChecks
import PredicateCoreData
import PredicateModel
import PredicateSyntax

/// Reads the models on the command line and turns their errors into failures of the command.
enum ModelInput {
    static func bundle(_ path: String) throws(CommandFailure) -> ModelBundle {
        do throws(ModelError) {
            return try ModelBundle(path: path)
        } catch {
            throw .text(error.description)
        }
    }

    /// Returns the model of a file, a version of a bundle (by default the current one), or the model of a store.
    static func model(_ path: String, version: String? = nil) throws(CommandFailure) -> ManagedObjectModel {
        if let stored = try stored(in: path) { return stored }
        do throws(ModelError) {
            if let version { return try ModelBundle(path: path).version(named: version).model() }
            return try ManagedObjectModel(path: path)
        } catch {
            throw .text(error.description)
        }
    }

    /// Returns a model as ``model(_:version:)`` does, or the part of it in a configuration.
    static func model(
        _ path: String, version: String?, configuration: String?
    ) throws(CommandFailure) -> ManagedObjectModel {
        let model = try model(path, version: version)
        guard let configuration else { return model }
        do throws(ModelError) {
            return try model.configuration(named: configuration)
        } catch {
            throw .text(error.inFile(path).description)
        }
    }

    /// Returns the mapping model at a path; nil if the path names a model.
    static func mapping(_ path: String) throws(CommandFailure) -> MappingModel? {
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard name.hasSuffix(".xcmappingmodel") || name.hasSuffix(".cdm") || name.hasSuffix("xcmapping.xml") else {
            return nil
        }
        do throws(ModelError) {
            return try MappingModel(path: path)
        } catch {
            throw .text(error.description)
        }
    }

    /// The findings of all versions of a path.
    static func findings(_ path: String) throws(CommandFailure) -> [ModelFinding] {
        if let stored = try stored(in: path) { return stored.check() }
        return try bundle(path).check()
    }

    /// Returns the name of a file without its folder and extension.
    static func name(of path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }

    /// Returns the model that a store keeps; nil if the path is not a SQLite file.
    static func stored(in path: String) throws(CommandFailure) -> ManagedObjectModel? {
        guard SQLiteFile.isOne(path) else { return nil }
        do throws(CoreDataError) {
            return try CoreDataStore(path).model
        } catch {
            throw CoreDataFile.failure(error, path)
        }
    }

    /// Returns what a store's data attributes contain; nil if the path is not a SQLite file.
    static func contents(_ path: String) throws(CommandFailure) -> DataContents? {
        guard SQLiteFile.isOne(path) else { return nil }
        do throws(CoreDataError) {
            return try DataContents(CoreDataStore(path))
        } catch {
            throw CoreDataFile.failure(error, path)
        }
    }

    static func inferred(_ path: String) throws(CommandFailure) -> ManagedObjectModel {
        do throws(CoreDataError) {
            return try CoreDataStore.inferredModel(of: path)
        } catch {
            throw CoreDataFile.failure(error, path)
        }
    }
}

/// `--model FILE --entity NAME` of `predicate check`.
struct CheckedModel {
    private let file: String
    private let entity: String

    /// Nil if neither option is given; each needs the other.
    init?(_ reader: ArgumentReader) throws(CommandFailure) {
        switch (reader.value(of: CheckCommand.model), reader.value(of: CheckCommand.entity)) {
        case (nil, nil): return nil
        case (let file?, let entity?):
            self.file = file
            self.entity = entity
        case (_?, nil): throw reader.failure("--model needs --entity NAME")
        case (nil, _?): throw reader.failure("--entity needs --model FILE")
        }
    }

    /// Returns the scope of checks: objects of the entity in a fetch request.
    func scope() throws(CommandFailure) -> CheckScope {
        let model = try ModelInput.model(file)
        do throws(ModelError) {
            try model.requireEntity(entity)
        } catch {
            throw .text(error.inFile(file).description)
        }
        return CheckScope(ModelSchema([model], isFetch: true), entity: entity)
    }
}
