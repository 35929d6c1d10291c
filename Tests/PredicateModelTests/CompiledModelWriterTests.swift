import Foundation
import PredicateModel
import PredicateSyntax
import Testing

/// Models written as archives, and read again. [NSP-479]
@Suite struct CompiledModelWriterTests {
    private static let library = ManagedObjectModel(
        [
            EntityDescription(
                "Book", superentity: "Item",
                attributes: [AttributeDescription("pages", .integer32, minimumValue: .integer(1))],
                relationships: [.toOne("author", "Writer", inverse: "books", renamingIdentifier: "writer")],
                fetchedProperties: [
                    FetchedPropertyDescription("alike", entity: "Book", predicate: "author == $FETCH_SOURCE.author")
                ],
                indexes: [
                    FetchIndexDescription(
                        "byPages",
                        [.init("pages", isAscending: false), .init(.expression("length:(title)"), collation: .rTree)],
                        partialIndexPredicate: "pages > 1 AND title BEGINSWITH[cd] \"a\"")
                ], compoundIndexes: [["title", "pages"]], userInfo: ["shelf": "é"]),
            EntityDescription(
                "Item", managedObjectClassName: "Library.Item", isAbstract: true,
                attributes: [
                    AttributeDescription("cover", .binaryData, allowsExternalBinaryDataStorage: true),
                    AttributeDescription("isbn", .string, regularExpression: "[0-9]+"),
                    AttributeDescription(
                        "title", .string, isOptional: false, defaultValue: "Ohne Titel – 1", minimumLength: 1,
                        maximumLength: 300),
                ], uniquenessConstraints: [["isbn"]], versionHashModifier: "x"),
            EntityDescription(
                "Writer",
                attributes: [
                    AttributeDescription("bookCount", .integer64, derivation: "count:(books)"),
                    AttributeDescription(
                        "born", .date, minimumValue: .date(Date(timeIntervalSinceReferenceDate: -1e9)),
                        maximumValue: .date(Date(timeIntervalSinceReferenceDate: 1e9))),
                ],
                relationships: [
                    .toMany(
                        "books", "Book", inverse: "author", deleteRule: .cascade, isOrdered: true, isOptional: false)
                ], renamingIdentifier: "Author"),
        ],
        configurations: [ConfigurationDescription("Cloud", entityNames: ["Book", "Item"])],
        fetchRequestTemplates: [old], versionIdentifiers: ["2"])

    private static let old: FetchRequestTemplate = {
        var request = FetchRequestTemplate(
            "old", entity: "Writer", predicate: "born < $DATE OR SUBQUERY(books, $b, $b.pages IN {1, 2}).@count > 3",
            sortKeys: [SortKey("born", ascending: false)], fetchLimit: 5)
        request.fetchBatchSize = 20
        request.resultType = .dictionary
        request.propertiesToFetch = ["born"]
        return request
    }()

    @Test func aModelIsReadAgain() throws {
        let bytes = try Self.library.compiled()
        let read = try ManagedObjectModel(bytes: bytes)
        #expect(read == Self.library)
        #expect(try read.compiled() == bytes)
        #expect(ModelDifference(from: Self.library, to: read).changes.isEmpty)
    }

    /// A file of Foundation is the judge of the list, which has no UIDs here.
    @Test func foundationReadsTheList() throws {
        let models = try ScratchModels(["One": Self.library])
        let files = try withExtendedLifetime(models) { try ModelBundle(path: models.path).compiled() }
        #expect(files.keys.sorted() == ["One.mom", "VersionInfo.plist"])
        let info = try #require(files["VersionInfo.plist"])
        let list = try PropertyListSerialization.propertyList(from: Data(info), format: nil) as? [String: Any]
        #expect(list?["NSManagedObjectModel_CurrentVersionName"] as? String == "One")
    }

