public import Foundation
public import PredicateEvaluation
public import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

extension CoreDataStore {
    /// Creates a store for a model and opens it for changes.
    ///
    /// `let store = try CoreDataStore.create("ToDo.sqlite", model: model)`
    ///
    /// The store has the layout that Core Data gives the model: tables, columns, entity numbers, `Z_PRIMARYKEY`, and
    /// `Z_METADATA` with the version identifiers. Core Data's version hashes have no public algorithm. They are written if the
    /// model has them (`ManagedObjectModel.versionHashes`). Without them, Core Data opens the store only with
    /// `NSIgnorePersistentStoreVersioningOption`, and the metadata lists the affected entities and hashes of this library under
    /// keys of this library.
    ///
    /// A model that was read from an archive (`.mom`, `.momd`, or another store) is kept in the model cache (`Z_MODELCACHE`).
    /// Any other model is kept as XML in the metadata, which notes that there is no cache.
    ///
    /// Derived attributes are columns without triggers, which changes keep up to date. Indexes of regions, which need
    /// triggers, are omitted.
    ///
    /// By default the store is an XML document if the name ends in `.xml`, otherwise a SQLite file. [NSP-450]
    ///
    /// Throws a ``CoreDataError``: `fileExists`, `unreadableModel` for names that an XML store cannot distinguish,
    /// `binaryStore`, `store`.
    public static func create(
        _ path: String, model: ManagedObjectModel, uuid: UUID = UUID(), type: StoreType? = nil
    ) throws(CoreDataError) -> CoreDataStore {
        let file = try NewFile(path)
        let layout = StoreLayout(model)
        try layout.checkUnderstood("the model")
        let tables = StoreTables(layout: layout)
        let type = type ?? StoreType(newFile: path)
        let metadata = StoreMetadata(uuid: uuid.uuidString, values: ownMetadata(model, type))
        switch type {
        case .sqlite: break
        case .binary: throw CoreDataError(.binaryStore(path))
        case .xml:
            _ = try XMLStoreNames(model, path)
            return try file.writeStore { () throws(CoreDataError) in
                try writeXML(to: file.temporary, named: path, metadata)
            }
        }
        let plist = try metadata.data()
        return try file.writeStore { () throws(CoreDataError) in
            try storing { () throws(StoreError) in
                let connection = try StoreConnection(file.temporary, SQLiteOptions(.create, journal: .wal))
                try connection.transaction { () throws(StoreError) in
                    for statement in tables.tables + tables.indexes { try connection.execute(statement) }
                    for row in tables.ownRows() { try connection.run(row) }
                    try connection.run(metadata.row(plist))
                }
            }
        }
    }

    /// The metadata that this library writes for a model.
    static func ownMetadata(
        _ model: ManagedObjectModel, _ type: StoreType = .sqlite
    ) -> [String: PredicateValue] {
        var values: [String: PredicateValue] = [
            "NSStoreType": .string(type.name),
            "NSStoreModelVersionIdentifiers": .array(model.versionIdentifiers.map(PredicateValue.string)),
            StoreMetadata.hashesKey: .dictionary(
                Dictionary(
                    model.entities.map { ($0.name, .string(VersionHash.text(of: $0, in: model))) },
                    uniquingKeysWith: { first, _ in first })),
        ]
        if type == .sqlite { values["_NSAutoVacuumLevel"] = "2" }
        // A SQLite store has the archive from which the model was read in its model cache.
        let lacksCache = type == .sqlite && model.archive == nil
        if lacksCache { values[StoreMetadata.noCacheKey] = true }
        if lacksCache || type != .sqlite { values[StoreMetadata.modelKey] = .string(ModelDocument(model).text) }
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

    /// Opens a store that this library created, migrated or copied, for changes.
    ///
    /// Throws a ``CoreDataError``: `foreignStore` for a store of another program, `notWritable` for one with
    /// triggers, with tables of CloudKit, or with a history of unknown form. A change of a store with persistent history
    /// adds to it.
    public init(changing path: String, context: PredicateContext = .standard) throws(CoreDataError) {
        try self.init(changing: path, context, externalFrom: path)
    }

    private init(
        changing path: String, _ context: PredicateContext, externalFrom source: String
    ) throws(CoreDataError) {
        guard StoreType(file: path) != .xml else {
            try StoreMetadata(path: path).checkOwn(path)
            self = try Self.readingXML(path, [], context, changes: true)
            return
        }
        func open(_ access: SQLiteOptions.Access) throws(CoreDataError) -> StoreConnection {
            let options = SQLiteOptions(access, limits: context.limits)
            return try storing { () throws(StoreError) in try StoreConnection(path, options) }
        }
        let (connection, reader) = (try open(.readWrite), try open(.readOnly))
        try self.init(reader, [], context, changing: connection, externalFrom: source)
        try metadata.checkOwn(path)
        try file.checkWritable()
        try checkUnderstood()
    }
}

extension StoreMetadata {
    /// The key of this library's own entity hashes.
    static let hashesKey = ownPrefix + "VersionHashes"
    /// The key of the names of entities whose Core Data hashes are unknown.
    static let unknownHashesKey = ownPrefix + "EntitiesWithoutVersionHashes"
    /// True for a store of this library that Core Data does not open by default, because hashes of its entities are unknown.
    package var lacksVersionHashes: Bool { values[Self.unknownHashesKey] != nil }
    /// The key that marks a store without a model cache, because its model was not read from an archive.
    static let noCacheKey = ownPrefix + "WithoutModelCache"
    /// True for a store of this library without a model cache.
    package var lacksModelCache: Bool { values[Self.noCacheKey] != nil }
    /// The key that marks a copy made by this library, which it may change.
    static let copyKey = ownPrefix + "CopyOf"

