import Foundation
import PredicateCoreData
import PredicateModel
import PredicateStore
import PredicateSyntax
import Testing

/// Migrations whose process is killed, and what files of external data go through.
@Suite struct KilledMigrationTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder["one.sqlite"]
        _ = try Fixtures.libraryStore(path)
    }

    private static let second: ManagedObjectModel = {
        var model = Fixtures.library
        model["Item"]?.attributes.append(AttributeDescription("rating", .integer16, defaultValue: 3))
        model.versionIdentifiers = ["2"]
        return model
    }()

    /// [NSP-364]
    @Test(arguments: ["Book", "relationships", "indexes", "verification"])
    func aKilledMigrationLeavesTheOldStoreAndNoNewOne(_ step: String) throws {
        let model = folder["Second.xcdatamodel"]
        try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
        try ModelDocument(Self.second).text.write(toFile: "\(model)/contents", atomically: true, encoding: .utf8)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let child = Process()
        child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("StoreChanger")
        child.arguments = ["migrate", path, folder["two.sqlite"], model, step]
        try child.run()
        child.waitUntilExit()
        #expect(child.terminationReason == .uncaughtSignal)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(!folder.names.contains("two.sqlite"))
        // What is left of it is in nobody's way.
        let new = try StoreMigration(of: path, to: Self.second).run(into: folder["two.sqlite"])
        #expect(try new.objects.fetchCount(PredicateFetchRequest("Item", FormatPredicate("rating == 3"))) == 3)
        #expect(!folder.names.contains { $0.contains(".migrating") })
    }

    /// What no disk can hold.
    @Test(arguments: ["copy", "create", "migrate"]) func aFileThatCannotBeWrittenLeavesNone(_ word: String) throws {
        for index in 0..<400 { try CoreDataStore(changing: path).insert("Tag", ["word": "\(index) \(path)"]) }
        let before = folder.names
        let child = Process()
        child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("StoreChanger")
        child.arguments = ["limited", word, path, folder["two.sqlite"]]
        try child.run()
        child.waitUntilExit()
        #expect(child.terminationStatus == 3)
        #expect(folder.names == before)
    }

    // MARK: - External data

    private static let name = "137DECC8-0000-4000-8000-0000000000FF"

    /// Moves the cover of a book into a file of its own, as Core Data keeps large data.
    private func moveCoverOut(_ bytes: Data) throws {
        let external = folder[".one_SUPPORT/_EXTERNAL_DATA"]
        try FileManager.default.createDirectory(atPath: external, withIntermediateDirectories: true)
        try bytes.write(to: URL(fileURLWithPath: "\(external)/\(Self.name)"))
        let connection = try StoreConnection(path, SQLiteOptions(.readWrite))
        try connection.execute("UPDATE ZITEM SET ZCOVER = x'02' || '\(Self.name)' || x'00' WHERE ZTITLE = 'One'")
        try connection.execute("UPDATE ZITEM SET ZCOVER = CAST(ZCOVER AS BLOB) WHERE ZTITLE = 'One'")
    }

    private func cover(_ store: CoreDataStore) throws -> PredicateValue? {
        try store.objects.fetchOne("Book", where: FormatPredicate("title == 'One'"))?["cover"]
    }

    /// [NSP-365]
    @Test func externalDataTravelAlong() throws {
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try moveCoverOut(bytes)
        let inferred = try StoreMigration(of: path, to: Self.second).run(into: folder["two.sqlite"])
        var inside = Self.second
        let index = try #require(inside["Book"]?.attributes.firstIndex { $0.name == "cover" })
        inside["Book"]?.attributes[index].allowsExternalBinaryDataStorage = false
        let takenIn = try StoreMigration(of: path, to: inside).run(into: folder["three.sqlite"])
        let mapping = MappingModel([
            EntityMapping(
                "BookToBook", source: "Book", destination: "Book",
                attributeMappings: ["title", "cover"].map { PropertyMapping($0) })
        ])
        let mapped = try StoreMigration(of: path, to: Self.second, mapping: mapping).run(into: folder["four.sqlite"])
        try FileManager.default.removeItem(atPath: folder[".one_SUPPORT"])
        for store in [inferred, takenIn, mapped] { #expect(try cover(store) == .data(bytes), "\(store.path)") }
        #expect(folder.names.contains(".two_SUPPORT") && !folder.names.contains(".four_SUPPORT"))
    }

    @Test func dataThatAreMissingStopAMigrationThatReadsThem() throws {
        try moveCoverOut(Data([1]))
        try FileManager.default.removeItem(atPath: folder[".one_SUPPORT"])
        var inside = Self.second
        let index = try #require(inside["Book"]?.attributes.firstIndex { $0.name == "cover" })
        inside["Book"]?.attributes[index].allowsExternalBinaryDataStorage = false
        let error = CoreDataError(.missingExternalData(key: "cover", entity: "Book", file: Self.name))
        #expect(throws: error) { try StoreMigration(of: path, to: inside).run(into: folder["two.sqlite"]) }
        #expect(error.number == 134_200)
        let mapping = MappingModel([
            EntityMapping(
                "BookToBook", source: "Book", destination: "Book",
                attributeMappings: ["title", "cover"].map { PropertyMapping($0) })
        ])
        #expect(throws: error) {
            try StoreMigration(of: path, to: Self.second, mapping: mapping).run(into: folder["two.sqlite"])
        }
        #expect(folder.names == ["one.sqlite"])
    }

    @Test func dataMayBeMissingOnRequest() throws {
        try moveCoverOut(Data([1]))
        try FileManager.default.removeItem(atPath: folder[".one_SUPPORT"])
        var inside = Self.second
        let index = try #require(inside["Book"]?.attributes.firstIndex { $0.name == "cover" })
        inside["Book"]?.attributes[index].allowsExternalBinaryDataStorage = false
        let mapping = MappingModel([
            EntityMapping(
                "BookToBook", source: "Book", destination: "Book",
                attributeMappings: ["title", "cover"].map {
                    PropertyMapping($0, ModelExpression("$source.\($0)"))
                })
        ])
        let loss = MigrationLoss.externalData(key: "cover", entity: "Book", file: Self.name, count: 1)
        let migrations = [
            try StoreMigration(of: path, to: inside), try StoreMigration(of: path, to: Self.second),
            try StoreMigration(of: path, to: Self.second, mapping: mapping),
        ]
        for (number, migration) in migrations.enumerated() {
            var migration = migration
            #expect(throws: CoreDataError.self) { try migration.run(into: folder["\(number).sqlite"]) }
            migration.allowsMissingData = true
            #expect(try migration.losses().contains(loss))
            for end in ["sqlite", "xml"] {
                let type = StoreType(newFile: end == "xml" ? "a.xml" : "a.sqlite")
                let new = try migration.run(into: folder["\(number).\(end)"], type: type)
                #expect(try cover(new) == .null, "\(number) \(end)")
            }
        }
        let store = try CoreDataStore(path)
        #expect(throws: CoreDataError.self) { try store.export(to: folder["a.jsonl"], as: .jsonLines) }
        let report = try store.export(to: folder["a.jsonl"], as: .jsonLines, ExportOptions(allowsMissingData: true))
        #expect(report.notes == ["the file '\(Self.name)' with the data of Book.cover is missing: the value is nil"])
    }
}
