import Foundation
public import PredicateEvaluation
public import PredicateModel
public import PredicateSQL
public import PredicateStore
import PredicateSyntax

/// A Core Data store, queried by the names of its model on any platform.
///
/// ```swift
/// let store = try CoreDataStore("Photos.sqlite")
/// for album in try store.objects.fetchAll("Album", where: FormatPredicate("ANY assets.favorite == YES")) {
///     print(album["title"] ?? .null, try store.uri(of: album.id))
/// }
/// ```
///
/// Tables, columns and joins are derived from the model that the store contains. A store from before iOS 9 contains
/// no model, so one must be given. Dates are seconds since 2001, and UUIDs are 16 bytes. Decimals are doubles, as in
/// the file. Transformable values are the bytes of their archives, which are not decoded. An entity includes the objects of its
/// subentities.
///
/// The file is opened for reading: neither the file nor any file next to it is written. A `-wal` file is read.
///
/// A store may also be an XML document (``StoreType/xml``). It is read into memory as a whole and then behaves like a SQLite
/// store; a change replaces the file. It contains no model, unless this library created it. [NSP-450]
public struct CoreDataStore: Sendable {
    /// The path of the file.
    public let path: String
    /// The model of the store.
    public let model: ManagedObjectModel
    /// The objects, for reading, by the names of entities and keys.
    public let objects: ObjectStore
    /// The parts of the model that the file does not contain.
    public let omissions: [StoreOmission]
    package let layout: StoreLayout
    package let file: FileTables
    /// The store for changes; nil if the store is read-only.
    let changing: ObjectStore?
    /// The current metadata, which copies of the store share.
    let metadataCell: Locked<StoreMetadata>
    /// The changed objects that are still to be validated, or whose derived attributes are still to be computed.
    let pendingChanges: PendingChanges
    /// The file of an XML store; nil for a SQLite store.
    let xml: XMLStoreFile?
    /// The changes that are still to be written to the history; nil for a store without one.
    let pendingHistory: PendingHistory?

    /// Opens a store for reading.
    ///
    /// If several models are given, the one that matches the file is used; if none is given, the model that the store
    /// contains. `context` is the context of the store's objects; its limits also apply to statements, as in
    /// `SQLiteOptions`.
    ///
    /// Throws a ``CoreDataError``: `notAStore`, `noModel`, `modelMismatch`, `unreadableModel`, `unreadableFile`,
    /// `binaryStore`, `store`.
    public init(
        _ path: String, models: [ManagedObjectModel] = [], context: PredicateContext = .standard
    ) throws(CoreDataError) {
        try self.init(path, models, context, decodesData: false)
    }

    /// Opens a store for reading whose objects have, in place of data, the arrays and dictionaries of the JSON, property list
    /// or keyed archive in them. [NSP-478]
    package init(
        _ path: String, _ models: [ManagedObjectModel], _ context: PredicateContext, decodesData: Bool
    ) throws(CoreDataError) {
        switch StoreType(file: path) {
        case .xml?:
            self = try Self.readingXML(path, models, context, changes: false, decodesData: decodesData)
            return
        case .binary?: throw CoreDataError(.binaryStore(path))
        case .sqlite?, nil: break
        }
        let connection = try storing { () throws(StoreError) in
            try StoreConnection(path, .untouched(limits: context.limits))
        }
        try self.init(connection, models, context, changing: nil, decodesData: decodesData)
    }

    /// The store of an open connection.
    init(
        _ connection: StoreConnection, _ models: [ManagedObjectModel], _ context: PredicateContext,
        changing: StoreConnection?, xml: XMLStoreFile? = nil, externalFrom source: String? = nil,
        decodesData: Bool = false
    ) throws(CoreDataError) {
        let file = try storing { () throws(StoreError) in try FileTables(connection) }
        guard file.isStore else { throw CoreDataError(.notAStore(connection.path)) }
        let metadata = try StoreMetadata(connection)
        let model = try Self.model(connection, file, metadata, models)
        let layout = file.layout(of: model)
        var builder = StoreSchemaBuilder(
            layout, file, externalFolder: ExternalFolder.path(ofStore: source ?? connection.path),
            decodesData: decodesData)
        let schema = builder.schema()
        self.objects = try storing { () throws(StoreError) in
            try ObjectStore(connection, schema, context) { ArchivedJSON.value(of: $0) }
        }
        self.changing = try changing.map { (other) throws(CoreDataError) in
            try storing { () throws(StoreError) in try ObjectStore(other, schema: schema, context: context) }
        }
        (path, self.model, self.layout, self.file, self.xml) = (connection.path, model, layout, file, xml)
        (omissions, metadataCell) = (builder.omissions, Locked(metadata))
        // Validation and derived attributes matter only for changes.
        pendingChanges = PendingChanges(changing == nil ? ManagedObjectModel() : model)
        pendingHistory = file.keepsHistory ? PendingHistory() : nil
    }

