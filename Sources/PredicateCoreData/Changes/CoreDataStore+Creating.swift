public import Foundation
public import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

extension CoreDataStore {
    /// Creates a store for a model, open for changes.
    ///
    /// `let store = try CoreDataStore.create("ToDo.sqlite", model: model)`
    ///
    /// It has the layout that Core Data gives the model: tables, columns, numbers of entities, `Z_PRIMARYKEY` and `Z_METADATA`
    /// with the version identifiers. The version hashes of Core Data have no public algorithm: they are written where the model
    /// has them (`ManagedObjectModel.versionHashes`). Without them Core Data refuses the store, which then names the entities
    /// under a key of this library, beside hashes of its own and the model as XML.
    /// Derived attributes are columns without triggers; indexes of regions, which need triggers too, are left out.
    ///
    /// Throws a ``CoreDataError``: `fileExists`, `store`.
    public static func create(
        _ path: String, model: ManagedObjectModel, uuid: UUID = UUID()
    ) throws(CoreDataError) -> CoreDataStore {
        guard !FileManager.default.fileExists(atPath: path) else { throw CoreDataError(.fileExists(path)) }
        let layout = StoreLayout(model)
        try layout.checkUnderstood("the model")
        let tables = StoreTables(layout: layout)
        let metadata = StoreMetadata(uuid: uuid.uuidString, values: ownMetadata(model))
        let plist = try metadata.data()
        try storing { () throws(StoreError) in
            let connection = try SQLiteConnection(path, SQLiteOptions(.create, journal: .wal))
            try connection.transaction { () throws(StoreError) in
                for statement in tables.tables + tables.indexes { try connection.execute(statement) }
                for row in tables.entityRows() { try connection.run(row) }
                try connection.run(metadata.row(plist))
            }
        }
        return try CoreDataStore(changing: path)
    }

    /// What a store of this library says of its model.
    static func ownMetadata(_ model: ManagedObjectModel) -> [String: PredicateValue] {
        var values: [String: PredicateValue] = [
            "NSStoreType": "SQLite",
            "NSStoreModelVersionIdentifiers": .array(model.versionIdentifiers.map(PredicateValue.string)),
            "_NSAutoVacuumLevel": "2",
            StoreMetadata.modelKey: .string(ModelDocument(model).text),
            StoreMetadata.hashesKey: .dictionary(
                Dictionary(
                    model.entities.map { ($0.name, .string(VersionHash.text(of: $0, in: model))) },
                    uniquingKeysWith: { first, _ in first })),
        ]
        let unknown = model.entities.map(\.name).filter { model.versionHashes[$0] == nil }.sorted()
        if unknown.isEmpty {
            let hashes = model.versionHashes.filter { model.entity($0.key) != nil }
            values["NSStoreModelVersionHashes"] = .dictionary(hashes.mapValues(PredicateValue.data))
            values["NSStoreModelVersionHashesVersion"] = 3
        } else {
            values[StoreMetadata.unknownHashesKey] = .array(unknown.map(PredicateValue.string))
        }
        return values
    }

    /// Opens a store that this library made for changes: one that it created, migrated or copied.
    ///
    /// Throws a ``CoreDataError``: `foreignStore` for one of another program, `notWritable` for one with tables of the history of
    /// changes or of CloudKit or with triggers.
    public init(changing path: String, locale: Locale? = nil) throws(CoreDataError) {
        let connection = try storing { () throws(StoreError) in try SQLiteConnection(path, SQLiteOptions(.readWrite)) }
        let reader = try storing { () throws(StoreError) in try SQLiteConnection(path) }
        try self.init(reader, [], locale, changing: connection)
        guard metadata.values[StoreMetadata.copyKey] != nil || metadata.values[StoreMetadata.hashesKey] != nil else {
            throw CoreDataError(.foreignStore(path))
        }
        try file.checkWritable()
        try checkUnderstood()
    }
}

extension StoreMetadata {
    /// The key of the hashes of entities that this library works out.
    static let hashesKey = ownPrefix + "VersionHashes"
    /// The key of the names of entities of which Core Data's hashes are not known.
    static let unknownHashesKey = ownPrefix + "EntitiesWithoutVersionHashes"
    /// True for a store of this library that Core Data refuses, since hashes of its entities are not known.
    package var lacksVersionHashes: Bool { values[Self.unknownHashesKey] != nil }
    /// The key that a copy has which this library may change.
    static let copyKey = ownPrefix + "CopyOf"

    /// The statement that writes the only row.
    func row(_ plist: Data) -> SQLFragment {
        SQLFragment(
            "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)",
            bindings: [.text(uuid), .blob(plist)])
    }
}

extension FileTables {
    /// Throws for a store in which changes would break what only Core Data keeps.
    func checkWritable() throws(CoreDataError) {
        let names = columns.keys.filter { $0.hasPrefix("ANSCK") || Self.history.contains($0) }.sorted()
        let obstacles = names.map { "the table '\($0)'" } + triggers.sorted().map { "the trigger '\($0)'" }
        guard obstacles.isEmpty else { throw CoreDataError(.notWritable(obstacles)) }
    }

    private static let history: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
}
