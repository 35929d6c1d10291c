import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Composite attributes in stores: columns of their elements, key paths into them, values, migration.
@Suite struct CompositeStoreTests {
    /// Keys sort as `author`, `id`, `place`: the author's id takes the name that the recipe's own would have.
    private static func recipes(
        _ author: [AttributeDescription] = [
            AttributeDescription("name", .string), AttributeDescription("id", .uuid),
            AttributeDescription("home", .composite, compositeName: "Place"),
        ], _ more: [AttributeDescription] = []
    ) -> ManagedObjectModel {
        ManagedObjectModel(
            [
                EntityDescription(
                    "Recipe",
                    attributes: [
                        AttributeDescription("id", .uuid, isOptional: false),
                        AttributeDescription("title", .string),
                        AttributeDescription("author", .composite, compositeName: "Author"),
                        AttributeDescription("place", .composite, isOptional: false, compositeName: "Place"),
                    ] + more,
                    relationships: [.toOne("variant", "Recipe", inverse: "variants")]
                        + [.toMany("variants", "Recipe", inverse: "variant")])
            ],
            composites: [
                CompositeDescription("Author", attributes: author),
                CompositeDescription(
                    "Place",
                    attributes: [AttributeDescription("city", .string), AttributeDescription("since", .date)]),
            ], versionIdentifiers: ["1"])
    }

    private static let id = UUID()
    private static let authorID = UUID()

    private static func store(_ path: String, _ model: ManagedObjectModel? = nil) throws(CoreDataError) -> CoreDataStore
    {
        let store = try CoreDataStore.create(path, model: model ?? recipes())
        let first = try store.insert(
            "Recipe",
            [
                "id": id, "title": "Soup", "place": PredicateValue.dictionary(["city": "Rome"]),
                "author": PredicateValue.dictionary([
                    "name": "Ann", "id": .uuid(authorID), "home": ["city": "Oslo"],
                ]),
            ])
        try store.insert("Recipe", ["id": UUID(), "title": "Salad", "place.city": "Bonn", "variant": first])
        return store
    }

    private func titles(_ store: CoreDataStore, _ format: String) throws -> [String] {
        let objects = try store.objects.fetchAll("Recipe", where: try FormatPredicate(format: format, arguments: []))
        return try objects.compactMap { object -> String? in
            if case .string(let title)? = try object.value(of: "title") { title } else { nil }
        }.sorted()
    }

    @Test func elementsHaveColumnsInThePlaceOfTheirAttribute() throws {
        let folder = try ScratchFolder()
        let store = try Self.store(folder["a.sqlite"])
        let attributes = store.schema.entities["Recipe"]?.attributes ?? [:]
        #expect(attributes["author.id"]?.column == "ZID" && attributes["id"]?.column == "ZID1")
        #expect(attributes["author.home.city"]?.column == "ZCITY" && attributes["place.city"]?.column == "ZCITY1")
        #expect(attributes["author"] == nil && store.omissions.isEmpty)
    }

    /// [NSP-410]
    @Test func keyPathsLeadIntoComposites() throws {
        let folder = try ScratchFolder()
        let store = try Self.store(folder["a.sqlite"])
        #expect(try titles(store, "author.name == 'Ann'") == ["Soup"])
        #expect(try titles(store, "author.home.city BEGINSWITH[c] 'o' AND place.city != nil") == ["Soup"])
        #expect(try titles(store, "variant.author.name == 'Ann'") == ["Salad"])
        #expect(try titles(store, "ANY variants.place.city == 'Bonn'") == ["Soup"])
        #expect(try titles(store, "author == nil") == ["Salad"])
        #expect(try titles(store, "author.home != nil OR place == nil") == ["Soup"])
        #expect(try titles(store, "variant.author != nil") == ["Salad"])
        let misspelt = StoreError.thrown { try titles(store, "author.nam == 'Ann'") }
        #expect(misspelt?.hints == ["did you mean author.name?"])
    }

