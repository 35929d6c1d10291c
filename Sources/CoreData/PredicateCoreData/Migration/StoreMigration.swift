import Foundation
public import PredicateModel
@_spi(Dialect) import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A migration of a store to another version of its model, into a new file.
///
/// ```swift
/// let migration = try StoreMigration(of: "ToDo.sqlite", to: version2)
/// try migration.run(into: "ToDo 2.sqlite") { print($0) }
/// ```
///
/// The old file is only read. All rows are written in one transaction to a temporary file, which is verified and then
/// renamed. If the process ends at any point, the old store is intact, and the new one is either complete or absent.
/// External data files are copied; the UUID and the metadata of the store are kept.
public struct StoreMigration: Sendable {
    /// The store to migrate.
    public let source: CoreDataStore
    /// The model of the new store.
    public let destination: ManagedObjectModel
    let match: VersionMatch
    let policies: MigrationPolicies
    let rules: MigrationRules
    /// The mapping model; nil for an inferred migration.
    let mapping: MappingModel?
    /// If true, an inferred migration without rules and policies carries the persistent history over, as far as its form
    /// in the new store is known. [NSP-475]
    public var keepsHistory: Bool = true

    /// An inferred migration: entities and properties are matched by name and by renaming identifier.
    ///
    /// `models` are models of the old store, if it contains none. Policies and rules are applied to the migrated
    /// objects in the same transaction.
    ///
    /// Throws a ``CoreDataError``: `notInferable` with the changes that need a mapping model, `invalidRule` for rules
    /// that do not fit the new model, and the errors of opening the store.
    public init(
        of path: String, models: [ManagedObjectModel] = [], to destination: ManagedObjectModel,
        policies: MigrationPolicies = MigrationPolicies(), rules: MigrationRules = MigrationRules()
    ) throws(CoreDataError) {
        source = try Self.source(path, models)
        self.destination = destination
        match = VersionMatch(source.model, destination)
        (self.policies, self.rules, mapping) = (policies, rules, nil)
        try StoreLayout(destination).checkUnderstood("the new model")
        try rules.check(destination)
        let obstacles = match.obstacles(rules)
        guard obstacles.isEmpty else { throw CoreDataError(.notInferable(obstacles)) }
    }

    /// A migration by a mapping model, whose expressions are evaluated for each object.
    ///
    /// Every custom policy class in the mapping must be registered in `policies`, or replaced by a rule for its entity or
    /// by messages.
    ///
    /// Throws a ``CoreDataError``: `missingPolicy`, `invalidMapping`, `invalidRule`, and the errors of opening the store.
    public init(
        of path: String, models: [ManagedObjectModel] = [], to destination: ManagedObjectModel, mapping: MappingModel,
        policies: MigrationPolicies = MigrationPolicies(), rules: MigrationRules = MigrationRules()
    ) throws(CoreDataError) {
        source = try Self.source(path, models)
        self.destination = destination
        match = VersionMatch(source.model, destination)
        (self.policies, self.rules, self.mapping) = (policies, rules, mapping)
        try StoreLayout(destination).checkUnderstood("the new model")
        try rules.check(destination)
    }

    /// Opens the old store. Throws if values would be lost, because a part of its model is unsupported or has no
    /// column.
    private static func source(
        _ path: String, _ models: [ManagedObjectModel]
    ) throws(CoreDataError) -> CoreDataStore {
        let store = try CoreDataStore(path, models: models)
        try store.checkUnderstood()
        return store
    }

    /// The metadata of the new store: the app's own, and what this library writes for the model.
    var migratedMetadata: StoreMetadata { migratedMetadata(.sqlite) }

    private func migratedMetadata(_ type: StoreType) -> StoreMetadata {
        var values = source.metadata.appValues
        values[StoreMetadata.copyKey] = nil
        values.merge(CoreDataStore.ownMetadata(destination, type)) { _, new in new }
        return StoreMetadata(uuid: source.uuid, values: values)
    }

