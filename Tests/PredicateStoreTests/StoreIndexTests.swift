import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Sargable predicates: selective conditions use the indexes of the file.
@Suite struct StoreIndexTests {
    private let store: ObjectStore

    init() throws {
        let directory = try TemporaryDirectory()
        let connection = try directory.database(
            "store.sqlite",
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, height REAL, born REAL, other_id INTEGER,
                uuid BLOB, flag INTEGER);
            CREATE INDEX t_name ON t (name);
            CREATE INDEX t_age ON t (age);
            CREATE INDEX t_height ON t (height);
            CREATE INDEX t_born ON t (born);
            CREATE INDEX t_other ON t (other_id);
            CREATE INDEX t_uuid ON t (uuid);
            CREATE INDEX t_folded ON t (predicates2_fold_cd(name));
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO t SELECT i, 'name ' || i, i % 100, i / 2.0, i * 1000.0, i % 50 + 1, randomblob(16), i % 2 FROM n;
            ANALYZE;
            """)
        let schema = SQLSchema([
            SQLEntity(
                "T", table: "t",
                attributes: [
                    "id": SQLAttribute(.integer, isNullable: false), "name": SQLAttribute(.string),
                    "age": SQLAttribute(.integer), "height": SQLAttribute(.double),
                    "born": SQLAttribute(.date(.since2001)), "uuid": SQLAttribute(.uuid(.blob)),
                    "flag": SQLAttribute(.boolean),
                ],
                relationships: [
                    "other": .toOne("T", column: "other_id"), "others": .toMany("T", inverseColumn: "other_id"),
                ])
        ])
        store = try ObjectStore(connection, schema: schema)
    }

    private func plan(_ format: String, _ sortKeys: [SortKey] = []) throws -> String {
        try store.queryPlan(of: PredicateFetchRequest("T", try FormatPredicate(format), sortKeys: sortKeys))
    }

    @Test(
        arguments: [
            ("age == 21", "INDEX t_age (age=?)"), ("age == nil", "INDEX t_age (age=?)"),
            ("age > 97", "INDEX t_age (age>?)"), ("age >= 97 AND age < 99", "INDEX t_age (age>? AND age<?)"),
            ("age BETWEEN {97, 98}", "INDEX t_age (age>? AND age<?)"), ("age IN {1, 2, 3}", "INDEX t_age (age=?)"),
            ("age > 97.5", "INDEX t_age (age>?)"), ("age == 21.0", "INDEX t_age (age=?)"),
            ("height > 990.5", "INDEX t_height (height>?)"), ("height == 3", "INDEX t_height (height=?)"),
            ("name == 'name 7'", "INDEX t_name (name=?)"),
            ("name BEGINSWITH 'name 7'", "INDEX t_name (name>? AND name<?)"),
            ("name LIKE 'name 7*'", "INDEX t_name (name>? AND name<?)"), ("name > 'name 99'", "INDEX t_name (name>?)"),
            ("name IN {'a', 'b'}", "INDEX t_name (name=?)"), ("name ==[cd] 'NAME 7'", "INDEX t_folded (<expr>=?)"),
            ("born < CAST(5000, 'NSDate')", "INDEX t_born (born<?)"),
            (
                "born >= CAST('2001-01-01', 'NSDate') AND born < CAST('2001-01-02', 'NSDate')",
                "INDEX t_born (born>? AND born<?)"
            ),
            ("uuid == CAST('137DECC8-B300-4954-A233-F89909F4FD89', 'NSUUID')", "INDEX t_uuid (uuid=?)"),
            ("id == 7", "INTEGER PRIMARY KEY (rowid=?)"), ("age == 21 AND flag == YES", "INDEX t_age (age=?)"),
            ("other.name == 'name 7'", "INDEX t_other (other_id=?)"),
            ("ANY others.age == 99", "INDEX t_"), ("others.@count > 30", "INDEX t_other"),
            ("NOT (age != 21)", "INDEX t_age (age=?)"), ("NOT (age < 98)", "INDEX t_age (age>?)"),
        ])
    func uses(_ format: String, index: String) throws {
        let plan = try plan(format)
        #expect(plan.contains("SEARCH") && plan.contains(index), "\(format)\n\(plan)")
    }

    @Test func orders() throws {
        #expect(try plan("TRUEPREDICATE", [SortKey("name")]).contains("USING INDEX t_name"))
        #expect(try !plan("TRUEPREDICATE", [SortKey("name")]).contains("TEMP B-TREE"))
        #expect(try !plan("age > 98", [SortKey("age")]).contains("TEMP B-TREE"))
        #expect(try plan("TRUEPREDICATE", [SortKey("born", ascending: false)]).contains("USING INDEX t_born"))
    }
}
