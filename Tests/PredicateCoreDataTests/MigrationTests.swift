import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Migrations that are worked out from two versions of a model.
@Suite struct MigrationTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// The library with names that changed, properties that moved, came and went, and relationships of another form.
    static let second = ManagedObjectModel(
        [
            EntityDescription(
                "Medium", isAbstract: true,
                attributes: [
                    AttributeDescription("name", .string, isOptional: false, renamingIdentifier: "title"),
                    AttributeDescription("added", .date),
                    AttributeDescription("rating", .integer16, isOptional: false, defaultValue: 3),
                ],
                relationships: [
                    .toOne("shelf", "Shelf", inverse: "items"), .toMany("tags", "Tag", inverse: "items"),
                ], renamingIdentifier: "Item"),
            EntityDescription(
                "Volume", superentity: "Medium",
                attributes: [
                    AttributeDescription("pages", .integer32, isOptional: false, defaultValue: 1),
                    AttributeDescription("note", .string),
                    AttributeDescription("cover", .binaryData),
                ],
                relationships: [
                    .toOne("sequel", "Volume", inverse: "prequel"), .toOne("prequel", "Volume", inverse: "sequel"),
                ], renamingIdentifier: "Book"),
            EntityDescription(
                "Film", superentity: "Medium",
                attributes: [
                    AttributeDescription("note", .string), AttributeDescription("price", .decimal),
                    AttributeDescription("seen", .boolean, defaultValue: false),
                ]),
            EntityDescription(
                "Shelf", attributes: [AttributeDescription("name", .string, isOptional: false)],
                relationships: [
                    .toMany("items", "Medium", inverse: "shelf", deleteRule: .cascade),
                    .toMany("newest", "Medium", renamingIdentifier: "latest"), .toMany("lent", "Medium"),
                ],
                uniquenessConstraints: [["name"]]),
            EntityDescription(
                "Tag", attributes: [AttributeDescription("word", .string), AttributeDescription("link", .uri)],
                relationships: [
                    .toMany("items", "Medium", inverse: "tags", isOrdered: true),
                    .toMany("kin", "Tag", inverse: "kin"),
                ]),
            EntityDescription("Reader", attributes: [AttributeDescription("name", .string)]),
        ], versionIdentifiers: ["2"])

    private func words(_ store: CoreDataStore, _ entity: String, _ format: String, _ key: String) throws -> [String] {
        let request = PredicateFetchRequest(entity, try FormatPredicate(format))
        return try store.objects.fetchAll(request).compactMap { object in
            if case .string(let text)? = object[key] { text } else { nil }
        }.sorted()
    }

    /// [NSP-372]
    @Test func objectsAndRelationshipsGoOver() throws {
        let path = folder["one.sqlite"]
        let old = try Fixtures.libraryStore(path)
        try old.setMetadata("yes", for: "own key")
        var steps: [String] = []
        let new = try StoreMigration(of: path, to: Self.second).run(into: folder["two.sqlite"]) {
            steps.append("\($0)")
        }
        #expect(steps.contains("Volume: 2 objects"))
        #expect(new.omissions.isEmpty)
        #expect(new.file.differences(from: Self.second).isEmpty)
        #expect((new.uuid, new.metadata.versionIdentifiers) == (old.uuid, ["2"]))
        #expect(new.metadata.values["own key"] == .string("yes"))
        #expect(try new.objects.fetchCount(PredicateFetchRequest("Medium")) == 3)
        #expect(try words(new, "Volume", "ANY tags.word == 'red'", "name") == ["One"])
        #expect(try words(new, "Volume", "prequel.name == 'One'", "name") == ["Two"])
        #expect(try words(new, "Medium", "shelf.name == 'top'", "name") == ["One", "Two"])
        #expect(try words(new, "Medium", "rating == 3", "name").count == 3)
        let newest = try FormatPredicate("ANY newest.name BEGINSWITH 'Cin'")
        #expect(try new.objects.fetchCount(PredicateFetchRequest("Shelf", newest)) == 1)
        #expect(try new.objects.fetchCount(PredicateFetchRequest("Shelf", FormatPredicate("lent.@count == 2"))) == 1)
        #expect(try words(new, "Tag", "ANY kin.word == 'red'", "word") == ["blue"])
        let one = try #require(try new.objects.fetchOne("Volume", where: FormatPredicate("name == 'One'")))
        #expect((one["cover"], one["pages"]) == (.data(Data([0, 1, 2, 0])), .integer(100)))
        let tag = try #require(try new.objects.fetchOne("Tag", where: FormatPredicate("word == 'red'")))
        #expect(try tag.related("items").count == 1)
        let next = try new.insert("Volume", ["name": "Next"])
        #expect(next.key == .integer(4))
        #expect(folder.names.filter { $0.contains("migrating") }.isEmpty)
    }

    /// [NSP-372]
    @Test func theOldStoreIsLeftAsItIs() throws {
        let path = folder["one.sqlite"]
        do { _ = try Fixtures.libraryStore(path) }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let migration = try StoreMigration(of: path, to: Self.second)
        try migration.run(into: folder["two.sqlite"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(throws: CoreDataError(.fileExists(folder["two.sqlite"]))) {
            try migration.run(into: folder["two.sqlite"])
        }
    }

    @Test func hierarchiesComeTogetherUnderOneRoot() throws {
        let old = ManagedObjectModel([
            EntityDescription(
                "Cat", attributes: [AttributeDescription("name", .string)],
                relationships: [.toOne("friend", "Dog", inverse: "friends")]),
            EntityDescription(
                "Dog", attributes: [AttributeDescription("name", .string)],
                relationships: [.toMany("friends", "Cat", inverse: "friend")]),
        ])
        var new = old
        new.entities.append(EntityDescription("Animal", isAbstract: true))
        new["Cat"]?.superentityName = "Animal"
        new["Dog"]?.superentityName = "Animal"
        let path = folder["one.sqlite"]
        let store = try CoreDataStore.create(path, model: old)
        let rex = try store.insert("Dog", ["name": "Rex"])
        for name in ["Tom", "Kit"] { try store.insert("Cat", ["name": name, "friend": rex]) }
        let migrated = try StoreMigration(of: path, to: new).run(into: folder["two.sqlite"])
        #expect(try migrated.objects.fetchCount(PredicateFetchRequest("Animal")) == 3)
        #expect(try words(migrated, "Cat", "friend.name == 'Rex'", "name") == ["Kit", "Tom"])
        #expect(try words(migrated, "Dog", "friends.@count == 2", "name") == ["Rex"])
        let keys = try migrated.objects.fetchIDs(PredicateFetchRequest("Animal")).map(\.key)
        #expect(Set(keys).count == 3)
    }

    @Test func toOneBecomesManyToMany() throws {
        let old = ManagedObjectModel([
            EntityDescription("Song", relationships: [.toOne("list", "List", inverse: "songs")]),
            EntityDescription("List", relationships: [.toMany("songs", "Song", inverse: "list")]),
        ])
        let new = ManagedObjectModel([
            EntityDescription(
                "Song", relationships: [.toMany("lists", "List", inverse: "songs", renamingIdentifier: "list")]),
            EntityDescription("List", relationships: [.toMany("songs", "Song", inverse: "lists", isOrdered: true)]),
        ])
        let path = folder["one.sqlite"]
        let store = try CoreDataStore.create(path, model: old)
        let list = try store.insert("List", [:])
        for _ in 0..<3 { try store.insert("Song", ["list": list]) }
        try store.insert("Song", [:])
        let migrated = try StoreMigration(of: path, to: new).run(into: folder["two.sqlite"])
        #expect(
            try migrated.objects.fetchCount(PredicateFetchRequest("Song", FormatPredicate("lists.@count == 1"))) == 3)
        let songs = try migrated.objects.fetchAll("List").first?.related("songs").map(\.id.key)
        #expect(songs == [.integer(1), .integer(2), .integer(3)])
    }

    @Test func whatNeedsAMappingIsRefusedWithTheReason() throws {
        let path = folder["one.sqlite"]
        do { _ = try Fixtures.libraryStore(path) }
        var other = Fixtures.library
        other["Film"]?.attributes[2].type = .string
        #expect(
            throws: CoreDataError(.notInferable(["Film.length was of type Double and is of type String"]))
        ) { try StoreMigration(of: path, to: other) }
    }

    /// [NSP-372]
    @Test func objectsThatDoNotMeetTheNewModelStopTheMigration() throws {
        let path = folder["one.sqlite"]
        do { _ = try Fixtures.libraryStore(path) }
        var mandatory = Fixtures.library
        mandatory["Item"]?.attributes[1].isOptional = false
        #expect(throws: CoreDataError(.missingValue(key: "added", entity: "Book", count: 1))) {
            try StoreMigration(of: path, to: mandatory).run(into: folder["two.sqlite"])
        }
        var unique = Fixtures.library
        unique["Item"]?.uniquenessConstraints = [["shelf"]]
        #expect(throws: CoreDataError(.notUnique(keys: ["shelf"], entity: "Item"))) {
            try StoreMigration(of: path, to: unique).run(into: folder["two.sqlite"])
        }
        #expect(folder.names == ["one.sqlite"])
    }

    @Test func storesOfAnotherVersionAreErrorsOrMigrated() throws {
        let path = folder["one.sqlite"]
        do { _ = try Fixtures.libraryStore(path) }
        #expect(try CoreDataStore.open(path, model: Fixtures.library).model == Fixtures.library)
        do throws(CoreDataError) {
            _ = try CoreDataStore.open(path, model: Self.second)
            Issue.record("expected an error")
        } catch {
            guard case .otherVersion(["1"], ["2"], let differences) = error.code else {
                Issue.record("\(error)")
                return
            }
            #expect(differences.contains("Reader is new"))
            #expect(error.number == 134_100)
        }
        let new = try CoreDataStore.open(path, model: Self.second, options: .migrate(into: folder["two.sqlite"]))
        #expect(new.model == Self.second)
    }

    @Test func rulesAndPoliciesGiveValues() throws {
        let path = folder["one.sqlite"]
        do { _ = try Fixtures.libraryStore(path) }
        let rules = try MigrationRules(
            """
            # entity, predicate, property = expression
            Medium, name BEGINSWITH[c] "o", rating = 5
            Film, note IN {"film", "movie"}, seen = YES
            """)
        var policies = MigrationPolicies([
            "PagesPolicy": { object, changes in
                if case .integer(let pages)? = object["pages"] { changes["pages"] = pages * 2 }
            }
        ])
        try policies.use("PagesPolicy", for: "Volume")
        let new = try StoreMigration(of: path, to: Self.second, policies: policies, rules: rules)
            .run(into: folder["two.sqlite"])
        #expect(try words(new, "Medium", "rating == 5", "name") == ["One"])
        #expect(try new.objects.fetchCount(PredicateFetchRequest("Film", FormatPredicate("seen == YES"))) == 1)
        #expect(try words(new, "Volume", "pages == 14", "name") == ["Two"])
        #expect(throws: CoreDataError(.missingPolicy(className: "Other", mapping: "Film"))) {
            try policies.use("Other", for: "Film")
        }
        #expect(throws: CoreDataError.self) { try MigrationRules("ToDo, name ==, x = 1") }
        #expect(throws: CoreDataError.self) { try MigrationRules("ToDo") }
    }
}