    /// Throws `foreignStore` unless this library created, migrated or copied the store.
    func checkOwn(_ path: String) throws(CoreDataError) {
        guard values[Self.copyKey] == nil, values[Self.hashesKey] == nil else { return }
        throw CoreDataError(.foreignStore(path))
    }

    /// The statement that writes the single row of `Z_METADATA`.
    func row(_ plist: Data) -> SQLFragment {
        SQLFragment(
            "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)",
            bindings: [.text(uuid), .blob(plist)])
    }
}

extension FileTables {
    /// Throws `notWritable` if changes would break state that only Core Data maintains.
    func checkWritable() throws(CoreDataError) {
        let names = columns.keys.filter { $0.hasPrefix("ANSCK") }.sorted() + unknownHistoryTables
        let obstacles = names.map { "the table '\($0)'" } + triggers.sorted().map { "the trigger '\($0)'" }
        guard obstacles.isEmpty else { throw CoreDataError(.notWritable(obstacles)) }
    }
}

extension CoreDataStore {
    /// Copies a store of any program, with its log and its external data, and opens the copy for changes.
    ///
    /// `let copy = try CoreDataStore.copy("Photos.sqlite", to: "Mine.sqlite")`
    ///
    /// The original is not changed. The copy is marked as such in its metadata. Throws a ``CoreDataError``:
    /// `fileExists`, `notWritable` if the store has triggers, tables of CloudKit or a history of unknown form, `file`.
    public static func copy(
        _ path: String, to copy: String, models: [ManagedObjectModel] = []
    ) throws(CoreDataError) -> CoreDataStore {
        try self.copy(path, to: copy, models: models, context: .standard) { _ in }
        return try CoreDataStore(changing: copy)
    }

    /// Copies a store and changes the copy. The copy gets its name when it is complete and changed.
    @discardableResult
    package static func copy<Result>(
        _ path: String, to copy: String, models: [ManagedObjectModel], context: PredicateContext,
        _ change: (CoreDataStore) throws(CoreDataError) -> Result
    ) throws(CoreDataError) -> Result {
        let original = try CoreDataStore(path, models: models)
        try original.file.checkWritable()
        try original.checkUnderstood()
        try original.missingData().check(allowing: false)
        let new = try NewFile(copy)
        return try new.write(external: original.isXML ? nil : ExternalFolder.path(ofStore: path)) {
            () throws(CoreDataError) in
            try original.writeCopy(new)
            return try change(try CoreDataStore(changing: new.temporary, context, externalFrom: path))
        }
    }

    private func writeCopy(_ copy: NewFile) throws(CoreDataError) {
        let metadata = metadataOfCopy
        if isXML {
            let kept = try KeptTexts(connection)
            return try writeXML(to: copy.temporary, named: copy.path, metadata, keeping: kept, externalFrom: path)
        }
        let row = metadata.row(try metadata.data())
        try storing { () throws(StoreError) in
            let new = try StoreConnection(copy.temporary, SQLiteOptions(.create))
            try connection.copy(to: new)
            try new.run(row)
        }
    }

    /// The metadata of a copy, with the model if the store does not contain it.
    private var metadataOfCopy: StoreMetadata {
        var metadata = metadata
        metadata.values[StoreMetadata.copyKey] = .string(uuid)
        if metadata.values[StoreMetadata.modelKey] == nil, isXML || file.columns["Z_MODELCACHE"] == nil {
            metadata.values[StoreMetadata.modelKey] = .string(ModelDocument(model).text)
        }
        return metadata
    }
}

/// This library's hash of the version of an entity. It is not Core Data's hash, which has no public algorithm.
///
/// It includes names, types, optionality and inheritance, but not class names, user info, indexes and validation.
enum VersionHash {
    static func text(of entity: EntityDescription, in model: ManagedObjectModel) -> String {
        var parts = [
            entity.name, entity.superentityName ?? "", "\(entity.isAbstract)", entity.versionHashModifier ?? "",
        ]
        for attribute in model.attributes(of: entity.name).sorted(by: { $0.name < $1.name }) {
            parts += [
                "a", attribute.name, attribute.type.name, "\(attribute.isOptional)", "\(attribute.isTransient)",
                attribute.versionHashModifier ?? "",
            ]
            guard attribute.type == .composite else { continue }
            for element in model.elements(of: attribute) { parts += ["e", element.name, element.type.name] }
        }
        for relationship in model.relationships(of: entity.name).sorted(by: { $0.name < $1.name }) {
            parts += [
                "r", relationship.name, relationship.destinationEntityName ?? "", relationship.inverseName ?? "",
                "\(relationship.isToMany)", "\(relationship.isOrdered)", "\(relationship.isOptional)",
                "\(relationship.minimumCount)", "\(relationship.maximumCount)", "\(relationship.isTransient)",
                relationship.versionHashModifier ?? "",
            ]
        }
        let hash = parts.joined(separator: "\u{1F}").utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
