public import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The metadata of a store: its UUID, and a property list with values of Core Data and of the app.
///
/// The app's values may contain secrets: print only ``systemValues``.
public struct StoreMetadata: Hashable, Sendable {
    /// The UUID of the store, which the URIs of its objects contain.
    public var uuid: String
    /// All values by key.
    public var values: [String: PredicateValue]

    /// The identifiers of the model's version.
    public var versionIdentifiers: [String] {
        guard case .array(let elements)? = values["NSStoreModelVersionIdentifiers"] else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The names of the entities of the model's version.
    package var entityNames: [String] {
        guard case .dictionary(let hashes)? = values["NSStoreModelVersionHashes"] else { return [] }
        return hashes.keys.sorted()
    }

    /// Core Data's version hashes by entity; empty if the store has none.
    public var versionHashes: [String: Data] {
        guard case .dictionary(let hashes)? = values["NSStoreModelVersionHashes"] else { return [:] }
        return hashes.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
    }

    /// The values of Core Data's and this library's keys, without the app's own.
    public var systemValues: [String: PredicateValue] { values.filter { Self.isKnown($0.key) } }

    /// The values of the app's own keys.
    package var appValues: [String: PredicateValue] { values.filter { !Self.isKnown($0.key) } }

    static func isKnown(_ key: String) -> Bool {
        key.hasPrefix("NSStore") || key.hasPrefix("NSPersistence") || key.hasPrefix("_NS") || key.hasPrefix(ownPrefix)
    }

    /// The prefix of this library's keys.
    static let ownPrefix = "SwiftPredicates"

    /// The maximum size of the property list.
    private static let mostBytes = 64 << 20

    /// Reads the metadata of a store, even if it contains no model.
    package init(path: String) throws(CoreDataError) {
        guard let (connection, _) = try FileTables.opened(path) else {
            try self.init(xml: path, try CoreDataStore.contents(path).0)
            return
        }
        try self.init(connection)
    }

    /// The key of the model in a store of this library.
    package static let modelKey = ownPrefix + "Model"

    init(_ connection: StoreConnection) throws(CoreDataError) {
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

    /// Limits for the property list, which normally contains only entity hashes and a few values of the app.
    private static let limits = ModelLimits(fileSize: mostBytes, nesting: 32, objects: 1_000_000)

    init(uuid: String, values: [String: PredicateValue]) {
        (self.uuid, self.values) = (uuid, values)
    }

    /// The values as a property list.
    func data(_ format: PropertyListSerialization.PropertyListFormat = .binary) throws(CoreDataError) -> Data {
        let list = values.compactMapValues(PlistValue.object)
        do {
            return try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        } catch {
            throw CoreDataError(.unreadableMetadata("\(error)"))
        }
    }
}

/// Conversion to property list objects.
enum PlistValue {
    /// nil for a value that a property list cannot contain.
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
        }
    }
}

/// The folder of a store's external data files: `.Photos_SUPPORT/_EXTERNAL_DATA` next to `Photos.sqlite`.
enum ExternalFolder {
    static func path(ofStore path: String) -> String {
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")
            .appendingPathComponent("_EXTERNAL_DATA").path
    }
}

/// A copy of the external data files of a store, which is removed if the new store does not get its name.
final class ExternalFolderCopy {
    private let folder: String
    private var files: [String] = []

    init(to folder: String) { self.folder = folder }

    /// Copies the files that are missing, or have another size, as after an interrupted copy.
    func take(_ source: String) throws(CoreDataError) {
        let manager = FileManager.default
        guard source != folder, let names = try? manager.contentsOfDirectory(atPath: source), !names.isEmpty else {
            return
        }
        do {
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in names.sorted() {
                let (from, to) = ("\(source)/\(name)", "\(folder)/\(name)")
                guard FileState(from)?.size != FileState(to)?.size else { continue }
                unlink(to)
                files.append(to)
                let data = try Data(contentsOf: URL(fileURLWithPath: from), options: .alwaysMapped)
                let file = try OutputFile(to, named: to)
                try data.withUnsafeBytes { try file.write($0) }
            }
        } catch {
            throw error as? CoreDataError ?? CoreDataError(.file(folder, reason: error.localizedDescription))
        }
    }

