import PredicateModel
import Testing

/// Entities and properties by name, with inheritance.
@Suite struct HierarchyTests {
    private static let model = ManagedObjectModel([
        EntityDescription("Syncable", isAbstract: true, attributes: [.init("identifier", .uuid)]),
        EntityDescription("syncFeature", superentity: "Syncable"),
        EntityDescription("Album", superentity: "Syncable", attributes: [.init("title", .string)]),
        EntityDescription(
            "Asset", superentity: "Syncable", attributes: [.init("identifier", .string)],
            relationships: [.toMany("albums", "Album", inverse: "assets")]),
        EntityDescription("Zoo", attributes: [.init("name", .string)]),
        EntityDescription("Movie", superentity: "Asset", attributes: [.init("duration", .double)]),
    ])

    @Test func entitiesAreNumberedInPreorderByUpperCaseNames() {
        let names = Self.model.entitiesInPreorder.map(\.name)
        #expect(names == ["Syncable", "Album", "Asset", "Movie", "syncFeature", "Zoo"])
        #expect(Self.model.entityNumber(of: "Movie") == 4)
        #expect(Self.model.entityNumber(of: "Film") == nil)
        #expect(Self.model.rootEntities.map(\.name) == ["Syncable", "Zoo"])
    }

    @Test func propertiesAreInherited() {
        #expect(Self.model.attributes(of: "Movie").map(\.name) == ["identifier", "duration"])
        #expect(Self.model.attributes(of: "Movie").first?.type == .string)
        #expect(Self.model.property("albums", of: "Movie")?.declaringEntity.name == "Asset")
        #expect(Self.model.property("title", of: "Movie") == nil)
        #expect(Self.model.isEntity("Movie", kindOf: "Syncable"))
        #expect(!Self.model.isEntity("Zoo", kindOf: "Syncable"))
        #expect(Self.model.subtree(of: "Asset").map(\.name) == ["Asset", "Movie"])
    }

    @Test func circlesEnd() {
        let model = ManagedObjectModel([
            EntityDescription("A", superentity: "B"), EntityDescription("B", superentity: "A"),
            EntityDescription("C", superentity: "C", attributes: [.init("x", .string)]),
        ])
        #expect(model.entitiesInPreorder.isEmpty)
        #expect(model.lineage(of: "A").map(\.name) == ["A", "B"])
        #expect(model.attributes(of: "C").count == 1)
        #expect(model.subtree(of: "A").count == 2)
    }

    @Test func aChangeIsSeenByLookups() {
        var model = Self.model
        model["Zoo"] = nil
        #expect(model.entity("Zoo") == nil)
        model["Ark"] = EntityDescription("Ark")
        #expect(model.entityNumber(of: "Ark") == 1)
        model["Ark"]?.attributes = [.init("length", .integer32)]
        #expect(model.property("length", of: "Ark")?.property.noun == "attribute")
        #expect(model != Self.model)
    }

    @Test func aChainOfAnyLengthIsWalked() {
        let count = 20_000
        let model = ManagedObjectModel(
            (0..<count).map { EntityDescription("E\($0)", superentity: $0 == 0 ? nil : "E\($0 - 1)") })
        #expect(model.entitiesInPreorder.count == count)
        #expect(model.rootEntity(of: "E\(count - 1)")?.name == "E0")
    }
}
