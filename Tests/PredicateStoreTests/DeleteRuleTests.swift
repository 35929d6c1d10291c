import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Deletions by the delete rules of a schema, with and without foreign keys of the file.
@Suite struct DeleteRuleTests {
    /// A store is not opened with a relationship to an unknown entity. [NSP-381]
    @Test func relationshipsReferToEntities() throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            """
            CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, version INTEGER NOT NULL DEFAULT 1);
            CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES author (id));
            """)
        var schema = try connection.schema()
        schema["author"]?.versionKey = "version"
        schema["author"]?.relationships["books"] = .toMany("bok", inverseColumn: "author_id", deleteRule: .cascade)
        let error = storeError { _ = try ObjectStore(connection, schema: schema) }
        #expect(
            error?.description == """
                error: expected an entity of the schema, found 'bok' (at entities.author.relationships.books)
                hint: did you mean book?
                """)
        schema["author"]?.relationships["books"] = nil
        schema["author"]?.relationships["book"]?.deleteRule = .cascade
        let store = try ObjectStore(connection, schema: schema)
        let author = try store.insert("author", ["name": "Jane"])
        try store.insert("book", ["title": "Emma", "author": author])
        try store.delete(author)
        #expect(try store.fetchCount(PredicateFetchRequest("book")) == 0)
    }

    @Test(arguments: [true, false]) func cascadesAndNullifies(foreignKeys: Bool) throws {
        let library = try Library(foreignKeys: foreignKeys)
        try library.store.delete(library.object("Author", 1))
        #expect(try library.numbers("SELECT id FROM author") == [2])
        #expect(try library.numbers("SELECT id FROM book ORDER BY id") == [4, 5])
        #expect(try library.numbers("SELECT id FROM copy ORDER BY id") == [4])
        #expect(try library.rows("SELECT book_id, subject_id FROM book_subject") == [[.integer(4), .text("sky")]])
        #expect(try library.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test(arguments: [true, false]) func whatLeadsToADeletedObjectIsNil(foreignKeys: Bool) throws {
        let library = try Library(foreignKeys: foreignKeys)
        try library.store.delete(library.object("Book", 3))
        #expect(try library.rows("SELECT sequel_id, changes FROM book WHERE id = 2") == [[.null, .integer(8)]])
        #expect(try library.numbers("SELECT id FROM copy ORDER BY id") == [1, 2, 4])
        #expect(try library.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test(arguments: [true, false]) func denials(foreignKeys: Bool) throws {
        let library = try Library(foreignKeys: foreignKeys)
        let denial = StoreError.Code.deletionDenied(SQLObjectID("Copy", key: 4), key: "loans")
        #expect(storeError { try library.store.delete(library.object("Copy", 4)) }?.code == denial)
        #expect(storeError { try library.store.delete(library.object("Author", 2)) }?.code == denial)
        #expect(
            storeError { try library.store.delete("Author", where: FormatPredicate("TRUEPREDICATE")) }?.code == denial)
        #expect(try library.numbers("SELECT count(*) FROM book UNION ALL SELECT count(*) FROM copy") == [5, 4])
        #expect(try library.numbers("SELECT count(*) FROM book_subject") == [4])
        try library.store.delete("Loan", where: FormatPredicate("copy.book.author.name == 'Zoë'"))
        try library.store.delete(library.object("Author", 2))
        #expect(try library.rows("SELECT sequel_id, changes FROM book WHERE id = 5") == [[.null, .integer(2)]])
        #expect(try library.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test(arguments: ChangeReport.Kind.allCases) func manyObjects(kind: ChangeReport.Kind) throws {
        let library = try Library()
        try library.store.delete("Loan", where: FormatPredicate("TRUEPREDICATE"))
        let report = try library.store.delete(
            "Book", where: FormatPredicate("author.name == 'Ann' OR pages < 60"), returning: kind)
        switch kind {
        case .nothing: #expect(report == .nothing)
        case .count: #expect(report == .count(5))
        case .primaryKeys: #expect(report == .primaryKeys([1, 2, 3, 4, 5]))
        }
        #expect(
            try library.numbers(
                "SELECT count(*) FROM book UNION ALL SELECT count(*) FROM copy UNION ALL SELECT count(*) FROM book_subject"
            )
                == [0, 0, 0])
        #expect(try library.numbers("SELECT count(*) FROM author") == [2])
    }

    /// A denial does not hold for objects that are deleted too, and a circle ends.
    @Test func circles() throws {
        let directory = try TemporaryDirectory()
        let connection = try directory.database(
            "store.sqlite",
            """
            CREATE TABLE node (id INTEGER PRIMARY KEY, next INTEGER NOT NULL REFERENCES node);
            PRAGMA foreign_keys = ON;
            BEGIN; PRAGMA defer_foreign_keys = ON;
            INSERT INTO node VALUES (1, 2), (2, 3), (3, 1), (4, 4), (5, 1); COMMIT;
            """)
        func store(_ rules: [String: SQLRelationship.DeleteRule]) throws -> ObjectStore {
            let schema = SQLSchema([
                SQLEntity(
                    "Node", table: "node", attributes: ["id": SQLAttribute(.integer)],
                    relationships: [
                        "next": .toOne("Node", column: "next", deleteRule: rules["next"] ?? .noAction),
                        "back": .toMany("Node", inverseColumn: "next", deleteRule: rules["back"] ?? .noAction),
                    ])
            ])
            return try ObjectStore(connection, schema: schema)
        }
        func delete(_ number: Int64, _ rules: [String: SQLRelationship.DeleteRule]) throws {
            try store(rules).delete("Node", where: FormatPredicate("id == %@", number))
        }
        let denied = storeError { try delete(1, ["back": .deny, "next": .cascade]) }
        #expect(denied?.code == .deletionDenied(SQLObjectID("Node", key: 1), key: "back"))
        // Without a rule the file refuses it, and a column that takes no NULL cannot be nullified.
        #expect(storeError { try delete(1, [:]) }?.result == .constraint)
        #expect(storeError { try delete(1, ["next": .cascade]) }?.result == .constraint)
        #expect(storeError { try delete(1, ["back": .nullify]) }?.code == .missingValue(key: "next", entity: "Node"))
        #expect(try connection.rows("SELECT id FROM node").count == 5)
        try delete(4, ["back": .deny])
        #expect(try connection.rows("SELECT id FROM node").count == 4)
        try delete(2, ["back": .cascade])
        #expect(try connection.rows("SELECT id FROM node").isEmpty)
    }

    /// Thousands of objects go in some statements each.
    @Test func largeCascades() throws {
        let library = try Library()
        try library.store.connection.execute(
            """
            WITH RECURSIVE n(i) AS (VALUES (100) UNION ALL SELECT i + 1 FROM n WHERE i < 3099)
            INSERT INTO book SELECT i, 'Book', 1, 'A1', 1, 1, CASE WHEN i > 101 THEN i - 1 END FROM n WHERE i > 100;
            INSERT INTO copy SELECT id, 'x', id FROM book WHERE id > 100;
            INSERT INTO book_subject SELECT id, 'sea' FROM book WHERE id > 100;
            """)
        try library.store.delete(library.object("Author", 1))
        #expect(try library.numbers("SELECT count(*) FROM book") == [2])
        #expect(try library.numbers("SELECT count(*) FROM copy") == [1])
        #expect(try library.numbers("SELECT count(*) FROM book_subject") == [1])
    }
}
