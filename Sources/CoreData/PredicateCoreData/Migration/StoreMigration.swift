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
    package let source: CoreDataStore
    /// The model of the new store.
    package let destination: ManagedObjectModel
    let match: VersionMatch
    let policies: MigrationPolicies
    let rules: MigrationRules
    /// The mapping model; nil for an inferred migration.
    let mapping: MappingModel?
    /// Properties of an inferred migration whose values cannot be carried over, and which the policies of their entities
    /// assign.
    private(set) var replaced: [VersionMatch.Obstacle] = []
    /// If true, an inferred migration without rules and policies carries the persistent history over, as far as its form
    /// in the new store is known. [NSP-475]
    public var keepsHistory: Bool = true
    /// If true, external data files may be missing: the values become nil, or keep the name of a file that does not exist.
    /// ``losses(into:)`` counts them.
    public var allowsMissingData: Bool = false

    /// A migration by a mapping model, whose expressions are evaluated for each object. Without one, it is inferred: entities
    /// and properties are matched by name and by renaming identifier.
    ///
    /// A rule that assigns a property, or a policy for its entity, replaces what is inferred: then the property may have
    /// changed its type. Objects to which they assign nothing get the default. Every custom policy class in a mapping must be
    /// registered in `policies`, or replaced by a rule for its entity or by messages. An expression whose value does not fit
    /// the attribute is replaced by the rule or the policy that assigns the attribute.
    ///
    /// `models` are models of the old store, if it contains none. Policies and rules are applied to the migrated
    /// objects in the same transaction.
    ///
    /// Throws a ``CoreDataError``: `notInferable` with the changes that need a mapping model, `missingPolicy`,
    /// `invalidMapping`, `invalidRule` for rules that do not fit the new model, `modelMismatch` and `unsupportedParts` if
    /// values would be lost, and the errors of opening the store.
    public init(
        of path: String, models: [ManagedObjectModel] = [], to destination: ManagedObjectModel,
        mapping: MappingModel? = nil, policies: MigrationPolicies = MigrationPolicies(),
        rules: MigrationRules = MigrationRules()
    ) throws(CoreDataError) {
        source = try CoreDataStore(path, models: models)
        try source.checkUnderstood()
        match = VersionMatch(source.model, destination)
        (self.destination, self.policies, self.rules, self.mapping) = (destination, policies, rules, mapping)
        try StoreLayout(destination).checkUnderstood("the new model")
        try rules.check(destination)
        if mapping == nil { try findReplaced() }
    }

    private mutating func findReplaced() throws(CoreDataError) {
        let obstacles = match.obstacles(rules)
        replaced = obstacles.filter { obstacle in
            policies.byEntity.keys.contains { destination.isEntity(obstacle.entity, kindOf: $0) }
        }
        guard replaced.count == obstacles.count else {
            throw CoreDataError(.notInferable(obstacles.filter { !replaced.contains($0) }.map(\.words)))
        }
    }

    /// True if rules or policies may make or delete objects.
    var changesObjects: Bool { !rules.isEmpty || !policies.isEmpty }

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
            case .entity(let name, let count): "\(name): \(count) \(count == 1 ? "object" : "objects")"
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
        // A migration by a mapping model stores external data in the rows, and so does an XML store.
        let isCopied = type != .xml && mapping == nil && !source.isXML
        let file = try NewFile(path)
        return try file.writeStore(external: isCopied ? ExternalFolder.path(ofStore: source.path) : nil) {
            () throws(CoreDataError) in
            guard type == .xml else { return try fill(file.temporary, StoreLayout(destination), progress) }
            let filled = NewFile(replacing: file.temporary)
            try fill(filled.temporary, StoreLayout(destination, sharesTargets: true), progress)
            try writeXML(try CoreDataStore(filled.temporary), to: file)
            filled.remove()
        }
    }

    /// Writes the filled SQLite file as an XML store.
    private func writeXML(_ filled: CoreDataStore, to file: NewFile) throws(CoreDataError) {
        var kept = KeptTexts()
        if let connection = source.xml.map({ _ in source.connection }), mapping == nil {
            kept = try KeptTexts(connection).migrated(match, KeyMap(match, source, filled.layout).transfers)
        }
        try filled.writeXML(
            to: file.temporary, named: file.path, migratedMetadata(.xml), keeping: kept, externalFrom: source.path)
    }

    /// The new store within the transaction that writes it. Its values may refer to external data of the old one.
    func newStore(_ connection: StoreConnection) throws(CoreDataError) -> CoreDataStore {
        try CoreDataStore(connection, [destination], .standard, changing: connection, externalFrom: source.path)
    }

    private func fill(
        _ path: String, _ layout: StoreLayout, _ progress: (Stage) -> Void
    ) throws(CoreDataError) {
        if let mapping { return try MappingRun(self, mapping, path, layout).write(progress) }
        let run = try InferredRun(self, path, layout)
        try run.write(progress)
        progress(.verification)
        try run.verify()
        try run.complete()
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
            if file?.isExclusive ?? false { try connection.execute("PRAGMA locking_mode = EXCLUSIVE") }
            // Until it is renamed, the file is temporary and need not survive a crash.
            try connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
            if let uri = database?.readOnlyURI ?? file?.uri {
                try connection.run(SQLFragment("ATTACH ?1 AS old", bindings: [.text(uri)]))
            }
            return connection
        }
    }

    /// Writes a migrated store in one transaction, which is rolled back after an error.
    func migrate(_ work: () throws(CoreDataError) -> Void) throws(CoreDataError) {
        try storingMigrated { () throws(StoreError) in
            try transactionResult { Result { () throws(CoreDataError) in try work() } }
        }.get()
    }

    /// Runs a statement of a migration.
    func runMigrating(_ fragment: SQLFragment) throws(CoreDataError) {
        _ = try storingMigrated { () throws(StoreError) in try run(fragment) }
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
        try storingMigrated { () throws(StoreError) in
            try snapshot { Result { () throws(CoreDataError) in try work() } }
        }.get()
    }
}

/// Runs work of a migration on the database. An interrupted statement means that the migration was cancelled.
func storingMigrated<Result>(_ work: () throws(StoreError) -> Result) throws(CoreDataError) -> Result {
    do throws(StoreError) {
        return try work()
    } catch {
        if case .sqlite(.interrupted, _) = error.code { throw CoreDataError(.cancelled) }
        throw CoreDataError(.store(error))
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

extension RelationshipDescription {
    /// True if the relationship is to-one and mandatory.
    var isMandatoryToOne: Bool { !isOptional && !isToMany && !isTransient }
}
