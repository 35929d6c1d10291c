import Foundation
import PredicateCoreData
import PredicateModel
import PredicateStore
import PredicateSyntax
import Testing

/// Models of stores that contain none.
@Suite struct InferenceTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// The keys of the library as an inferred model has them, and its relationships with their destinations.
    private static let relationships = [
        "Item.shelf": "Shelf", "Item.tags": "Tag", "Tag.items": "Item", "Tag.kin": "Tag", "Shelf.lent": "Item",
        "Shelf.latest": "Item", "Book.sequel": "Book", "Book.prequel": "Book",
    ]

    private static func relationships(_ model: ManagedObjectModel) -> [String: String] {
        var found: [String: String] = [:]
        for entity in model.entities {
            for relationship in entity.relationships {
                found["\(entity.name).\(relationship.name)"] = relationship.destinationEntityName
            }
        }
        return found
    }

    /// [NSP-476]
    @Test func tablesGiveAModel() throws {
        let path = folder["Library.sqlite"]
        let store = try Fixtures.libraryStore(path)
        // Without it only books have a shelf, and the key is one of books.
        let shelf = try #require(try store.objects.fetchIDs(PredicateFetchRequest("Shelf", .constant(true))).first)
        try store.update("Film", ["shelf": shelf], where: FormatPredicate("note == 'film'"))
        let model = try CoreDataStore.inferredModel(of: path)
        #expect(model.versionIdentifiers == ["inferred"])
        for (name, destination) in Self.relationships {
            #expect(Self.relationships(model)[name] == destination, "\(name)")
        }
        #expect(model.entity("Book")?.superentityName == "Item")
        #expect(model.property("pages", of: "Book")?.declaringEntity.name == "Book")
        #expect(model.property("title", of: "Book")?.declaringEntity.name == "Item")
        let types = Dictionary(
            uniqueKeysWithValues: model.attributes(of: "Book").map { ($0.name, $0.type) })
        #expect(types["uuid"] == .uuid && types["added"] == .date && types["pages"] == .integer64)
        #expect(model.entity("Tag")?.relationships.first { $0.name == "items" }?.inverseName == "tags")
        #expect(model.entity("Item")?.relationships.first { $0.name == "tags" }?.isOrdered == true)
        #expect(model.entity("Book")?.relationships.first { $0.name == "sequel" }?.inverseName == "prequel")
        try Self.check(store, path, model)
    }

    /// The objects answer under the inferred model as under their own.
    private static func check(_ store: CoreDataStore, _ path: String, _ model: ManagedObjectModel) throws {
        let inferred = try CoreDataStore(path, models: [model])
        #expect(inferred.omissions.isEmpty)
        for format in [
            "shelf.name == 'top'", "ANY tags.word == 'red'", "note == 'film'", "sequel.title == 'Two'",
            "tags[SIZE] == 2",
        ] {
            let entity = format.hasPrefix("note") ? "Film" : format.hasPrefix("sequel") ? "Book" : "Item"
            let predicate = try FormatPredicate(format)
            let expected = try store.objects.fetchCount(PredicateFetchRequest(entity, predicate))
            #expect(try inferred.objects.fetchCount(PredicateFetchRequest(entity, predicate)) == expected, "\(format)")
            #expect(expected == 1 || format.hasPrefix("shelf"))
        }
    }

    @Test func documentsGiveAModel() throws {
        let sqlite = folder["Library.sqlite"]
        _ = try Fixtures.libraryStore(sqlite)
        let path = folder["Library.xml"]
        let store = try StoreMigration(of: sqlite, to: Fixtures.library).run(into: path, type: .xml)
        let model = try CoreDataStore.inferredModel(of: path)
        for entity in ["ITEM", "BOOK", "FILM", "SHELF", "TAG"] { #expect(model.entity(entity) != nil) }
        #expect(model.entity("BOOK")?.superentityName == "ITEM" && model.entity("ITEM")?.isAbstract == true)
        let found = Self.relationships(model)
        for (name, destination) in Self.relationships {
            let key = name.split(separator: ".")
            #expect(found["\(key[0].uppercased()).\(key[1])"] == destination.uppercased(), "\(name)")
        }
        #expect(model.entity("TAG")?.relationships.first { $0.name == "items" }?.inverseName == "tags")
        let inferred = try CoreDataStore(path, models: [model])
        let predicate = try FormatPredicate("ANY tags.word == 'red' AND shelf.name == 'top'")
        #expect(
            try inferred.objects.fetchIDs(PredicateFetchRequest("ITEM", predicate)).map(\.key)
                == store.objects.fetchIDs(PredicateFetchRequest("Item", predicate)).map(\.key))
    }

    /// Two pairs of relationships with the same links: each relationship is the inverse of only one.
    @Test func relationshipsWithTheSameLinksArePaired() throws {
        let model = ManagedObjectModel([
            EntityDescription(
                "Talk",
                relationships: [
                    .toMany("members", "User", inverse: "talks"), .toMany("synced", "User", inverse: "syncedTalks"),
                ]),
            EntityDescription(
                "User",
                relationships: [
                    .toMany("talks", "Talk", inverse: "members"), .toMany("syncedTalks", "Talk", inverse: "synced"),
                ]),
        ])
        let path = folder["talks.xml"]
        let store = try CoreDataStore.create(path, model: model)
        let user = try store.insert("User", [:])
        try store.insert("Talk", ["members": [user], "synced": [user]])
        let inferred = try CoreDataStore.inferredModel(of: path)
        let inverses = inferred.entities.flatMap { $0.relationships.map { "\($0.name) \($0.inverseName ?? "")" } }
        #expect(Set(inverses) == ["members syncedtalks", "synced talks", "syncedtalks members", "talks synced"])
        #expect(try CoreDataStore(path, models: [inferred]).objects.fetchAll("TALK").count == 1)
    }

    /// Data that begins with 01 by chance keeps its first byte, and 16 bytes are UUIDs if most have a version. [NSP-476]
    @Test func dataIsNotTakenForWhatItResembles() throws {
        let path = folder["Data.sqlite"]
        let parts = EntityDescription(
            "Part",
            attributes: [
                AttributeDescription("code", .binaryData), AttributeDescription("size", .binaryData),
                AttributeDescription("image", .binaryData, allowsExternalBinaryDataStorage: true),
                AttributeDescription("token", .uuid),
            ])
        let store = try CoreDataStore.create(path, model: ManagedObjectModel([parts]))
        let codes = (0..<6).map { Data([1, $0, 0]) }
        for code in codes {
            let size = withUnsafeBytes(of: (1.5, 2.0)) { Data($0) }
            try store.insert(
                "Part", ["code": code, "size": size, "image": Data([0xFF, 0xD8]) + code, "token": UUID()])
        }
        let model = try CoreDataStore.inferredModel(of: path)
        let found = Dictionary(uniqueKeysWithValues: model.attributes(of: "Part").map { ($0.name, $0) })
        #expect(found["code"]?.type == .binaryData && found["code"]?.allowsExternalBinaryDataStorage == false)
        #expect(found["size"]?.type == .binaryData && found["token"]?.type == .uuid)
        #expect(found["image"]?.allowsExternalBinaryDataStorage == true)
        let inferred = try CoreDataStore(path, models: [model])
        #expect(try inferred.objects.fetchAll("Part").map { $0["code"] } == codes.map { .data($0) })
        #expect(try inferred.objects.fetchAll("Part").map { $0["image"] } == codes.map { .data([0xFF, 0xD8] + $0) })
    }

    /// Keys of one name in two subentities have numbered columns. Where a column has no values, a note tells. [NSP-476]
    @Test func keysOfSubentitiesHaveTheirOwnNames() throws {
        let path = folder["Events.sqlite"]
        func keys(_ type: AttributeType) -> [AttributeDescription] {
            [AttributeDescription("delivered", type), AttributeDescription("state", .string)]
        }
        let model = ManagedObjectModel([
            EntityDescription("Event", isAbstract: true, attributes: [AttributeDescription("title", .string)]),
            EntityDescription(
                "Call", superentity: "Event", attributes: keys(.boolean), relationships: [.toOne("peer", "Person")]),
            EntityDescription(
                "Mail", superentity: "Event", attributes: keys(.date), relationships: [.toOne("peer", "Server")]),
            EntityDescription("Person", attributes: [AttributeDescription("name", .string)]),
            EntityDescription("Friend", superentity: "Person"),
            EntityDescription("Server", attributes: [AttributeDescription("name", .string)]),
            EntityDescription("Relay", superentity: "Server"),
        ])
        let store = try CoreDataStore.create(path, model: model)
        try store.insert("Call", ["delivered": true, "peer": try store.insert("Friend", ["name": "Ann"])])
        let day = Date(timeIntervalSinceReferenceDate: 1)
        try store.insert(
            "Mail", ["delivered": day, "state": "read", "peer": try store.insert("Server", ["name": "mx"])])
        let inferred = try CoreDataStore.inferredModel(of: path)
        #expect(inferred.entity("Call")?.attributes.map(\.name) == ["delivered"])
        #expect(inferred.entity("Mail")?.attributes.map(\.name).sorted() == ["delivered", "state1"])
        #expect(
            inferred.notesOnInference == ["Mail.state1 may be a second key 'state', of a subentity: no values tell"])
        let found = Self.relationships(inferred)
        #expect(found["Call.peer"] == "Person" && found["Mail.peer"] == "Server")
        let opened = try CoreDataStore(path, models: [inferred])
        #expect(opened.omissions.isEmpty)
        #expect(try opened.objects.fetchAll("Mail").first?["delivered"] == .date(day))
        let predicate = try FormatPredicate("delivered == 1 AND peer != nil")
        #expect(try opened.objects.fetchCount(PredicateFetchRequest("Call", predicate)) == 1)
    }

    /// The store does not tell whether a key leads to users or to rooms. [NSP-476]
    @Test func destinationsThatTheStoreDoesNotTellAreListed() throws {
        let path = folder["Chat.sqlite"]
        let model = ManagedObjectModel([
            EntityDescription("Message", relationships: [.toOne("sender", "User", inverse: "messages")]),
            EntityDescription("Room", attributes: [AttributeDescription("name", .string)]),
            EntityDescription("User", relationships: [.toMany("messages", "Message", inverse: "sender")]),
        ])
        let store = try CoreDataStore.create(path, model: model)
        for number in 0..<5 { try store.insert("Room", ["name": "r\(number)"]) }
        for _ in 0..<4 { try store.insert("Message", ["sender": store.insert("User", [:])]) }
        let sender = try #require(
            try CoreDataStore.inferredModel(of: path).entity("Message")?.relationships.first { $0.name == "sender" })
        #expect(sender.destinationEntityName == "User" || sender.destinationEntityName == "Message")
        #expect(sender.userInfo["candidates"].map { "\($0)".contains("Room") } == true)
    }
}
