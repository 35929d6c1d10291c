import Foundation
import PredicateAgreement
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Values and relationships of XML stores: round trips, conversion, agreement with SQLite, and damage.
@Suite struct XMLStoreValueTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder["a.xml"]
    }

    private func object(_ id: SQLObjectID, in store: CoreDataStore) throws -> StoredObject? {
        try store.objects.fetchOne(id.entity, where: FormatPredicate("SELF == %@", id))
    }

    private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// An entity with an attribute of every type.
    private static let every: ManagedObjectModel = {
        let types: [(String, AttributeType)] = [
            ("s", .string), ("i16", .integer16), ("i32", .integer32), ("i64", .integer64), ("dec", .decimal),
            ("dbl", .double), ("flt", .float), ("flag", .boolean), ("date", .date), ("bytes", .binaryData),
            ("uuid", .uuid), ("uri", .uri), ("any", .transformable),
        ]
        var model = ManagedObjectModel([
            EntityDescription("Every", attributes: types.map { AttributeDescription($0.0, $0.1) })
        ])
        model["Every"]?.attributes.append(
            AttributeDescription("big", .binaryData, allowsExternalBinaryDataStorage: true))
        return model
    }()

    /// [NSP-452]
    @Test func awkwardStringsSurvive() throws {
        let strings = [
            "", " ", "\n", "\r", "\r\n", "\t a \t", "a\u{0}b", "\u{1}\u{1F}\u{7F}\u{85}", "<&>\"'", "]]>", "<![CDATA[",
            "\\u3c00", "\\", "\\u", "\\u12", "\\uZZZZ", "\\\\u3c00", "e\u{301}", "é", "\u{1F468}\u{200D}\u{1F469}",
            "\u{FFFE}\u{FFFF}", "\u{10FFFF}", "\u{FEFF}a", "&lt;", "&#13;", String(repeating: "x", count: 100_000),
        ]
        let store = try CoreDataStore.create(path, model: Self.every)
        try store.insert("Every", rows: strings.map { ["s": $0, "uri": $0] })
        let again = try CoreDataStore(path)
        for key in ["s", "uri"] {
            let read = try again.objects.fetchAll("Every").sorted { "\($0.id.key)" < "\($1.id.key)" }
            let found = read.map { object -> [UInt8] in
                guard case .string(let string)? = object[key] else { return [0, 0, 0] }
                return Array(string.utf8)
            }
            #expect(found == strings.map { Array($0.utf8) }, "\(key)")
        }
        // What XML cannot contain is not in the file.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 })
        #expect(try text().contains("a\\u0000b") && text().contains("\\u5c00u3c00"))
    }

    /// [NSP-452]
    @Test func awkwardNumbersDatesAndDataSurvive() throws {
        let doubles: [Double] = [
            0, -0.0, 0.1, 1e300, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, 1 / 3,
            9_007_199_254_740_994,
        ]
        let store = try CoreDataStore.create(path, model: Self.every)
        for (index, double) in doubles.enumerated() {
            try store.insert(
                "Every",
                [
                    "dbl": double, "flt": double, "dec": double, "i64": [Int64.min, .max, 0][index % 3],
                    "i16": index - 5, "flag": index % 2 == 0, "uuid": UUID(),
                    "date": abs(double) < 1e12 ? Date(timeIntervalSinceReferenceDate: double) : nil,
                    "bytes": Data((0..<index * 31).map { UInt8(truncatingIfNeeded: $0 &* 7) }),
                    "any": Data([0, 255, 128]), "big": Data([2, 1, 0]),
                ])
        }
        let again = try CoreDataStore(path)
        for object in try store.objects.fetchAll("Every") {
            let other = try #require(try self.object(object.id, in: again))
            for key in object.allKeys { #expect(other[key] == object[key], "\(key) of \(object.id.key)") }
        }
        #expect(try again.objects.fetchAll("Every").allSatisfy { $0["big"] == .data(Data([2, 1, 0])) })
        #expect(try text().contains("<attribute name=\"big\" type=\"binary\">AgEA</attribute>"))
    }

    /// Numbers are written as they were read, also by a change of something else. [NSP-452]
    @Test func textsOfUnchangedNumbersAreKept() throws {
        let attributes = [
            ("dec", "decimal", "99999999999999999999999999999999999999"), ("dec", "decimal", "0.10"),
            ("dbl", "double", "1.50000000"), ("dbl", "double", "nan"), ("flt", "float", "3.1415927"),
            ("date", "date", "0"), ("i64", "int64", "9223372036854775807"),
        ]
        let objects = attributes.enumerated().map { index, attribute in
            """
                <object type="EVERY" id="z\(200 + index)">
                    <attribute name="\(attribute.0)" type="\(attribute.1)">\(attribute.2)</attribute>
                </object>

            """
        }
        try ("<database>\n" + objects.joined() + "</database>\n").write(toFile: path, atomically: true, encoding: .utf8)
        let copy = folder["b.xml"]
        let store = try CoreDataStore.copy(path, to: copy, models: [Self.every])
        try store.insert("Every", ["s": "new"])
        for object in objects { #expect(try String(contentsOfFile: copy, encoding: .utf8).contains(object)) }
        // Also through an inferred migration under another name.
        var renamed = Self.every
        let index = try #require(renamed["Every"]?.attributes.firstIndex { $0.name == "dec" })
        renamed["Every"]?.attributes[index].name = "amount"
        renamed["Every"]?.attributes[index].renamingIdentifier = "dec"
        _ = try StoreMigration(of: copy, to: renamed).run(into: folder["c.xml"])
        let migrated = try String(contentsOfFile: folder["c.xml"], encoding: .utf8)
        #expect(migrated.contains("<attribute name=\"amount\" type=\"decimal\">\(attributes[0].2)</attribute>"))
        #expect(migrated.contains(">0.10<") && migrated.contains(">nan<"))
        // A changed value is not.
        try store.update("Every", ["dec": 0.25], where: FormatPredicate("dec == 0.1"))
        #expect(try !String(contentsOfFile: copy, encoding: .utf8).contains(">0.10<"))
        #expect(try String(contentsOfFile: copy, encoding: .utf8).contains(">0.25<"))
    }

    /// [NSP-452]
    @Test func decimalsKeepTheirDigits() throws {
        let digits = "12345678901234567890.123456789012345678"
        let store = try CoreDataStore.create(path, model: Self.every)
        let first = try store.insert("Every", ["dec": Decimal(string: digits)])
        #expect(try text().contains(">\(digits)<"))
        try store.update(first, ["dec": Decimal(string: "0.30000000000000000001")])
        #expect(try text().contains(">0.30000000000000000001<"))
        try store.update("Every", ["dec": Decimal(string: digits)], where: FormatPredicate("dec < 1"))
        #expect(try text().contains(">\(digits)<"))
        try store.update(first, ["dec": 0.5])
        #expect(try text().contains(">0.5<"))
    }

    // MARK: - Conversion

    /// The objects of a library with all values and the titles of related objects.
    private func lines(_ store: CoreDataStore) throws -> [String] {
        var lines: [String] = []
        for entity in store.model.entitiesInPreorder where entity.superentityName == nil {
            for object in try store.objects.fetchAll(entity.name) {
                let own = try store.uri(of: object.id).entity
                let full = try self.object(SQLObjectID(own, key: object.id.key), in: store)
                var parts = [own]
                for attribute in store.model.storedAttributes(of: own) {
                    parts.append("\(attribute.name)=\(full?[attribute.name] ?? .null)")
                }
                for relationship in store.model.relationships(of: own).sorted(by: { $0.name < $1.name }) {
                    var names = try full?.related(relationship.name).map(Self.name) ?? []
                    if !relationship.isOrdered { names.sort() }
                    parts.append("\(relationship.name)=\(names)")
                }
                lines.append(parts.joined(separator: " "))
            }
        }
        return lines.sorted()
    }

    private static func name(_ object: StoredObject) -> String {
        for key in ["title", "word", "name"] where object.allKeys.contains(key) { return "\(object[key] ?? .null)" }
        return "?"
    }

    /// [NSP-453] [NSP-456]
    @Test func aStoreIsConvertedAndBack() throws {
        let first = try Fixtures.libraryStore(folder["a.sqlite"])
        let xml = try StoreMigration(of: folder["a.sqlite"], to: Fixtures.library).run(into: path, type: .xml)
        #expect(xml.type == .xml && first.type == .sqlite)
        #expect(try lines(xml) == lines(first))
        #expect(xml.uuid == first.uuid)
        let back = try StoreMigration(of: path, to: Fixtures.library).run(into: folder["b.sqlite"], type: .sqlite)
        #expect(back.type == .sqlite)
        #expect(try lines(back) == lines(first))
        // Another XML store has the same objects with the same IDs.
        let again = try StoreMigration(of: path, to: Fixtures.library).run(into: folder["b.xml"])
        #expect(again.type == .xml)
        func objects(_ path: String) throws -> Substring {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            return text[(try #require(text.range(of: "<object"))).lowerBound...]
        }
        #expect(try objects(path) == objects(folder["b.xml"]))
        #expect(try xml.export(to: folder["plain.sqlite"]).count == 7)
        #expect(!folder.names.contains { $0.contains(".migrating") })
    }

    /// [NSP-456]
    @Test func anXMLStoreIsMigrated() throws {
        _ = try Fixtures.libraryStore(folder["a.sqlite"])
        _ = try StoreMigration(of: folder["a.sqlite"], to: Fixtures.library).run(into: path, type: .xml)
        let before = try text()
        var second = Fixtures.library
        second["Item"]?.attributes.append(AttributeDescription("rating", .integer16, defaultValue: 3))
        let inferred = try StoreMigration(of: path, to: second).run(into: folder["b.xml"])
        #expect(try inferred.objects.fetchCount(PredicateFetchRequest("Item", FormatPredicate("rating == 3"))) == 3)
        let mapping = MappingModel([
            EntityMapping(
                "BookToBook", source: "Book", destination: "Book",
                attributeMappings: ["title", "cover"].map { PropertyMapping($0) })
        ])
        let mapped = try StoreMigration(of: path, to: second, mapping: mapping).run(into: folder["c.xml"])
        #expect(try mapped.objects.fetchCount(PredicateFetchRequest("Book", FormatPredicate("cover != nil"))) == 1)
        #expect(try text() == before)
        #expect(throws: CoreDataError(.fileExists(path))) {
            try StoreMigration(of: folder["a.sqlite"], to: second).run(into: path, type: .xml)
        }
        #expect(!folder.names.contains { $0.contains(".migrating") })
    }

    /// Random predicates select the same objects of an XML store and of the SQLite store that it was made from.
    /// [NSP-450]
    @Test func randomPredicatesSelectTheSameObjects() throws {
        let sqlite = try Fixtures.libraryStore(folder["a.sqlite"])
        try fill(sqlite)
        let xml = try StoreMigration(of: folder["a.sqlite"], to: Fixtures.library).run(into: path, type: .xml)
        var judged = 0
        for entity in ["Item", "Book", "Film", "Shelf", "Tag"] {
            let world = AgreementWorld(schema: sqlite.schema, rows: [:], pairs: [:])
            var generator = PredicateGenerator(seed: UInt64(entity.count), world: world)
            for _ in 0..<300 {
                let predicate = FormatPredicate(generator.predicate(about: entity))
                let one = Result { try marks(sqlite, entity, predicate) }
                let other = Result { try marks(xml, entity, predicate) }
                switch (one, other) {
                case (.success(let one), .success(let other)):
                    judged += 1
                    #expect(one == other, "\(predicate)")
                case (.failure(let one), .failure(let other)): #expect("\(one)" == "\(other)", "\(predicate)")
                case (.success, .failure), (.failure, .success): Issue.record("\(predicate)")
                }
            }
        }
        #expect(judged > 500)
    }

    private func fill(_ store: CoreDataStore) throws {
        for number in 0..<60 {
            let shelf = try store.insert("Shelf", ["name": "s\(number)"])
            let tag = try store.insert("Tag", ["word": number % 3 == 0 ? nil : "word \(number % 7)"])
            try store.insert(
                number % 2 == 0 ? "Book" : "Film",
                [
                    "title": "T\(number)", "added": Date(timeIntervalSinceReferenceDate: Double(number) * 1.5),
                    "note": number % 4 == 0 ? nil : "n\(number % 5)", "shelf": number % 3 == 0 ? nil : shelf,
                    "tags": [tag],
                ])
        }
    }

    /// What tells the selected objects from others in both stores.
    private func marks(_ store: CoreDataStore, _ entity: String, _ predicate: FormatPredicate) throws -> [String] {
        try store.objects.fetchAll(entity, where: predicate).map { object in
            ["title", "name", "word", "added"].map { "\(object.allKeys.contains($0) ? object[$0] ?? .null : .null)" }
                .joined(separator: "|")
        }.sorted()
    }

    // MARK: - Damage

    private static let damages: [(old: String, new: String, words: String)] = [
        ("id=\"z109\"", "id=\"z103\"", "has the ID z103"), ("id=\"z109\"", "id=\"\"", "is not the ID of an object"),
        ("id=\"z109\"", "id=\"z9999999999999999999\"", "is not the ID of an object"),
        (">-7<", ">seven<", "'seven' is not a value of ToDo.rank"),
        ("AAEC\n", "A%EC\n", "is not a value of ToDo.photo"),
        ("274201500.83986997604370117188", "today", "is not a value of ToDo.dueDate"),
        ("idrefs=\"z106 z104\"", "idrefs=\"z106 z104 z999\"", "List.toDos of z102 contains z999"),
        ("idrefs=\"z106 z104\"", "idrefs=\"z106 z103\"", "List.toDos of z102 contains z103"),
        (
            "destination=\"LIST\" idrefs=\"z102\"", "destination=\"LIST\" idrefs=\"z102 z104\"",
            "ToDo.list has more than one value"
        ),
        ("\"rank\" type=\"int16\"", "\"isdone\" type=\"bool\"", "is not a value of ToDo.isDone"),
        ("</database>", "", "<database> is not closed"),
        ("<object type=\"TAG\" id=\"z103\">", "<thing>", "invalid XML"),
        ("<database>", "<database><thing/>", "expected <object>, found <thing>"),
        ("file:///System/Library/DTDs/CoreData.dtd\">", "CoreData.dtd\" [<!ENTITY a \"b\">]>", "declares entities"),
        ("<attribute name=\"word\"", "<attribute", "<attribute> has no attribute name"),
        ("<integer>641</integer>", "<integer>x</integer>", "expected an integer"),
    ]

    /// [NSP-450] [NSP-453]
    @Test(arguments: 0..<16)
    func damageIsNamed(_ index: Int) throws {
        let damage = Self.damages[index]
        let text = XMLStoreTests.document
        let range = try #require(text.range(of: damage.old))
        try text.replacingCharacters(in: range, with: damage.new).write(toFile: path, atomically: true, encoding: .utf8)
        let error = try #require(CoreDataError.thrown { try CoreDataStore(path, models: [XMLStoreTests.model]) })
        #expect(error.title.contains(damage.words), "\(error.title)")
    }

    /// A changed document is a store or a typed error; it is never changed by reading.
    @Test func mutatedDocumentsAreReadOrRefused() throws {
        let count = ProcessInfo.processInfo.environment["PREDICATES_XML_MUTANTS"].flatMap(Int.init) ?? 150
        let original = Array(XMLStoreTests.document.utf8)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<count {
            var bytes = original
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    let start = place % original.count
                    bytes.insert(contentsOf: original[start..<min(start + 40, original.count)], at: place)
                default: bytes.removeSubrange(place..<min(place + 30, bytes.count))
                }
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            if let store = try? CoreDataStore(path, models: [XMLStoreTests.model]) {
                for entity in ["ToDo", "List", "Tag"] {
                    for object in try store.objects.fetchAll(entity) {
                        for key in object.allKeys { _ = object.value(forKey: key) }
                    }
                }
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
        }
        #expect(folder.names == ["a.xml"])
    }
}
