import Foundation
import PredicateChecks
import PredicateCoreData
import PredicateModel
import PredicateSyntax

/// Reads the models on the command line and turns their errors into failures of the command.
enum ModelInput {
    /// Runs work on a model. `path` is the file to name in errors that do not name one themselves.
    static func reading<Result>(
        _ path: String? = nil, _ work: () throws(ModelError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(ModelError) {
            return try work()
        } catch {
            throw .text((path.map(error.inFile) ?? error).description)
        }
    }

    static func bundle(_ path: String) throws(CommandFailure) -> ModelBundle {
        try reading { () throws(ModelError) in try ModelBundle(path: path) }
    }

    /// Returns the model of a file, a version of a bundle (by default the current one), or the model of a store.
    static func model(_ path: String, version: String? = nil) throws(CommandFailure) -> ManagedObjectModel {
        if let stored = try stored(in: path) { return stored }
        return try reading { () throws(ModelError) in
            if let version { return try ModelBundle(path: path).version(named: version).model() }
            return try ManagedObjectModel(path: path)
        }
    }

    /// Returns a model as ``model(_:version:)`` does, or the part of it in a configuration.
    static func model(
        _ path: String, version: String?, configuration: String?
    ) throws(CommandFailure) -> ManagedObjectModel {
        let model = try model(path, version: version)
        guard let configuration else { return model }
        return try reading(path) { () throws(ModelError) in try model.configuration(named: configuration) }
    }

    /// Returns the mapping model at a path; nil if the path names a model.
    static func mapping(_ path: String) throws(CommandFailure) -> MappingModel? {
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard name.hasSuffix(".xcmappingmodel") || name.hasSuffix(".cdm") || name.hasSuffix("xcmapping.xml") else {
            return nil
        }
        return try reading { () throws(ModelError) in try MappingModel(path: path) }
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
        return try CoreDataFile.reading(path) { () throws(CoreDataError) in try CoreDataStore(path).model }
    }

    /// Returns what a store's data attributes contain; nil if the path is not a SQLite file.
    static func contents(_ path: String) throws(CommandFailure) -> DataContents? {
        guard SQLiteFile.isOne(path) else { return nil }
        return try CoreDataFile.reading(path) { () throws(CoreDataError) in try DataContents(CoreDataStore(path)) }
    }

    static func inferred(_ path: String) throws(CommandFailure) -> ManagedObjectModel {
        try CoreDataFile.reading(path) { () throws(CoreDataError) in try CoreDataStore.inferredModel(of: path) }
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
        try ModelInput.reading(file) { () throws(ModelError) in try model.requireEntity(entity) }
        return CheckScope(ModelSchema([model], isFetch: true), entity: entity)
    }
}
