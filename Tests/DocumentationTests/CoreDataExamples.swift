import Foundation
import PredicateCoreData
import PredicateModel
import PredicateStore
import Predicates
import Testing

struct CoreDataExamples {
    private static let library = ManagedObjectModel([
        EntityDescription(
            "Author", attributes: [AttributeDescription("name", .string)],
            relationships: [.toMany("books", "Book", inverse: "author")]),
        EntityDescription(
            "Book", attributes: [AttributeDescription("title", .string)],
            relationships: [.toOne("author", "Author", inverse: "books")]),
    ])

    private static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func models() throws {
        try Self.withFolder { folder in
            let old = ManagedObjectModel([
                EntityDescription(
                    "Author", relationships: [.toMany("books", "Book", inverse: "author")]),
                EntityDescription(
                    "Book", attributes: [AttributeDescription("title", .string)],
                    relationships: [.toOne("author", "Author", inverse: "books")]),
            ])
            let bundle = folder.appending(path: "Library.xcdatamodel")
            try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
            try Data(ModelDocument(Self.library).text.utf8).write(to: bundle.appending(path: "contents"))
            let path = bundle.path

            let model = try ManagedObjectModel(path: path)
            let predicate = try FormatPredicate("ANY books.titel == %@", "Emma")
            let findings = try predicate.check(against: model, entity: "Author")  // no key titel: did you mean title?
            let verdict = ModelDifference(from: old, to: model).verdict  // .inferable, .needsMapping, …
            #expect("\(findings)".contains("title") && findings.count == 1)
            #expect(verdict == .inferable)
        }
    }

    @Test func stores() throws {
        try Self.withFolder { folder in
            let path = folder.appending(path: "Photos.sqlite").path
            let photos = ManagedObjectModel([
                EntityDescription(
                    "Album", attributes: [AttributeDescription("title", .string)],
                    relationships: [.toMany("assets", "Asset", inverse: "albums")]),
                EntityDescription(
                    "Asset", attributes: [AttributeDescription("favorite", .boolean)],
                    relationships: [.toMany("albums", "Album", inverse: "assets")]),
            ])
            do {
                let made = try CoreDataStore.create(path, model: photos)
                let liked = try made.insert("Asset", ["favorite": true])
                let other = try made.insert("Asset", ["favorite": false])
                try made.insert("Album", ["title": "Alps", "assets": [liked, other]])
                try made.insert("Album", ["title": "Bills", "assets": [other]])
            }
            let store = try CoreDataStore(path)  // only read: not a byte beside it changes, and its -wal is read
            let albums = try store.objects.objects("Album", where: FormatPredicate("ANY assets.favorite == YES"))
            #expect(albums.count == 1)
            #expect(try store.uri(of: albums[0].id).description.hasPrefix("x-coredata://"))
        }
    }
}
