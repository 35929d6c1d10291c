import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Schemas derived from tables, columns and foreign keys.
@Suite struct IntrospectionTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func schema(_ script: String) throws -> SQLSchema {
        try directory.database("\(UUID().uuidString).sqlite", script).schema()
    }

    /// The type of a column with a declared type and some values.
    private func type(_ declared: String, _ values: String...) throws -> SQLType? {
        let rows = values.map { "INSERT INTO t VALUES (\($0));" }.joined()
        return try schema("CREATE TABLE t (a \(declared)); \(rows)").entities["t"]?.attributes["a"]?.type
    }

    @Test func declaredTypes() throws {
        let types: [(String, SQLType)] = [
            ("INTEGER", .integer), ("int", .integer), ("BIGINT", .integer), ("TINYINT(1)", .integer), ("REAL", .double),
            ("DOUBLE PRECISION", .double), ("FLOAT", .double), ("TEXT", .string), ("VARCHAR(20)", .string),
            ("NCHAR", .string), ("CLOB", .string), ("BLOB", .data), ("", .data), ("BOOLEAN", .boolean),
            ("bool", .boolean),
            ("NUMERIC", .double), ("DECIMAL(10, 2)", .double), ("UUID", .uuid(.blob)), ("CHAR_UUID", .uuid(.text)),
            ("DATE", .date(.iso8601)), ("DATETIME", .date(.iso8601)), ("TIMESTAMP", .date(.iso8601)),
        ]
        for (declared, expected) in types {
            #expect(try type(declared) == expected, "\(declared)")
        }
    }

    @Test func declaredTablesAreReadBack() throws {
        let declared = SQLSchema([
            SQLEntity(
                "person",
                attributes: ["name": .init(.string, isNullable: false), "price": .init(.double)],
                relationships: [
                    "boss": .toOne("person", column: "boss_id"),
                    "tag": .manyToMany(
                        "tag", joinTable: "person_tag", sourceColumn: "person_id", targetColumn: "tag_word"),
                ]),
            SQLEntity("tag", primaryKey: "word", primaryKeyType: .string, attributes: [:]),
        ])
        let read = try schema(declared.declarations(for: .sqlite).map { $0 + ";" }.joined()).entities
        #expect(read["person"]?.relationships["boss"] == declared["person"]?.relationships["boss"])
        #expect(read["person"]?.relationships["tag"] == declared["person"]?.relationships["tag"])
        #expect(read["person"]?.attributes["name"]?.isNullable == false)
        #expect(read["person"]?.attributes["price"]?.type == .double && read["tag"]?.primaryKeyType == .string)
    }

    @Test func sampledTypes() throws {
        #expect(try type("BOOLEAN", "1", "NULL", "0") == .boolean)
        #expect(try type("BOOLEAN", "2") == .integer)
        #expect(try type("BOOLEAN", "'true'") == .string)
        #expect(try type("DATE", "'2016-03-02'", "'2016-03-02 10:00:00'") == .date(.iso8601))
        #expect(try type("DATE", "'2016-03-02'", "'tomorrow'") == .string)
        #expect(try type("DATE", "'2016-03-02'", "''", "'2016-03-03'") == .date(.iso8601))
        #expect(try type("DATETIME", "1456876800", "1456876801", "''") == .date(.since1970))
        #expect(try type("DATETIME", "1456876800", "1456876800.5") == .date(.since1970))
        #expect(try type("DATETIME", "1456876800000") == .integer)
        #expect(try type("DATETIME", "2457449.5") == .double)
        #expect(try type("TIMESTAMP", "'2016-03-02'", "12") == .any)
        #expect(try type("NUMERIC", "1", "2") == .integer)
        #expect(try type("NUMERIC", "1", "2.5") == .double)
        #expect(try type("NUMERIC", "1", "'x'") == .any)
        #expect(try type("NUMERIC", "9007199254740993", "2.5") == .any)
        #expect(try type("NUMERIC", "9007199254740992", "2.5") == .double)
        #expect(try type("", "1", "'x'") == .any)
        #expect(try type("INTEGER", "1", "''") == .any)
        #expect(try type("INTEGER", "1", "2.5") == .double)
        #expect(try type("INTEGER", "NULL", "'7'") == .integer)
        #expect(try type("REAL", "1", "x'00'") == .any)
        #expect(try type("TEXT", "'x'", "x'00'") == .any)
        #expect(try type("TEXT", "'x'", "1") == .string)
        #expect(try type("BLOB", "x'00'", "'x'") == .any)
        #expect(try type("", "1") == .integer)
        #expect(try type("", "'x'") == .string)
        #expect(try type("", "x'00'") == .data)
        #expect(try type("UUID", "x'00112233445566778899aabbccddeeff'") == .uuid(.blob))
        #expect(try type("UUID", "'137DECC8-B300-4954-A233-F89909F4FD89'") == .uuid(.text))
        #expect(try type("UUID", "'137decc8-b300-4954-a233-f89909f4fd89'") == .uuid(.lowercaseText))
        #expect(try type("UUID", "'137decc8b3004954a233f89909f4fd89'") == .string)
        #expect(try type("GUID", "'137decc8-b300-4954-a233-f89909f4fd89'", "'F'") == .string)
        #expect(try type("DECIMAL TEXT", "'1.10'", "'-7'") == .decimal)
        #expect(try type("DECIMAL TEXT", "'1.10'", "'x'") == .string)
        #expect(try type("DECIMAL(10, 2)", "'1.10'", "2") == .double)
    }

    @Test func affinities() throws {
        let affinities: [(String, SQLiteAffinity)] = [
            ("TEXT", .text), ("", .blob), ("VARCHAR", .text), ("STRING", .numeric), ("JSON", .numeric),
        ]
        for (declared, affinity) in affinities {
            let schema = try schema("CREATE TABLE t (a \(declared)); INSERT INTO t VALUES ('x')")
            #expect(
                schema.entities["t"]?.attributes["a"] == SQLAttribute(.string, affinity: affinity),
                "\(declared)")
            #expect(try SQLSchema(json: schema.json) == schema, "\(declared)")
        }
    }

    @Test func coreDataDates() throws {
        let script = """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE ZTASK (Z_PK INTEGER PRIMARY KEY, ZDUE TIMESTAMP);
            INSERT INTO ZTASK VALUES (1, 592299475);
            """
        #expect(try schema(script).entities["ZTASK"]?.attributes["ZDUE"]?.type == .date(.since2001))
    }

    @Test func primaryKeysAndNullability() throws {
        let schema = try schema(
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT NOT NULL, y TEXT, z AS (y || 'z'));
            CREATE TABLE b (code TEXT PRIMARY KEY NOT NULL, n INT);
            CREATE TABLE c (n INT);
            CREATE TABLE g (id INTEGER PRIMARY KEY DESC, n INT);
            CREATE TABLE d (rowid TEXT, n INT, m INT, PRIMARY KEY (n, m));
            CREATE TABLE e (n INT, m INT, PRIMARY KEY (n, m)) WITHOUT ROWID;
            CREATE TABLE f (n INT PRIMARY KEY) WITHOUT ROWID;
            """)
        #expect(schema.entities["a"]?.primaryKey == "id")
        #expect(
            schema.entities["a"]?.attributes.mapValues(\.isNullable) == ["id": false, "x": false, "y": true, "z": true])
        #expect(schema.entities["b"]?.primaryKey == "code")
        #expect(schema.entities["b"]?.primaryKeyType == .string)
        #expect(schema.entities["c"]?.primaryKey == "rowid")
        #expect(schema.entities["d"]?.primaryKey == "_rowid_")
        #expect(schema.entities["g"]?.attributes.mapValues(\.isNullable) == ["id": true, "n": true])
        #expect(schema.entities["e"]?.numbersRows == true && schema.entities["e"]?.primaryKey == "rowid")
        #expect(schema.entities["f"]?.primaryKey == "n")
    }

    /// Rows without a key of one column are found all the same, and so is NULL in a key that is no rowid.
    @Test func tablesWithUnusualKeys() throws {
        let connection = try directory.database(
            "store.sqlite",
            """
            CREATE TABLE student (id INTEGER PRIMARY KEY);
            CREATE TABLE grade (student_id REFERENCES student, course TEXT, mark INT, PRIMARY KEY (student_id, course))
                WITHOUT ROWID;
            CREATE TABLE code (code TEXT PRIMARY KEY, "a.b" INT);
            INSERT INTO student VALUES (1), (2);
            INSERT INTO grade VALUES (1, 'x', 61), (1, 'y', 50), (2, 'x', 60);
            INSERT INTO code VALUES (NULL, 1), (NULL, 2), ('a', 3);
            """)
        let store = try ObjectStore(connection, schema: connection.schema())
        #expect(try store.fetchCount(PredicateFetchRequest("grade", FormatPredicate("mark > 60"))) == 1)
        #expect(try store.fetchCount(PredicateFetchRequest("student", FormatPredicate("ANY grade.mark > 60"))) == 1)
        #expect(try store.fetchCount(PredicateFetchRequest("code", FormatPredicate("code == nil"))) == 2)
        #expect(try store.fetchCount(PredicateFetchRequest("code", FormatPredicate("code != nil"))) == 1)
        #expect(try store.fetchCount(PredicateFetchRequest("code", FormatPredicate("#\"a.b\" > 1"))) == 2)
    }

    @Test func sizesAreThoseThatTheFileHasCounted() throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, d DATE);
            INSERT INTO t SELECT value, value % 4, '2001-01-0' || (value % 4 + 1) FROM json_each('[1,2,3,4,5,6,7,8]');
            CREATE INDEX t_n ON t (n); CREATE INDEX t_d ON t (d);
            """
        #expect(try schema(script).entities["t"]?.rowCount == nil)
        let table = try #require(try schema(script + "ANALYZE;").entities["t"])
        #expect(table.rowCount == 8)
        #expect(table.attributes["n"]?.valueCount == 4)
        #expect(table.attributes["n"]?.valueRange == 0...3)
        #expect(table.attributes["d"]?.valueRange == 0...259_200)
        #expect(table.attributes["id"]?.valueRange == nil)
    }

    /// JSON holds no infinite number.
    @Test func onlyFiniteEndsAreARange() throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL); CREATE INDEX t_x ON t (x);
            INSERT INTO t (x) VALUES (1), (9e999);
            """
        let schema = try schema(script + "ANALYZE;")
        #expect(schema["t"]?.attributes["x"]?.valueCount == 2)
        #expect(schema["t"]?.attributes["x"]?.valueRange == nil)
        #expect(try SQLSchema(json: schema.json) == schema)
    }

    /// Rows that SQLite would not read, such as those for indexes of other tables, and those that do not count all rows.
    @Test func onlyRowsOfWholeIndexesOfTheTableAreSizes() throws {
        let table = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, m INTEGER, s TEXT, k INTEGER COLLATE NOCASE, u INTEGER);
            CREATE TABLE other (id INTEGER PRIMARY KEY, n INTEGER);
            INSERT INTO t SELECT value, value, value, value, value, value FROM json_each('[1,2,3,4,5,6,7,8]');
            CREATE INDEX t_n ON t (n); CREATE INDEX t_s ON t (s); CREATE INDEX t_k ON t (k); CREATE INDEX t_u ON t (u);
            CREATE INDEX t_few ON t (m) WHERE m < 4; CREATE INDEX other_n ON other (n); ANALYZE;
            INSERT INTO sqlite_stat1 VALUES ('other', 't_n', '50 1'), ('t', 't_n', '8 1');
            UPDATE sqlite_stat1 SET stat = stat || ' unordered' WHERE idx = 't_u';
            """
        let schema = try schema(table)
        let columns = try #require(schema["t"]?.attributes)
        #expect(schema["t"]?.rowCount == 8)
        #expect(schema["other"]?.rowCount == nil)
        #expect(columns.filter { $0.value.valueRange == 1...8 }.keys.sorted() == ["n"])
        #expect(columns.filter { $0.value.valueCount == 8 }.keys.sorted() == ["k", "n", "s", "u"])
    }

    /// A table of sizes without its columns is one that SQLite does not read either.
    @Test func damagedSizesAreNone() throws {
        let script =
            "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER); CREATE INDEX t_n ON t (n); INSERT INTO t VALUES (1, 2);"
        _ = try directory.database("whole.sqlite", script + "ANALYZE;")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file("whole.sqlite")))
        let columns = try #require(bytes.firstRange(of: Data("sqlite_stat1(tbl".utf8)))
        bytes.replaceSubrange(columns, with: Data("sqlite_stat1(tbx".utf8))
        let file = try directory.write(Array(bytes), to: "damaged.sqlite")
        let schema = try StoreConnection(file).schema()
        #expect(schema["t"]?.attributes["n"]?.type == .integer)
        #expect(schema["t"]?.rowCount == nil)
    }

    /// A foreign key refers to rows under the collation of their key, whatever other values the key has.
    @Test func keysOfSeveralTypesKeepTheirCollation() throws {
        let connection = try directory.database(
            "store.sqlite",
            """
            CREATE TABLE users (id TEXT COLLATE NOCASE PRIMARY KEY, age INTEGER);
            CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id TEXT REFERENCES users);
            INSERT INTO users VALUES ('ab', 7), (x'01', 8);
            INSERT INTO orders VALUES (1, 'AB');
            """)
        let store = try ObjectStore(connection)
        #expect(try store.fetchCount(PredicateFetchRequest("orders", FormatPredicate("user.age == 7"))) == 1)
        let either = try FormatPredicate("user.age == 7 OR id == 5")
        #expect(try store.fetchCount(PredicateFetchRequest("orders", either)) == 1)
    }

    @Test func foreignKeysAreRelationships() throws {
        let schema = try schema(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY, boss_id INTEGER REFERENCES person, friendId REFERENCES person (id));
            CREATE TABLE phone (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES PERSON (ID));
            CREATE TABLE letter (id INTEGER PRIMARY KEY, from_id REFERENCES person, to_id REFERENCES person);
            """)
        let person = schema.entities["person"]?.relationships
        #expect(person?["boss"] == .toOne("person", column: "boss_id"))
        #expect(person?["friend"] == .toOne("person", column: "friendId"))
        #expect(person?["person_by_boss"] == .toMany("person", inverseColumn: "boss_id"))
        #expect(person?["phone"] == .toMany("phone", inverseColumn: "owner"))
        #expect(person?["letter_by_from"] == .toMany("letter", inverseColumn: "from_id"))
        #expect(person?["letter_by_to"] == .toMany("letter", inverseColumn: "to_id"))
        #expect(schema.entities["phone"]?.relationships == ["person": .toOne("person", column: "owner")])
        #expect(schema.entities["phone"]?.attributes["owner"]?.type == .integer)
    }

    /// A table with several foreign keys to one table, or to itself, has the names of their columns in those of the
    /// relationships.
    @Test func foreignKeysToOneTableAreNamedAfterTheirColumns() throws {
        let schema = try schema(
            """
            CREATE TABLE Employee (EmployeeId INTEGER PRIMARY KEY, LastName TEXT, ReportsTo INTEGER REFERENCES Employee);
            CREATE TABLE airport (code TEXT PRIMARY KEY);
            CREATE TABLE flight (id INTEGER PRIMARY KEY, origin TEXT REFERENCES airport, dest TEXT REFERENCES airport,
                pilot INTEGER REFERENCES Employee);
            """)
        let employee = try #require(schema.entities["Employee"])
        #expect(employee.relationships["ReportsTo_Employee"] == .toOne("Employee", column: "ReportsTo"))
        #expect(
            employee.relationships.keys.sorted() == ["Employee_by_ReportsTo_Employee", "ReportsTo_Employee", "flight"])
        #expect(
            schema.entities["flight"]?.relationships == [
                "origin_airport": .toOne("airport", column: "origin"),
                "dest_airport": .toOne("airport", column: "dest"),
                "Employee": .toOne("Employee", column: "pilot"),
            ])
        #expect(
            schema.entities["airport"]?.relationships.keys.sorted() == [
                "flight_by_dest_airport", "flight_by_origin_airport",
            ])
    }

    @Test func joinTables() throws {
        let schema = try schema(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY);
            CREATE TABLE tag (id INTEGER PRIMARY KEY);
            CREATE TABLE person_tag (person_id REFERENCES person, tag_id REFERENCES tag, PRIMARY KEY (person_id, tag_id));
            CREATE TABLE friends (a_id REFERENCES person, b_id REFERENCES person, PRIMARY KEY (a_id, b_id)) WITHOUT ROWID;
            """)
        #expect(Set(schema.entities.keys) == ["person", "tag"])
        #expect(
            schema.entities["person"]?.relationships == [
                "tag": .manyToMany("tag", joinTable: "person_tag", sourceColumn: "person_id", targetColumn: "tag_id"),
                "a": .manyToMany("person", joinTable: "friends", sourceColumn: "b_id", targetColumn: "a_id"),
                "b": .manyToMany("person", joinTable: "friends", sourceColumn: "a_id", targetColumn: "b_id"),
            ])
        #expect(
            schema.entities["tag"]?.relationships == [
                "person": .manyToMany(
                    "person", joinTable: "person_tag", sourceColumn: "tag_id", targetColumn: "person_id")
            ])
    }

    @Test func namesThatAreTaken() throws {
        let schema = try schema(
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT, b_id REFERENCES b, bId REFERENCES b);
            CREATE TABLE b (id INTEGER PRIMARY KEY, a TEXT, a_by_b_by_b_id TEXT);
            """)
        #expect(schema.entities["a"]?.relationships.keys.sorted() == ["b_by_bId", "b_by_b_id"])
        #expect(schema.entities["b"]?.relationships.keys.sorted() == ["a_by_b_by_bId", "a_by_b_by_b_id_2"])
    }

    @Test func awkwardNames() throws {
        let names = [
            "a b", "a.b", "a\"b", "a'b", "a`b", "a]b", "a;b--", "%K", "?1", "$x", "é", "e\u{301}", "select", "\"\"",
            "--",
            "/*", "a\nb", "😀", "x\") ; DROP TABLE t; --",
        ]
        var script = ""
        for (index, name) in names.enumerated() {
            let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
            script += "CREATE TABLE \(quoted) (id INTEGER PRIMARY KEY, \(quoted) DATETIME);"
            script += "INSERT INTO \(quoted) VALUES (\(index), '2016-03-02');"
        }
        let schema = try schema(script)
        for name in names {
            #expect(schema.entities[name]?.attributes[name]?.type == .date(.iso8601), "\(name)")
        }
        // Two tables with canonically equivalent names are one key of the dictionary of entities.
        #expect(schema.entities.count == names.count - 1)
    }

    /// [NSP-428]
    @Test func columnsThatNoKeyPathReachesAreLeftOut() throws {
        let connection = try directory.database(
            "store.sqlite",
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, "@count" INTEGER, "" INTEGER, "@owner" INTEGER,
              "@max_id" REFERENCES a (id));
            """)
        let found = try connection.introspect()
        #expect(
            found.omissions == [.columnName(table: "a", column: "@count"), .columnName(table: "a", column: "")])
        let entity = found.schema.entities["a"]
        #expect(entity?.attributes.keys.sorted() == ["@max_id", "@owner", "id"])
        #expect(entity?.relationships.keys.sorted() == ["a_by_@max_id", "a_by_a_by_@max_id"])
        _ = try ObjectStore(connection, schema: found.schema)
    }

    @Test func omissions() throws {
        let connection = try directory.database(
            "store.sqlite",
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, x UNIQUE);
            CREATE TABLE b (id INTEGER PRIMARY KEY, x REFERENCES a (x), y REFERENCES nowhere);
            CREATE TABLE c (rowid, _rowid_, oid, PRIMARY KEY (rowid, oid)) WITHOUT ROWID;
            CREATE VIEW v AS SELECT * FROM nowhere;
            """)
        let found = try connection.introspect()
        #expect(
            found.omissions == [
                .compositeKey(table: "c"), .view("v", problem: "no such table: main.nowhere"),
                .foreignKey(table: "b", columns: ["x"], to: "a"),
                .foreignKey(table: "b", columns: ["y"], to: "nowhere"),
            ])
        #expect(found.schema.entities["b"]?.relationships == [:])
    }

    /// A view is an entity with the numbers of its rows, a table of full-text search one with its `rowid`.
    @Test func viewsAndVirtualTables() throws {
        let schema = try schema(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
            INSERT INTO person VALUES (1, 'Jo', 21), (2, 'Al', 7), (3, 'Bo', 'old');
            CREATE VIEW v AS SELECT name, age, age * 2 AS twice, age AS rowid FROM person WHERE age > 9 ORDER BY name;
            CREATE VIRTUAL TABLE note USING fts5 (title, body);
            CREATE VIRTUAL TABLE box USING rtree (id, low, high);
            """)
        let view = try #require(schema.entities["v"])
        #expect(view.numbersRows && view.primaryKey == "_rowid_")
        #expect(view.attributes["name"] == SQLAttribute(.string, affinity: .unknown))
        #expect(view.attributes["age"]?.type == .any && view.attributes["twice"]?.type == .integer)
        let note = try #require(schema.entities["note"])
        #expect(
            !note.numbersRows && note.primaryKey == "rowid"
                && note.attributes.keys.sorted() == ["body", "title"])
        #expect(note.attributes["body"] == SQLAttribute(.string, affinity: .unknown))
        #expect(schema.entities["box"]?.attributes.keys.sorted() == ["high", "id", "low"])
        #expect(schema.entities["note_data"] == nil)
        #expect(try SQLSchema(json: schema.json) == schema)
    }

    /// Columns declared as UUIDs that hold other texts are named.
    @Test func looseUUIDs() throws {
        let connection = try directory.database(
            "loose.sqlite",
            """
            CREATE TABLE t (a UUID, b UUID, c TEXT);
            INSERT INTO t VALUES ('137DECC8-B300-4954-A233-F89909F4FD89', '137decc8b3004954a233f89909f4fd89', 'x');
            """)
        let found = try connection.introspect()
        #expect(found.looseUUIDs == [.init(table: "t", column: "b", example: "137decc8b3004954a233f89909f4fd89")])
        #expect(found.schema.entities["t"]?.attributes["b"]?.type == .string)
    }

    /// Columns of STRICT tables, and the rowid, hold values of their types only.
    @Test func settledColumns() throws {
        let schema = try schema(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b ANY) STRICT; CREATE TABLE u (id INTEGER PRIMARY KEY, a)"
        )
        #expect(schema.entities["t"]?.attributes.mapValues(\.affinity) == ["id": nil, "a": nil, "b": .blob])
        #expect(schema.entities["u"]?.attributes.mapValues(\.affinity) == ["id": nil, "a": .blob])
    }
}
