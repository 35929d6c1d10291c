import CZlib
import Foundation
import PredicateModel
import PredicateSyntax
import Testing

/// Compiled models, written here object by object.
@Suite struct CompiledModelTests {
    /// Book, with an author, a derived count, bounds, an index with a condition, and a default of an app's class.
    private static func library(isCache: Bool = false) -> [UInt8] {
        var writer = ArchiveWriter()
        let model = writer.reserve(), book = writer.reserve(), author = writer.reserve()
        let novel = writer.reserve()
        func dictionary(_ entries: [(String, ListValue)]) -> ListValue {
            isCache ? writer.sharedKeyDictionary(entries) : writer.dictionary(entries)
        }
        let this = writer.object("NSSelfExpression", [("NSExpressionType", .integer(1))])
        let one = writer.object("NSConstantValueExpression", [("NSConstantValue", .integer(1))])
        let atLeast = writer.object(
            "NSComparisonPredicateOperator",
            [
                ("NSOperatorType", .integer(3)), ("NSModifier", .integer(0)), ("NSVariant", .integer(3)),
                ("NSOptions", .integer(0)),
            ])
        let bound = writer.object(
            "NSComparisonPredicate",
            [("NSLeftExpression", this), ("NSRightExpression", one), ("NSPredicateOperator", atLeast)])
        func attribute(_ name: String, _ type: Int, _ more: [(String, ListValue)] = []) -> ListValue {
            writer.object(
                "NSAttributeDescription",
                [
                    ("NSPropertyName", writer.string(name)), ("NSAttributeType", .integer(type)),
                    ("NSRenamingIdentifier", writer.string(name)), ("NSEntity", .uid(book)),
                ] + more)
        }
        let cover = writer.object("Library.Cover", [("text", writer.string("x"))])
        let pages = attribute(
            "pages", 200,
            [
                ("NSDefaultValue", .bool(true)), ("NSValidationPredicates", writer.array([bound])),
                ("NSValidationWarnings", writer.array([.integer(1620)])),
            ])
        let title = attribute(
            "title", 700, [("NSIsOptional", .bool(true)), ("NSDefaultValue", writer.string("Untitled"))])
        let image = attribute("image", 1800, [("NSDefaultValue", cover), ("NSFlagsKey", .integer(4))])
        let writerOfBook = writer.reserve(), books = writer.reserve()
        writer.fill(
            writerOfBook, "NSRelationshipDescription",
            [
                ("NSPropertyName", writer.string("author")), ("NSMaxCount", .integer(1)), ("NSDeleteRule", .integer(1)),
                ("NSDestinationEntity", .uid(author)), ("NSInverseRelationship", .uid(books)), ("NSEntity", .uid(book)),
                ("NSRenamingIdentifier", writer.string("writer")), ("NSIsOptional", .bool(true)),
            ])
        writer.fill(
            books, "NSRelationshipDescription",
            [
                ("NSPropertyName", writer.string("books")), ("NSMaxCount", .integer(0)), ("NSDeleteRule", .integer(2)),
                ("_NSDestinationEntityName", writer.string("Book")), ("NSInverseRelationship", .uid(writerOfBook)),
                ("NSEntity", .uid(author)), ("NSIsOrdered", .bool(true)),
            ])
        let utilities = writer.object(
            "NSConstantValueExpression", [("NSConstantValueClassName", writer.string("_NSPredicateUtilities"))])
        let path = writer.object(
            "NSKeyPathExpression",
            [
                ("NSOperand", this),
                (
                    "NSArguments",
                    writer.array([
                        writer.object("NSKeyPathSpecifierExpression", [("NSKeyPath", writer.string("books"))])
                    ])
                ),
            ])
        let count = writer.object(
            "NSFunctionExpression",
            [
                ("NSOperand", utilities), ("NSSelectorName", writer.string("count:")),
                ("NSArguments", writer.array([path])),
            ])
        let derived = writer.object(
            "NSDerivedAttributeDescription",
            [
                ("NSPropertyName", writer.string("bookCount")), ("NSAttributeType", .integer(300)),
                ("NSDerivationExpression", count), ("NSIsOptional", .bool(true)),
            ])
        let index = writer.object(
            "NSFetchIndexDescription",
            [
                ("NSIndexName", writer.string("byTitle")), ("NSPartialIndexPredicate", bound),
                (
                    "NSIndexElements",
                    writer.array([
                        writer.object(
                            "NSFetchIndexElementDescription",
                            [
                                ("NSPropertyName", writer.string("title")), ("NSAscending", .bool(true)),
                                ("NSFetchIndexElementType", .integer(0)),
                            ])
                    ])
                ),
            ])
        writer.fill(
            book, "NSEntityDescription",
            [
                ("NSEntityName", writer.string("Book")), ("NSRenamingIdentifier", writer.string("Book")),
                ("NSClassNameForEntity", writer.string("NSManagedObject")),
                (
                    "NSProperties",
                    dictionary([("pages", pages), ("title", title), ("image", image), ("author", .uid(writerOfBook))])
                ),
                ("NSFetchIndexDescriptions", writer.array([index])),
                ("NSUniqueTuples", writer.array([writer.array([title])])), ("NSManagedObjectModel", .uid(model)),
            ])
        writer.fill(
            novel, "NSEntityDescription",
            [
                ("NSEntityName", writer.string("Novel")), ("NSSuperentity", .uid(book)), ("NSIsAbstract", .bool(true)),
                (
                    "NSProperties",
                    dictionary([
                        ("title", writer.object("_NSPropertyDescriptionProxy", [("NSUnderlyingProperty", title)])),
                        ("genre", attribute("genre", 700)),
                    ])
                ),
            ])
        writer.fill(
            author, "NSEntityDescription",
            [
                ("NSEntityName", writer.string("Author")), ("NSRenamingIdentifier", writer.string("Writer")),
                ("NSClassNameForEntity", writer.string("Author")),
                ("NSProperties", dictionary([("books", .uid(books)), ("bookCount", derived)])),
            ])
        let request = writer.object(
            "NSFetchRequest",
            [("NSEntity", .uid(book)), ("NSPredicate", bound), ("NSFetchLimit", .integer(5))])
        writer.fill(
            model, "NSManagedObjectModel",
            [
                ("NSEntities", dictionary([("Book", .uid(book)), ("Novel", .uid(novel)), ("Author", .uid(author))])),
                ("NSFetchRequestTemplates", dictionary([("some", request)])),
                ("NSVersionIdentifiers", writer.object("NSSet", [("NS.objects", .array([writer.string("2.0")]))])),
            ])
        return writer.bytes(root: .uid(model))
    }

