import Foundation
import PredicateCoreData
import PredicateModel

/// Models that words of the command line name, with their errors as those of the command.
enum ModelInput {
    static func bundle(_ path: String) throws(CommandFailure) -> ModelBundle {
        do throws(ModelError) {
            return try ModelBundle(path: path)
        } catch {
            throw .text(error.description)
        }
    }

    /// A model file, the named or the current version of a bundle, or the model that a store keeps.
    static func model(_ path: String, version: String? = nil) throws(CommandFailure) -> ManagedObjectModel {
        if let stored = try stored(in: path) { return stored }
        do throws(ModelError) {
            if let version { return try ModelBundle(path: path).version(named: version).model() }
            return try ManagedObjectModel(path: path)
        } catch {
            throw .text(error.description)
        }
    }

    /// The mapping model of a path that is one; nil for a model.
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

    /// The name of a file without its folder and its extension.
    static func name(of path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }

    /// The model that a store keeps; nil for a path that is no SQLite file.
    static func stored(in path: String) throws(CommandFailure) -> ManagedObjectModel? {
        guard SQLiteFile.isOne(path) else { return nil }
        do throws(CoreDataError) {
            return try CoreDataStore(path).model
        } catch {
            throw CoreDataFile.failure(error, path)
        }
    }

    /// Makes an `.xcdatamodel`, which must not be there yet.
    static func save(_ document: ModelDocument, to path: String) throws(CommandFailure) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw .message("\(path): there is something already", hints: ["choose another name, or remove it first"])
        }
        do {
            let folder = URL(fileURLWithPath: path)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(document.text.utf8).write(to: folder.appendingPathComponent("contents"))
        } catch {
            throw .message("\(path): \((error as NSError).localizedDescription)")
        }
    }
}
