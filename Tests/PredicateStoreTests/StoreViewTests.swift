import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Views and tables of full-text search, whose rows are read as objects.
@Suite struct StoreViewTests {
    private let store: ObjectStore

    init() throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
            INSERT INTO person VALUES (1, 'Jo', 21), (2, 'Al', 70), (3, 'Bo', 'old'), (4, 'Cy', 7), (5, NULL, 30);
            CREATE VIEW grown AS SELECT name, age, age + 0.5 AS next FROM person WHERE age > 9 ORDER BY name DESC;
            CREATE VIRTUAL TABLE note USING fts5 (title, body);
            INSERT INTO note VALUES ('Milk', 'buy milk'), ('Tea', 'drink'), ('7', NULL);
            """)
        store = try ObjectStore(connection)
    }

    private func names(_ format: String, _ entity: String = "grown", _ key: String = "name") throws -> [PredicateValue]
    {
        try store.fetchAll(entity, where: FormatPredicate(format)).map { $0[key] ?? .null }
    }

    @Test func rowsOfAView() throws {
        #expect(try names("TRUEPREDICATE") == ["Jo", "Bo", "Al", .null])
        #expect(try names("age > 21") == ["Al", .null])
        #expect(try names("age == 'old'") == ["Bo"])
        #expect(try names("next == 21.5") == ["Jo"])
        #expect(try names("name == nil") == [.null])
        #expect(try names("name BEGINSWITH[c] 'j'") == ["Jo"])
        #expect(try store.fetchCount(PredicateFetchRequest("grown", FormatPredicate("age >= 30"))) == 2)
    }

    /// A row is told by its number in the view, whatever selects it.
    @Test func numbersOfRows() throws {
        let all = try store.fetchAll("grown")
        #expect(all.map(\.id.key) == [1, 2, 3, 4])
        let old = try #require(try store.fetchOne("grown", where: FormatPredicate("age == 70")))
        #expect(old.id == all[2].id)
        let found = try store.fetchAll("grown", where: FormatPredicate("SELF == %@", old))
        #expect(found.map(\.id) == [old.id])
        let last = PredicateFetchRequest("grown", sortKeys: [SortKey("next", ascending: false)], limit: 1)
        #expect(try store.fetchOne(last)?["name"] == "Al")
    }

    @Test func viewsAreReadOnly() throws {
        let old = try #require(try store.fetchOne("grown", where: FormatPredicate("age == 70")))
        #expect(throws: StoreError.self) { try store.update(old, ["name": "X"]) }
        #expect(throws: StoreError.self) {
            try store.delete("grown", where: FormatPredicate("age == 70"))
        }
        #expect(throws: StoreError.self) { try store.insert("grown", ["name": "X"]) }
        #expect(try store.fetchCount(PredicateFetchRequest("person")) == 5)
    }

    @Test func fullTextTables() throws {
        #expect(try names("title == 'Milk'", "note", "body") == ["buy milk"])
        #expect(try names("body CONTAINS[c] 'MILK'", "note", "title") == ["Milk"])
        #expect(try names("body == nil", "note", "title") == ["7"])
        #expect(try names("title == '7'", "note", "title") == ["7"])
        #expect(try store.fetchAll("note").map(\.id.key) == [1, 2, 3])
    }
}
