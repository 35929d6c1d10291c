import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Stores written into plain tables.
@Suite struct ExportTests {
    private let folder: ScratchFolder
    private let store: CoreDataStore

    init() throws {
        folder = try ScratchFolder()
        store = try Fixtures.libraryStore(folder["a.sqlite"])
    }

    /// The rows of a query to the plain file, each as its values with bars between them.
    private func rows(_ query: String) throws -> [String] {
        let rows = try StoreConnection(folder["plain.sqlite"]).rows(of: SQLFragment(verbatim: query)).all()
        return rows.map { row in
            row.map { value in
                switch value {
                case .null: ""
                case .integer(let number): "\(number)"
                case .double(let number): "\(number)"
                case .text(let text): text
                case .blob(let data): data.map { "\($0)" }.joined(separator: " ")
                default: "?"
                }
            }.joined(separator: "|")
        }
    }

    @Test func rowsOfNoEntityAreNoted() throws {
        let path = folder["a.sqlite"]
        let writing = try StoreConnection(path, SQLiteOptions(.readWrite))
        try writing.execute("UPDATE ZTAG SET Z_ENT = 99 WHERE Z_PK = 1; UPDATE ZSHELF SET Z_ENT = NULL")
        let report = try CoreDataStore(path).export(to: folder["b.jsonl"], as: .jsonLines)
        #expect(report.notes.count == 2)
        #expect(report.notes.last == "1 row of ZTAG is of no entity that has objects, and is left out")
        var notes: [String] = []
        let chain = MigrationChain([.init(to: try CoreDataStore(path).model, nil, rules: MigrationRules())])
        _ = try chain.run(path, models: [], into: folder["c.sqlite"], type: nil) { _ in
        } accept: { _, _, found in
            notes = found
            return false
        } progress: { _ in
        }
        #expect(notes == report.notes)
    }