    @Test func defaultsOfAllTypes() throws {
        let values: [(AttributeType, PredicateValue)] = [
            (.integer16, .integer(-32768)), (.integer64, .integer(.min)), (.integer64, .integer(1 << 40)),
            (.integer32, .integer(300)), (.double, .double(-0.1)), (.boolean, .bool(false)), (.string, "日本"),
            (.decimal, .decimal(try #require(Decimal(string: "-1234567890123456789012345.678901234567")))),
            (.decimal, .decimal(try #require(Decimal(string: "1e-100")))), (.decimal, .decimal(65_536)),
            (.date, .date(Date(timeIntervalSinceReferenceDate: 0.125))), (.binaryData, .data(Data([0, 255]))),
            (.uuid, .uuid(try #require(UUID(uuidString: "137DECC8-0000-4000-8000-0000000000FF")))),
            (.uri, .url(try #require(URL(string: "https://example.org/a?b=c")))),
            (.transformable, .array(["a", .integer(1)])), (.transformable, .set(["a"])),
            (.transformable, .dictionary(["a": .array([.nullObject])])),
        ]
        for (type, value) in values {
            let attribute = AttributeDescription("a", type, defaultValue: value)
            let model = ManagedObjectModel([EntityDescription("E", attributes: [attribute])], versionIdentifiers: [])
            let read = try ManagedObjectModel(bytes: try model.compiled())
            #expect(read.entity("E")?.attributes.first?.defaultValue == value, "\(value)")
        }
    }

    @Test(arguments: [
        "TRUEPREDICATE", "NOT (a == 1)", "ANY a.b != nil", "ALL a LIKE[c] \"x*\"", "a MATCHES \"x.*\"",
        "a ENDSWITH[d] b",
        "a CONTAINS \"x\"", "a IN {1, \"b\", c}", "a BETWEEN {1, 2}", "a <= $X.b", "a <= CAST(b, \"NSDate\")",
        "a[0] == 1", "TERNARY(a == 1, 2, 3) == b", "a UNION b == c", "sum:(a, b) > 1.5", "FUNCTION(a, \"b:\", 1) == 2",
        "SUBQUERY(a, $x, $x.b == 1 AND $x.c == 2).@count == 0", "a.@sum.b == 1", "FETCH(a, b, NO) == 1",
        "NONE a.b == CAST(5.5, \"NSDate\")",
    ])
    func predicatesAreReadAgain(_ format: String) throws {
        let model = ManagedObjectModel(
            [EntityDescription("E")],
            fetchRequestTemplates: [FetchRequestTemplate("r", entity: "E", predicate: ModelPredicate(format))])
        let read = try ManagedObjectModel(bytes: try model.compiled())
        let predicate = try #require(read.fetchRequestTemplates.first?.predicate)
        // A CAST and an index are functions in an archive.
        let expected = try FormatPredicate(try FormatPredicate(format).predicateFormat)
        #expect(try FormatPredicate(predicate.format) == expected)
    }

    @Test func compositesAreRepeated() throws {
        let place = CompositeDescription("Place", attributes: [.init("lat", .double), .init("name", .string)])
        let model = ManagedObjectModel(
            [EntityDescription("E", attributes: [AttributeDescription("place", .composite, compositeName: "Place")])],
            composites: [place])
        let read = try ManagedObjectModel(bytes: try model.compiled())
        #expect(read.composites == [place])
        #expect(read.storedAttributes(of: "E").map(\.name) == ["place.lat", "place.name"])
    }

    @Test func aCountInTheFormOfSourcesIsAFunction() throws {
        let attributes = [
            AttributeDescription("n", .integer64, derivation: "es.@count"),
            AttributeDescription("s", .integer64, derivation: "es.n.@sum"),
        ]
        let model = ManagedObjectModel([
            EntityDescription("E", attributes: attributes, relationships: [.toMany("es", "E")])
        ])
        let read = try ManagedObjectModel(bytes: try model.compiled())
        #expect(read.attributes(of: "E").map(\.derivation) == ["count:(es)", "sum:(es.n)"])
    }

    @Test func whatAnArchiveCannotContainIsAnError() throws {
        func error(_ change: (inout ManagedObjectModel) -> Void) -> String? {
            var model = ManagedObjectModel(
                [
                    EntityDescription("E", attributes: [AttributeDescription("a", .string)]),
                    EntityDescription("F", superentity: "E"),
                ], fetchRequestTemplates: [FetchRequestTemplate("r", entity: "E")])
            change(&model)
            do throws(ModelError) { _ = try model.compiled() } catch { return error.description }
            return nil
        }
        #expect(error { _ in } == nil)
        let cannot = "error: an archive of known form cannot contain"
        let hint = "\nhint: change this part of the model, or keep the model as an .xcdatamodel"
        #expect(
            error { $0["E"]?.attributes[0].type = .unknown("Odd") }
                == "\(cannot) the type Odd (at entity E, attribute a)\(hint)")
        #expect(
            error { $0["E"]?.attributes[0].allowsCloudEncryption = true }
                == "\(cannot) the option allowsCloudEncryption (at entity E, attribute a)\(hint)")
        #expect(
            error { $0["F"]?.attributes = [AttributeDescription("a", .date)] }
                == "\(cannot) a property that replaces an inherited one (at entity F, attribute a)\(hint)")
        #expect(
            error { $0.fetchRequestTemplates[0].predicate = "a == " }
                == "\(cannot) the invalid predicate 'a == ' (at fetch request r)\(hint)")
        #expect(
            error { $0.fetchRequestTemplates[0].entityName = "X" }
                == "\(cannot) a fetch request without an entity of the model (at fetch request r)\(hint)")
        #expect(
            error {
                $0.composites = [
                    CompositeDescription(
                        "C", attributes: [.init("c", .composite, isTransient: true, compositeName: "C")])
                ]
                $0["E"]?.attributes = [AttributeDescription("c", .composite, compositeName: "C")]
            }?.contains("composite attributes nested deeper than 16 levels") == true)
    }
}

/// Merged models, and the part of a model in a configuration. [NSP-479]
@Suite struct ModelMergeTests {
    private static let items = ManagedObjectModel(
        [
            EntityDescription(
                "Item", attributes: [AttributeDescription("name", .string)],
                relationships: [.toOne("owner", "Owner", inverse: "items")])
        ], configurations: [ConfigurationDescription("Cloud", entityNames: ["Item"])], versionIdentifiers: ["1"])
    private static let owners = ManagedObjectModel(
        [
            EntityDescription(
                "Owner", superentity: "Person", relationships: [.toMany("items", "Item", inverse: "owner")]),
            EntityDescription("Person", isAbstract: true, attributes: [AttributeDescription("name", .string)]),
        ], configurations: [ConfigurationDescription("Cloud", entityNames: ["Owner"])], versionIdentifiers: ["2"])

    @Test func relationshipsLeadToTheOtherModel() throws {
        let merged = try ManagedObjectModel(merging: [Self.items, Self.owners, Self.items])
        #expect(merged.entities == Self.items.entities + Self.owners.entities)
        #expect(merged.configurations == [ConfigurationDescription("Cloud", entityNames: ["Item", "Owner"])])
        #expect(merged.versionIdentifiers == ["1", "2"])
        let owner = try #require(merged.relationships(of: "Item").first)
        #expect(merged.inverse(of: owner)?.declaringEntity.name == "Owner")
        #expect(merged.check().isEmpty && !Self.items.check().isEmpty)
    }

    @Test func differentPartsOfOneNameAreAnError() throws {
        var other = Self.items
        other["Item"]?.attributes[0].isOptional = false
        let text = "the models have different versions of entity Item: name, made mandatory"
        do throws(ModelError) {
            _ = try ManagedObjectModel(merging: [Self.items, other])
            Issue.record("there is no error")
        } catch {
            #expect(error.title == text)
        }
        var (one, two) = (Self.items, Self.items)
        one.fetchRequestTemplates = [FetchRequestTemplate("all", entity: "Item")]
        two.fetchRequestTemplates = [FetchRequestTemplate("all", entity: "Item", fetchLimit: 1)]
        #expect(throws: ModelError.self) { try ManagedObjectModel(merging: [one, two]) }
        #expect(try ManagedObjectModel(merging: [one, one]).fetchRequestTemplates.count == 1)
    }

    @Test func versionHashesStay() throws {
        var (one, two) = (Self.items, Self.owners)
        one.versionHashes = ["Item": Data([1])]
        two.versionHashes = ["Owner": Data([2]), "Person": Data([3])]
        let merged = try ManagedObjectModel(merging: [one, two])
        #expect(merged.versionHashes == ["Item": Data([1]), "Owner": Data([2]), "Person": Data([3])])
    }

    @Test func aConfigurationHasItsEntitiesAndTheirAncestors() throws {
        var model = try ManagedObjectModel(merging: [Self.items, Self.owners])
        model.configurations = [ConfigurationDescription("People", entityNames: ["Owner"])]
        model.versionHashes = ["Item": Data([1]), "Owner": Data([2]), "Person": Data([3])]
        let part = try model.configuration(named: "People")
        #expect(part.entities.map(\.name) == ["Owner", "Person"])
        #expect(part.relationships(of: "Owner").isEmpty)
        #expect(part.versionHashes == ["Owner": Data([2]), "Person": Data([3])])
        do throws(ModelError) {
            _ = try model.configuration(named: "Local")
            Issue.record("there is no error")
        } catch {
            #expect(
                error.description
                    == "error: the model has no configuration 'Local'\nhint: the configurations are People")
        }
    }
}

/// An `.xcdatamodeld` with versions, in a folder that is removed.
private final class ScratchModels {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("models-\(UUID().uuidString)")

    var path: String { folder.appendingPathComponent("M.xcdatamodeld").path }

    init(_ versions: [String: ManagedObjectModel]) throws {
        for (name, model) in versions {
            let version = URL(fileURLWithPath: "\(path)/\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data(ModelDocument(model).text.utf8).write(to: version.appendingPathComponent("contents"))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