    /// A stage of a migration, reported when it begins.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Stage: Hashable, Sendable, CustomStringConvertible {
        /// The objects of an entity, and their number.
        case entity(String, count: Int)
        /// Relationships that are not stored in the objects' own rows.
        case relationships
        /// Policies and rules, by entity.
        case policy(String)
        /// The indexes and constraints of the new store.
        case indexes
        /// The verification of the new store.
        case verification

        /// `Item: 1000 objects`
        public var description: String {
            switch self {
            case .entity(let name, let count): "\(name): \(count) objects"
            case .relationships: "relationships"
            case .policy(let name): "\(name): policies and rules"
            case .indexes: "indexes"
            case .verification: "verification"
            }
        }
    }

    /// Migrates into a new file and returns the new store, opened for changes.
    ///
    /// The new store has the type of the old one, unless `type` is given; so an XML store can become a SQLite store,
    /// and the other way round. IDs in an XML store are unique, so its objects may get other keys. [NSP-456]
    ///
    /// Throws a ``CoreDataError``: `fileExists`, `missingValue` and `notUnique` if objects do not satisfy the new
    /// model, `cancelled` if the task was cancelled, `verification`, `binaryStore`, `store`. After an error no file is
    /// left.
    @discardableResult
    public func run(
        into path: String, type: StoreType? = nil, progress: (Stage) -> Void = { _ in }
    ) throws(CoreDataError) -> CoreDataStore {
        let type = type ?? source.type
        guard type != .binary else { throw CoreDataError(.binaryStore(path)) }
        if type == .xml { _ = try XMLStoreNames(destination, path) }
        let work = try MigrationFile(path)
        do throws(CoreDataError) {
            try fill(work.temporary, progress)
            if type == .xml { return try writeXML(work) }
            // A migration by a mapping model stores external data in the rows, and so does an XML store.
            let isCopied = mapping == nil && !source.isXML
            try work.finish(external: isCopied ? ExternalFolder.path(ofStore: source.path) : nil)
        } catch {
            work.remove()
            throw error
        }
        return try CoreDataStore(changing: path)
    }

    /// Writes the filled SQLite file as an XML store, opens that, and removes the file.
    private func writeXML(_ work: MigrationFile) throws(CoreDataError) -> CoreDataStore {
        let filled = try CoreDataStore(work.temporary)
        var kept = KeptTexts()
        if let connection = source.xml.map({ _ in source.connection }), mapping == nil {
            kept = try KeptTexts(connection).migrated(match, KeyMap(match, source, filled.layout).transfers)
        }
        try filled.writeXML(to: work.path, migratedMetadata(.xml), keeping: kept, externalFrom: source.path)
        work.remove()
        do throws(CoreDataError) {
            return try CoreDataStore(changing: work.path)
        } catch {
            try? FileManager.default.removeItem(atPath: work.path)
            throw error
        }
    }

    private func fill(_ path: String, _ progress: (Stage) -> Void) throws(CoreDataError) {
        if let mapping { return try MappingRun(self, mapping, path).write(progress) }
        let run = try InferredRun(self, path)
        try run.write(progress)
        progress(.verification)
        try run.verify()
        try run.complete()
    }
}

/// The output file of a migration, which has a temporary name until it is complete.
struct MigrationFile {
    let path: String
    let temporary: String

    init(_ path: String) throws(CoreDataError) {
        guard !FileManager.default.fileExists(atPath: path) else { throw CoreDataError(.fileExists(path)) }
        self.path = path
        temporary = Self.temporaryName(of: path)
    }

    /// A temporary name next to a file, for the time until it is complete. Removes what ended processes have left.
    static func temporaryName(of path: String) -> String {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        removeLeftovers(of: url.lastPathComponent, in: folder)
        let process = ProcessInfo.processInfo.processIdentifier
        let name = ".\(url.lastPathComponent).\(process)-\(UUID().uuidString.prefix(8)).migrating"
        return folder.appendingPathComponent(name).path
    }

