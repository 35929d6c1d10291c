import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Stores that are made, read and changed by the names of their model.
@Suite struct StoreTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder["Library.sqlite"]
    }

    private func titles(_ store: CoreDataStore, _ format: String, _ entity: String = "Item") throws -> [String] {
        let request = PredicateFetchRequest(entity, try FormatPredicate(format), sortKeys: [SortKey("title")])
        return try store.objects.fetchAll(request).map { "\($0["title"] ?? .null)" }
    }

    /// [NSP-356]
    @Test("entities have the objects of their subentities") func hierarchies() throws {
        let store = try Fixtures.libraryStore(path)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Item")) == 3)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Book")) == 2)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Film")) == 1)
        #expect(try titles(store, "note == 'book'", "Book").count == 1)
        #expect(try titles(store, "note == 'book'", "Film").isEmpty)
        #expect(try titles(store, "note == 'film'", "Film").count == 1)
    }

    /// [NSP-358]
    /// A binary property list of encoded objects, with references of one byte.
    private static func propertyList(_ objects: [[UInt8]]) -> [UInt8] {
        var list = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(list.count))
            list += object
        }
        let numbers = [objects.count, 0, list.count].map { [UInt8](repeating: 0, count: 7) + [UInt8($0)] }
        return list + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + numbers.joined()
    }

    @Test func valuesComeBackAsTheyWere() throws {
        _ = try Fixtures.libraryStore(path)
        let store = try CoreDataStore(path)
        let one = try #require(try store.objects.fetchOne("Book", where: FormatPredicate("title == 'One'")))
        #expect(one["added"] == .date(Date(timeIntervalSinceReferenceDate: 0.125)))
        #expect(one["uuid"] == UUID(uuidString: "137DECC8-0000-4000-8000-0000000000FF").map(PredicateValue.uuid))
        #expect(one["pages"] == .integer(100))
        #expect(one["cover"] == .data(Data([0, 1, 2, 0])))
        let film = try #require(try store.objects.fetchAll("Film").first)
        #expect(film["price"] == .double(19.99))
        #expect(film["seen"] == .bool(false))
        #expect(film["title"] == .string("Ciné\u{301}"))
        let tag = try #require(try store.objects.fetchOne("Tag", where: FormatPredicate("word == 'red'")))
        #expect(tag["link"] == .string("https://example.org/red"))
    }

    @Test func toManyPathsSelectAsInMemory() throws {
        let store = try Fixtures.libraryStore(path)
        let formats = [
            "ANY tags.word == 'red'", "tags.@count == 1", "shelf.name == 'top'", "NONE tags.word == 'blue'",
            "SUBQUERY(tags, $t, $t.word BEGINSWITH 'g').@count > 0", "shelf == nil", "cover != nil",
        ]
        for format in formats {
            let entity = format.contains("cover") ? "Book" : "Item"
            let predicate = try FormatPredicate(format)
            let found = try store.objects.fetchIDs(PredicateFetchRequest(entity, predicate)).map(\.key)
            let expected = try store.objects.fetchAll(entity).filter { try predicate.evaluate(with: $0) }.map(\.id.key)
            #expect(Set(found) == Set(expected), "\(format)")
        }
        #expect(
            try store.objects.fetchCount(PredicateFetchRequest("Shelf", FormatPredicate("ANY lent.title == 'Two'")))
                == 1)
        #expect(
            try store.objects.fetchCount(
                PredicateFetchRequest("Shelf", FormatPredicate("latest.title BEGINSWITH[cd] 'cine'")))
                == 1)
        #expect(
            try store.objects.fetchCount(PredicateFetchRequest("Tag", FormatPredicate("ANY kin.word == 'red'"))) == 1)
    }

    /// Core Data's SQL compares a single value after ANY. [NSP-106]
    @Test func anyOfASingleValueIsTheComparison() throws {
        let store = try Fixtures.libraryStore(path)
        let formats = [
            "SUBQUERY(items, $i, ANY $i.title BEGINSWITH[c] 'o').@count > 0", "ANY name == 'top'", "ALL latest != nil",
            "NONE name == 'low'", "ANY latest.title BEGINSWITH 'C'",
        ]
        for format in formats {
            let count = try store.objects.fetchCount(PredicateFetchRequest("Shelf", FormatPredicate(format)))
            #expect(count == 1, "\(format)")
        }
    }

    /// Core Data's SQL takes the keys of a dictionary, where memory takes its values. [NSP-087]
    @Test func aDictionaryIsSearchedForAKey() throws {
        let store = try Fixtures.libraryStore(path)
        let words: PredicateValue = ["red": "a", "x": "green"]
        let request = PredicateFetchRequest("Tag", try FormatPredicate("word IN %@", words))
        #expect(try store.objects.fetchAll(request).map { $0["word"] } == ["red"])
    }

    @Test func orderedRelationshipsKeepTheirOrder() throws {
        let store = try Fixtures.libraryStore(path)
        let one = try #require(try store.objects.fetchOne("Book", where: FormatPredicate("title == 'One'")))
        #expect(try one.related("tags").map { $0["word"] } == ["green", "red"])
        #expect(try FormatPredicate("tags[0].word == 'green'").evaluate(with: one))
        let shelf = try #require(try store.objects.fetchAll("Shelf").first)
        #expect(try shelf.related("items").map { $0["title"] } == ["One", "Two"])
        let items = try shelf.related("items")
        try store.update(shelf.id, ["items": [items[1], items[0]]])
        let again = try #require(try store.objects.fetchAll("Shelf").first)
        #expect(try again.related("items").map { $0["title"] } == ["Two", "One"])
    }

    /// [NSP-356]
    @Test("objects of one row are the same under every entity") func identities() throws {
        let store = try Fixtures.libraryStore(path)
        let item = try #require(try store.objects.fetchOne("Item", where: FormatPredicate("title == 'One'")))
        let book = try #require(try store.objects.fetchOne("Book", where: FormatPredicate("title == 'One'")))
        #expect(item == book)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Book", FormatPredicate("SELF == %@", item))) == 1)
        #expect(
            try store.objects.fetchCount(PredicateFetchRequest("Book", FormatPredicate("prequel == %@", item))) == 1)
        let uri = try store.uri(of: item.id)
        #expect(uri.description == "x-coredata://\(store.uuid)/Book/p1")
        #expect(try store.id(of: uri.description) == book.id)
        #expect(throws: CoreDataError(.invalidURI("x-coredata://other/Book/p1"))) {
            try store.id(of: "x-coredata://other/Book/p1")
        }
    }

    /// [NSP-374]
    @Test func bothEndsOfARelationshipAreWritten() throws {
        let store = try Fixtures.libraryStore(path)
        let one = try #require(try store.objects.fetchOne("Book", where: FormatPredicate("title == 'One'")))
        #expect(try one.related("sequel").map { $0["title"] } == ["Two"])
        let three = try store.insert("Book", ["title": "Three", "prequel": one])
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Book", FormatPredicate("prequel == %@", one))) == 1)
        #expect(try titles(store, "sequel.title == 'Three'", "Book") == [PredicateValue("One")].map { "\($0)" })
        try store.update(three, ["prequel": nil])
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Book", FormatPredicate("sequel != nil"))) == 0)
    }

    /// [NSP-374]
    @Test func versionsCountUpAndKeysAreNotUsedAgain() throws {
        let store = try Fixtures.libraryStore(path)
        let report = try store.update(
            "Book", ["pages": 9], where: FormatPredicate("pages < 50"), returning: .primaryKeys)
        #expect(report == .primaryKeys([.integer(2)]))
        let rows = try store.objects.connection.rows(
            of: SQLFragment("SELECT ZPAGES, Z_OPT FROM ZITEM WHERE Z_PK = 2")
        ).all()
        // Inserted, given a sequel's place among the lent ones, updated.
        #expect(rows == [[.integer(9), .integer(3)]])
        try store.delete("Film", where: FormatPredicate("TRUEPREDICATE"))
        let next = try store.insert("Film", ["title": "Next"])
        #expect(next.key == .integer(4))
    }

    /// [NSP-374]
    @Test func deleteRulesApplyToSubentities() throws {
        let store = try Fixtures.libraryStore(path)
        #expect(throws: CoreDataError.self) {
            try store.delete("Tag", where: FormatPredicate("word == 'red'"))
        }
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Tag")) == 3)
        #expect(try store.delete("Shelf", where: FormatPredicate("name == 'top'"), returning: .count) == .count(1))
        #expect(try titles(store, "TRUEPREDICATE").count == 1)
        try store.delete("Tag", where: FormatPredicate("word == 'red'"))
        #expect(
            try store.objects.fetchCount(PredicateFetchRequest("Tag", FormatPredicate("ANY kin.word == 'red'"))) == 0)
    }

    @Test func wrongValuesAreRefused() throws {
        let store = try Fixtures.libraryStore(path)
        let wrong: [(String, ObjectValues)] = [
            ("Book", ["pages": 3]), ("Book", ["title": "x", "pages": 0]), ("Item", ["title": "x"]),
            ("Book", ["title": "x", "pages": "many"]), ("Book", ["title": "x", "colour": 1]),
            ("Book", ["title": String(repeating: "x", count: 41)]), ("Book", ["title": "x", "pages": 1 << 40]),
            ("Book", ["title": "x", "shelf": SQLObjectID("Tag", key: .integer(1))]), ("Shelf", ["name": "top"]),
        ]
        for (entity, values) in wrong {
            #expect(throws: CoreDataError.self, "\(entity) \(values)") { try store.insert(entity, values) }
        }
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Item")) == 3)
    }

    /// [NSP-374]
    @Test func metadataAreWrittenWithTheChangesOrNotAtAll() throws {
        let store = try Fixtures.libraryStore(path)
        #expect(throws: CoreDataError(.abstractEntity("Item"))) {
            try store.transaction { () throws(CoreDataError) in
                try store.setMetadata(true, for: "moved")
                try store.insert("Item", ["title": "x"])
            }
        }
        #expect(store.metadata.values["moved"] == nil)
        try store.setMetadata(7, for: "moved")
        let again = try CoreDataStore(path)
        #expect(again.metadata.values["moved"] == .integer(7))
        #expect(again.metadata.versionIdentifiers == ["1"])
        #expect(again.metadata.systemValues["moved"] == nil)
    }

    @Test("reading leaves no trace") func traces() throws {
        do { _ = try Fixtures.libraryStore(path) }
        let before = RealStores.traces(beside: path)
        let store = try CoreDataStore(path)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Item")) == 3)
        #expect(RealStores.traces(beside: path) == before)
        #expect(throws: CoreDataError(.readOnly)) { try store.insert("Tag", ["word": "x"]) }
    }

    @Test("a log is read and left as it is") func logs() throws {
        let writing = try Fixtures.libraryStore(path)
        // The log of a program that ended, without the file of its locks.
        let copy = folder["Copy.sqlite"]
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
        for name in [path, copy] {
            let before = RealStores.traces(beside: name)
            let store = try CoreDataStore(name)
            #expect(try store.objects.fetchCount(PredicateFetchRequest("Item")) == 3, "\(name)")
            #expect(RealStores.traces(beside: name) == before)
        }
        #expect(try writing.objects.fetchCount(PredicateFetchRequest("Item")) == 3)
    }

    @Test("a log without a valid frame stays beside a store that is migrated") func damagedLog() throws {
        do { _ = try Fixtures.libraryStore(path) }
        let log = URL(fileURLWithPath: path + "-wal")
        try Data(repeating: 7, count: 4152).write(to: log)
        _ = try StoreMigration(of: path, to: try CoreDataStore(path).model).run(into: folder["New.sqlite"])
        #expect(try Data(contentsOf: log) == Data(repeating: 7, count: 4152))
    }

    @Test("a store is changed by who made it, others as a copy") func copies() throws {
        do { _ = try Fixtures.libraryStore(path) }
        let copy = try CoreDataStore.copy(path, to: folder["Copy.sqlite"])
        try copy.delete("Film", where: FormatPredicate("TRUEPREDICATE"))
        #expect(try copy.objects.fetchCount(PredicateFetchRequest("Item")) == 2)
        #expect(try CoreDataStore(path).objects.fetchCount(PredicateFetchRequest("Item")) == 3)
        let connection = try StoreConnection(path, SQLiteOptions(.readWrite))
        try connection.execute("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)")
        #expect(throws: CoreDataError(.notWritable(["the table 'ACHANGE'"]))) {
            try CoreDataStore.copy(path, to: folder["Other.sqlite"])
        }
        #expect(!folder.names.contains("Other.sqlite"))
    }

    @Test("a copy has no name until it is changed") func changedCopies() throws {
        do { _ = try Fixtures.libraryStore(path) }
        let (before, copy) = (folder.names, folder["Copy.sqlite"])
        let count = try CoreDataStore.copy(path, to: copy, models: [], context: .standard) {
            (store) throws(CoreDataError) in
            #expect(!folder.names.contains("Copy.sqlite"))
            try store.delete("Film", where: FormatPredicate(.constant(true)))
            return store.omissions.count
        }
        #expect(count == 0)
        #expect(try CoreDataStore(copy).objects.fetchCount(PredicateFetchRequest("Item")) == 2)
        try FileManager.default.removeItem(atPath: copy)
        #expect(throws: CoreDataError(.readOnly)) {
            try CoreDataStore.copy(path, to: copy, models: [], context: .standard) { (_) throws(CoreDataError) in
                throw CoreDataError(.readOnly)
            }
        }
        #expect(folder.names == before)
    }

    /// The log of an open store is a part of the copy.
    @Test func aCopyHasTheChangesOfAStoreThatIsStillOpen() throws {
        do { _ = try Fixtures.libraryStore(path) }
        let copy = folder["Copy.sqlite"]
        let store = try CoreDataStore.copy(path, to: copy, models: [], context: .standard) {
            (store) throws(CoreDataError) in
            try store.delete("Film", where: FormatPredicate(.constant(true)))
            return store
        }
        #expect(try CoreDataStore(copy).objects.fetchCount(PredicateFetchRequest("Item")) == 2)
        #expect(store.omissions.isEmpty)
    }

    @Test func manyObjectsAreInsertedAtOnce() throws {
        let store = try Fixtures.libraryStore(path)
        let shelf = try #require(try store.objects.fetchAll("Shelf").first)
        let rows: [ObjectValues] = (0..<2_000).map { ["title": "b\($0)", "pages": $0 + 1, "shelf": shelf] }
        #expect(try store.insert("Book", rows: rows, returning: .count) == .count(2_000))
        #expect(
            try store.objects.fetchCount(PredicateFetchRequest("Book", FormatPredicate("shelf.name == 'top'"))) == 2_002
        )
        let keys = try store.insert("Book", rows: [["title": "x"], ["title": "y"]], returning: .primaryKeys)
        #expect(keys == .primaryKeys([.integer(2_004), .integer(2_005)]))
        #expect(throws: CoreDataError(.missingValue(key: "title", entity: "Book", count: 1))) {
            try store.insert("Book", rows: [["title": "z"], ["pages": 1]])
        }
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Book")) == 2_004)
    }

    /// [NSP-366]
    @Test func indexesOfTheModelAreMade() throws {
        func index(_ name: String, _ keys: [(String, Bool)], _ condition: ModelPredicate? = nil)
            -> FetchIndexDescription
        {
            FetchIndexDescription(
                name, keys.map { FetchIndexElementDescription(.property($0.0), isAscending: $0.1) },
                partialIndexPredicate: condition)
        }
        var model = Fixtures.library
        model["Film"]?.indexes = [
            index("byLength", [("length", false), ("title", true)]), index("seen", [("title", true)], "seen == YES"),
            index("priced", [("price", true)], "price != nil AND NOT (length > 1.5 OR length == nil)"),
            index("named", [("title", true)], "title == 'x'"), index("self", [("self", true), ("entity", true)]),
        ]
        let store = try CoreDataStore.create(path, model: model)
        let text = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND name LIKE 'Z_Film%' ORDER BY name"
        let rows = try store.objects.connection.rows(of: SQLFragment(verbatim: text)).all()
        let found = rows.map { row in row.compactMap { if case .text(let text) = $0 { text } else { nil } } }
        #expect(
            found == [
                ["Z_Film_byLength", #"CREATE INDEX "Z_Film_byLength" ON "ZITEM" ("ZLENGTH" DESC, "ZTITLE")"#],
                [
                    "Z_Film_priced",
                    #"CREATE INDEX "Z_Film_priced" ON "ZITEM" ("ZPRICE") WHERE ("ZPRICE" IS NOT NULL)"#
                        + #" AND (NOT (("ZLENGTH" > 1.5) OR ("ZLENGTH" IS NULL)))"#,
                ],
                ["Z_Film_seen", #"CREATE INDEX "Z_Film_seen" ON "ZITEM" ("ZTITLE") WHERE "ZSEEN" = 1"#],
                ["Z_Film_self", #"CREATE INDEX "Z_Film_self" ON "ZITEM" ("Z_PK", "Z_ENT")"#],
            ])
    }

    /// The place of an object among those of an ordered inverse is not changed by what is said again.
    @Test func ordersOfBothEndsAreKept() throws {
        let model = ManagedObjectModel([
            EntityDescription("A", relationships: [.toMany("bs", "B", inverse: "as", isOrdered: true)]),
            EntityDescription("B", relationships: [.toMany("as", "A", inverse: "bs", isOrdered: true)]),
        ])
        let store = try CoreDataStore.create(path, model: model)
        let bs = try (0..<3).map { _ in try store.insert("B", [:]) }
        let first = try store.insert("A", ["bs": [bs[2], bs[0], bs[1]]])
        let second = try store.insert("A", ["bs": [bs[1]]])
        try store.update(bs[1], ["as": [second, first]])
        let objects = try store.objects.fetchAll("A")
        #expect(try objects.first { $0.id == first }?.related("bs").map(\.id) == [bs[2], bs[0], bs[1]])
        let last = try #require(try store.objects.fetchAll("B").first { $0.id == bs[1] })
        #expect(try last.related("as").map(\.id) == [second, first])
    }

    @Test("a model that is given must fit") func models() throws {
        let model = ManagedObjectModel([EntityDescription("A", attributes: [AttributeDescription("b", .string)])])
        let other = ManagedObjectModel([EntityDescription("A", attributes: [AttributeDescription("c", .string)])])
        do { _ = try CoreDataStore.create(path, model: model) }
        #expect(try CoreDataStore(path, models: [other, model]).model == model)
        #expect(
            throws: CoreDataError(
                .modelMismatch(path, differences: ["there is no column ZA.ZC", "the column ZA.ZB is unknown"]))
        ) { try CoreDataStore(path, models: [other]) }
    }

    @Test func filesThatAreNoStoresAreErrors() throws {
        let plain = folder["plain.sqlite"]
        try StoreConnection(plain, SQLiteOptions(.create)).execute("CREATE TABLE t (a)")
        #expect(throws: CoreDataError(.notAStore(plain))) { try CoreDataStore(plain) }
        let broken = folder["broken.sqlite"]
        let made = try StoreConnection(broken, SQLiteOptions(.create))
        try made.execute(
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_METADATA VALUES (1, 'u', x'00');
            """)
        #expect(throws: CoreDataError(.unreadableMetadata("invalid property list: expected a value"))) {
            try CoreDataStore(broken)
        }
        let write = { (objects: [[UInt8]]) in
            let list = Self.propertyList(objects)
            try made.run(SQLFragment("UPDATE Z_METADATA SET Z_PLIST = ?1", bindings: [.blob(Data(list))]))
        }
        // A set that holds a dictionary.
        try write([[0xD1, 1, 2], [0x51, 0x61], [0xC1, 3], [0xD0]])
        #expect(throws: CoreDataError(.noModel(broken))) { try CoreDataStore(broken) }
        // Lists that hold the next one twice: few bytes, and a million values.
        try write([[0xD1, 1, 2], [0x51, 0x61]] + (3..<28).map { [0xA2, $0, $0] } + [[0xA0]])
        #expect(throws: CoreDataError(.unreadableMetadata("more than 1000000 objects in a file"))) {
            try CoreDataStore(broken)
        }
        try made.execute("UPDATE Z_METADATA SET Z_PLIST = NULL")
        #expect(throws: CoreDataError(.noModel(broken))) { try CoreDataStore(broken) }
        try made.execute("INSERT INTO Z_MODELCACHE VALUES (x'0badc0de')")
        #expect(throws: CoreDataError.self) { try CoreDataStore(broken) }
    }

    @Test func modelsWithoutABoundAreErrors() throws {
        func code(_ entities: [EntityDescription]) throws -> CoreDataError.Code? {
            let path = folder["\(UUID().uuidString).sqlite"]
            do { _ = try CoreDataStore.create(path, model: Fixtures.rooms) }
            do throws(CoreDataError) {
                _ = try CoreDataStore(path, models: [ManagedObjectModel(entities)])
                return nil
            } catch {
                return error.code
            }
        }
        let circle = try code([EntityDescription("A", superentity: "B"), EntityDescription("B", superentity: "A")])
        let chain = try code((0..<5_000).map { EntityDescription("E\($0)", superentity: $0 == 0 ? nil : "E\($0 - 1)") })
        let crowd = try code((0...10_000).map { EntityDescription("E\($0)") })
        guard case .unreadableModel(_, .inheritance("A", 100)) = circle,
            case .unreadableModel(_, .inheritance(_, 100)) = chain,
            case .unreadableModel(_, .tooManyEntities(10_001, 10_000)) = crowd
        else {
            Issue.record("\([circle, chain, crowd])")
            return
        }
    }

    @Test func primaryKeysEndWithAnError() throws {
        let store = try Fixtures.libraryStore(path)
        let connection = try StoreConnection(path, SQLiteOptions(.readWrite))
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max)")
        #expect(throws: CoreDataError(.noPrimaryKey(entity: "Tag"))) { try store.insert("Tag", [:]) }
        try connection.execute("DELETE FROM Z_PRIMARYKEY")
        #expect(throws: CoreDataError(.noPrimaryKey(entity: "Tag"))) { try store.insert("Tag", [:]) }
    }

    /// Which of two columns of one name has the number, only the file can say.
    @Test func columnsOfPairsHaveTheNumbersOfTheFile() throws {
        let path = folder["rooms.sqlite"]
        do {
            let store = try CoreDataStore.create(path, model: Fixtures.rooms)
            let user = try store.insert("User", [:])
            _ = try store.insert("Room", ["guests": [user, try store.insert("User", [:])]])
            _ = try store.insert("Room", ["owners": [try store.insert("Robot", [:])], "guests": [user]])
        }
        try StoreConnection(path, SQLiteOptions(.readWrite)).execute(
            """
            ALTER TABLE Z_2GUESTS RENAME COLUMN Z_2ROOMS TO Z_2ROOMS1;
            ALTER TABLE Z_1ROOMS RENAME COLUMN Z_2ROOMS1 TO Z_2ROOMS;
            """)
        let store = try CoreDataStore(path)
        #expect(store.omissions.isEmpty && store.file.differences(from: store.model).isEmpty)
        for (format, count) in [("guests.@count == 2", 1), ("guests.@count == 1", 1), ("owners.@count == 1", 1)] {
            #expect(
                try store.objects.fetchCount(PredicateFetchRequest("Room", FormatPredicate(format))) == count,
                "\(format)")
        }
        #expect(try store.objects.fetchCount(PredicateFetchRequest("User", FormatPredicate("rooms.@count == 2"))) == 1)
    }

    /// A table of a module or a tokenizer that this SQLite does not have is no hindrance.
    @Test func virtualTablesAreLeftAlone() throws {
        let path = folder["search.sqlite"]
        do { _ = try Fixtures.libraryStore(path) }
        do {
            try StoreConnection(path, SQLiteOptions(.readWrite)).execute(
                "CREATE VIRTUAL TABLE words USING fts4(text)")
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let module = try #require(bytes.range(of: Data("USING fts4".utf8)))
        bytes.replaceSubrange(module, with: Data("USING none".utf8))
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try CoreDataStore(path).objects.fetchCount(PredicateFetchRequest("Book")) == 2)
    }
}
