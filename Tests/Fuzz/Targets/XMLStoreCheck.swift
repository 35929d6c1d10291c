import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Any bytes as a store of the XML type: opening and reading end in objects or in a typed error, and a copy has the same
/// objects.
///
/// With a first byte below 128 the rest is a document. Otherwise it is a list of changes of a good one, each two bytes of a
/// place and one of a value.
struct XMLStoreCheck {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private static let model = ManagedObjectModel([
        EntityDescription(
            "Item",
            attributes: [
                AttributeDescription("name", .string), AttributeDescription("due", .date),
                AttributeDescription("price", .decimal), AttributeDescription("data", .binaryData),
                AttributeDescription("id", .uuid),
            ],
            relationships: [.toOne("list", "List", inverse: "items"), .toMany("tags", "Item", inverse: "tags")]),
        EntityDescription("Photo", superentity: "Item", attributes: [AttributeDescription("rank", .integer16)]),
        EntityDescription("List", relationships: [.toMany("items", "Item", inverse: "list", isOrdered: true)]),
    ])

    private static let document = Array(
        """
        <?xml version="1.0"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
        <database><databaseInfo><version>1</version><UUID>U</UUID><nextObjectID>104</nextObjectID><metadata>
        <plist version="1.0"><dict><key>a</key><integer>1</integer></dict></plist></metadata></databaseInfo>
        <object type="ITEM" id="z102"><attribute name="name" type="string">a \\u3c00 &lt;</attribute>
        <attribute name="due" type="date">1.25000000000000000000</attribute>
        <attribute name="price" type="decimal">0.10</attribute><attribute name="data" type="binary">AAEC</attribute>
        <relationship name="list" type="0/1" destination="LIST" idrefs="z104"></relationship>
        <relationship name="tags" type="0/0" destination="ITEM" idrefs="z102 z103"></relationship></object>
        <object type="PHOTO" id="z103"><attribute name="rank" type="int16">7</attribute>
        <relationship name="list" type="0/1" destination="LIST" idrefs="z104"></relationship>
        <relationship name="tags" type="0/0" destination="ITEM" idrefs="z102"></relationship></object>
        <object type="LIST" id="z104">
        <relationship name="items" type="0/0" destination="ITEM" idrefs="z103 z102"></relationship></object></database>
        """.utf8)

    /// The good document, whole and with one changed byte.
    static let seeds: [[UInt8]] = [[0] + document, [200, 1, 0, 0x3C]]

    private var changed: [UInt8] {
        guard let first = bytes.first, first >= 128 else { return Array(bytes.dropFirst()) }
        var document = Self.document
        var rest = bytes.dropFirst()
        while rest.count >= 3 {
            let place = Array(rest.prefix(2))
            document[(Int(place[0]) << 8 | Int(place[1])) % document.count] = rest[rest.startIndex + 2]
            rest = rest.dropFirst(3)
        }
        return document
    }

    func run() throws(FuzzFinding) {
        let folder = FileManager.default.temporaryDirectory
        let name = UUID().uuidString
        let (url, copy) = (
            folder.appendingPathComponent("fuzz-\(name).xml"), folder.appendingPathComponent("fuzz-\(name)-2.xml")
        )
        defer { for file in [url, copy] { try? FileManager.default.removeItem(at: file) } }
        let document = changed
        guard (try? Data(document).write(to: url)) != nil else { return }
        var found: (store: CoreDataStore, copy: CoreDataStore)?
        do throws(CoreDataError) {
            let store = try CoreDataStore(url.path, models: [Self.model])
            guard store.type == .xml else { return }
            found = (store, try CoreDataStore.copy(url.path, to: copy.path, models: [Self.model]))
        } catch {
            try FuzzFinding.unless(!error.description.isEmpty, "an error says nothing")
        }
        if let found { try FuzzFinding.none(Self.difference(found.store, found.copy), "a copy is different") }
        try FuzzFinding.unless((try? Data(contentsOf: url)) == Data(document), "the file was changed by reading it")
    }

    /// What differs between two stores; nil for nothing.
    private static func difference(_ store: CoreDataStore, _ other: CoreDataStore) -> String? {
        for name in store.schema.entities.keys.sorted() {
            guard let objects = try? store.objects.fetchAll(name), let copies = try? other.objects.fetchAll(name) else {
                return "the objects of \(name) cannot be read"
            }
            guard objects.map(\.id.key) == copies.map(\.id.key) else { return "the objects of \(name)" }
            for (object, copy) in zip(objects, copies) {
                for key in object.allKeys where object[key] != copy[key] { return "\(name).\(key)" }
                for key in (store.schema.entities[name]?.relationships ?? [:]).keys {
                    guard (try? object.related(key).map(\.id.key)) == (try? copy.related(key).map(\.id.key)) else {
                        return "\(name).\(key)"
                    }
                }
            }
        }
        return nil
    }
}