    /// Removes temporary files of earlier migrations to the same name whose process has ended. The file name contains
    /// the process ID.
    private static func removeLeftovers(of name: String, in folder: URL) {
        let files = FileManager.default
        let start = ".\(name)."
        for file in (try? files.contentsOfDirectory(atPath: folder.path)) ?? [] {
            guard file.hasPrefix(start), file.contains(".migrating"),
                let process = Int32(file.dropFirst(start.count).prefix { $0 != "-" }), process > 0,
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? files.removeItem(at: folder.appendingPathComponent(file))
        }
    }

    /// Flushes the file to disk, copies external data, and renames the file.
    func finish(external: String?) throws(CoreDataError) {
        do {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: temporary))
            try file.synchronize()
            try file.close()
        } catch {
            throw CoreDataError(.file(temporary, reason: error.localizedDescription))
        }
        if let external { try FileCopy.copyFiles(in: external, to: ExternalFolder.path(ofStore: path)) }
        do {
            try FileManager.default.moveItem(atPath: temporary, toPath: path)
        } catch {
            throw CoreDataError(.file(path, reason: error.localizedDescription))
        }
    }

    /// Removes the temporary files.
    func remove() {
        for end in ["", "-journal", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: temporary + end) }
    }
}

extension StoreConnection {
    /// Opens the connection that writes the new store. `old` is attached as the schema `old`, for statements that
    /// read it.
    static func migrating(
        _ path: String, attaching old: CoreDataStore? = nil
    ) throws(CoreDataError) -> StoreConnection {
        var options = SQLiteOptions(.create)
        options.attachedFiles = old == nil ? 0 : 1
        return try storing { () throws(StoreError) in
            let connection = try StoreConnection(path, options)
            let database = old?.xml?.database
            let file = database == nil ? old.map { UntouchedFile(URL(fileURLWithPath: $0.path).path) } : nil
            let locking: SQLText = file?.isExclusive ?? false ? "PRAGMA locking_mode = EXCLUSIVE; " : ""
            // Until it is renamed, the file is temporary and need not survive a crash.
            try connection.execute("\(locking)PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
            if let uri = database?.readOnlyURI ?? file?.uri {
                try connection.run(SQLFragment("ATTACH ?1 AS old", bindings: [.text(uri)]))
            }
            return connection
        }
    }

    /// Writes a migrated store in one transaction, which is rolled back after an error.
    func migrate(_ work: () throws(CoreDataError) -> Void) throws(CoreDataError) {
        var failure: CoreDataError?
        do throws(StoreError) {
            try transaction { () throws(StoreError) in try capturing(&failure, work) }
        } catch {
            throw failure ?? CoreDataError(ofMigration: error)
        }
    }

    /// Runs a statement of a migration.
    func runMigrating(_ fragment: SQLFragment) throws(CoreDataError) {
        do throws(StoreError) { _ = try run(fragment) } catch { throw CoreDataError(ofMigration: error) }
    }

    /// Creates the indexes of a migrated store. Throws `notUnique` if objects violate a uniqueness constraint.
    func makeIndexes(_ tables: StoreTables, _ check: MigrationCheck) throws(CoreDataError) {
        do throws(CoreDataError) {
            for statement in tables.indexes { try runMigrating(SQLFragment(statement)) }
        } catch {
            try check.checkUnique()
            throw error
        }
    }
}

extension ObjectStore {
    /// Runs work that reads one snapshot of the file.
    func reading(_ work: () throws(CoreDataError) -> Void) throws(CoreDataError) {
        var failure: CoreDataError?
        do throws(StoreError) {
            try snapshot { () throws(StoreError) in try capturing(&failure, work) }
        } catch {
            throw failure ?? CoreDataError(ofMigration: error)
        }
    }
}

/// Runs work within a database closure that can only throw a store error; the actual error is passed in `failure`.
private func capturing(_ failure: inout CoreDataError?, _ work: () throws(CoreDataError) -> Void) throws(StoreError) {
    do throws(CoreDataError) {
        try work()
    } catch {
        failure = error
        throw StoreError(.readOnlyConnection)
    }
}

extension CoreDataError {
    /// The error of a statement in a migration. An interrupted statement means that the migration was cancelled.
    init(ofMigration error: StoreError) {
        if case .sqlite(.interrupted, _) = error.code {
            self.init(.cancelled)
        } else {
            self.init(.store(error))
        }
    }
}

/// Checks of the new store before it is renamed: counts in SQL, one pass per entity.
struct MigrationCheck {
    let connection: StoreConnection
    let layout: StoreLayout

