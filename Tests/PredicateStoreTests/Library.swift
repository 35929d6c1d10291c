import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A library in a file: authors, books with copies and subjects, loans. Its schema has versions and every delete rule.
struct Library {
    let directory: TemporaryDirectory
    let store: ObjectStore

    static let schema = SQLSchema([
        SQLEntity(
            "Author", table: "author",
            attributes: [
                "id": SQLAttribute(.integer, isNullable: false), "name": SQLAttribute(.string, isNullable: false),
                "version": SQLAttribute(.integer),
            ],
            relationships: ["books": .toMany("Book", inverseColumn: "author_id", deleteRule: .cascade)],
            versionKey: "version"),
        SQLEntity(
            "Book", table: "book",
            attributes: [
                "id": SQLAttribute(.integer, isNullable: false),
                "title": SQLAttribute(.string, column: "full_title", isNullable: false),
                "pages": SQLAttribute(.integer), "shelf": SQLAttribute(.string, isNullable: false),
                "count": SQLAttribute(.integer, column: "changes"),
            ],
            relationships: [
                "author": .toOne("Author", column: "author_id"), "sequel": .toOne("Book", column: "sequel_id"),
                "prequels": .toMany("Book", inverseColumn: "sequel_id", deleteRule: .nullify),
                "copies": .toMany("Copy", inverseColumn: "book_id", deleteRule: .cascade),
                "subjects": .manyToMany(
                    "Subject", joinTable: "book_subject", sourceColumn: "book_id", targetColumn: "subject_id",
                    deleteRule: .nullify),
            ],
            versionKey: "count"),
        SQLEntity(
            "Copy", table: "copy",
            attributes: ["id": SQLAttribute(.integer, isNullable: false), "place": SQLAttribute(.string)],
            relationships: [
                "book": .toOne("Book", column: "book_id"),
                "loans": .toMany("Loan", inverseColumn: "copy_id", deleteRule: .deny),
            ]),
        SQLEntity(
            "Loan", table: "loan",
            attributes: ["id": SQLAttribute(.integer, isNullable: false), "until": SQLAttribute(.date(.since2001))],
            relationships: ["copy": .toOne("Copy", column: "copy_id")]),
        SQLEntity(
            "Subject", table: "subject", primaryKey: "name", primaryKeyType: .string,
            attributes: ["name": SQLAttribute(.string, isNullable: false), "weight": SQLAttribute(.double)],
            relationships: [
                "books": .manyToMany(
                    "Book", joinTable: "book_subject", sourceColumn: "subject_id", targetColumn: "book_id")
            ]),
    ])

    private static let script = """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, version INTEGER);
        CREATE TABLE book (id INTEGER PRIMARY KEY, full_title TEXT NOT NULL, pages INTEGER,
            shelf TEXT NOT NULL DEFAULT 'A1', changes INTEGER, author_id INTEGER REFERENCES author,
            sequel_id INTEGER REFERENCES book);
        CREATE TABLE copy (id INTEGER PRIMARY KEY, place TEXT, book_id INTEGER REFERENCES book);
        CREATE TABLE loan (id INTEGER PRIMARY KEY, until REAL, copy_id INTEGER REFERENCES copy);
        CREATE TABLE subject (name TEXT PRIMARY KEY, weight REAL);
        CREATE TABLE book_subject (book_id INTEGER REFERENCES book, subject_id TEXT REFERENCES subject,
            PRIMARY KEY (book_id, subject_id)) WITHOUT ROWID;
        CREATE INDEX book_author ON book (author_id);
        INSERT INTO author VALUES (1, 'Ann', 1), (2, 'Zoë', NULL);
        INSERT INTO book VALUES (1, 'One', 100, 'A1', 1, 1, 2), (2, 'Two', 200, 'A1', 7, 1, 3), (3, 'Three', NULL, 'B2', 1, 1, NULL),
            (4, 'Other', 50, 'B2', NULL, 2, NULL), (5, 'Lost', 1, 'C3', 1, NULL, 4);
        INSERT INTO copy VALUES (1, 'x', 1), (2, 'y', 1), (3, 'z', 3), (4, 'w', 4);
        INSERT INTO loan VALUES (1, 1000, 4);
        INSERT INTO subject VALUES ('fun', 1.5), ('sea', 2), ('sky', NULL);
        INSERT INTO book_subject VALUES (1, 'fun'), (1, 'sea'), (2, 'sea'), (4, 'sky');
        """

    init(_ options: SQLiteOptions = SQLiteOptions(.create), foreignKeys: Bool = true) throws {
        directory = try TemporaryDirectory()
        let connection = try StoreConnection(directory.file(), options)
        try connection.execute(Self.script)
        if foreignKeys { try connection.execute("PRAGMA foreign_keys = ON") }
        store = try ObjectStore(connection, schema: Self.schema)
    }

    func object(_ entity: String, _ key: PredicateValue) throws -> StoredObject {
        let key =
            entity == "Subject" ? FormatPredicate(matching: ["name": key]) : FormatPredicate(matching: ["id": key])
        guard let object = try store.fetchOne(entity, where: key) else { throw StoreError(.inMemory) }
        return object
    }

    func rows(_ sql: String) throws -> [[SQLBinding]] { try store.connection.rows(sql) }

    /// The integers of the first column.
    func numbers(_ sql: String) throws -> [Int64] {
        try rows(sql).compactMap { if case .integer(let number)? = $0.first { number } else { nil } }
    }
}