    /// Removes the copied files, and the folder if nothing else is in it.
    func remove() {
        guard !files.isEmpty else { return }
        for file in files { unlink(file) }
        for name in [folder, URL(fileURLWithPath: folder).deletingLastPathComponent().path] { rmdir(name) }
    }
}

extension CoreDataStore {
    /// The attributes of an entity and its subentities, or some of them, that have external data files which do not exist.
    package func missingData(
        of entity: String, keys: Set<String>? = nil
    ) throws(CoreDataError) -> [MissingExternalData] {
        var missing: [MissingExternalData] = []
        for entity in model.subtree(of: entity) {
            guard let stored = layout.entities[entity.name], file.columns[stored.table] != nil else { continue }
            for attribute in model.storedAttributes(of: entity.name)
            where attribute.allowsExternalBinaryDataStorage && keys?.contains(attribute.name) ?? true {
                if let found = try missingData(attribute.name, of: stored) { missing.append(found) }
            }
        }
        return missing
    }

    /// The attributes of the store that have external data files which do not exist.
    package func missingData() throws(CoreDataError) -> [MissingExternalData] {
        var missing: [MissingExternalData] = []
        for entity in model.rootEntities { missing += try missingData(of: entity.name) }
        return missing
    }

    /// Sentences about rows that belong to none of the entities that have objects.
    package func strayNotes() throws(CoreDataError) -> [String] {
        var notes: [String] = []
        let entities = Dictionary(grouping: layout.ordered, by: \.table)
        for (table, entities) in entities.sorted(by: { $0.key < $1.key })
        where file.columns[table]?.contains("Z_ENT") ?? false {
            let numbers = SQLText.keys(entities.filter { !$0.isAbstract }.map(\.number))
            let count = try connection.number(
                "SELECT COUNT(*) FROM \(name: table) WHERE Z_ENT IS NULL OR Z_ENT NOT IN \(numbers)")
            guard count > 0 else { continue }
            notes.append(
                count == 1
                    ? "1 row of \(table) is of no entity that has objects, and is left out"
                    : "\(count) rows of \(table) are of no entity that has objects, and are left out")
        }
        return notes
    }

    func missingData(_ key: String, of entity: StoredEntity) throws(CoreDataError) -> MissingExternalData? {
        guard let column = entity.columns[key] else { return nil }
        let folder = URL(fileURLWithPath: ExternalFolder.path(ofStore: path), isDirectory: true)
        let query: SQLText = """
            SELECT substr(\(name: column), 2) FROM \(name: entity.table)
            WHERE Z_ENT = \(bind: .integer(entity.number)) AND substr(\(name: column), 1, 1) = x'02'
            """
        var names: [String] = []
        let rows = try storing { () throws(StoreError) in try connection.rows(of: SQLFragment(query)) }
        while let row = try storing({ () throws(StoreError) in try rows.next() }) {
            guard case .blob(let bytes)? = row.first, let name = ExternalData.name(in: bytes),
                FileState(folder.appendingPathComponent(name).path) == nil
            else { continue }
            names.append(name)
        }
        return names.first.map {
            MissingExternalData(key: key, entity: entity.name, file: $0, count: names.count)
        }
    }
}

/// External data files of an attribute that do not exist.
package struct MissingExternalData: Hashable, Sendable, CustomStringConvertible {
    let key: String
    let entity: String
    /// The name of the first file.
    let file: String
    let count: Int

    /// `3 files with the data of Doc.body are missing, '6F96…' among them`
    package var description: String {
        count == 1
            ? "the file '\(file)' with the data of \(entity).\(key) is missing"
            : "\(count) files with the data of \(entity).\(key) are missing, '\(file)' among them"
    }

    /// `the file '6F96…' with the data of Doc.body is missing: the value is nil`
    package var readingNote: String { "\(self): \(count == 1 ? "the value is" : "these values are") nil" }
}

extension [MissingExternalData] {
    /// Throws `missingExternalData`, unless files may be missing.
    package func check(allowing allows: Bool) throws(CoreDataError) {
        guard let first, !allows else { return }
        throw CoreDataError(.missingExternalData(key: first.key, entity: first.entity, file: first.file))
    }
}
