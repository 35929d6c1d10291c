import Foundation
import PredicateCoreData
import PredicateModel
import PredicateStore
import PredicateTestSupport
import Predicates
import Testing

/// The Swift types that are made of a model: `Generated/Press.swift` is such a file, compiled with the tests.
/// [NSP-465]
@Suite struct GeneratedCodeTests {
    /// Every kind of property, names that Swift does not accept, and a hierarchy.
    private static let press = ManagedObjectModel(
        [
            EntityDescription(
                "Publication", isAbstract: true,
                attributes: [
                    AttributeDescription("headline", .string, isOptional: false, maximumLength: 40),
                    AttributeDescription(
                        "state", .string, isOptional: false, defaultValue: "in review",
                        regularExpression: "draft|in review|printed"),
                    AttributeDescription(
                        "stars", .integer16,
                        validations: [ValidationRule(ModelPredicate("SELF IN {1, 2, 3}"), warning: 1620)]),
                    AttributeDescription("price", .decimal, defaultValue: .decimal(1.5)),
                    AttributeDescription("printed", .date), AttributeDescription("weight", .float),
                    AttributeDescription("code", .uuid), AttributeDescription("page", .uri),
                    AttributeDescription("cover", .transformable, valueClassName: "Image"),
                    AttributeDescription("raw", .binaryData, allowsExternalBinaryDataStorage: true),
                    AttributeDescription("class", .boolean, isOptional: false, defaultValue: true),
                    AttributeDescription("number of pages", .integer32),
                    AttributeDescription("self", .integer64), AttributeDescription("allKeys", .double),
                    AttributeDescription("cached", .undefined, isTransient: true),
                    AttributeDescription("printer", .composite, compositeName: "Company"),
                ],
                relationships: [
                    .toOne("editor", "Person", inverse: "publications"),
                    .toMany("authors", "Person", inverse: "works", isOrdered: true),
                ], userInfo: ["documentation": "Anything that is printed.\nOr was."]),
            EntityDescription(
                "Magazine", superentity: "Publication",
                attributes: [AttributeDescription("issue", .integer32, isOptional: false, minimumValue: 1)],
                uniquenessConstraints: [["headline", "issue"]]),
            EntityDescription("Data", superentity: "Publication"),
            EntityDescription(
                "Person",
                attributes: [
                    AttributeDescription("name", .string, userInfo: ["Note": "As on the cover."]),
                    AttributeDescription("home", .composite, isOptional: false, compositeName: "Place"),
                ],
                relationships: [
                    .toMany("publications", "Publication", inverse: "editor"),
                    .toMany("works", "Publication", inverse: "authors"),
                ]),
        ],
        composites: [
            CompositeDescription(
                "Company",
                attributes: [
                    AttributeDescription("name", .string), AttributeDescription("founded", .integer16),
                    AttributeDescription("seat", .composite, compositeName: "Place"),
                ]),
            CompositeDescription(
                "Place",
                attributes: [
                    AttributeDescription("city", .string, isOptional: false), AttributeDescription("zip", .string),
                ]),
        ])

