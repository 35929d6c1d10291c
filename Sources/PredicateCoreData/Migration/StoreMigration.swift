import Foundation

public import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The migration of a store to another version of its model, into a new file.
///
/// ```swift
/// let migration = try StoreMigration(of: "ToDo.sqlite", to: version2)
/// try migration.run(into: "ToDo 2.sqlite") { print($0) }
/// ```
///
/// The old file is only read. All rows are written in one transaction to a file under another name, which is checked and then
/// renamed: whenever the process ends, the old store is whole, and the new one is there whole or not at all. Files of external
/// data are copied; UUID and metadata of the store stay.
public struct StoreMigration: Sendable {
    /// The store that is migrated.
    public let source: CoreDataStore
    /// The model of the new store.
    public let destination: ManagedObjectModel
    let match: VersionMatch
    let policies: MigrationPolicies
    let rules: MigrationRules
    /// The mapping model; nil for a migration that is worked out.
    let mapping: MappingModel?

    /// A migration that is worked out from the two versions: by names and renaming identifiers.
    ///
    /// `models` are those of the old store, where it keeps none. Policies and rules are applied to the migrated objects, in
    /// the same transaction.
    ///
    /// Throws a ``CoreDataError``: `notInferable` with what needs a mapping model, and the errors of opening the store.
    public init(
        of path: String, models: [ManagedObjectModel] = [], to destination: ManagedObjectModel,
        policies: MigrationPolicies = MigrationPolicies(), rules: MigrationRules = MigrationRules()
    ) throws(CoreDataError) {
        source = try Self.source(path, models)
        self.destination = destination
        match = VersionMatch(source.model, destination)
        (self.policies, self.rules, mapping) = (policies, rules, nil)
        try StoreLayout(destination).checkUnderstood("the new model")
        let obstacles = match.obstacles
        guard obstacles.isEmpty else { throw CoreDataError(.notInferable(obstacles)) }
    }

    /// A migration by a mapping model, whose expressions are evaluated for each object.
    ///
    /// Every custom policy that the mapping names needs an entry in `policies`, or rules for its entity in its place.
    ///
    /// Throws a ``CoreDataError``: `missingPolicy`, `invalidMapping`, and the errors of opening the store.
    public init(
        of path: String, models: [ManagedObjectModel] = [], to destination: ManagedObjectModel, mapping: MappingModel,
        policies: MigrationPolicies = MigrationPolicies(), rules: MigrationRules = MigrationRules()
    ) throws(CoreDataError) {
        source = try Self.source(path, models)
        self.destination = destination
        match = VersionMatch(source.model, destination)
        (self.policies, self.rules, self.mapping) = (policies, rules, mapping)
        try StoreLayout(destination).checkUnderstood("the new model")
    }

    /// The old store; throws where values would be lost: those of a part of its model that is not understood or has no column.
    private static func source(
        _ path: String, _ models: [ManagedObjectModel]
    ) throws(CoreDataError) -> CoreDataStore {
        let store = try CoreDataStore(path, models: models)
        try store.checkUnderstood()
        return store
    }

    /// The metadata of the new store: those of the app, and what this library says of the model.
    var migratedMetadata: StoreMetadata {
        var values = source.metadata.own
        values[StoreMetadata.copyKey] = nil
        values.merge(CoreDataStore.ownMetadata(destination)) { _, new in new }
        return StoreMetadata(uuid: source.uuid, values: values)
    }

    /// A step of a migration, as it begins.
    public enum Step: Hashable, Sendable, CustomStringConvertible {
        /// The objects of an entity, and their number.
        case entity(String, count: Int)
        /// Relationships that rows do not carry themselves.
        case relationships
        /// What policies and rules say, by the entity.
        case policy(String)
        /// The indexes and constraints of the new store.
        case indexes
        /// The check of the new store.
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

    /// Migrates into a new file, and returns the new store, open for changes.
    ///
    /// Throws a ``CoreDataError``: `fileExists`, `missingValue` and `notUnique` where the objects do not meet the new model,
    /// `cancelled` where the task was cancelled, `verification`, `store`. No file is left then.
    @discardableResult
    public func run(
        into path: String, progress: (Step) -> Void = { _ in }
    ) throws(CoreDataError) -> CoreDataStore {
        let work = try MigrationFile(path)
        do throws(CoreDataError) {
            try fill(work.temporary, progress)
            // A mapping model takes the data of such files into the rows.
            try work.finish(external: mapping == nil ? ExternalFolder.path(ofStore: source.path) : nil)
        } catch {
            work.remove()
            throw error
        }
        return try CoreDataStore(changing: path)
    }

    private func fill(_ path: String, _ progress: (Step) -> Void) throws(CoreDataError) {
        if let mapping { return try MappingRun(self, mapping, path).write(progress) }
        let run = try InferredRun(self, path)
        try run.write(progress)
        progress(.verification)
        try run.verify()
        try run.complete()
    }
}

/// The file that a migration writes: under another name until it is whole.
struct MigrationFile {
    let path: String
    let temporary: String

    init(_ path: String) throws(CoreDataError) {
        guard !FileManager.default.fileExists(atPath: path) else { throw CoreDataError(.fileExists(path)) }
        self.path = path
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        Self.removeLeftovers(of: url.lastPathComponent, in: folder)
        let process = ProcessInfo.processInfo.processIdentifier
        let name = ".\(url.lastPathComponent).\(process)-\(UUID().uuidString.prefix(8)).migrating"
        temporary = folder.appendingPathComponent(name).path
    }

    /// Removes what migrations to the same name left whose process was ended: it says its number in the name of the file.
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

    /// Writes the file through to the disk, copies external data and gives the file its name.
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

    /// Removes what was written.
    func remove() {
        for end in ["", "-journal", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: temporary + end) }
    }
}
