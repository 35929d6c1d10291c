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
            let store = try CoreDataStore(path)  // read-only: no file changes, and its -wal is read too
            let albums = try store.objects.fetchAll("Album", where: FormatPredicate("ANY assets.favorite == YES"))
            let uri = try store.uri(of: albums[0].id)  // x-coredata://UUID/Album/p1
            #expect(albums.count == 1)
            #expect(uri.description == "x-coredata://\(store.uuid)/Album/p1")
        }
    }

    @Test func changes() throws {
        let library = ManagedObjectModel([
            EntityDescription(
                "Author", attributes: [AttributeDescription("name", .string, isOptional: false)],
                relationships: [.toMany("books", "Book", inverse: "author", deleteRule: .cascade)]),
            EntityDescription(
                "Book",
                attributes: [AttributeDescription("title", .string), AttributeDescription("pages", .integer32)],
                relationships: [.toOne("author", "Author", inverse: "books")]),
        ])
        let contents = ModelDocument(library).text  // the file `contents` of an .xcdatamodel
        let code = ModelSwiftCode(library, access: .public)
        for file in code.files { print(file.name, file.text.count) }  // Author.swift, Book.swift
        #expect(code.files.map(\.name) == ["Author.swift", "Book.swift"])
        #expect(try ManagedObjectModel(bytes: Array(contents.utf8)) == library)
        try Self.withFolder { folder in
            let new = folder.appending(path: "Library.sqlite").path
            let made = try CoreDataStore.create(new, model: library)
            let austen = try made.insert("Author", ["name": "Jane Austen"])
            try made.insert("Book", ["title": "Emma", "pages": 474, "author": austen])
            let report = try made.update(
                "Book", ["pages": 480], where: FormatPredicate("pages < 480"), returning: .count)
            try made.transaction { () throws(CoreDataError) in
                // The cascade takes Emma too.
                try made.delete("Author", where: FormatPredicate(matching: ["name": "Jane Austen"]))
                try made.setMetadata(true, for: "Austen is gone")
            }
            #expect(report == .count(1))
            #expect(try made.objects.fetchCount(PredicateFetchRequest("Book")) == 0)
        }
    }

    @Test func differences() throws {
        try Self.withFolder { folder in
            let (monday, tuesday) = (folder.appending(path: "1.sqlite").path, folder.appending(path: "2.sqlite").path)
            let id: SQLObjectID
            do {
                let made = try CoreDataStore.create(monday, model: Self.version1)
                id = try made.insert("ToDo", ["name": "Buy milk"])
            }
            try FileManager.default.copyItem(atPath: monday, toPath: tuesday)
            try CoreDataStore(changing: tuesday).update(id, ["name": "Buy tea"])
            let difference = try StoreDifference(from: CoreDataStore(monday), to: CoreDataStore(tuesday))
            let objects = try difference.objects()
            while let object = try objects.next() {
                print(object.kind, object.entity, object.properties)  // changed ToDo [name …]
            }
            var found: [PropertyDifference] = []
            let again = try difference.objects()
            while let object = try again.next() {
                found += object.properties
            }
            #expect(found == [.value(key: "name", old: "Buy milk", new: "Buy tea")])
        }
    }

    private static let version1 = ManagedObjectModel(
        [
            EntityDescription(
                "ToDo", attributes: [AttributeDescription("name", .string), AttributeDescription("due", .date)])
        ],
        versionIdentifiers: ["1"])

    @Test func versions() throws {
        let version1 = Self.version1
        var version2 = version1
        version2.versionIdentifiers = ["2"]
        version2["ToDo"]?.attributes.append(
            AttributeDescription("doNotAlert", .boolean, isOptional: false, defaultValue: false))
        try Self.withFolder { folder in
            let path = { (name: String) in folder.appending(path: name).path }
            let (old, new, inferred, byPolicy) = (path("1"), path("2"), path("3"), path("4"))
            do {
                let store = try CoreDataStore.create(old, model: version1)
                for name in ["answer", "buy"] { try store.insert("ToDo", ["name": name, "due": Date.now]) }
                try store.insert("ToDo", ["name": "call"])
            }

            let difference = ModelDifference(from: version1, to: version2)
            for change in difference.changes { print(change.kind, change.entity ?? "", change.effect) }
            #expect(difference.verdict == .inferable)

            do {
                _ = try CoreDataStore.open(old, model: version2)
            } catch let error as CoreDataError {
                print(error)  // names both versions, and what differs
            }
            let store = try CoreDataStore.open(old, model: version2, options: .migrate(into: new))
            #expect(store.model == version2)

            let migration = try StoreMigration(of: old, to: version2)
            let migrated = try migration.run(into: inferred) { step in print(step) }
            #expect(
                try migrated.objects.fetchCount(PredicateFetchRequest("ToDo", FormatPredicate("doNotAlert == NO"))) == 3
            )

            var policies = MigrationPolicies([
                "ToDoPolicy": { object, changes in
                    if case .string(let name)? = object["name"], name.hasPrefix("a") { changes["doNotAlert"] = true }
                }
            ])
            try policies.use("ToDoPolicy", for: "ToDo")
            let rules = try MigrationRules("ToDo, due == nil, doNotAlert = YES")
            let quiet = try StoreMigration(of: old, to: version2, policies: policies, rules: rules).run(into: byPolicy)
            #expect(
                try quiet.objects.fetchCount(PredicateFetchRequest("ToDo", FormatPredicate("doNotAlert == YES"))) == 2)
        }
    }
}
