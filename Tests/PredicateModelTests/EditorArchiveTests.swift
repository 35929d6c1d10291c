import Foundation
import PredicateModel
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Models of Xcode before 4.3, whose `elements` file archives the objects of the editor.
@Suite struct EditorArchiveTests {
    /// Writes archives of the editor.
    private struct Editor {
        var archive = ArchiveWriter()

        /// An object with a bucket of stereotypes that have these settings.
        mutating func fields(
            _ name: String, _ settings: [(String, ListValue)], _ more: [(String, ListValue)] = []
        ) -> [(String, ListValue)] {
            let properties = settings.map { setting in
                let name = archive.string(setting.0)
                let property = archive.object("XDUMLPropertyImp", [("_name", name), ("_default", setting.1)])
                return (setting.0, property)
            }
            let bucket = archive.dictionary(properties)
            let title = archive.string("XD_PStereotype")
            let stereotype = archive.object(
                "XDUMLStereotypeImp", [("_name", title), ("XDBucketForOwnedAttributesstorage", bucket)])
            let stereotypes = archive.dictionary([("XD_PStereotype", stereotype)])
            return [("_name", archive.string(name)), ("XDBucketForStereotypesstorage", stereotypes)] + more
        }

        mutating func attribute(_ name: String, _ type: Int, _ settings: [(String, ListValue)] = []) -> ListValue {
            let all = [("XD_PAttK_attributeType", .integer(type)), ("XD_PPSK_isOptional", .bool(true))] + settings
            return archive.object("XDPMAttribute", fields(name, all))
        }

        mutating func text(_ text: String) -> ListValue { archive.string(text) }
    }

    /// A shelf with many books; a comic is a book.
    private static func library() -> [UInt8] {
        var editor = Editor()
        let (shelf, book, comic) = (editor.archive.reserve(), editor.archive.reserve(), editor.archive.reserve())
        let (books, home) = (editor.archive.reserve(), editor.archive.reserve())
        editor.archive.fill(
            books, "XDPMRelationship",
            editor.fields(
                "books",
                [
                    ("XD_PRK_destination", .uid(book)), ("XD_PRK_inverseRelationship", .uid(home)),
                    ("XD_PRK_maxCount", .integer(0)), ("XD_PRK_minCount", .integer(0)),
                    ("XD_PRK_deleteRule", .integer(2)), ("XD_PPSK_isOptional", .bool(true)),
                    ("XD_PRK_ordered", .bool(true)),
                ], [("_owner", .uid(shelf))]))
        editor.archive.fill(
            home, "XDPMRelationship",
            editor.fields(
                "shelf",
                [
                    ("XD_PRK_destination", .uid(shelf)), ("XD_PRK_inverseRelationship", .uid(books)),
                    ("XD_PRK_maxCount", .integer(1)), ("XD_PRK_deleteRule", .integer(1)),
                ], [("_owner", .uid(book))]))
        let title = editor.attribute(
            "title", 700,
            [
                ("XD_PAttK_maxValueString", editor.text("30")), ("XD_PAttK_defaultValueAsString", editor.text("?")),
                ("XD_PPSK_elementID", editor.text("name")), ("XD_PPSK_isIndexed", .bool(true)),
            ])
        let year = editor.attribute("year", 100, [("XD_PAttK_minValueString", editor.text("1450"))])
        let request = editor.archive.object(
            "XDPMFetchRequest",
            [
                ("_name", editor.text("old")), ("_entity", .uid(book)),
                ("_predicateString", editor.text("year < $YEAR")), ("_fetchedProperty", .uid(0)),
            ])
        let key = editor.archive.dictionary([("title", title), ("year", year), ("shelf", .uid(home))])
        let requests = editor.archive.array([request])
        let info = editor.archive.dictionary([("note", editor.text("of paper"))])
        editor.archive.fill(
            book, "XDPMEntity",
            editor.fields(
                "Book",
                [
                    ("XD_PSK_entityClassName", editor.text("LibraryBook")), ("XD_PSK_fetchRequestsArray", requests),
                    ("XD_PSK_userInfo", info),
                ], [("XDBucketForOwnedAttributesstorage", key)]))
        let shelves = editor.archive.dictionary([("books", .uid(books))])
        editor.archive.fill(
            shelf, "XDPMEntity",
            editor.fields(
                "Shelf", [("XD_PSK_entityClassName", editor.text("NSManagedObject"))],
                [("XDBucketForOwnedAttributesstorage", shelves)]))
        let above = editor.archive.object(
            "XDUMLGeneralizationImp", [("_general", .uid(book)), ("_specific", .uid(comic))])
        let generalizations = editor.archive.array([above])
        editor.archive.fill(
            comic, "XDPMEntity",
            editor.fields(
                "Comic", [("XD_PSK_isAbstract", .bool(true))],
                [("XDBucketForGeneralizationsstorage", generalizations)]))
        let classes = editor.archive.dictionary([("Shelf", .uid(shelf)), ("Book", .uid(book)), ("Comic", .uid(comic))])
        let package = editor.archive.object("XDModelPackage", [("XDBucketForClassesstorage", classes)])
        let model = editor.archive.object(
            "XDPMModel", [("_xd_rootPackage", package), ("_modelVersionIdentifier", editor.text("1.1"))])
        return editor.archive.bytes(root: model)
    }

    private static func withModel(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "old-\(UUID().uuidString).xcdatamodel")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: folder.appendingPathComponent("elements"))
        try Data().write(to: folder.appendingPathComponent("layout"))
        try body(folder.path)
    }

    @Test func theEditorsArchiveIsRead() throws {
        let expected = ManagedObjectModel(
            [
                EntityDescription(
                    "Book", managedObjectClassName: "LibraryBook",
                    attributes: [
                        AttributeDescription(
                            "title", .string, defaultValue: "?", maximumLength: 30, isIndexed: true,
                            renamingIdentifier: "name"),
                        AttributeDescription("year", .integer16, minimumValue: 1450),
                    ],
                    relationships: [.toOne("shelf", "Shelf", inverse: "books", isOptional: false)],
                    userInfo: ["note": "of paper"]),
                EntityDescription("Comic", superentity: "Book", isAbstract: true),
                EntityDescription(
                    "Shelf",
                    relationships: [
                        .toMany("books", "Book", inverse: "shelf", deleteRule: .cascade, isOrdered: true)
                    ]),
            ], fetchRequestTemplates: [FetchRequestTemplate("old", entity: "Book", predicate: "year < $YEAR")],
            versionIdentifiers: ["1.1"])
        try Self.withModel(Self.library()) { path in
            let model = try ManagedObjectModel(path: path)
            #expect(model == expected)
            #expect(model.check() == expected.check())
        }
    }

    /// Damaged archives throw, or give another model; they never trap.
    @Test func damagedArchivesThrow() throws {
        let bytes = Self.library()
        var generator = SystemRandomNumberGenerator()
        for position in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 400)) {
            var damaged = bytes
            damaged[position] = UInt8.random(in: 0...255, using: &generator)
            try Self.withModel(damaged) { path in _ = try? ManagedObjectModel(path: path).check() }
        }
        var limits = ModelLimits.standard
        limits.objects = 20
        try Self.withModel(bytes) { path in
            let error = ModelError.thrown { () throws(ModelError) in try ManagedObjectModel(path: path, limits: limits)
            }
            guard case .exceeds? = error?.code else { return #expect(Bool(false), "\(String(describing: error))") }
        }
    }
}
