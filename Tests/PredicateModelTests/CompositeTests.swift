import Foundation
import PredicateModel
import PredicateSyntax
import Testing

/// Composite attributes: read from archives and from XML, expanded into elements, compared.
@Suite struct CompositeTests {
    /// A compiled model of entities, each a list of composite attributes with the names of their elements.
    private static func compiled(
        _ entities: [(name: String, composites: [(name: String, elements: [(String, Int)])])]
    ) -> [UInt8] {
        var writer = ArchiveWriter()
        let model = writer.reserve()
        let archived = entities.map { name, composites in
            (name, writer.object("NSEntityDescription", entity(name, composites, &writer)))
        }
        writer.fill(model, "NSManagedObjectModel", [("NSEntities", writer.dictionary(archived))])
        return writer.bytes(root: .uid(model))
    }

    private static func entity(
        _ name: String, _ composites: [(name: String, elements: [(String, Int)])], _ writer: inout ArchiveWriter
    ) -> [(String, ListValue)] {
        let properties = composites.map { composite in
            let elements = composite.elements.map { attribute($0.0, $0.1, [], &writer) }
            let more = [("NSCompositeElements", writer.array(elements))]
            return (composite.name, attribute(composite.name, 2100, more, &writer))
        }
        return [("NSEntityName", writer.string(name)), ("NSProperties", writer.dictionary(properties))]
    }

    private static func attribute(
        _ name: String, _ type: Int, _ more: [(String, ListValue)], _ writer: inout ArchiveWriter
    ) -> ListValue {
        writer.object(
            type == 2100 ? "NSCompositeAttributeDescription" : "NSAttributeDescription",
            [
                ("NSPropertyName", writer.string(name)), ("NSAttributeType", .integer(type)),
                ("NSIsOptional", .bool(true)),
            ] + more)
    }

    @Test func elementsOfAnArchiveAreTypesOfTheModel() throws {
        let bytes = Self.compiled([
            ("Book", [("author", [("id", 1100), ("name", 700)]), ("shape", [("shape", 700)])]),
            ("Film", [("director", [("id", 1100), ("name", 700)]), ("shape", [("width", 500)])]),
        ])
        let model = try ManagedObjectModel(bytes: bytes)
        #expect(model.entity("Book")?.attributes.map(\.compositeName) == ["Author", "Shape"])
        // The same elements are one type; another type of a name that is taken is called after the entity too.
        #expect(model.entity("Film")?.attributes.map(\.compositeName) == ["Author", "FilmShape"])
        #expect(model.composites.map(\.name) == ["Author", "Shape", "FilmShape"])
        #expect(model.storedAttributes(of: "Book").map(\.name) == ["author.id", "author.name", "shape.shape"])
        #expect(model.storedAttributes(of: "Film").map(\.type) == [.uuid, .string, .double])
        let again = try ManagedObjectModel(bytes: Array(ModelDocument(model).text.utf8))
        #expect(again.composites == model.composites)
        #expect(ModelDifference(from: model, to: again).verdict == .nothing)
    }

    /// A composite that holds itself.
    @Test func anArchiveThatLeadsInACircleIsAnError() {
        var writer = ArchiveWriter()
        let model = writer.reserve(), circle = writer.reserve()
        writer.fill(
            circle, "NSCompositeAttributeDescription",
            [
                ("NSPropertyName", writer.string("a")), ("NSAttributeType", .integer(2100)),
                ("NSCompositeElements", writer.array([.uid(circle), .uid(circle)])),
            ])
        let entity = writer.object(
            "NSEntityDescription",
            [("NSEntityName", writer.string("E")), ("NSProperties", writer.dictionary([("a", .uid(circle))]))])
        writer.fill(model, "NSManagedObjectModel", [("NSEntities", writer.dictionary([("E", entity)]))])
        #expect(throws: ModelError.self) { try ManagedObjectModel(bytes: writer.bytes(root: .uid(model))) }
    }

    private static func people(_ address: [AttributeDescription], _ attribute: AttributeDescription? = nil)
        -> ManagedObjectModel
    {
        ManagedObjectModel(
            [
                EntityDescription(
                    "Person",
                    attributes: [attribute ?? AttributeDescription("address", .composite, compositeName: "Address")])
            ], composites: [CompositeDescription("Address", attributes: address)])
    }

    @Test func elementsHaveWhatIsSaidOfTheComposite() {
        let attribute = AttributeDescription(
            "home", .composite, isOptional: true, defaultValue: .dictionary(["city": "Rome"]), compositeName: "Address",
            renamingIdentifier: "address")
        let elements = [
            AttributeDescription("street", .string, isOptional: false, renamingIdentifier: "road"),
            AttributeDescription("city", .string, isOptional: false),
        ]
        let found = Self.people(elements, attribute).storedAttributes(of: "Person")
        #expect(found.map(\.name) == ["home.street", "home.city"])
        #expect(found.map(\.renamingIdentifier) == ["address.road", "address.city"])
        #expect(found.map(\.isOptional) == [true, true])
        #expect(found.map(\.defaultValue) == [nil, "Rome"])
    }

    @Test func compositesWithoutAnEndStandForThemselves() {
        let model = Self.people([
            AttributeDescription("a", .composite, compositeName: "Address"),
            AttributeDescription("b", .composite, compositeName: "Address"),
        ])
        #expect(model.storedAttributes(of: "Person").map(\.name) == ["address"])
        let unknown = Self.people([AttributeDescription("place", .composite, compositeName: "Place")])
        #expect(unknown.storedAttributes(of: "Person").map(\.type) == [.composite])
    }

    @Test func changesOfElementsAreChangesOfTheEntity() {
        let old = Self.people([
            AttributeDescription("street", .string), AttributeDescription("zip", .integer32),
            AttributeDescription("note", .string),
        ])
        let new = Self.people([
            AttributeDescription("road", .string, renamingIdentifier: "street"), AttributeDescription("zip", .string),
            AttributeDescription("city", .string),
        ])
        let difference = ModelDifference(from: old, to: new)
        let words = difference.changes.filter { $0.entity == "Person" }.map { "\($0.kind.rawValue) \($0.name ?? "")" }
        #expect(
            Set(words) == [
                "property-renamed address.road", "type-changed address.zip", "attribute-added address.city",
                "attribute-removed address.note",
            ])
        #expect(difference.verdict == .needsMapping)
        let widened = Self.people([
            AttributeDescription("street", .string), AttributeDescription("zip", .integer32),
            AttributeDescription("note", .string), AttributeDescription("city", .string),
        ])
        #expect(ModelDifference(from: old, to: widened).verdict == .inferable)
    }
}