    /// The metadata of the store.
    public var metadata: StoreMetadata { metadataCell.withLock { $0 } }

    /// The UUID of the store.
    public var uuid: String { metadata.uuid }

    /// The schema of the store: its entities with their tables and columns.
    public var schema: SQLSchema { objects.schema }

    var connection: StoreConnection { objects.connection }

    // MARK: - Identities

    /// The URI of an object, with the object's own entity.
    ///
    /// `x-coredata://5C1F0A6E-…/Photo/p12`
    public func uri(of id: SQLObjectID) throws(CoreDataError) -> ObjectURI {
        guard case .integer(let key) = id.key else { throw CoreDataError(.invalidURI(id.entity)) }
        return ObjectURI(store: uuid, entity: try concreteEntity(of: id.entity, key), key: key)
    }

    /// The ID of the object with a URI: `try store.id(of: "x-coredata://…/Photo/p12")`
    ///
    /// Throws `invalidURI` for a URI of another store or with an unknown entity.
    public func id(of uri: String) throws(CoreDataError) -> SQLObjectID {
        guard let found = ObjectURI(uri), found.store == uuid, layout.entities[found.entity] != nil else {
            throw CoreDataError(.invalidURI(uri))
        }
        return found.id
    }

    /// The object's own entity: the given one or one of its subentities.
    func concreteEntity(of name: String, _ key: Int64) throws(CoreDataError) -> String {
        guard let entity = layout.entities[name], !entity.descendants.isEmpty else { return name }
        let query: SQLText = "SELECT Z_ENT FROM \(name: entity.table) WHERE Z_PK = \(bind: .integer(key))"
        let row = try storing { () throws(StoreError) in
            try (changing?.connection ?? connection).rows(of: SQLFragment(query)).next()
        }
        guard let number = row?.first?.number else { return name }
        return layout.entity(numbered: number)?.name ?? name
    }
}

extension CoreDataStore {
    /// The action to take if the store has another model version.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum VersionOption: Sendable {
        /// Throw `otherVersion`, which names both versions.
        case refuse
        /// Migrate it into a new file and open that.
        case migrate(
            into: String, policies: MigrationPolicies = MigrationPolicies(), rules: MigrationRules = MigrationRules())
    }

    /// Opens a store with the app's model, as a persistent container does.
    ///
    /// ```swift
    /// let store = try CoreDataStore.open("ToDo.sqlite", model: version2, options: .migrate(into: "ToDo 2.sqlite"))
    /// ```
    ///
    /// If the store has the model's version, it is opened, for changes if this library created it. A store of another
    /// version is an error, or is migrated if the options say so. Two versions are the same if Core Data's hashes
    /// are: class names, user info, indexes, validation and renaming identifiers do not count.
    ///
    /// Throws a ``CoreDataError``: `otherVersion`, and the errors of a migration.
    public static func open(
        _ path: String, model: ManagedObjectModel, options: VersionOption = .refuse
    ) throws(CoreDataError) -> CoreDataStore {
        let store = try CoreDataStore(path)
        let differences = VersionHash.differences(store.model, model)
        if differences.isEmpty { return (try? CoreDataStore(changing: path)) ?? store }
        switch options {
        case .refuse:
            throw CoreDataError(
                .otherVersion(
                    store: store.metadata.versionIdentifiers, model: model.versionIdentifiers,
                    differences: differences))
        case .migrate(let new, let policies, let rules):
            return try StoreMigration(of: path, to: model, policies: policies, rules: rules).run(into: new)
        }
    }
}