    @Test func theCheckedInFileIsWhatTheModelGives() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Generated/Press.swift")
        let text = ModelSwiftCode(Self.press).text
        if ProcessInfo.processInfo.environment["PREDICATES_REWRITE"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == text)
    }

    /// A store with a person and two publications, made from the generated types alone.
    private static func store(_ path: String) throws -> (store: CoreDataStore, person: SQLObjectID) {
        let store = try CoreDataStore.create(path, model: press)
        let person = Person(name: "Ann", home: Place(city: "Oslo", zip: nil))
        let id = try store.insert(Person.entityName, person.objectValues)
        var magazine = Magazine(headline: "Stars", issue: 7)
        (magazine.stars, magazine.editor, magazine.authors) = (.value3, id, [id])
        (magazine.price, magazine.weight) = (Decimal(string: "19.99"), 0.1)
        magazine.code = UUID(uuidString: "137DECC8-0000-4000-8000-0000000000FF")
        magazine.page = URL(string: "https://example.org/stars")
        magazine.printed = Date(timeIntervalSinceReferenceDate: 0.125)
        (magazine.number_of_pages, magazine.self_, magazine.raw) = (64, -1, Data([1, 0, 2]))
        magazine.printer = Company(name: "Type & Ink", founded: 1901, seat: Place(city: "Bonn", zip: "53111"))
        magazine.cached = "never stored"
        try store.insert(Magazine.entityName, magazine.objectValues)
        try store.insert(Data_.entityName, Data_(headline: "Numbers", state: .printed, class: false).objectValues)
        return (store, id)
    }

    @Test func valuesThatAreInsertedAreDecodedAgain() throws {
        let folder = try ScratchFolder()
        let (store, person) = try Self.store(folder["a.sqlite"])
        let found = try #require(try store.objects.fetchAll(Magazine.self).first)
        #expect(found.headline == "Stars" && found.state == .inReview && found.stars == .value3 && found.issue == 7)
        #expect(found.price == Decimal(string: "19.99") && found.weight == 0.1 && found.`class`)
        #expect(found.printed == Date(timeIntervalSinceReferenceDate: 0.125) && found.number_of_pages == 64)
        #expect(found.code == UUID(uuidString: "137DECC8-0000-4000-8000-0000000000FF"))
        #expect(found.page == URL(string: "https://example.org/stars") && found.raw == Data([1, 0, 2]))
        #expect(found.self_ == -1 && found.allKeys_ == nil && found.cover == nil && found.cached == nil)
        #expect(found.printer?.seat == Place(city: "Bonn", zip: "53111") && found.printer?.founded == 1901)
        #expect(found.editor == person && found.authors == [person])
        let id = try #require(found.objectID)
        #expect(id.entity == "Magazine")

        let people = try store.objects.fetchAll(Person.self)
        #expect(people.map(\.name) == ["Ann"] && people.first?.objectID == person)
        #expect(people.first?.home == Place(city: "Oslo", zip: nil))
        #expect(people.first?.publications == [SQLObjectID("Publication", key: id.key)])
        // An abstract entity decodes the objects of its subentities; a name that Swift has taken needs the entity's.
        #expect(try store.objects.fetchAll(Publication.self).map(\.headline).sorted() == ["Numbers", "Stars"])
        let numbers = try store.objects.fetchAll(Data_.self, PredicateFetchRequest(Data_.entityName))
        #expect(numbers.map(\.state) == [.printed] && numbers.first?.printer == nil && numbers.first?.authors == [])
    }

    @Test func predicatesReadTheTypes() throws {
        let folder = try ScratchFolder()
        let (store, person) = try Self.store(folder["a.sqlite"])
        let magazines = try store.objects.fetchAll(Magazine.self)
        let formats = [
            "state == 'in review' AND stars >= 3", "price == 19.99", "weight == 0.1",
            "printer.seat.city BEGINSWITH 'B'", "printer.founded < 1950", "authors.@count == 1",
            "allKeys == nil AND class == YES",
        ]
        for format in formats {
            let predicate = try FormatPredicate(format: format, arguments: [])
            #expect(try store.objects.fetchAll("Magazine", where: predicate).count == 1, "\(format) in SQL")
            #expect(try magazines.filter { try predicate.evaluate(with: $0) }.count == 1, "\(format) in memory")
        }
        let edited = try FormatPredicate("editor == %@", person)
        #expect(try magazines.filter { try edited.evaluate(with: $0) }.count == 1)
        #expect(try store.objects.fetchAll(Magazine.self, where: edited).count == 1)
        // The keys are checked against the types.
        let schema = KeyPathSchema(Magazine.self)
        let wrong = try FormatPredicate(format: "printer.seat.citty == 'Bonn'", arguments: [])
        #expect(!wrong.check(against: schema, entity: schema.root).isEmpty)
        let right = try FormatPredicate(format: "printer.seat.city == 'Bonn'", arguments: [])
        #expect(right.check(against: schema, entity: schema.root).isEmpty)
    }

    @Test func valuesAreJSON() throws {
        var magazine = Magazine(headline: "Stars", issue: 7)
        magazine.editor = SQLObjectID("Person", key: 3)
        magazine.printer = Company(name: nil, founded: 1901, seat: nil)
        let copy = try JSONDecoder().decode(Magazine.self, from: JSONEncoder().encode(magazine))
        #expect(copy == magazine)
    }

    @Test func aValueOutsideTheEnumIsAnError() throws {
        let folder = try ScratchFolder()
        let (store, _) = try Self.store(folder["a.sqlite"])
        let connection = try StoreConnection(folder["a.sqlite"], SQLiteOptions(.readWrite))
        try connection.run(SQLFragment(verbatim: "UPDATE ZPUBLICATION SET ZSTATE = 'lost'", bindings: []))
        let error = StoreError.thrown { () throws(StoreError) in try store.objects.fetchAll(Magazine.self) }
        guard case .undecodable? = error?.code else { return #expect(Bool(false), "\(String(describing: error))") }
    }
}
