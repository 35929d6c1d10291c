import PredicateCoreData
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// Core Data stores, whose tables are named by the entities of their models.
enum CoreDataFile {
    /// Opens a file as a Core Data store. Returns nil for other SQLite files, and if a table is chosen.
    ///
    /// A SQLite store without a stored model is read by its tables if neither an entity nor a model is given.
    static func open(
        _ path: String, _ choice: TableChoice, _ context: PredicateContext = .standard, decodesData: Bool = false
    ) throws(CommandFailure) -> CoreDataStore? {
        let isXML = StoreType(file: path) == .xml
        guard isXML || choice.table == nil && choice.schema == nil else { return nil }
        if isXML, choice.table != nil || choice.schema != nil {
            throw .message(
                "'\(path)' is an XML store, which has no tables", hints: ["use --entity NAME, and --model FILE"])
        }
        let models = try choice.model.map(models) ?? []
        do throws(CoreDataError) {
            return try CoreDataStore(path, models, context, decodesData: decodesData)
        } catch {
            switch error.code {
            case .notAStore where choice.model == nil: return nil
            case .noModel where choice.entity == nil && !isXML: return nil
            default: throw failure(error, path)
            }
        }
    }

    /// Returns true for a Core Data store, with or without its model.
    static func isOne(_ path: String) -> Bool {
        if StoreType(file: path) == .xml { return true }
        do throws(CoreDataError) {
            _ = try CoreDataStore(path)
            return true
        } catch {
            if case .noModel = error.code { return true }
            return false
        }
    }

    /// Returns the versions of a bundle, the current one first, or the model of a file.
    static func models(_ path: String) throws(CommandFailure) -> [ManagedObjectModel] {
        do throws(ModelError) {
            guard path.split(separator: "/").last?.last == "d" else { return [try ManagedObjectModel(path: path)] }
            let bundle = try ModelBundle(path: path)
            let isCurrent = { (version: ModelVersion) in version.name == bundle.currentVersionName }
            let versions = bundle.versions.filter(isCurrent) + bundle.versions.filter { !isCurrent($0) }
            return try versions.map { (version) throws(ModelError) in try version.model() }
        } catch {
            throw .message("--model: \(error.description)")
        }
    }

    /// Notes about what a new store lacks: the version hashes by which Core Data recognizes its model, and the model cache.
    static func notes(on metadata: StoreMetadata, _ path: String) -> [String] {
        var notes: [String] = []
        if metadata.lacksVersionHashes {
            notes.append(
                "the store has no version hashes, which only a .momd or another store contains: Core Data opens it only with"
                    + " NSIgnorePersistentStoreVersioningOption")
        }
        if metadata.lacksModelCache {
            notes.append(
                "the store has no model cache, which only a compiled model (.mom, .momd) or another store contains")
        }
        return notes.map { "note: \(path): \($0)" }
    }

    /// Runs work on a store.
    static func reading<Result>(
        _ path: String, _ work: () throws(CoreDataError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(CoreDataError) { return try work() } catch { throw failure(error, path) }
    }

    /// Returns the command's failure for an error of a store.
    static func failure(_ error: CoreDataError, _ path: String) -> CommandFailure {
        if case .store(let cause) = error.code, error.number == nil, error.step == nil { return .store(cause, path) }
        return .text(error.description)
    }
}

extension CoreDataStore? {
    /// Returns the predicate with its strings interpreted: as dates and UUIDs, according to the schema, and in a Core Data
    /// store as URIs of objects. Dates without an offset are in the zone.
    func reading(
        _ predicate: FormatPredicate, of entity: SQLEntity, in schema: SQLSchema, zone: LocalZone?
    ) throws(CommandFailure) -> FormatPredicate {
        let predicate = try TextReadings(entity, schema, in: zone).read(predicate)
        guard let store = self else { return predicate }
        do throws(CoreDataError) {
            return try ObjectReadings(entity, store).reading(predicate)
        } catch {
            throw .message(error.title, hints: ["predicate filter … --object-ids prints the URIs of objects"])
        }
    }
}

extension TextReadings {
    /// Returns the predicate with its strings interpreted as by ``reading(_:)``, and throws errors of the command.
    func read(_ predicate: FormatPredicate) throws(CommandFailure) -> FormatPredicate {
        try CommandFailure.reading { () throws(ValueError) in try reading(predicate) }
    }

    /// Returns the expression with the strings in its conditions interpreted.
    func read(_ expression: FormatExpression) throws(CommandFailure) -> FormatExpression {
        try CommandFailure.reading { () throws(ValueError) in try reading(expression) }
    }
}
