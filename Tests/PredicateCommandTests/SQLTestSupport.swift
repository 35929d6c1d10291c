import Foundation
import PredicateSQL
import PredicateStore

/// People with bosses, phones and tags, in a SQLite file and in a schema of other names.
enum Library {
    static let script = """
        CREATE TABLE person (
            id INTEGER PRIMARY KEY, name TEXT, age INTEGER, born DATETIME, height REAL, photo BLOB,
            boss_id INTEGER REFERENCES person(id));
        CREATE INDEX person_age ON person(age);
        CREATE TABLE phone (id INTEGER PRIMARY KEY, number TEXT, person_id INTEGER REFERENCES person(id));
        CREATE TABLE tag (id INTEGER PRIMARY KEY, word TEXT);
        CREATE TABLE person_tag (
            person_id INTEGER REFERENCES person(id), tag_id INTEGER REFERENCES tag(id),
            PRIMARY KEY (person_id, tag_id));
        CREATE VIEW adults AS SELECT * FROM person WHERE age > 20;
        INSERT INTO person VALUES
            (1, 'José', 52, '1970-01-02T00:00:00Z', 1.8, x'0102', NULL), (2, 'al', 17, NULL, NULL, NULL, 1),
            (3, NULL, NULL, NULL, 1.5, NULL, 1), (4, 'bo', 40, '2001-01-01T00:00:00Z', 2, NULL, 2);
        INSERT INTO phone VALUES (1, '0123', 1), (2, '555', 2);
        INSERT INTO tag VALUES (1, 'new');
        INSERT INTO person_tag VALUES (1, 1), (2, 1);
        """

    static let schema = """
        {"entities": {
          "Person": {"table": "person", "primaryKey": "id", "attributes": {
            "fullName": {"column": "name", "type": "string"}, "age": {"type": "integer"}},
            "relationships": {
              "boss": {"to": "Person", "column": "boss_id"},
              "phones": {"to": "Phone", "toMany": true, "inverseColumn": "person_id"}}},
          "Phone": {"table": "phone", "attributes": {"number": {"type": "string"}}}}}
        """
}

/// Runs a test with a SQLite file made by a script and other files, and passes their paths by name.
func withStore(
    _ script: String = Library.script, _ files: [String: String] = ["schema.json": Library.schema],
    _ body: (_ store: String, _ paths: [String: String]) throws -> Void
) throws {
    try withFiles(files.merging(["folder": ""]) { first, _ in first }) { paths in
        let store = (paths["folder"] ?? "") + ".store"
        try StoreConnection(store, SQLiteOptions(.create)).execute(script)
        try body(store, paths)
    }
}