extension VersionHash {
    /// The entities that differ between two versions, described in words; empty if the versions are compatible.
    static func differences(_ old: ManagedObjectModel, _ new: ManagedObjectModel) -> [String] {
        let names = Set(old.entities.map(\.name)).union(new.entities.map(\.name))
        return names.sorted().compactMap { name in
            switch (old.entity(name), new.entity(name)) {
            case (let before?, let after?):
                text(of: before, in: old) == text(of: after, in: new) ? nil : "\(name) is different"
            case (nil, _?): "\(name) is new"
            case (_?, nil): "\(name) is gone"
            case (nil, nil): nil
            }
        }
    }
}

extension CoreDataStore {
    /// Throws if parts of the model are missing, because a change or a migration would lose data.
    ///
    /// Throws `modelMismatch` if the file lacks columns of its model, `unsupportedParts` for types of unknown layout.
    /// An entity without a table belongs to another configuration, and so do the relationships to it; they are not
    /// errors.
    func checkUnderstood() throws(CoreDataError) {
        var (lacking, unknown): ([String], [String]) = ([], [])
        for omission in omissions {
            switch omission {
            case .entity: continue
            case .attribute(_, _, nil): unknown.append(omission.description)
            case .attribute: lacking.append(omission.description)
            case .relationship(let key, let entity):
                if hasDestination(key, of: entity) { lacking.append(omission.description) }
            }
        }
        guard unknown.isEmpty else { throw CoreDataError(.unsupportedParts(path, parts: unknown)) }
        guard lacking.isEmpty else { throw CoreDataError(.modelMismatch(path, differences: lacking)) }
    }

    private func hasDestination(_ key: String, of entity: String) -> Bool {
        guard case .relationship(let relationship)? = model.property(key, of: entity)?.property,
            let table = relationship.destinationEntityName.flatMap({ layout.entities[$0]?.table })
        else { return false }
        return file.columns[table] != nil
    }
}

extension StoreLayout {
    /// Throws `unsupportedParts` for attributes of unknown layout, which would have no columns in a new store.
    func checkUnderstood(_ name: String) throws(CoreDataError) {
        var unknown: [String] = []
        for entity in model.entitiesInPreorder {
            for attribute in model.storedAttributes(of: entity.name)
            where entities[entity.name]?.columns[attribute.name] == nil {
                unknown.append("\(StoreOmission.attribute(attribute.name, entity: entity.name, column: nil))")
            }
        }
        guard unknown.isEmpty else { throw CoreDataError(.unsupportedParts(name, parts: unknown)) }
    }
}

/// The identity of an object as a URI: `x-coredata://5C1F0A6E-…/Photo/p12`
public struct ObjectURI: Hashable, Sendable, CustomStringConvertible {
    /// The UUID of the store.
    public let store: String
    /// The object's own entity, not a superentity.
    package let entity: String
    /// The primary key.
    package let key: Int64

    /// The URI of an object.
    public init(store: String, entity: String, key: Int64) {
        (self.store, self.entity, self.key) = (store, entity, key)
    }

    /// Parses a URI; nil if the string is not one.
    public init?(_ text: String) {
        var text = text
        guard let parsed = text.withUTF8({ Self(bytes: $0) }) else { return nil }
        self = parsed
    }

    private init?(bytes: UnsafeBufferPointer<UInt8>) {
        let (prefix, slash) = ("x-coredata://".utf8, UInt8(ascii: "/"))
        guard bytes.starts(with: prefix) else { return nil }
        let rest = bytes[prefix.count...]
        guard let first = rest.firstIndex(of: slash),
            let second = rest[(first + 1)...].firstIndex(of: slash), second > first + 1,
            bytes[(second + 1)...].first == UInt8(ascii: "p"), second + 2 < bytes.count
        else { return nil }
        var key: Int64 = 0
        for digit in bytes[(second + 2)...] {
            let (tens, isTooLarge) = key.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.addingReportingOverflow(Int64(digit) - 0x30)
            guard (0x30...0x39).contains(digit), !isTooLarge, !overflows else { return nil }
            key = sum
        }
        self.init(
            store: String(decoding: rest[..<first], as: UTF8.self),
            entity: String(decoding: bytes[(first + 1)..<second], as: UTF8.self), key: key)
    }

    /// The URI string.
    public var description: String { "x-coredata://\(store)/\(entity)/p\(key)" }

    /// The ID for predicates.
    public var id: SQLObjectID { SQLObjectID(entity, key: .integer(key)) }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
