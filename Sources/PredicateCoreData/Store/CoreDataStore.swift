public import Foundation
public import PredicateModel
public import PredicateSQL
public import PredicateStore
import PredicateSyntax

/// A store of Core Data, read and asked by the names of its model on any platform.
///
/// ```swift
/// let store = try CoreDataStore("Photos.sqlite")
/// for album in try store.objects.objects("Album", where: FormatPredicate("ANY assets.favorite == YES")) {
///     print(album["title"] ?? .null, try store.uri(of: album.id))
/// }
/// ```
///
/// Tables, columns and joins are worked out from the model that the store keeps; one of before iOS 9 keeps none, and needs
/// one that is given. Dates are seconds since 2001, UUIDs 16 bytes; decimals are doubles, as in the file; transformable values
/// are the bytes of their archives, which are never read. An entity has the objects of its subentities too.
///
/// The file is opened for reading: neither it nor any file beside it is written, and its `-wal` is read.
public struct CoreDataStore: Sendable {
    /// The path of the file.
    public let path: String
    /// The model of the store.
    public let model: ManagedObjectModel
    /// The objects, by the names of entities and keys; for reading only.
    public let objects: PredicateStore
    /// What the model has and the file does not.
    public let leftOut: [StoreOmission]
    package let layout: StoreLayout
    package let file: FileTables
    /// The store that changes go through; nil for one that is read only.
    let changing: PredicateStore?
    let metadataCell: MetadataCell
    /// The objects that changes have touched.
    let ledger: ChangeLedger

    /// Opens a store for reading.
    ///
    /// Of several models the one that fits the file is taken; with none, the one that the store keeps.
    ///
    /// Throws a ``CoreDataError``: `notAStore`, `noModel`, `unfitModel`, `unreadableModel`, `store`.
    public init(
        _ path: String, models: [ManagedObjectModel] = [], locale: Locale? = nil
    ) throws(CoreDataError) {
        let connection = try storing { () throws(StoreError) in try SQLiteConnection(path, .untouched) }
        try self.init(connection, models, locale, changing: nil)
    }

    /// The store of an open connection.
    init(
        _ connection: SQLiteConnection, _ models: [ManagedObjectModel], _ locale: Locale?,
        changing: SQLiteConnection?
    ) throws(CoreDataError) {
        let file = try storing { () throws(StoreError) in try FileTables(connection) }
        guard file.isStore else { throw CoreDataError(.notAStore(connection.path)) }
        let metadata = try StoreMetadata(connection)
        let model = try Self.model(connection, file, metadata, models)
        let layout = file.layout(of: model)
        var maker = SchemaMaker(layout, file, externalFolder: ExternalFolder.path(ofStore: connection.path))
        let schema = maker.schema()
        self.objects = try storing { () throws(StoreError) in
            try PredicateStore(connection, schema: schema, locale: locale)
        }
        self.changing = try changing.map { (other) throws(CoreDataError) in
            try storing { () throws(StoreError) in try PredicateStore(other, schema: schema, locale: locale) }
        }
        (path, self.model, self.layout, self.file) = (connection.path, model, layout, file)
        (leftOut, metadataCell, ledger) = (maker.leftOut, MetadataCell(metadata), ChangeLedger(model))
    }

    /// The store that a migration is writing, in its transaction.
    init(
        _ connection: SQLiteConnection, _ model: ManagedObjectModel, externalFrom path: String
    ) throws(CoreDataError) {
        let file = try storing { () throws(StoreError) in try FileTables(connection) }
        let layout = StoreLayout(model)
        var maker = SchemaMaker(layout, file, externalFolder: ExternalFolder.path(ofStore: path))
        let schema = maker.schema()
        let objects = try storing { () throws(StoreError) in try PredicateStore(connection, schema: schema) }
        (self.objects, changing) = (objects, objects)
        (self.path, self.model, self.layout, self.file) = (connection.path, model, layout, file)
        (leftOut, metadataCell) = (maker.leftOut, MetadataCell(try StoreMetadata(connection)))
        ledger = ChangeLedger(model)
    }

    /// The metadata of the store.
    public var metadata: StoreMetadata { metadataCell.value }

    /// The UUID of the store.
    public var uuid: String { metadata.uuid }

    /// The schema of the store: entities, and the tables and columns that they have.
    public var schema: SQLSchema { objects.schema }

    var connection: SQLiteConnection { objects.connection }

    // MARK: - Identities

    /// The identity of an object as a URI, with the entity that it is of itself.
    ///
    /// `x-coredata://5C1F0A6E-…/Photo/p12`
    public func uri(of id: SQLObjectID) throws(CoreDataError) -> ObjectURI {
        guard case .integer(let key) = id.key else { throw CoreDataError(.invalidURI(id.entity)) }
        return ObjectURI(store: uuid, entity: try exactEntity(of: id.entity, key), key: key)
    }

    /// The identity of the object that a URI names: `try store.id(of: "x-coredata://…/Photo/p12")`
    ///
    /// Throws `invalidURI` for one of another store and for an unknown entity.
    public func id(of uri: String) throws(CoreDataError) -> SQLObjectID {
        guard let found = ObjectURI(uri), found.store == uuid, layout.entities[found.entity] != nil else {
            throw CoreDataError(.invalidURI(uri))
        }
        return found.id
    }

    /// The entity that an object is of itself: its own or one below it.
    func exactEntity(of name: String, _ key: Int64) throws(CoreDataError) -> String {
        guard let entity = layout.entities[name], !entity.descendants.isEmpty else { return name }
        let text = "SELECT Z_ENT FROM \(entity.table.quotedName) WHERE Z_PK = ?1"
        let row = try storing { () throws(StoreError) in
            try (changing?.connection ?? connection).rows(of: SQLFragment(text, bindings: [.integer(key)])).next()
        }
        guard let number = row?.first?.number else { return name }
        return layout.entity(numbered: number)?.name ?? name
    }
}

/// The metadata of a store that is open, which changes replace.
final class MetadataCell: @unchecked Sendable {
    private let lock = NSLock()
    private var current: StoreMetadata

    init(_ metadata: StoreMetadata) {
        current = metadata
    }

    var value: StoreMetadata {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }
}

extension PredicateStore {
    /// The objects of a store of Core Data, by the names of its model; for reading only.
    ///
    /// ```swift
    /// let store = try PredicateStore(coreData: "Photos.sqlite")
    /// try store.objects("Album", where: FormatPredicate("ANY assets.favorite == YES"))
    /// ```
    ///
    /// ``CoreDataStore`` has the model, the metadata and the identities of the same store. Throws a ``CoreDataError``.
    public init(
        coreData path: String, models: [ManagedObjectModel] = [], locale: Locale? = nil
    ) throws(CoreDataError) {
        self = try CoreDataStore(path, models: models, locale: locale).objects
    }
}