    @Test func entitiesAndProperties() throws {
        let model = try ManagedObjectModel(bytes: Self.library())
        #expect(model.entities.map(\.name) == ["Author", "Book", "Novel"])
        #expect(model.versionIdentifiers == ["2.0"])
        let book = try #require(model.entity("Book"))
        #expect(book.managedObjectClassName == nil && book.renamingIdentifier == nil)
        #expect(book.attributes.map(\.name) == ["image", "pages", "title"])
        #expect(book.attributes[1].defaultValue == .integer(1))
        #expect(book.attributes[1].minimumValue == .integer(1))
        #expect(book.attributes[1].validations.isEmpty)
        #expect(book.attributes[0].opaqueDefaultClassName == "Library.Cover")
        #expect(book.attributes[0].defaultValue == nil)
        #expect(book.attributes[0].allowsExternalBinaryDataStorage)
        #expect(book.uniquenessConstraints == [["title"]])
        #expect(book.indexes.first?.partialIndexPredicate == "SELF >= 1")
        #expect(model.fetchRequestTemplates.first?.predicate?.format == "SELF >= 1")
        #expect(model.fetchRequestTemplates.first?.fetchLimit == 5)
    }

    @Test func whatIsInheritedIsNotOwn() throws {
        let model = try ManagedObjectModel(bytes: Self.library())
        let novel = try #require(model.entity("Novel"))
        #expect(novel.attributes.map(\.name) == ["genre"])
        #expect(novel.isAbstract && novel.superentityName == "Book")
        #expect(model.attributes(of: "Novel").map(\.name) == ["image", "pages", "title", "genre"])
    }

    @Test func relationshipsLeadBothWays() throws {
        let model = try ManagedObjectModel(bytes: Self.library())
        let author = try #require(model.relationships(of: "Book").first)
        #expect(author.destinationEntityName == "Author" && author.inverseName == "books")
        #expect(!author.isToMany && author.renamingIdentifier == "writer" && author.deleteRule == .nullify)
        let books = try #require(model.inverse(of: author)).relationship
        #expect(books.isToMany && books.isOrdered && books.deleteRule == .cascade && !books.isOptional)
        #expect(model.entity("Author")?.renamingIdentifier == "Writer")
    }

    @Test func derivedAttributesHaveAnExpression() throws {
        let model = try ManagedObjectModel(bytes: Self.library())
        #expect(model.attributes(of: "Author").first?.derivation == "count:(books)")
        #expect(model.check().filter { $0.place.path.first == "entity Author" } == [])
    }

    @Test func theCacheOfAStoreIsTheSameModel() throws {
        let bytes = Self.library(isCache: true)
        let model = try ManagedObjectModel(modelCache: Compressed.raw(bytes))
        #expect(try model == ManagedObjectModel(bytes: Self.library()))
    }

    @Test func aModelWithADerivedAttributeIsWrittenAsSource() throws {
        let model = try ManagedObjectModel(bytes: Self.library())
        let document = ModelDocument(model)
        #expect(document.omissions == ["entity Book, attribute image, the default value, an object of Library.Cover"])
        var expected = model
        expected["Book"]?.attributes[0].opaqueDefaultClassName = nil
        #expect(try ManagedObjectModel(bytes: Array(document.text.utf8)) == expected)
    }

    /// Every prefix, and every byte changed: an error or a model, never a crash.
    @Test func damagedArchivesAreErrors() {
        let bytes = Self.library()
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: ModelError.self) { try ManagedObjectModel(bytes: Array(bytes[..<count])) }
        }
        for index in stride(from: 8, to: bytes.count, by: 3) {
            var damaged = bytes
            damaged[index] ^= 0xFF
            _ = try? ManagedObjectModel(bytes: damaged)
        }
    }
}

/// DEFLATE without a header, as stores keep their models.
enum Compressed {
    static func raw(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count + 1024)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                deflate(&stream, Z_FINISH)
                return output.count - Int(stream.avail_out)
            }
        }
        return Array(output[..<count])
    }
}