    @Test func valuesAreDictionaries() throws {
        let folder = try ScratchFolder()
        let store = try Self.store(folder["a.sqlite"])
        let soup = try #require(
            try store.objects.fetchAll("Recipe", where: try FormatPredicate(format: "title == 'Soup'", arguments: []))
                .first)
        #expect(try soup.value(of: "author.id") == .uuid(Self.authorID))
        #expect(try soup.value(of: "id") == .uuid(Self.id))
        let author = PredicateValue.dictionary(["name": "Ann", "id": .uuid(Self.authorID), "home": ["city": "Oslo"]])
        #expect(try soup.value(of: "author") == author)
        #expect(soup["variant"] == nil && soup["author.home"] == .dictionary(["city": "Oslo"]))
        let salad = try #require(try soup.related("variants").first)
        #expect(try salad.value(of: "author") == .null)
        for format in ["author.name == 'Ann'", "author != nil", "author.home.since == nil"] {
            #expect(try FormatPredicate(format: format, arguments: []).evaluate(with: soup), "\(format)")
        }
    }

    @Test func elementsAreChangedOneByOneAndTogether() throws {
        let folder = try ScratchFolder()
        let store = try Self.store(folder["a.sqlite"])
        try store.update("Recipe", ["author.name": "Bob"], where: FormatPredicate("title == 'Soup'"))
        #expect(try titles(store, "author.name == 'Bob' AND author.home.city == 'Oslo'") == ["Soup"])
        // A dictionary is the whole value: what it does not have is nil.
        try store.update(
            "Recipe", ["author": PredicateValue.dictionary(["name": "Cy"])], where: FormatPredicate("title == 'Soup'"))
        #expect(try titles(store, "author.name == 'Cy' AND author.id == nil AND author.home == nil") == ["Soup"])
        try store.update("Recipe", ["author": PredicateValue.null], where: FormatPredicate("title == 'Soup'"))
        #expect(try titles(store, "author == nil").count == 2)
    }

    @Test func wrongValuesAreRefused() throws {
        let folder = try ScratchFolder()
        let store = try Self.store(folder["a.sqlite"])
        let all = try FormatPredicate("TRUEPREDICATE")
        let missing = CoreDataError(.missingValue(key: "place", entity: "Recipe", count: 1))
        #expect(throws: missing) { try store.insert("Recipe", ["id": UUID()]) }
        #expect(throws: missing) { try store.update("Recipe", ["place": PredicateValue.null], where: all) }
        #expect(throws: CoreDataError.self) { try store.update("Recipe", ["author": "Ann"], where: all) }
        #expect(throws: CoreDataError.self) { try store.update("Recipe", ["author.name": 5], where: all) }
        let unknown = CoreDataError.thrown {
            try store.insert(
                "Recipe", ["id": UUID(), "place": PredicateValue.dictionary(["town": "Rome"])])
        }
        #expect(unknown?.title.contains("place.town") ?? false)
    }

    @Test func aMigrationKeepsEveryElement() throws {
        let folder = try ScratchFolder()
        _ = try Self.store(folder["a.sqlite"])
        let new = Self.recipes(
            [
                AttributeDescription("fullName", .string, renamingIdentifier: "name"),
                AttributeDescription("id", .uuid),
                AttributeDescription("home", .composite, compositeName: "Place"),
                AttributeDescription("stars", .integer16, defaultValue: 3),
            ], [AttributeDescription("city", .string)])
        let store = try StoreMigration(of: folder["a.sqlite"], to: new).run(into: folder["b.sqlite"])
        #expect(try titles(store, "author.fullName == 'Ann' AND author.home.city == 'Oslo'") == ["Soup"])
        #expect(try titles(store, "place.city == 'Rome' AND city == nil") == ["Soup"])
        let ids = try store.objects.fetchAll("Recipe").map { $0["id"] }
        #expect(ids.contains(.uuid(Self.id)))
        // The model that the new store keeps has the elements as well.
        let again = try CoreDataStore(folder["b.sqlite"])
        #expect(again.omissions.isEmpty && again.schema == store.schema)
    }

    @Test func whatIsNotUnderstoodIsNotMadeOrChanged() throws {
        let folder = try ScratchFolder()
        let unknown = ManagedObjectModel([
            EntityDescription(
                "Recipe",
                attributes: [
                    AttributeDescription("title", .string), AttributeDescription("shape", .unknown("2300")),
                    AttributeDescription("author", .composite, compositeName: "Nobody"),
                ])
        ])
        let parts = [
            "attribute Recipe.shape: its type has no known layout",
            "attribute Recipe.author: its type has no known layout",
        ]
        #expect(throws: CoreDataError(.unsupportedParts("the model", parts: parts))) {
            try CoreDataStore.create(folder["a.sqlite"], model: unknown)
        }
        _ = try Self.store(folder["b.sqlite"])
        #expect(throws: CoreDataError(.unsupportedParts("the new model", parts: parts))) {
            try StoreMigration(of: folder["b.sqlite"], to: unknown)
        }
        // A store of another program, whose columns this model explains in part.
        let connection = try StoreConnection(folder["b.sqlite"], SQLiteOptions(.readWrite))
        try connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
        #expect(throws: CoreDataError.self) {
            try StoreMigration(of: folder["b.sqlite"], models: [unknown], to: Self.recipes())
        }
        #expect(throws: CoreDataError.self) {
            try CoreDataStore.copy(folder["b.sqlite"], to: folder["c.sqlite"], models: [unknown])
        }
        #expect(folder.names.filter { $0.hasSuffix("sqlite") } == ["b.sqlite"])
    }
}
