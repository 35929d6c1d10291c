import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSyntax
import Testing

/// Inferred migrations written out as mapping models, judged by what they migrate. [NSP-479]
@Suite struct InferredMappingTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// The differences of the inferred migration from the one by its mapping model, read again from its source.
    private func differences(
        _ store: CoreDataStore, to model: ManagedObjectModel, by keys: [String]
    ) throws -> [ObjectDifference] {
        let mapping = try MappingModel.inferred(from: store.model, to: model)
        let text = try MappingDocument(mapping).text
        let read = try MappingModel(bytes: Array(text.utf8))
        #expect(read == Self.sorted(mapping))
        #expect(try read.resolved(from: store.model, to: model).check(from: store.model, to: model) == [])
        let inferred = try StoreMigration(of: store.path, to: model).run(into: folder["inferred.sqlite"])
        let mapped = try StoreMigration(of: store.path, to: model, mapping: read).run(into: folder["mapped.sqlite"])
        let difference = try StoreDifference(from: inferred, to: mapped, options: .init(by: keys))
        #expect(difference.uncomparedParts.isEmpty)
        let objects = try difference.objects()
        var found: [ObjectDifference] = []
        while let object = try objects.next() { found.append(object) }
        return found
    }

    /// The mapping with properties in the order of a file.
    private static func sorted(_ mapping: MappingModel) -> MappingModel {
        var mapping = mapping
        for index in mapping.entityMappings.indices {
            mapping.entityMappings[index].attributeMappings.sort { $0.name < $1.name }
            mapping.entityMappings[index].relationshipMappings.sort { $0.name < $1.name }
        }
        return mapping
    }

    @Test func theLibraryIsMigratedAsInferred() throws {
        let store = try Fixtures.libraryStore(folder["one.sqlite"])
        #expect(try differences(store, to: MigrationTests.second, by: ["name"]) == [])
        let mapped = try CoreDataStore(folder["mapped.sqlite"])
        #expect(try mapped.objects.fetchCount(PredicateFetchRequest("Medium")) == 3)
    }

    /// A key of another attribute's former name, values that become mandatory, and a widened number.
    @Test func whatANameDoesNotTell() throws {
        let old = ManagedObjectModel([
            EntityDescription(
                "T",
                attributes: [
                    AttributeDescription("name", .string), AttributeDescription("a", .string),
                    AttributeDescription("n", .integer16), AttributeDescription("day", .date),
                    AttributeDescription("gone", .string, isTransient: true),
                ],
                relationships: [
                    .toOne("up", "T", inverse: "down"), .toMany("down", "T", inverse: "up", isOrdered: true),
                ]),
            EntityDescription("Gone", attributes: [AttributeDescription("name", .string)]),
        ])
        let start = Date(timeIntervalSinceReferenceDate: 86_400.5)
        let new = ManagedObjectModel([
            EntityDescription(
                "T",
                attributes: [
                    AttributeDescription("name", .string), AttributeDescription("b", .string, renamingIdentifier: "a"),
                    AttributeDescription("a", .string, defaultValue: "new"),
                    AttributeDescription("n", .integer64, isOptional: false, defaultValue: 7),
                    AttributeDescription("day", .date, isOptional: false, defaultValue: .date(start)),
                    AttributeDescription("gone", .string, defaultValue: "back"),
                ],
                relationships: [
                    .toOne("parent", "T", inverse: "children", renamingIdentifier: "up"),
                    .toMany("children", "T", inverse: "parent", isOrdered: true, renamingIdentifier: "down"),
                ]),
            EntityDescription("New", attributes: [AttributeDescription("name", .string)]),
        ])
        let store = try CoreDataStore.create(folder["one.sqlite"], model: old)
        let one = try store.insert(
            "T", ["name": "one", "a": "x", "n": 3, "day": Date(timeIntervalSinceReferenceDate: 0)])
        let two = try store.insert("T", ["name": "two", "up": one])
        let three = try store.insert("T", ["name": "three", "a": "y"])
        try store.update(one, ["down": [three, two]])
        #expect(try differences(store, to: new, by: ["name"]) == [])
        let names = try MappingModel.inferred(from: old, to: new).entityMappings.map(\.name)
        #expect(names == ["New", "TToT", "Gone"])
    }

    @Test func whatCannotBeInferredIsAnError() throws {
        func model(_ type: AttributeType) -> ManagedObjectModel {
            ManagedObjectModel([EntityDescription("T", attributes: [AttributeDescription("a", type)])])
        }
        #expect(throws: CoreDataError(.notInferable(["T.a was of type String and is of type Date"]))) {
            try MappingModel.inferred(from: model(.string), to: model(.date))
        }
    }
}

/// Compiled models, judged by the stores that are created for them. [NSP-479]
@Suite struct CompiledStoreTests {
    @Test func theStoreIsTheSame() throws {
        let folder = try ScratchFolder()
        let compiled = try ManagedObjectModel(bytes: try Fixtures.library.compiled())
        let store = try CoreDataStore.create(folder["one.sqlite"], model: Fixtures.library)
        let other = try CoreDataStore.create(folder["two.sqlite"], model: compiled)
        let hashes = try #require(store.metadata.values["SwiftPredicatesVersionHashes"])
        #expect(other.metadata.values["SwiftPredicatesVersionHashes"] == hashes)
        // Only a model that was read from an archive is kept in a cache.
        #expect(other.file.columns.filter { $0.key != "Z_MODELCACHE" } == store.file.columns)
        #expect(try CoreDataStore(folder["two.sqlite"]).model == compiled)
    }

    /// Only the tables of the configuration and of its superentities are there.
    @Test func aStoreOfAConfiguration() throws {
        let folder = try ScratchFolder()
        var model = Fixtures.library
        model.configurations = [ConfigurationDescription("Films", entityNames: ["Film", "Tag"])]
        let part = try model.configuration(named: "Films")
        let store = try CoreDataStore.create(folder["one.sqlite"], model: part)
        #expect(store.file.columns["ZSHELF"] == nil && store.file.columns["ZITEM"] != nil)
        let tag = try store.insert("Tag", ["word": "red"])
        try store.insert("Film", ["title": "One", "tags": [tag]])
        let read = try CoreDataStore(folder["one.sqlite"])
        let red = try FormatPredicate("ANY tags.word == 'red'")
        #expect(try read.objects.fetchCount(PredicateFetchRequest("Film", red)) == 1)
        #expect(read.omissions.isEmpty)
    }
}
