import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Exports as JSON, CSV and SQL, with awkward values.
@Suite struct ExportFormatTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    static let model = ManagedObjectModel(
        [
            EntityDescription(
                "Odd",
                attributes: [
                    AttributeDescription("text", .string), AttributeDescription("number", .double),
                    AttributeDescription("price", .decimal), AttributeDescription("date", .date),
                    AttributeDescription("data", .binaryData), AttributeDescription("id", .uuid),
                    AttributeDescription("flag", .boolean), AttributeDescription("count", .integer64),
                    AttributeDescription("tint", .transformable), AttributeDescription("link", .uri),
                    AttributeDescription("place", .composite, compositeName: "Place"),
                ],
                relationships: [
                    .toOne("next", "Odd", inverse: "previous"), .toMany("previous", "Odd", inverse: "next"),
                ])
        ],
        composites: [
            CompositeDescription(
                "Place", attributes: [AttributeDescription("x", .double), AttributeDescription("name", .string)])
        ])

    static let texts = ["a\r\nb", "n\0l", "e\u{301}", "\"'`", "\\N\\.\t", "", "😀", "NULL", "a,b;c", "\u{1A}\u{7F}"]
    static let numbers = [
        -0.0, Double.leastNonzeroMagnitude, .infinity, -.infinity, 1e300, 0.1, 1e-7, 12_345.678, -1, 2,
    ]

    /// A store with one object for each awkward value, each linked to the next.
    private func awkwardStore(_ name: String = "odd.sqlite") throws -> CoreDataStore {
        let store = try CoreDataStore.create(folder[name], model: Self.model)
        let dates: [Double] = [-63_113_904_000, 252_455_616_000, 0.125, 1e15, -0.001, 0, 1, 2, 3, 790_000_000.123456]
        var last: SQLObjectID?
        for index in Self.texts.indices {
            last = try store.insert(
                "Odd",
                [
                    "text": Self.texts[index], "number": Self.numbers[index], "price": Self.numbers[index],
                    "date": Date(timeIntervalSinceReferenceDate: dates[index]),
                    "data": Data([0, 255, 10, 92].prefix(index % 5)), "flag": index % 2 == 0,
                    "id": UUID(uuidString: "137DECC8-0000-4000-8000-00000000000\(index)"), "count": Int64.min,
                    "link": URL(string: "https://example.org/\(index)"), "place.x": 1.5, "place.name": "p\(index)",
                    "next": last,
                ])
        }
        return store
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder[name])), as: UTF8.self)
    }

    // MARK: - JSON

    @Test func objectsAreLinesOfJSON() throws {
        let store = try Fixtures.libraryStore(folder["a.sqlite"])
        #expect(try store.export(to: folder["a.jsonl"], as: .jsonLines).count == 7)
        let lines = try text("a.jsonl").split(separator: "\n")
        let base = "x-coredata://\(store.uuid)"
        #expect(
            lines[0] == """
                {"@entity":"Book","@id":"\(base)/Book/p1","title":"One","added":"2001-01-01T00:00:00.125Z",\
                "uuid":"137DECC8-0000-4000-8000-0000000000FF","pages":100,"note":"book","cover":"AAECAA==",\
                "shelf":"\(base)/Shelf/p1","sequel":"\(base)/Book/p2","prequel":null,\
                "tags":["\(base)/Tag/p3","\(base)/Tag/p1"]}
                """)
        #expect(lines.contains { $0.contains("\"latest\":\"\(base)/Film/p3\",\"items\":[") })
        #expect(lines.contains { $0.contains("\"lent\":[\"\(base)/Book/p2\",\"\(base)/Film/p3\"]") })
    }

    /// Foundation reads the same values.
    @Test func jsonIsReadByOthers() throws {
        let store = try awkwardStore()
        try store.update("Odd", ["number": 0.5], where: FormatPredicate("text != 'NULL' AND number > 1e301"))
        try store.update("Odd", ["number": 0.5], where: FormatPredicate("number < -1e301"))
        try store.update("Odd", ["price": nil], where: FormatPredicate("price > 1e301 OR price < -1e301"))
        try store.export(to: folder["odd.json"], as: .json)
        let list = try JSONSerialization.jsonObject(
            with: try Data(contentsOf: URL(fileURLWithPath: folder["odd.json"])))
        let objects = try #require(list as? [[String: Any]])
        #expect(objects.map { $0["text"] as? String } == Self.texts)
        #expect(objects.allSatisfy { ($0["place"] as? [String: Any])?["x"] as? Double == 1.5 })
        #expect(objects[0]["date"] as? String == "0001-01-01T00:00:00Z")
        #expect(objects[1]["date"] as? String == "2001-01-01T00:00:00Z+252455616000.0s")
        #expect(objects[3]["date"] as? String == "2001-01-01T00:00:00Z+1000000000000000.0s")
        #expect(objects.map { $0["count"] as? Int64 } == Self.texts.map { _ in Int64.min })
        #expect((objects[3]["data"] as? String).flatMap { Data(base64Encoded: $0) } == Data([0, 255, 10]))
        #expect((objects[1]["previous"] as? [String])?.count == 1)
    }

    // MARK: - SQL

    /// A script for SQLite makes the file that an export to SQLite makes.
    @Test func scriptsOfSQLiteAreExact() throws {
        let store = try awkwardStore()
        try store.export(to: folder["odd.sql"], as: .sql(.sqlite))
        try store.export(to: folder["plain.sqlite"])
        let script = try text("odd.sql")
        #expect(!script.utf8.contains(0) && !script.utf8.contains(13))
        try StoreConnection(folder["script.sqlite"], SQLiteOptions(.create)).execute(script)
        let query = SQLFragment("SELECT *, typeof(number), hex(text) FROM Odd ORDER BY Z_PK")
        let rows = try StoreConnection(folder["script.sqlite"]).rows(of: query).all()
        let plain = try StoreConnection(folder["plain.sqlite"]).rows(of: query).all()
        #expect(rows == plain)
        #expect(rows.count == Self.texts.count)
        let texts = try StoreConnection(folder["script.sqlite"]).rows(of: SQLFragment("SELECT text FROM Odd")).all()
        #expect(texts.map { $0[0] } == Self.texts.map(SQLBinding.text))
    }

    @Test func scriptsOfPostgreSQLCopyRows() throws {
        let report = try awkwardStore().export(to: folder["odd.sql"], as: .sql(.postgresql))
        let script = try text("odd.sql")
        #expect(script.hasPrefix("BEGIN;\nSET LOCAL client_encoding = 'UTF8';\nCREATE TABLE \"Odd\" (\n"))
        #expect(script.contains("\nCOPY \"Odd\" (\"Z_PK\", \"text\", "))
        #expect(script.contains("\n1\ta\\r\\nb\t0.0\t0\t0001-01-01 00:00:00.000000+00\t\\\\x\t"))
        #expect(script.contains("\n5\t\\\\N\\\\.\\t\t"))
        #expect(script.contains("\tInfinity\t\\N\t") && script.hasSuffix("COMMIT;\n"))
        #expect(
            report.notes == [
                "1 value of Odd.date is NULL, because postgresql cannot hold it",
                "2 values of Odd.price are NULL, because postgresql cannot hold them",
                "1 value of Odd.text has U+FFFD for U+0000, which postgresql cannot hold",
            ])
    }

    @Test func scriptsOfMariaDBEscapeStrings() throws {
        try awkwardStore().export(to: folder["odd.sql"], as: .sql(.mariadb))
        let script = try text("odd.sql")
        #expect(script.contains("(1, 'a\\r\\nb', 0.0e0, 0, '0001-01-01 00:00:00.000000', X'', "))
        #expect(script.contains("'n\\0l'") && script.contains("'\\\\N\\\\.\t'") && script.contains("'\\Z\u{7F}'"))
        #expect(script.contains("\"\\'`"))
        #expect(script.contains("ALTER TABLE `Odd` ADD FOREIGN KEY (`next`) REFERENCES `Odd` (`Z_PK`);"))
    }

    /// A link to an object that does not exist is written, but is no foreign key.
    @Test func danglingLinksAreNoForeignKeys() throws {
        _ = try awkwardStore()
        try StoreConnection(folder["odd.sqlite"], SQLiteOptions(.readWrite)).execute(
            "UPDATE ZODD SET ZNEXT = 99 WHERE Z_PK = 2")
        let report = try CoreDataStore(folder["odd.sqlite"]).export(to: folder["odd.sql"], as: .sql(.postgresql))
        #expect(report.notes.contains("Odd.next is not a foreign key: some of its objects do not exist"))
        #expect(try !text("odd.sql").contains("FOREIGN KEY"))
    }

    // MARK: - CSV

    @Test func tablesAreFilesOfCSV() throws {
        let store = try Fixtures.libraryStore(folder["a.sqlite"])
        try store.export(to: folder["csv"], as: .csv)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder["csv"]).sorted()
        #expect(
            names == [
                "Book.csv", "Film.csv", "Item_tags.csv", "Shelf.csv", "Shelf_lent.csv", "Tag.csv", "Tag_kin.csv",
            ])
        let base = "x-coredata://\(store.uuid)"
        #expect(
            try text("csv/Item_tags.csv") == """
                Item,tags,position
                \(base)/Book/p1,\(base)/Tag/p3,1024
                \(base)/Book/p1,\(base)/Tag/p1,2048
                \(base)/Book/p2,\(base)/Tag/p2,1024

                """)
        #expect(try text("csv/Film.csv").contains("\"Ciné\u{301}\",,,"))
        let several = CoreDataError.thrown { try store.export(to: folder["a.csv"], as: .csv) }
        #expect(several?.hints.first?.contains("folder") == true)
        try store.export(to: folder["a.csv"], as: .csv, .init(entities: ["Tag"]))
        #expect(try text("a.csv").hasPrefix("@id,word,link\n\(base)/Tag/p1,\"red\","))
        #expect(!folder.names.contains { $0.contains(".migrating") })
    }

    // MARK: - Selection

    @Test func aPredicateSelectsObjects() throws {
        let store = try Fixtures.libraryStore(folder["a.sqlite"])
        let options = ExportOptions(entities: ["Item"], predicate: try FormatPredicate("shelf != nil"))
        #expect(try store.export(to: folder["a.jsonl"], as: .jsonLines, options).count == 2)
        #expect(try text("a.jsonl").contains("\"shelf\":\"x-coredata://"))
        #expect(try text("a.jsonl").contains("/Tag/p2\"]}"))
        try store.export(to: folder["b.sqlite"], options)
        let books = try StoreConnection(folder["b.sqlite"]).rows(of: SQLFragment("SELECT title, shelf FROM Book"))
            .all()
        #expect(books.count == 2)
    }

    // MARK: - Archives

    @Test func archivesAreJSONWithTheirBytes() throws {
        let store = try CoreDataStore.create(folder["odd.sqlite"], model: Self.model)
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["a": [1, "b"]] as [String: Any], format: .binary, options: 0)
        try store.insert("Odd", ["tint": list])
        try store.insert("Odd", ["tint": Data([1, 2, 3])])
        try store.export(to: folder["a.jsonl"], as: .jsonLines)
        let lines = try text("a.jsonl").split(separator: "\n")
        #expect(lines[0].contains("\"tint\":{\"a\":[1,\"b\"]},\"tint@data\":\"\(list.base64EncodedString())\""))
        #expect(lines[1].contains("\"tint\":\"AQID\"") && !lines[1].contains("@data"))
        try store.export(to: folder["plain.sqlite"])
        let rows = try StoreConnection(folder["plain.sqlite"]).rows(
            of: SQLFragment("SELECT tint, \"tint@data\" FROM Odd")
        ).all()
        #expect(rows == [[.text("{\"a\":[1,\"b\"]}"), .blob(list)], [.null, .blob(Data([1, 2, 3]))]])
    }

    // MARK: - History

    /// Newer stores keep the strings of transactions in a table of their own.
    @Test func theHistoryIsATimeline() throws {
        _ = try Fixtures.libraryStore(folder["a.sqlite"])
        try StoreConnection(folder["a.sqlite"], SQLiteOptions(.readWrite)).execute(
            """
            CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR);
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZTIMESTAMP TIMESTAMP, ZAUTHORTS INTEGER,
                ZCONTEXTNAMETS INTEGER, ZBUNDLEID VARCHAR);
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER,
                ZTRANSACTIONID INTEGER);
            INSERT INTO ATRANSACTIONSTRING VALUES (1, 'Ann'), (2, 'main');
            INSERT INTO ATRANSACTION VALUES (1, 60, 1, 2, 'org.example'), (2, 0.5, NULL, 2, 'org.example');
            INSERT INTO ACHANGE SELECT 1, 1, Z_ENT, 7, 1 FROM Z_PRIMARYKEY WHERE Z_NAME = 'Shelf';
            INSERT INTO ACHANGE SELECT 2, 0, Z_ENT, 1, 2 FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book';
            """)
        let store = try CoreDataStore(folder["a.sqlite"])
        try store.export(to: folder["plain.sqlite"])
        let rows = try StoreConnection(folder["plain.sqlite"]).rows(of: SQLFragment("SELECT * FROM history")).all()
        #expect(
            rows == [
                [
                    .text("2001-01-01T00:00:00.5Z"), .text("insert"), .text("Book"), .integer(1), .integer(2), .null,
                    .text("main"), .text("org.example"),
                ],
                [
                    .text("2001-01-01T00:01:00Z"), .text("update"), .text("Shelf"), .integer(7), .integer(1),
                    .text("Ann"), .text("main"), .text("org.example"),
                ],
            ])
        try store.export(to: folder["a.jsonl"], as: .jsonLines)
        #expect(
            try text("a.jsonl").hasSuffix(
                """
                {"@date":"2001-01-01T00:01:00Z","@change":"update","@object":"x-coredata://\(store.uuid)/Shelf/p7",\
                "@transaction":1,"@author":"Ann","@context":"main","@bundle":"org.example"}

                """))
        try store.export(to: folder["b.jsonl"], as: .jsonLines, .init(anonymizes: true))
        let anonymous = try text("b.jsonl")
        #expect(anonymous.contains("\"@author\":null") && !anonymous.contains("org.example"))
    }

    // MARK: - Anonymized

    @Test func personsAreNotInAnAnonymizedExport() throws {
        let store = try Fixtures.libraryStore(folder["a.sqlite"])
        try store.update(
            "Book", ["pages": 123_456, "title": "Katharina Schmidt"], where: FormatPredicate("title == 'One'"))
        try store.update("Tag", ["word": "crimson red"], where: FormatPredicate("word == 'red'"))
        try store.export(to: folder["a.jsonl"], as: .jsonLines, .init(anonymizes: true))
        let anonymous = try text("a.jsonl")
        for word in [
            "Katharina", "Schmidt", "crimson", "example", "137DECC8", "AAECAA", "2001-01-01", store.uuid, "123456",
        ] {
            #expect(!anonymous.contains(word), "\(word)")
        }
        #expect(anonymous.contains("\"link\":\"https://") && anonymous.contains("\"pages\":7"))
        #expect(anonymous.split(separator: "\n").count == 7)
    }
}
