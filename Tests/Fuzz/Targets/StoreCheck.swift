import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Stores of Core Data in which bytes were changed: opening, reading, exporting and migrating them, and changing a copy,
/// ends in objects or in a typed error.
///
/// An input is a list of changes, each two bytes of a place and one of a value; the first byte says where the file is cut off.
struct StoreCheck {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A good store, made once.
    private static let store: [UInt8] = (try? make()) ?? []

    private static func make() throws -> [UInt8] {
        let model = ManagedObjectModel([
            EntityDescription(
                "Item", attributes: [AttributeDescription("name", .string), AttributeDescription("due", .date)],
                relationships: [.toOne("list", "List", inverse: "items"), .toMany("tags", "Item", inverse: "tags")]),
            EntityDescription("Photo", superentity: "Item", attributes: [AttributeDescription("data", .binaryData)]),
            EntityDescription("List", relationships: [.toMany("items", "Item", inverse: "list", isOrdered: true)]),
        ])
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString).sqlite")
        defer { remove(url) }
        do {
            let store = try CoreDataStore.create(url.path, model: model)
            let list = try store.insert("List", [:])
            let item = try store.insert("Item", ["name": "a", "list": list])
            try store.insert("Photo", ["name": "b", "data": Data([1, 2]), "list": list, "tags": [item]])
        }
        try addHistory(url.path)
        return Array(try Data(contentsOf: url))
    }

    /// Adds the empty tables of persistent history, and an entry.
    private static func addHistory(_ path: String) throws {
        try StoreConnection(path, SQLiteOptions(.readWrite)).execute(
            """
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
                ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
                ZBUNDLEIDTS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT);
            CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
            INSERT INTO ACHANGE VALUES (1, 16001, NULL, 1, 1, 1, 1, x'40');
            INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, NULL, 1, 1, 7.0);
            INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'fuzz');
            INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1),
                (16003, 'TRANSACTIONSTRING', 0, 1)
            """)
    }

    private static func remove(_ url: URL) {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + end) }
    }

    func run() throws(FuzzFinding) {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString).sqlite")
        defer { Self.remove(url) }
        guard (try? Data(changed).write(to: url)) != nil else { return }
        guard let store = try? CoreDataStore(url.path) else { return }
        for name in store.schema.entities.keys.sorted() {
            _ = try? store.objects.fetchCount(PredicateFetchRequest(name))
            guard let objects = try? store.objects.fetchAll(PredicateFetchRequest(name, limit: 4)) else { continue }
            for object in objects {
                for key in object.allKeys { _ = object.value(forKey: key) }
                _ = try? store.uri(of: object.id)
            }
        }
        useOtherwise(store, url)
        let after = try? Data(contentsOf: url)
        try FuzzFinding.unless(after == Data(changed), "the file was changed by reading it")
    }

    /// Exports and migrates the store, and changes a copy of it; each may end in an error.
    private func useOtherwise(_ store: CoreDataStore, _ url: URL) {
        let other = url.deletingPathExtension().appendingPathExtension("other.sqlite")
        defer { Self.remove(other) }
        _ = try? store.export(to: other.path)
        Self.remove(other)
        if let migration = try? StoreMigration(of: url.path, to: store.model) {
            _ = try? migration.losses()
            _ = try? migration.run(into: other.path)
        }
        Self.remove(other)
        guard let copy = try? CoreDataStore.copy(url.path, to: other.path) else { return }
        let all = FormatPredicate(.constant(true))
        for name in copy.schema.entities.keys.sorted() {
            _ = try? copy.insert(name, [:])
            _ = try? copy.update(name, ["name": "x"], where: all)
            _ = try? copy.delete(name, where: all)
        }
    }

    /// The store with the changes of the input.
    private var changed: [UInt8] {
        var store = Self.store
        guard !store.isEmpty, let first = bytes.first else { return store }
        var rest = bytes.dropFirst()
        while rest.count >= 3 {
            let place = Array(rest.prefix(2))
            store[(Int(place[0]) << 8 | Int(place[1])) % store.count] = rest[rest.startIndex + 2]
            rest = rest.dropFirst(3)
        }
        return first < 128 ? store : Array(store.prefix(store.count * (255 - Int(first)) / 128))
    }
}
