import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Changes of stores with persistent history. The expected rows are those that Core Data wrote into stores of public
/// programs for the same changes.
@Suite struct HistoryTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// A store in the layout of SwiftData: with the empty tables of the history, without rows for them in
    /// `Z_PRIMARYKEY`.
    private func store(
        _ model: ManagedObjectModel, tombstones: String = "", named name: String = "default.store"
    ) throws -> CoreDataStore {
        do { _ = try CoreDataStore.create(folder[name], model: model) }
        let connection = try StoreConnection(folder[name], SQLiteOptions(.readWrite))
        try connection.execute(
            """
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
                ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
                ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR,
                ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
            CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
            CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
            """)
        return try CoreDataStore(changing: folder[name])
    }

    /// The rows of `ACHANGE` of the transactions after one: `0 Item 1`, `1 Item 1 80`.
    private func changes(after transaction: Int = 0, in name: String = "default.store") throws -> [[String]] {
        let connection = try StoreConnection(folder[name], SQLiteOptions(.readOnly))
        let rows = try connection.rows(
            of: SQLFragment(
                """
                SELECT c.ZTRANSACTIONID, c.ZCHANGETYPE || ' ' || k.Z_NAME || ' ' || c.ZENTITYPK
                    || CASE WHEN c.ZCOLUMNS IS NULL THEN '' ELSE ' ' || hex(c.ZCOLUMNS) END
                FROM ACHANGE AS c JOIN Z_PRIMARYKEY AS k ON k.Z_ENT = c.ZENTITY WHERE c.Z_ENT = 16001 ORDER BY c.Z_PK
                """)
        ).all()
        var found: [Int64: [String]] = [:]
        for row in rows {
            guard let number = row[0].number, number > transaction, let text = row[1].string else { continue }
            found[number, default: []].append(text)
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    private static let workshop = ManagedObjectModel([
        EntityDescription(
            "Component",
            attributes: [AttributeDescription("count", .integer64), AttributeDescription("id", .uuid)],
            relationships: [.toOne("craftingRecipe", "CraftingRecipe", inverse: "requiredComponents")]
                + [.toOne("item", "Item")]),
        EntityDescription(
            "CraftingRecipe", attributes: [AttributeDescription("producedItemCount", .string)],
            relationships: [
                .toOne("producedItem", "Item", inverse: "craftingRecipe"),
                .toMany("requiredComponents", "Component", inverse: "craftingRecipe"),
            ]),
        EntityDescription(
            "Item", attributes: [AttributeDescription("name", .string)],
            relationships: [.toOne("craftingRecipe", "CraftingRecipe", inverse: "producedItem")],
            uniquenessConstraints: [["name"]]),
    ])

    @Test("changes are added as SwiftData adds them [NSP-470]") func swiftData() throws {
        let store = try store(Self.workshop)
        let axe = try store.insert("Item", ["name": "Axe"])
        let recipe = try store.insert("CraftingRecipe", ["producedItem": axe])
        let stone = try store.insert("Item", ["name": "Stone"])
        let part = try store.insert("Component", ["count": 1, "craftingRecipe": recipe, "item": stone])
        try store.update(recipe, ["producedItemCount": "1"])
        try store.update("Item", ["name": "Rock"], where: FormatPredicate("name == 'Stone'"))
        try store.update(part, ["craftingRecipe": PredicateValue.null])
        try store.delete("Item", where: FormatPredicate("name == 'Axe'"))
        #expect(
            try changes() == [
                ["0 Item 1"], ["0 CraftingRecipe 1", "1 Item 1 80"], ["0 Item 2"],
                ["0 Component 1", "1 CraftingRecipe 1 20"], ["1 CraftingRecipe 1 40"], ["1 Item 2 40"],
                ["1 Component 1 80", "1 CraftingRecipe 1 20"], ["1 CraftingRecipe 1 80", "2 Item 1"],
            ])
    }

    @Test("a transaction has one row, and its strings are stored once [NSP-470]") func transactions() throws {
        let store = try store(Self.workshop)
        try store.transaction { () throws(CoreDataError) in
            let axe = try store.insert("Item", ["name": "Axe"])
            try store.update(axe, ["name": "Big axe"])
            try store.insert("Item", ["name": "Gone"])
            try store.delete("Item", where: FormatPredicate(matching: ["name": "Gone"]))
            // A change that fails leaves nothing behind.
            _ = try? store.insert("Item", ["name": "Big axe"])
        }
        try store.setMetadata(true, for: "seen")
        #expect(throws: CoreDataError.self) {
            try store.transaction { () throws(CoreDataError) in
                try store.insert("Item", ["name": "Saw"])
                throw CoreDataError(.cancelled)
            }
        }
        try store.insert("Item", ["name": "Saw"])
        #expect(try changes() == [["0 Item 1"], ["0 Item 3"]])
        let connection = try StoreConnection(folder["default.store"], SQLiteOptions(.readOnly))
        func rows(_ query: SQLText) throws -> [[SQLBinding]] { try connection.rows(of: SQLFragment(query)).all() }
        let process = ProcessInfo.processInfo.processName
        let strings = try rows("SELECT ZNAME FROM ATRANSACTIONSTRING ORDER BY Z_PK").compactMap { $0[0].string }
        #expect(Set(strings).isSuperset(of: ["PredicateCoreData", process]) && strings.count == Set(strings).count)
        let joined = try rows(
            """
            SELECT t.Z_PK, t.Z_ENT, a.ZNAME, p.ZNAME, abs(t.ZTIMESTAMP - \(bind: .double(
                Date().timeIntervalSinceReferenceDate))) < 60
            FROM ATRANSACTION AS t JOIN ATRANSACTIONSTRING AS a ON a.Z_PK = t.ZAUTHORTS
            JOIN ATRANSACTIONSTRING AS p ON p.Z_PK = t.ZPROCESSIDTS ORDER BY t.Z_PK
            """)
        #expect(joined.map { $0[0].number } == [1, 2] && joined.allSatisfy { $0[1].number == 16_002 })
        #expect(joined.allSatisfy { $0[2].string == "PredicateCoreData" && $0[3].string == process })
        #expect(joined.allSatisfy { $0[4].number == 1 })
        let keys = try rows("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
        #expect(keys.compactMap { $0[1].string } == ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"])
        #expect(keys.compactMap { $0[2].number } == [2, 2, Int64(strings.count)])
    }

    /// The bits of a message of a chat: `chat`, `lastMessageChat`, the attributes of the superentity, its own ones, the
    /// to-many relationships.
    @Test("inherited properties come first [NSP-470]") func hierarchy() throws {
        let model = ManagedObjectModel([
            EntityDescription("Chat", relationships: [.toMany("events", "Event", inverse: "chat")]),
            EntityDescription(
                "Event",
                attributes: ["chatId", "createdAt", "eventId", "type"].map { AttributeDescription($0, .string) },
                relationships: [.toOne("chat", "Chat", inverse: "events")]),
            EntityDescription(
                "Message", superentity: "Event",
                attributes: [
                    "accountId", "content", "failedToSend", "idempotencyKey", "isHidden", "isUnread", "messageId",
                    "ttl",
                ].map { AttributeDescription($0, .string) }
                    + [AttributeDescription("draft", .string, isTransient: true)],
                relationships: [
                    .toOne("lastMessageChat", "Chat"), .toMany("attachments", "Part", inverse: "message"),
                    .toMany("reactions", "Part", inverse: "reacted"),
                ]),
            EntityDescription(
                "Part",
                relationships: [
                    .toOne("message", "Message", inverse: "attachments"),
                    .toOne("reacted", "Message", inverse: "reactions"),
                ]),
            EntityDescription(
                "State",
                attributes: ["currentLocalVersion", "inCloud", "latestVersion", "localVersionDate"].map {
                    AttributeDescription($0, .string)
                }, relationships: [.toOne("event", "Event")]),
        ])
        let store = try store(model)
        let chat = try store.insert("Chat", [:])
        let message = try store.insert("Message", [:])
        let state = try store.insert("State", [:])
        try store.update(message, ["createdAt": "now", "type": "message", "content": "<p>", "messageId": "1"])
        try store.update(message, ["eventId": "2"])
        try store.update(message, ["lastMessageChat": chat])
        try store.update(state, ["currentLocalVersion": "1", "localVersionDate": "now"])
        // The destination of the relationship has subentities: there are two bits.
        try store.update(state, ["event": message])
        // Which of two to-many relationships has which bit is not known.
        try store.insert("Part", ["message": message])
        #expect(
            try changes(after: 3) == [
                ["1 Message 1 1508"], ["1 Message 1 0800"], ["1 Message 1 4000"], ["1 State 1 24"], ["1 State 1 C0"],
                ["0 Part 1", "1 Message 1 0003"],
            ])
    }

    @Test("pairs of a join table are updates of the objects at the other end [NSP-470]") func manyToMany() throws {
        let model = ManagedObjectModel([
            EntityDescription(
                "Cocktail", attributes: [AttributeDescription("title", .string)],
                relationships: [.toMany("garnish", "Garnish", inverse: "cocktails")]),
            EntityDescription(
                "Garnish", attributes: [AttributeDescription("name", .string)],
                relationships: [.toMany("cocktails", "Cocktail", inverse: "garnish")]),
        ])
        let store = try store(model)
        let lime = try store.insert("Garnish", ["name": "Lime"])
        let mint = try store.insert("Garnish", ["name": "Mint"])
        let gimlet = try store.insert("Cocktail", ["title": "Gimlet", "garnish": [lime]])
        try store.update(gimlet, ["garnish": [lime, mint]])
        try store.update(gimlet, ["garnish": [lime, mint]])
        try store.delete("Cocktail", where: FormatPredicate("TRUEPREDICATE"))
        #expect(
            try changes(after: 2) == [
                ["0 Cocktail 1", "1 Garnish 1 40"], ["1 Cocktail 1 40", "1 Garnish 2 40"],
                ["1 Garnish 1 40", "1 Garnish 2 40", "2 Cocktail 1"],
            ])
    }

    @Test("what cannot be recorded is refused with the reason [NSP-471]") func refusals() throws {
        let model = ManagedObjectModel(
            [
                EntityDescription(
                    "Recipe",
                    attributes: [
                        AttributeDescription("title", .string),
                        AttributeDescription("author", .composite, compositeName: "Author"),
                    ], relationships: [.toMany("steps", "Step", isOrdered: true)]),
                EntityDescription("Step", attributes: [AttributeDescription("text", .string)]),
                EntityDescription(
                    "Page",
                    attributes: [AttributeDescription("text", .string, preservesValueInHistoryOnDeletion: true)],
                    relationships: [.toOne("book", "Book", inverse: "pages")]),
                EntityDescription(
                    "Book", attributes: [AttributeDescription("title", .string)],
                    relationships: [.toMany("pages", "Page", inverse: "book", isOrdered: true)]),
            ], composites: [CompositeDescription("Author", attributes: [AttributeDescription("name", .string)])])
        let store = try store(model)
        let step = try store.insert("Step", ["text": "Stir"])
        let soup = try store.insert("Recipe", ["title": "Soup", "author.name": "Ann"])
        let page = try store.insert("Page", ["text": "1"])
        let book = try store.insert("Book", ["pages": [PredicateValue]()])
        let all = try FormatPredicate("TRUEPREDICATE")
        #expect(
            CoreDataError.thrown { try store.update(soup, ["title": "Stew"]) }?.code
                == .unknownHistory(entity: "Recipe", .composite("author")))
        #expect(
            CoreDataError.thrown { try store.update(step, ["text": "Fry"]) }?.code
                == .unknownHistory(entity: "Step", .withoutInverse("Recipe.steps")))
        #expect(
            CoreDataError.thrown { try store.update(page, ["book": book]) }?.code
                == .unknownHistory(entity: "Page", .ordered("book")))
        #expect(
            CoreDataError.thrown { try store.delete("Page", where: all) }?.code
                == .unknownHistory(entity: "Page", .preserved("text")))
        // A new page is no update of a page, but one of its book.
        try store.insert("Page", ["text": "2", "book": book])
        try store.delete("Recipe", where: FormatPredicate("title == 'Soup'"))
        #expect(try changes(after: 4) == [["0 Page 2", "1 Book 1 40"], ["2 Recipe 1"]])
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Page")) == 2)
        // A store without a history can be changed.
        var migration = try StoreMigration(of: folder["default.store"], to: store.model)
        migration.keepsHistory = false
        #expect(try migration.losses() == [.history(changes: 7)])
        let migrated = try migration.run(into: folder["new.sqlite"])
        #expect(
            try migrated.schema.entities.count == 4
                && migration.losses().first?.description == "7 changes of the history are not carried over")
        try migrated.update("Step", ["text": "Fry"], where: FormatPredicate("TRUEPREDICATE"))
    }

    @Test("a migration carries the history over [NSP-475]") func migration() throws {
        do {
            let store = try store(Self.workshop)
            let axe = try store.insert("Item", ["name": "Axe"])
            let recipe = try store.insert("CraftingRecipe", ["producedItem": axe])
            try store.insert("Component", ["count": 1, "craftingRecipe": recipe])
            try store.update("Item", ["name": "Saw"], where: FormatPredicate("TRUEPREDICATE"))
        }
        func migrate(_ model: ManagedObjectModel, _ name: String) throws -> [MigrationLoss] {
            let migration = try StoreMigration(of: folder["default.store"], to: model)
            try migration.run(into: folder[name])
            return try migration.losses()
        }
        #expect(try migrate(Self.workshop, "same.store").isEmpty)
        #expect(try changes(in: "same.store") == changes())
        // New properties before the others, a new entity, and a property that is renamed.
        var next = Self.workshop
        next["Apple"] = EntityDescription("Apple")
        next["Item"]?.attributes = [
            AttributeDescription("amount", .string), AttributeDescription("title", .string, renamingIdentifier: "name"),
        ]
        next["Item"]?.uniquenessConstraints = []
        #expect(try migrate(next, "next.store").isEmpty)
        #expect(
            try changes(in: "next.store") == [
                ["0 Item 1"], ["0 CraftingRecipe 1", "1 Item 1 80"], ["0 Component 1", "1 CraftingRecipe 1 20"],
                ["1 Item 1 20"],
            ])
        let changed = try CoreDataStore(changing: folder["next.store"])
        try changed.update("Item", ["amount": "2"], where: FormatPredicate("TRUEPREDICATE"))
        #expect(try changes(after: 4, in: "next.store") == [["1 Item 1 40"]])
        // An update of an attribute that becomes composite has no known form.
        var composite = Self.workshop
        composite.composites = [CompositeDescription("Name", attributes: [AttributeDescription("first", .string)])]
        composite["Item"]?.attributes.append(AttributeDescription("names", .composite, compositeName: "Name"))
        #expect(try migrate(composite, "composite.store") == [.history(changes: 6)])
        #expect(try CoreDataStore(folder["composite.store"]).objects.fetchCount(PredicateFetchRequest("Item")) == 1)
    }

    /// [NSP-478]
    @Test("an export names the keys that an update has changed") func exportedKeys() throws {
        do {
            let store = try store(Self.workshop)
            let id = try store.insert("Component", ["count": 1])
            try store.update(id, ["count": 2])
        }
        let output = folder["out.jsonl"]
        try CoreDataStore(folder["default.store"]).export(to: output, as: .jsonLines)
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0.contains(#""@change":"update""#) && $0.contains(#""@keys":["count"]"#) })
        #expect(lines.contains { $0.contains(#""@change":"insert""#) && $0.contains(#""@keys":null"#) })
    }

    @Test("a copy of a store of another program has its history, and one of unknown form is refused [NSP-471]")
    func copies() throws {
        do { try store(Self.workshop).insert("Item", ["name": "Axe"]) }
        let copy = try CoreDataStore.copy(folder["default.store"], to: folder["copy.store"])
        try copy.insert("Item", ["name": "Saw"])
        #expect(try changes(in: "copy.store") == [["0 Item 1"], ["0 Item 2"]])
        #expect(try changes() == [["0 Item 1"]])
        let connection = try StoreConnection(folder["default.store"], SQLiteOptions(.readWrite))
        try connection.execute("DROP TABLE ATRANSACTIONSTRING")
        let parts = ["the table 'ACHANGE'", "the table 'ATRANSACTION'"]
        #expect(throws: CoreDataError(.notWritable(parts))) { try CoreDataStore(changing: folder["default.store"]) }
    }
}
