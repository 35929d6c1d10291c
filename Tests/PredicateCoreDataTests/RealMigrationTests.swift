import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Migrations of stores that Core Data wrote, by the mapping models of their apps, in the folder that `PREDICATES_COREDATA`
/// names: what comes out has the tables of the app's later stores and the values of the old one.
@Suite struct RealMigrationTests {
    private let folder: ScratchFolder
    private let data: URL?

    init() throws {
        folder = try ScratchFolder()
        data = ProcessInfo.processInfo.environment["PREDICATES_COREDATA"].map {
            URL(fileURLWithPath: $0, isDirectory: true)
        }
    }

    /// A path in the folder of other people's files; nil where it is not there.
    private func path(_ name: String) -> String? {
        guard let file = data?.appendingPathComponent(name).path, FileManager.default.fileExists(atPath: file) else {
            print("NOT RUN: PREDICATES_COREDATA names no folder with \(name)")
            return nil
        }
        return file
    }

    private static let posts = "wibosco+CoreDataMigration-Example/"

    private func posts(_ version: String) throws -> (model: ManagedObjectModel, store: String)? {
        let app = Self.posts + "CoreDataMigration-Example/CoreData/"
        guard let bundle = path(app + "Model/CoreDataMigration_Example.xcdatamodeld"),
            let store = path(
                Self.posts
                    + "CoreDataMigration-ExampleTests/Resources/SQLite/CoreDataMigration_Example_\(version).sqlite")
        else { return nil }
        let name = "CoreDataMigration_Example" + (version == "1" ? "" : " \(version)")
        return (try ModelBundle(path: bundle).version(named: name).model(), store)
    }

    private func mapping(_ name: String) throws -> MappingModel {
        let file = Self.posts + "CoreDataMigration-Example/CoreData/Migration/Mappings/\(name).xcmappingmodel"
        return try MappingModel(path: path(file) ?? "")
    }

    /// The rows of a table as a set, by columns.
    private func rows(_ store: CoreDataStore, _ columns: String) throws -> Set<[SQLBinding]> {
        Set(try store.objects.connection.rows(of: SQLFragment(verbatim: "SELECT \(columns) FROM ZPOST")).all())
    }

    private func columns(_ store: CoreDataStore) -> [String: Set<String>] {
        store.file.columns.filter { ["ZPOST", "ZCOLOR"].contains($0.key) }
    }

    @Test func anAttributeIsRenamedByAMapping() throws {
        guard let first = try posts("1"), let second = try posts("2") else { return }
        let old = try CoreDataStore(first.store)
        let new = try StoreMigration(of: first.store, to: second.model, mapping: mapping("Migration1to2"))
            .run(into: folder["two.sqlite"])
        #expect(try columns(new) == columns(CoreDataStore(second.store)))
        #expect(
            try rows(new, "ZDATE, ZHEXCOLOR, ZPOSTID") == rows(old, "ZDATE, ZCOLOR, ZPOSTID"))
        #expect(try new.objects.fetchCount(PredicateFetchRequest("Post")) == 1_001)
    }

    @Test func anEntityIsSplitByAPolicy() throws {
        guard let second = try posts("2"), let third = try posts("3") else { return }
        let old = try CoreDataStore(second.store)
        // What the app's class does in code.
        let policies = MigrationPolicies([
            "CoreDataMigration_Example.Post2ToPost3MigrationPolicy": { object, changes in
                changes["color"] = try object.store.insert(
                    "Color", ["colorID": UUID().uuidString, "hex": object.source?["hexColor"]])
            }
        ])
        let new = try StoreMigration(
            of: second.store, to: third.model, mapping: mapping("Migration2to3"), policies: policies
        ).run(into: folder["three.sqlite"])
        #expect(try columns(new) == columns(CoreDataStore(third.store)))
        let colours = "(SELECT ZHEX FROM ZCOLOR AS c WHERE c.Z_PK = ZPOST.ZCOLOR AND c.ZPOST = ZPOST.Z_PK)"
        #expect(
            try rows(new, "ZDATE, ZPOSTID, \(colours)") == rows(old, "ZDATE, ZPOSTID, ZHEXCOLOR"))
        #expect(
            try new.objects.fetchCount(PredicateFetchRequest("Color"))
                == old.objects.fetchCount(PredicateFetchRequest("Post")))
        #expect(throws: CoreDataError(.missingValue(key: "color", entity: "Post", count: 5_979))) {
            let idle = MigrationPolicies(["CoreDataMigration_Example.Post2ToPost3MigrationPolicy": { _, _ in }])
            try StoreMigration(of: second.store, to: third.model, mapping: mapping("Migration2to3"), policies: idle)
                .run(into: folder["none.sqlite"])
        }
    }

    @Test func manyToManyRelationshipsGoOverByTheirNames() throws {
        let app = "hwaxxer+BookMigration/BookMigration/"
        guard let bundle = path(app + "Model.xcdatamodeld"), let store = path(app + "Model1.sqlite"),
            let file = path(app + "Model1_to_Model2.xcmappingmodel")
        else { return }
        let models = try ModelBundle(path: bundle)
        let (first, second) = (try models.version(named: "Model1").model(), try models.version(named: "Model2").model())
        let policies = MigrationPolicies([
            "MHWBookToBookPolicy": { object, changes in
                guard let name = object.source?["authorName"] else { return }
                let known = try object.store.objects.fetchOne("Author", where: FormatPredicate("name == %@", name))
                changes["authors"] = [try known?.id ?? object.store.insert("Author", ["name": name])]
            }
        ])
        let old = try CoreDataStore(store, models: [first])
        let new = try StoreMigration(
            of: store, models: [first], to: second, mapping: MappingModel(path: file), policies: policies
        ).run(into: folder["two.sqlite"])
        func pairs(_ store: CoreDataStore, _ relationship: String, _ key: String) throws -> Set<[PredicateValue]> {
            var found: Set<[PredicateValue]> = []
            for book in try store.objects.fetchAll("Book") {
                for other in try book.related(relationship) {
                    found.insert([book["title"] ?? .null, other[key] ?? .null])
                }
            }
            return found
        }
        #expect(try pairs(new, "users", "userId") == pairs(old, "user", "userId"))
        let authors = Set(try old.objects.fetchAll("Book").map { [$0["title"] ?? .null, $0["authorName"] ?? .null] })
        #expect(try pairs(new, "authors", "name") == authors)
        #expect(try new.objects.fetchCount(PredicateFetchRequest("Author")) == Set(authors.map { $0[1] }).count)
    }
}