    /// Counts an entity's own objects. Throws `missingValue` if one of them has no value for a mandatory key.
    ///
    ///     SELECT COUNT(*), COUNT("ZNAME"), COUNT("ZDUE") FROM main."ZITEM" WHERE Z_ENT = ?1
    @discardableResult
    func count(_ entity: StoredEntity, mandatory keys: [String] = []) throws(CoreDataError) -> Int64 {
        let columns = keys.compactMap { key in entity.column(of: key).map { (key, $0) } }
        let counts: [SQLText] = ["COUNT(*)"] + columns.map { "COUNT(\(name: $0.1))" }
        let condition: SQLText = "Z_ENT = \(bind: .integer(entity.number))"
        let found = try connection.numbers(
            "SELECT \(SQLText.joined(counts, by: ", ")) FROM main.\(name: entity.table) WHERE \(condition)")
        let count = found.first ?? 0
        for ((key, _), present) in zip(columns, found.dropFirst()) where present < count {
            throw CoreDataError(
                .missingValue(key: key, entity: entity.name, count: Int(clamping: count - present)))
        }
        return count
    }

    /// Throws `notUnique` if objects violate a uniqueness constraint.
    func checkUnique() throws(CoreDataError) {
        for entity in layout.model.entitiesInPreorder {
            for keys in entity.uniquenessConstraints { try checkUnique(keys, entity.name) }
        }
    }

    private func checkUnique(_ keys: [String], _ name: String) throws(CoreDataError) {
        guard let entity = layout.entities[name] else { return }
        let columns = keys.compactMap(entity.column)
        guard columns.count == keys.count, !columns.isEmpty else { return }
        let present = SQLText.joined(columns.map { "\(name: $0) IS NOT NULL" }, by: " AND ")
        let query: SQLText = """
            SELECT 1 FROM main.\(name: entity.table) WHERE \(present)
            AND Z_ENT IN \(SQLText.keys([entity.number] + entity.descendants))
            GROUP BY \(SQLText.names(columns)) HAVING COUNT(*) > 1 LIMIT 1
            """
        if try connection.number(query) == 1 { throw CoreDataError(.notUnique(keys: keys, entity: name)) }
    }
}

extension AttributeDescription {
    /// True if every object must have a value in the store.
    var isMandatory: Bool { isStored && !isOptional && !isDerived }
}

extension ManagedObjectModel {
    /// The keys of an entity for which every object must have a value.
    func mandatoryKeys(of entity: String) -> [String] {
        attributes(of: entity).filter(\.isMandatory).map(\.name)
            + relationships(of: entity).filter(\.isMandatoryToOne).map(\.name)
    }
}

extension StoreMigration {
    /// True if rules or policies may make or delete objects.
    var changesObjects: Bool { !rules.isEmpty || !policies.isEmpty }
}

extension RelationshipDescription {
    /// True if the relationship is to-one and mandatory.
    var isMandatoryToOne: Bool { !isOptional && !isToMany && !isTransient }
}
