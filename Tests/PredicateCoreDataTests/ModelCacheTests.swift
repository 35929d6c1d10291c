import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// The model cache of stores that are made for a compiled model.
@Suite struct ModelCacheTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// A compiled model, written by a script: the entity Note with the string `text`.
    private static let archive =
        Data(
            base64Encoded: """
                YnBsaXN0MDDUAQIDBAUGRklZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKvEBIHCA8X
                GB4oKBcpLDQ3ODsoP0NVJG51bGzTCQoLDA0OViRjbGFzc1pOU0VudGl0aWVzXxAUTlNWZXJzaW9uSWRlbnRpZmllcnOAEYAQgA7U
                CRAREhMUFRZfEBROU0NsYXNzTmFtZUZvckVudGl0eVxOU0VudGl0eU5hbWVcTlNQcm9wZXJ0aWVzgAuAB4AGgApUdGV4dNIZGhsc
                WCRjbGFzc2VzWiRjbGFzc25hbWWiHB1fEBZOU0F0dHJpYnV0ZURlc2NyaXB0aW9uWE5TT2JqZWN01QkfICEiIyQlJidfEA9OU0F0
                dHJpYnV0ZVR5cGVYTlNFbnRpdHlcTlNJc09wdGlvbmFsXk5TUHJvcGVydHlOYW1lgAQRAryAAgmAA1ROb3Rl0hkaKiuiKx1fEBNO
                U011dGFibGVEaWN0aW9uYXJ50wktLi8wMldOUy5rZXlzWk5TLm9iamVjdHOACaExgAihM4AF0hkaNTaiNh1fEBNOU0VudGl0eURl
                c2NyaXB0aW9uUTHSGRo5OqI6HVVOU1NldNIJLjw9gA2hPoAM0wktLi9AQqFBgA+hJdIZGkRFokUdXxAUTlNNYW5hZ2VkT2JqZWN0
                TW9kZWzRR0hUcm9vdIABEgABhqAACAARABsAJAApADIARABZAF8AZgBtAHgAjwCRAJMAlQCeALUAwgDPANEA0wDVANcA3ADhAOoA
                9QD4AREBGgElATcBQAFNAVwBXgFhAWMBZAFmAWsBcAFzAYkBkAGYAaMBpQGnAakBqwGtAbIBtQHLAc0B0gHVAdsB4AHiAeQB5gHt
                Ae8B8QHzAfgB+wISAhUCGgIcAAAAAAAAAgEAAAAAAAAASgAAAAAAAAAAAAAAAAAAAiE=
                """, options: .ignoreUnknownCharacters) ?? Data()

    private func model(hash: Data? = nil) throws -> ManagedObjectModel {
        var model = try ManagedObjectModel(bytes: Array(Self.archive))
        if let hash { model.versionHashes = ["Note": hash] }
        return model
    }

    private func cache(_ name: String) throws -> Data? {
        let connection = try StoreConnection(folder[name], SQLiteOptions(.readOnly))
        let tables = try connection.rows(of: SQLFragment("SELECT 1 FROM sqlite_master WHERE name = 'Z_MODELCACHE'"))
            .all()
        guard !tables.isEmpty,
            case .blob(let data)? = try connection.rows(
                of: SQLFragment("SELECT Z_CONTENT FROM Z_MODELCACHE")
            ).all().first?.first
        else { return nil }
        return data
    }

    @Test("a store has the model cache of a compiled model [NSP-472]") func created() throws {
        let hash = Data(repeating: 7, count: 32)
        do {
            let store = try CoreDataStore.create(folder["a.sqlite"], model: try model(hash: hash))
            try store.insert("Note", ["text": "hello"])
        }
        let store = try CoreDataStore(folder["a.sqlite"])
        #expect(try store.model == model() && store.model.versionHashes == ["Note": hash])
        #expect(store.metadata.values["SwiftPredicatesWithoutModelCache"] == nil)
        #expect(store.metadata.values["SwiftPredicatesModel"] == nil)
        let content = try #require(try cache("a.sqlite"))
        #expect(content.count < Self.archive.count)
        #expect(try ManagedObjectModel(modelCache: Array(content)) == model())
    }

    @Test("a migration to the model of a store carries its cache over [NSP-472]") func migrated() throws {
        do {
            let store = try CoreDataStore.create(folder["a.sqlite"], model: try model())
            try store.insert("Note", ["text": "hello"])
        }
        let new = try StoreMigration(of: folder["a.sqlite"], to: CoreDataStore(folder["a.sqlite"]).model)
            .run(into: folder["b.sqlite"])
        #expect(try new.objects.fetchAll("Note").map { $0["text"] } == ["hello"])
        #expect(try cache("a.sqlite") == cache("b.sqlite"))
        #expect(try cache("a.sqlite") != nil)
    }

    @Test("another model leaves a note in the metadata instead [NSP-472]") func changed() throws {
        var changed = try model()
        changed["Note"]?.attributes.append(AttributeDescription("date", .date))
        for (name, model) in [("a.sqlite", changed), ("b.sqlite", Fixtures.library)] {
            let store = try CoreDataStore.create(folder[name], model: model)
            #expect(store.metadata.values["SwiftPredicatesWithoutModelCache"] == .bool(true))
            #expect(try cache(name) == nil)
            #expect(store.model.entities.map(\.name) == model.entities.map(\.name))
        }
    }
}