    /// Linux lists the open files.
    @Test func anExportKeepsNoFileOpen() throws {
        try store.export(to: folder["plain.sqlite"])
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let paths = open.map { "/proc/self/fd/\($0)" }.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: $0)
        }
        #expect(!paths.contains { $0.hasPrefix(folder[""]) && $0.contains("plain.sqlite") })
    }

    @Test func entitiesAndRelationshipsAreTables() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: folder["a.sqlite"]))
        #expect(try store.export(to: folder["plain.sqlite"]).count == 7)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder["a.sqlite"])) == before)
        #expect(
            try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") == [
                "Book", "Film", "Item_tags", "Shelf", "Shelf_lent", "Tag", "Tag_kin",
            ])
        #expect(
            try rows("SELECT Z_PK, title, added, uuid, pages, cover, shelf, sequel FROM Book ORDER BY Z_PK") == [
                "1|One|2001-01-01T00:00:00.125Z|137DECC8-0000-4000-8000-0000000000FF|100|0 1 2 0|1|2",
                "2|Two|||7||1|",
            ])
        #expect(try rows("SELECT price, length, seen FROM Film") == ["19.99|1.5|0"])
        // The order of a relationship, and the entity of an object that may be of several.
        #expect(
            try rows(
                """
                SELECT b.title, t.word FROM Item_tags AS i JOIN Book AS b ON b.Z_PK = i.Item JOIN Tag AS t ON t.Z_PK = i.tags
                ORDER BY b.Z_PK, i.position
                """) == ["One|green", "One|red", "Two|blue"])
        #expect(try rows("SELECT latest, \"latest.entity\" FROM Shelf") == ["3|Film"])
        #expect(try rows("SELECT lent FROM Shelf_lent ORDER BY lent") == ["2", "3"])
        #expect(try rows("SELECT Tag, kin FROM Tag_kin ORDER BY Tag") == ["1|2", "2|1"])
    }

    @Test func someEntitiesAreWritten() throws {
        #expect(try store.export(to: folder["plain.sqlite"], .init(entities: ["Item"])).count == 3)
        #expect(try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") == ["Book", "Film"])
        #expect(throws: CoreDataError(.fileExists(folder["plain.sqlite"]))) {
            try store.export(to: folder["plain.sqlite"])
        }
        let unknown = CoreDataError.thrown {
            try store.export(to: folder["b.sqlite"], .init(entities: ["Bok"]))
        }
        #expect(unknown?.hints == ["did you mean Book?"])
        #expect(!folder.names.contains("b.sqlite"))
    }

    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.5Z"), (0.000001, "2001-01-01T00:00:00.000001Z"),
        (0.9999999, "2001-01-01T00:00:00.9999999Z"), (790_000_000.25, "2026-01-13T12:26:40.25Z"),
        (1e300, "2001-01-01T00:00:00Z+1e+300s"),
    ])
    func datesAreTexts(_ seconds: Double, _ text: String) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        try store.update("Book", ["added": date], where: FormatPredicate("title == 'One'"))
        try store.export(to: folder["plain.sqlite"])
        #expect(try rows("SELECT added FROM Book WHERE title = 'One'") == [text])
    }

    @Test func elementsAreColumnsAndNamesDiffer() throws {
        let model = ManagedObjectModel(
            [
                EntityDescription(
                    "Recipe",
                    attributes: [
                        AttributeDescription("id", .uuid), AttributeDescription("ID", .string),
                        AttributeDescription("author", .composite, compositeName: "Author"),
                    ]),
                EntityDescription("recipe", attributes: [AttributeDescription("z_pk", .string)]),
            ],
            composites: [
                CompositeDescription(
                    "Author", attributes: [AttributeDescription("id", .uuid), AttributeDescription("name", .string)])
            ])
        let store = try CoreDataStore.create(folder["r.sqlite"], model: model)
        try store.insert("Recipe", ["ID": "x", "author.name": "Ann"])
        try store.export(to: folder["plain.sqlite"])
        #expect(try rows("SELECT \"ID 2\", \"author.name\" FROM Recipe") == ["x|Ann"])
        #expect(try rows("SELECT name FROM pragma_table_info('recipe 2')") == ["Z_PK", "z_pk 2"])
    }

    @Test func tablesMayHaveNamesOfTheStore() throws {
        let model = ManagedObjectModel([
            EntityDescription("Item", attributes: [AttributeDescription("name", .string)]),
            EntityDescription(
                "ZITEM", attributes: [AttributeDescription("name", .string), AttributeDescription("due", .date)]),
        ])
        let store = try CoreDataStore.create(folder["z.sqlite"], model: model)
        try store.insert("Item", ["name": "one"])
        for _ in 0..<2 { try store.insert("ZITEM", ["name": "two", "due": Date(timeIntervalSinceReferenceDate: 0)]) }
        #expect(try store.export(to: folder["plain.sqlite"]).count == 3)
        #expect(try rows("SELECT name FROM Item") == ["one"])
        #expect(try rows("SELECT name, due FROM ZITEM") == Array(repeating: "two|2001-01-01T00:00:00Z", count: 2))
    }

    @Test func dataOfFilesAreTakenIn() throws {
        let name = "137DECC8-0000-4000-8000-0000000000FF"
        let external = folder[".a_SUPPORT/_EXTERNAL_DATA"]
        try FileManager.default.createDirectory(atPath: external, withIntermediateDirectories: true)
        let connection = try StoreConnection(folder["a.sqlite"], SQLiteOptions(.readWrite))
        try connection.execute(
            "UPDATE ZITEM SET ZCOVER = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE ZTITLE = 'One'")
        let missing = CoreDataError(.missingExternalData(key: "cover", entity: "Book", file: name))
        #expect(throws: missing) { try store.export(to: folder["plain.sqlite"]) }
        try Data([2, 7, 7]).write(to: URL(fileURLWithPath: "\(external)/\(name)"))
        try store.export(to: folder["plain.sqlite"])
        #expect(try rows("SELECT cover FROM Book WHERE title = 'One'") == ["2 7 7"])
    }
}
