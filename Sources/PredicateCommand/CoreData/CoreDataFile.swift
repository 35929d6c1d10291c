import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// Files that are stores of Core Data, which are read by the names of their models.
enum CoreDataFile {
    /// Opens a file as a store, unless a table of it is asked for; nil for another SQLite file.
    ///
    /// A store that keeps no model is read by its tables where neither an entity nor a model is given.
    static func open(_ path: String, _ words: EntityWords) throws(CommandFailure) -> CoreDataStore? {
        guard words.table == nil, words.schema == nil else { return nil }
        let models = try words.model.map(models) ?? []
        do throws(CoreDataError) {
            return try CoreDataStore(path, models: models)
        } catch {
            switch error.code {
            case .notAStore where words.model == nil: return nil
            case .noModel where words.entity == nil: return nil
            default: throw failure(error, path)
            }
        }
    }

    /// True for a store of Core Data, with or without its model.
    static func isOne(_ path: String) -> Bool {
        do throws(CoreDataError) {
            _ = try CoreDataStore(path)
            return true
        } catch {
            if case .noModel = error.code { return true }
            return false
        }
    }

    /// The versions of a bundle, the current one first, or the one model of a file.
    static func models(_ path: String) throws(CommandFailure) -> [ManagedObjectModel] {
        do throws(ModelError) {
            guard path.trimmingSlashes.hasSuffix("d") else { return [try ManagedObjectModel(path: path)] }
            let bundle = try ModelBundle(path: path)
            var models: [ManagedObjectModel] = []
            let others = bundle.versions.filter { $0.name != bundle.currentVersionName }
            for version in bundle.versions.filter({ $0.name == bundle.currentVersionName }) + others {
                models.append(try version.model())
            }
            return models
        } catch {
            throw .message("--model: \(error.description)")
        }
    }

    /// What is said of a store without the hashes by which Core Data knows its model.
    static func hashNote(_ path: String) -> String {
        "note: \(path): without Core Data's version hashes, which a .momd has and a model file has not: Core Data refuses it"
    }

    /// The failure of a command for an error of a store.
    static func failure(_ error: CoreDataError, _ path: String) -> CommandFailure {
        if case .store(let error) = error.code { return .store(error, path) }
        return .text(error.description)
    }
}

extension CoreDataStore? {
    /// A predicate with its texts read: dates and UUIDs by the schema, and in a store of Core Data the URIs of objects.
    func reading(
        _ predicate: FormatPredicate, of entity: SQLEntity, in schema: SQLSchema
    ) throws(CommandFailure) -> FormatPredicate {
        let predicate = TextReadings(entity, schema).reading(predicate)
        guard let store = self else { return predicate }
        do throws(CoreDataError) {
            return try ObjectReadings(entity, store).reading(predicate)
        } catch {
            throw .message(error.title, hints: ["predicate filter … --object-ids prints the URIs of objects"])
        }
    }
}

extension String {
    fileprivate var trimmingSlashes: Substring {
        var text = self[...]
        while text.last == "/" { text = text.dropLast() }
        return text
    }
}
