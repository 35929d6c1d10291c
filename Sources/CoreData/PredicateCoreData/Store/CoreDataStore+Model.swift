import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Finding the model of a store.
extension CoreDataStore {
    static func model(
        _ connection: StoreConnection, _ file: FileTables, _ metadata: StoreMetadata, _ models: [ManagedObjectModel]
    ) throws(CoreDataError) -> ManagedObjectModel {
        for model in models { try checkHierarchy(model, connection.path) }
        let found = try foundModel(connection, file, metadata, models)
        try checkHierarchy(found, connection.path)
        return found
    }

    /// Limits of an entity hierarchy. The cost of a layout grows with every entity and level.
    private static let mostEntities = 10_000
    private static let mostLevels = 100

    /// Throws if entities inherit in a cycle, or if their number or depth exceeds the limits.
    static func checkHierarchy(_ model: ManagedObjectModel, _ path: String) throws(CoreDataError) {
        let entities = model.entities
        guard entities.count <= mostEntities else {
            throw CoreDataError(
                .unreadableModel(path, .tooManyEntities(found: entities.count, limit: mostEntities)))
        }
        let parents = Dictionary(
            entities.map { ($0.name, $0.superentityName) }, uniquingKeysWith: { first, _ in first })
        for entity in entities {
            var (level, parent) = (1, entity.superentityName)
            while let name = parent, level <= mostLevels {
                level += 1
                parent = parents[name] ?? nil
            }
            guard level > mostLevels else { continue }
            throw CoreDataError(.unreadableModel(path, .inheritance(entity: entity.name, limit: mostLevels)))
        }
    }

    private static func foundModel(
        _ connection: StoreConnection, _ file: FileTables, _ metadata: StoreMetadata, _ models: [ManagedObjectModel]
    ) throws(CoreDataError) -> ManagedObjectModel {
        guard models.isEmpty else { return try fitting(models, file, connection.path) }
        if var cached = try cachedModel(connection, file) {
            cached.versionHashes = metadata.versionHashes
            return cached
        }
        guard let own = try ownModel(metadata, connection.path) else { throw CoreDataError(.noModel(connection.path)) }
        return own
    }

    /// The model that this library has put into the metadata; nil if there is none.
    static func ownModel(_ metadata: StoreMetadata, _ path: String) throws(CoreDataError) -> ManagedObjectModel? {
        guard case .string(let text)? = metadata.values[StoreMetadata.modelKey] else { return nil }
        var own = try reading(path) { () throws(ModelError) in try ManagedObjectModel(bytes: Array(text.utf8)) }
        own.editorAttributes = [:]
        own.versionHashes = metadata.versionHashes
        return own
    }

    /// The model cached in the store; nil if there is none.
    private static func cachedModel(
        _ connection: StoreConnection, _ file: FileTables
    ) throws(CoreDataError) -> ManagedObjectModel? {
        guard file.columns["Z_MODELCACHE"]?.contains("Z_CONTENT") ?? false else { return nil }
        let row = try storing { () throws(StoreError) in
            try connection.rows(of: SQLFragment("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")).next()
        }
        guard case .blob(let data)? = row?.first, !data.isEmpty else { return nil }
        return try reading(connection.path) { () throws(ModelError) in try ManagedObjectModel(modelCache: Array(data)) }
    }

    static func reading(
        _ path: String, _ read: () throws(ModelError) -> ManagedObjectModel
    ) throws(CoreDataError) -> ManagedObjectModel {
        do throws(ModelError) {
            return try read()
        } catch {
            throw CoreDataError(.unreadableModel(path, .unreadable(error)))
        }
    }

    /// The first model that matches the file. Throws `modelMismatch` with the differences to the closest model.
    private static func fitting(
        _ models: [ManagedObjectModel], _ file: FileTables, _ path: String
    ) throws(CoreDataError) -> ManagedObjectModel {
        var best: (model: ManagedObjectModel, differences: [String])?
        for model in models {
            let differences = file.differences(from: model)
            if differences.isEmpty { return model }
            if best.map({ differences.count < $0.differences.count }) ?? true { best = (model, differences) }
        }
        throw CoreDataError(.modelMismatch(path, differences: best?.differences ?? []))
    }
}

extension FileTables {
    /// The differences between a file and a model; empty if the file has this model.
    package func differences(from model: ManagedObjectModel) -> [String] {
        let layout = layout(of: model)
        var differences: [String] = []
        for (table, wanted) in layout.tables.sorted(by: { $0.key < $1.key }) {
            guard let found = columns[table] else {
                differences.append("there is no table '\(table)'")
                continue
            }
            let names = Set(wanted.map(\.name))
            differences += names.subtracting(found).sorted().map { "there is no column \(table).\($0)" }
            differences += found.subtracting(names).sorted().map { "the column \(table).\($0) is unknown" }
        }
        for table in layout.joinTables where name(of: table) == nil {
            differences.append("there is no table '\(table.names.joined(separator: "' or '"))'")
        }
        let known = Set(layout.tables.keys)
        let unknown = columns.keys.filter { !known.contains($0) && columns[$0]?.contains("Z_ENT") ?? false }
        return differences
            + unknown.filter { !Self.own.contains($0) && !$0.hasPrefix("A") }.sorted().map {
                "the table '\($0)' is unknown"
            }
    }

    /// The tables that every store has and that belong to no entity.
    private static let own: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
}
