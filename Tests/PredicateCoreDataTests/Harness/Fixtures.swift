import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSyntax

/// A folder that exists as long as a test runs.
final class ScratchFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A path in the folder.
    subscript(name: String) -> String { url.appendingPathComponent(name).path }

    /// The names of the files in the folder.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}

/// Models of the fixtures.
enum Fixtures {
    /// Every layout rule: a hierarchy with keys that clash, ordered and unordered relationships of all kinds.
    static let library = ManagedObjectModel(
        [
            EntityDescription(
                "Item", isAbstract: true,
                attributes: [
                    AttributeDescription("title", .string, isOptional: false, maximumLength: 40),
                    AttributeDescription("added", .date), AttributeDescription("uuid", .uuid),
                    AttributeDescription("cache", .string, isTransient: true),
                ],
                relationships: [
                    .toOne("shelf", "Shelf", inverse: "items"),
                    .toMany("tags", "Tag", inverse: "items", isOrdered: true),
                ]),
            EntityDescription(
                "Book", superentity: "Item",
                attributes: [
                    AttributeDescription("pages", .integer32, defaultValue: 100, minimumValue: 1),
                    AttributeDescription("note", .string),
                    AttributeDescription("cover", .binaryData, allowsExternalBinaryDataStorage: true),
                ],
                relationships: [
                    .toOne("sequel", "Book", inverse: "prequel"), .toOne("prequel", "Book", inverse: "sequel"),
                ]),
            EntityDescription(
                "Film", superentity: "Item",
                attributes: [
                    AttributeDescription("note", .string), AttributeDescription("price", .decimal),
                    AttributeDescription("length", .double),
                    AttributeDescription("seen", .boolean, defaultValue: false),
                ]),
            EntityDescription(
                "Shelf", attributes: [AttributeDescription("name", .string, isOptional: false)],
                relationships: [
                    .toMany("items", "Item", inverse: "shelf", deleteRule: .cascade, isOrdered: true),
                    .toOne("latest", "Item"), .toMany("lent", "Item"),
                ],
                uniquenessConstraints: [["name"]]),
            EntityDescription(
                "Tag", attributes: [AttributeDescription("word", .string), AttributeDescription("link", .uri)],
                relationships: [
                    .toMany("items", "Item", inverse: "tags", deleteRule: .deny),
                    .toMany("kin", "Tag", inverse: "kin"),
                ]),
        ], versionIdentifiers: ["1"])

    /// Two relationships whose columns of pairs would have one name.
    static let rooms = ManagedObjectModel([
        EntityDescription(
            "Room",
            relationships: [
                .toMany("guests", "User", inverse: "rooms"), .toMany("owners", "Robot", inverse: "rooms"),
            ]),
        EntityDescription("User", relationships: [.toMany("rooms", "Room", inverse: "guests")]),
        EntityDescription("Robot", relationships: [.toMany("rooms", "Room", inverse: "owners")]),
    ])

    /// A store of the library with a few objects.
    static func libraryStore(_ path: String) throws(CoreDataError) -> CoreDataStore {
        let store = try CoreDataStore.create(path, model: library)
        let tags = try ["red", "blue", "green"].map { (word) throws(CoreDataError) in
            try store.insert(
                "Tag", ["word": word, "link": URL(string: "https://example.org")?.appendingPathComponent(word)])
        }
        let shelf = try store.insert("Shelf", ["name": "top"])
        let one = try store.insert(
            "Book",
            [
                "title": "One", "added": Date(timeIntervalSinceReferenceDate: 0.125), "note": "book", "shelf": shelf,
                "uuid": UUID(uuidString: "137DECC8-0000-4000-8000-0000000000FF"), "tags": [tags[2], tags[0]],
                "cover": Data([0, 1, 2, 0]),
            ])
        let two = try store.insert(
            "Book", ["title": "Two", "pages": 7, "shelf": shelf, "prequel": one, "tags": [tags[1]]])
        let film = try store.insert(
            "Film", ["title": "Ciné\u{301}", "note": "film", "price": Decimal(string: "19.99"), "length": 1.5])
        try store.update(shelf, ["latest": film, "lent": [film, two]])
        try store.update(tags[0], ["kin": [tags[1]]])
        return store
    }
}
