public import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The metadata of a store: its UUID, and a property list of what Core Data and the app keep in it.
///
/// The keys of an app may hold secrets: print ``known`` only.
public struct StoreMetadata: Hashable, Sendable {
    /// The UUID of the store, which identities of objects begin with.
    public var uuid: String
    /// All values by key.
    public var values: [String: PredicateValue]

    /// The identifiers of the model's version.
    public var versionIdentifiers: [String] {
        guard case .array(let elements)? = values["NSStoreModelVersionIdentifiers"] else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The names of the entities of the model's version.
    public var entityNames: [String] {
        guard case .dictionary(let hashes)? = values["NSStoreModelVersionHashes"] else { return [] }
        return hashes.keys.sorted()
    }

    /// Core Data's hashes of the entities of the model's version; empty for a store that has none.
    public var versionHashes: [String: Data] {
        guard case .dictionary(let hashes)? = values["NSStoreModelVersionHashes"] else { return [:] }
        return hashes.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
    }

    /// The version of the framework that wrote the store.
    public var frameworkVersion: Int? {
        guard case .integer(let number)? = values["NSPersistenceFrameworkVersion"] else { return nil }
        return Int(exactly: number)
    }

    /// The values of the keys that every store has, without those of the app.
    public var known: [String: PredicateValue] { values.filter { Self.isKnown($0.key) } }

    /// The values of the app's own keys.
    public var own: [String: PredicateValue] { values.filter { !Self.isKnown($0.key) } }

    static func isKnown(_ key: String) -> Bool {
        key.hasPrefix("NSStore") || key.hasPrefix("NSPersistence") || key.hasPrefix("_NS") || key.hasPrefix(ownPrefix)
    }

    /// What the keys of this library begin with.
    static let ownPrefix = "SwiftPredicates"

    /// The largest property list that is read.
    private static let mostBytes = 64 << 20

    /// The metadata of the store in a file, which may be one that keeps no model.
    package init(path: String) throws(CoreDataError) {
        let connection = try storing { () throws(StoreError) in try SQLiteConnection(path, .untouched) }
        let file = try storing { () throws(StoreError) in try FileTables(connection) }
        guard file.isStore else { throw CoreDataError(.notAStore(path)) }
        try self.init(connection)
    }

    /// The key under which a store of this library keeps its model.
    package static let modelKey = ownPrefix + "Model"

    init(_ connection: SQLiteConnection) throws(CoreDataError) {
        let row = try storing { () throws(StoreError) in
            try connection.rows(of: SQLFragment("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1")).next()
        }
        guard let row, row.count == 2 else { throw CoreDataError(.unreadableMetadata("there is no row")) }
        uuid = row[0].string ?? ""
        guard case .blob(let data) = row[1] else {
            values = [:]
            return
        }
        do throws(ModelError) {
            values = try PropertyListDictionary.values(Array(data), limits: Self.limits)
        } catch {
            throw CoreDataError(.unreadableMetadata(error.title))
        }
    }

    /// The property list of a store is small: hashes of entities, and what an app keeps beside them.
    private static let limits = ModelLimits(fileSize: mostBytes, nesting: 32, objects: 1_000_000)

    init(uuid: String, values: [String: PredicateValue]) {
        (self.uuid, self.values) = (uuid, values)
    }

    /// The property list, as the store keeps it.
    func data() throws(CoreDataError) -> Data {
        let list = values.compactMapValues(PlistValue.object)
        do {
            return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        } catch {
            throw CoreDataError(.unreadableMetadata("\(error)"))
        }
    }
}

/// Values of property lists.
enum PlistValue {
    /// nil for a value that no property list has.
    static func object(_ value: PredicateValue) -> Any? {
        switch value {
        case .bool(let value): value
        case .integer(let value): value
        case .double(let value): value
        case .string(let text): text
        case .date(let date): date
        case .data(let data): data
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .decimal(let number): number.nearestDouble
        case .array(let values), .orderedSet(let values): values.compactMap(object)
        case .set(let values): values.compactMap(object)
        case .dictionary(let entries): entries.compactMapValues(object)
        case .null, .nullObject, .type, .object, .expression, .predicate: nil
        @unknown default: nil
        }
    }
}
