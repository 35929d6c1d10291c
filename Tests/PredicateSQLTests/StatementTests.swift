import Foundation
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Whole statements.
@Suite struct StatementTests {
    private func query(_ format: String, dialect: any SQLDialect = SQLiteDialect()) throws -> SQLQuery {
        try SQLCompiler(schema: people, dialect: dialect).compile(try FormatPredicate(format), entity: "Person")
    }

    @Test func selections() throws {
        let query = try query("age >= 21 OR boss.name == nil")
        #expect(
            shown(query.select) == """
                SELECT t0."id" FROM "person" AS t0 LEFT JOIN "person" AS t1 ON t1."id" = t0."boss_id" \
                WHERE t0."age" >= ?1 OR t1."full_name" IS NULL [21]
                """)
        #expect(query.from.text == #""person" AS t0 LEFT JOIN "person" AS t1 ON t1."id" = t0."boss_id""#)
        #expect(query.count.text.hasPrefix(#"SELECT COUNT(*) FROM "person" AS t0 LEFT JOIN"#))
        #expect(query.exists.text.hasPrefix("SELECT EXISTS (SELECT 1 FROM"))
    }

    /// A side that no missing row satisfies is a set of keys.
    @Test func sidesInOtherTables() throws {
        #expect(
            shown(try query("age >= 21 OR boss.name == 'jo'").select) == """
                SELECT t0."id" FROM "person" AS t0 WHERE t0."age" >= ?1 OR t0."boss_id" IN \
                (SELECT t1."id" FROM "person" AS t1 WHERE t1."full_name" COLLATE BINARY = ?2) [21, 'jo']
                """)
    }

    @Test func keysAndOrders() throws {
        let statement = try query("age >= 21").select(
            keys: ["name", "boss", "boss.age"],
            sortKeys: [.init("name", options: .caseInsensitive), .init("boss.age", ascending: false), .init("name")],
            limit: 5)
        #expect(
            shown(statement) == """
                SELECT t0."id", t0."full_name", t0."boss_id", t1."age" FROM "person" AS t0 \
                LEFT JOIN "person" AS t1 ON t1."id" = t0."boss_id" WHERE t0."age" >= ?1 \
                ORDER BY predicates2_fold_c(t0."full_name"), t1."age" DESC, t0."full_name" COLLATE BINARY, t0."id" \
                LIMIT ?2 [21, 5]
                """)
        let other = try query("TRUEPREDICATE", dialect: PostgreSQLDialect()).select(
            keys: [], sortKeys: [.init("name")], offset: 3)
        #expect(
            shown(other) == """
                SELECT t0."id" FROM "person" AS t0 ORDER BY t0."full_name"::text COLLATE "C" ASC NULLS FIRST, t0."id" \
                OFFSET $1::int8 [3]
                """)
        #expect(throws: SQLCompilationError.self) { try query("age > 1").select(keys: ["phones"]) }
        #expect(throws: SQLCompilationError.self) { try query("age > 1").select(keys: ["wings"]) }
    }

    /// [NSP-349]
    @Test func keysThatADatabaseDoesNotReturn() throws {
        let (maria, mysql) = (MariaDBDialect(), MySQLDialect())
        let insertion = try SQLCompiler(schema: people, dialect: maria).insert("Tag", [:], returningKey: true)
        #expect(insertion.text == "INSERT INTO `tag` () VALUES () RETURNING `id`")
        #expect(
            try SQLCompiler(schema: people, dialect: mysql).insert("Tag", [:]).text == "INSERT INTO `tag` () VALUES ()")
        let error = SQLCompilationError.thrown {
            try SQLCompiler(schema: people, dialect: mysql).insert("Tag", [:], returningKey: true)
        }
        #expect(error?.description.contains("LAST_INSERT_ID()") == true)
        #expect(throws: SQLCompilationError.self) {
            try query("age > 1", dialect: maria).update(["age": 2], returningKeys: true)
        }
        #expect(throws: SQLCompilationError.self) { try query("age > 1", dialect: mysql).delete(returningKeys: true) }
    }

    /// [NSP-348]
    @Test(arguments: [MariaDBDialect() as any SQLDialect, MySQLDialect()])
    func aSessionDependsOnNoSetting(_ dialect: any SQLDialect) {
        let setup = dialect.setup.joined(separator: "\n")
        for name in [
            "NAMES", "sql_mode", "time_zone", "sql_select_limit", "sql_safe_updates", "sql_auto_is_null",
            "max_sort_length",
        ] {
            #expect(setup.contains(name))
        }
        #expect(setup.contains("default_regex_flags = ''") == (dialect.name == "mariadb"))
    }

    /// [NSP-347] [NSP-384]
    @Test func matchesAsksForTheOpposite() throws {
        #expect(
            shown(try query("name MATCHES 'j.*'", dialect: MySQLDialect()).where)
                .hasPrefix("REGEXP_LIKE(CONVERT(t0.`full_name` USING utf8mb4) COLLATE utf8mb4_0900_bin, ?, 'c')"))
        #expect(
            try query("name MATCHES '[jk]'", dialect: MariaDBDialect()).where.text == """
                CASE WHEN CONVERT(t0.`full_name` USING utf8mb4) COLLATE utf8mb4_nopad_bin REGEXP ? THEN TRUE \
                WHEN CONVERT(t0.`full_name` USING utf8mb4) COLLATE utf8mb4_nopad_bin REGEXP \
                CONCAT(INSERT(?, LOCATE('(?:', ?), 0, '(?!'), ')') THEN FALSE WHEN t0.`full_name` IS NOT NULL THEN \
                EXP(1000 + CHAR_LENGTH(CONCAT('MATCHES takes too many steps for the string ', t0.`full_name`))) END
                """)
    }

    /// A column of any type is compared as a text; without a collation of the schema only orders and two texts state one. [NSP-384]
    @Test func textsOfTwoCollations() throws {
        let schema = SQLSchema([
            SQLEntity(
                "Word", table: "word",
                attributes: [
                    "plain": .init(.string), "c": .init(.string, collation: "C"),
                    "own": .init(.string, collation: "de-x-icu"),
                ])
        ])
        let compiler = SQLCompiler(schema: schema, dialect: PostgreSQLDialect())
        func condition(_ format: String) throws -> String {
            try compiler.compile(FormatPredicate(format), entity: "Word").where.text
        }
        #expect(try condition("plain == 'a'") == #"t0."plain"::text = $1::text"#)
        #expect(try condition("own == 'a'") == #"t0."own"::text COLLATE "C" = $1::text"#)
        #expect(try condition("plain < 'a'") == #"t0."plain"::text COLLATE "C" < $1::text"#)
        #expect(try condition("c < 'a'") == #"t0."c"::text < $1::text"#)
        #expect(
            try condition("plain == own")
                == #"t0."plain"::text COLLATE "C" IS NOT DISTINCT FROM t0."own"::text COLLATE "C""#)
        #expect(
            try condition("TERNARY(c == 'a', own, plain) == 'a'") == """
                CASE WHEN t0."c"::text = $1::text THEN t0."own"::text COLLATE "C" \
                ELSE t0."plain"::text COLLATE "C" END = $2::text
                """)
        #expect(
            try condition("c CONTAINS plain")
                == #"strpos(t0."c"::text, t0."plain"::text COLLATE "C") > 0 AND t0."plain"::text <> $1::text"#)
        #expect(try condition("plain MATCHES 'a'") == #"t0."plain"::text ~ $1::text"#)
        #expect(try condition("own MATCHES 'a'") == #"t0."own"::text COLLATE "C" ~ $1::text"#)
        #expect(try condition("own LIKE 'a?'") == #"t0."own"::text COLLATE "C" LIKE $1::text ESCAPE '!'"#)
        #expect(try condition("own CONTAINS 'a'") == #"t0."own"::text COLLATE "C" LIKE $1::text ESCAPE '!'"#)
        #expect(try condition("plain CONTAINS 'a'") == #"t0."plain"::text LIKE $1::text ESCAPE '!'"#)
        #expect(try condition("own.length > 3") == #"predicates_length(t0."own"::text COLLATE "C") > $1::int8"#)
    }

    /// An index over the fold serves the comparison, which stands by itself. [NSP-346]
    @Test func equalityUnderAFoldOnPostgreSQL() throws {
        #expect(
            try query("name ==[c] 'Jo'", dialect: PostgreSQLDialect()).where.text == """
                t0."full_name"::text ~ (SELECT predicates2_pattern($1::text)) \
                AND predicates2_fold_c(t0."full_name"::text) = $2::text
                """)
        #expect(
            try query("name CONTAINS[c] 'Jo'", dialect: PostgreSQLDialect()).where.text == """
                t0."full_name"::text ~ (SELECT predicates2_pattern($1::text)) \
                AND ((t0."full_name"::text ~ (SELECT predicates2_pattern($2::text))) IS NOT TRUE \
                OR predicates2_contains(t0."full_name"::text, $3::text, 'c'))
                """)
    }

    /// [NSP-377]
    @Test func functionsOfMySQL() throws {
        let query = try query("name <[cd] boss.name AND uppercase:(name) == 'A'", dialect: MySQLDialect())
        #expect(query.prelude.count == 5)
        for statement in query.prelude {
            #expect(statement.hasPrefix("CREATE FUNCTION IF NOT EXISTS predicates2_"))
            #expect(statement.contains("COLLATE utf8mb4_0900_bin"))
            #expect(!statement.contains("nopad_bin"))
        }
    }

    /// [NSP-378]
    @Test func divisionsByWhatMayBeZero() throws {
        let condition = try query("height / age > 4", dialect: MySQLDialect()).where
        #expect(
            shown(condition) == """
                CAST(t0.`age` AS DOUBLE) IS NOT NULL AND CAST(t0.`age` AS DOUBLE) = 0 \
                AND t0.`height` > 0 OR (t0.`height` IS NOT NULL AND CAST(t0.`age` AS DOUBLE) IS NOT NULL \
                AND CAST(t0.`age` AS DOUBLE) = 0) IS NOT TRUE AND t0.`height` / CAST(t0.`age` AS DOUBLE) > \
                CAST(? AS DOUBLE) [4.0]
                """)
        let sum = try query("height / height + 1 > 4", dialect: MariaDBDialect()).where
        #expect(sum.text.contains("ATAN2(0, "))
        #expect(!sum.bindings.contains(.double(.infinity)))
    }

    /// [NSP-379]
    @Test func foldsLookUpCodePoints() throws {
        let prelude = try query("name <[cd] boss.name", dialect: MariaDBDialect()).prelude
        let names = prelude.map { $0.split(separator: "(")[0].split(separator: " ").last.map(String.init) }
        #expect(names == ["predicates2_pattern", "predicates2_near", "predicates2_characters", "predicates2_fold_cd"])
        #expect(prelude[3].contains("IF near IS NOT NULL THEN RETURN near; END IF;"))
    }

    @Test func placesOfNull() throws {
        let keys: [SortKey] = [
            .init("age", nils: .last), .init("rank", ascending: false, nils: .first), .init("height", nils: .first),
        ]
        let statement = try query("age > 1").select(keys: [], sortKeys: keys)
        #expect(
            statement.text.hasSuffix(
                #" ORDER BY t0."age" ASC NULLS LAST, t0."rank" DESC, t0."height", t0."id""#))
        let other = try query("age > 1", dialect: PostgreSQLDialect()).select(keys: [], sortKeys: keys)
        // NaN is between the negative numbers and 0.
        #expect(
            other.text.hasSuffix(
                """
                 ORDER BY t0."age" ASC NULLS LAST, t0."rank" DESC, CASE WHEN t0."height" IS NOT NULL THEN \
                CASE WHEN t0."height" < 0 THEN 0 ELSE CASE WHEN NULLIF(t0."height", 'NaN'::float8) IS NOT NULL THEN 2 \
                ELSE 1 END END END ASC NULLS FIRST, t0."height" ASC NULLS FIRST, t0."id"
                """))
    }

    @Test func updates() throws {
        let values: [String: PredicateValue] = [
            "age": 3, "name": "jo", "boss": SQLObjectID("Person", key: 7).predicateValue, "seen": .null,
        ]
        #expect(
            shown(try query("age > 1").update(values, returningKeys: true)) == """
                UPDATE "person" AS t0 SET "age" = ?1, "boss_id" = ?2, "full_name" = ?3, "seen" = ?4 \
                WHERE t0."age" > ?5 RETURNING "id" [3, 7, 'jo', NULL, 1]
                """)
        #expect(
            shown(try query("boss.age > rank").update(["age": 3])) == """
                UPDATE "person" AS t0 SET "age" = ?1 WHERE t0."id" IN (SELECT t0."id" FROM "person" AS t0 \
                LEFT JOIN "person" AS t1 ON t1."id" = t0."boss_id" WHERE t1."age" > t0."rank") [3]
                """)
    }

    @Test(arguments: [30, 40, 300]) func aConditionKeepsItsValuesBehindManyOthers(count: Int) throws {
        let keys = (0..<count).map { "key\($0)" }
        let columns = Dictionary(uniqueKeysWithValues: keys.map { ($0, SQLType.integer) })
        let schema = SQLSchema(table: "wide", columns: columns)
        let query = try SQLCompiler(schema: schema).compile(FormatPredicate("key1 == 7 AND key2 == 8"), entity: "wide")
        let statement = try query.update(Dictionary(uniqueKeysWithValues: keys.map { ($0, .integer(1)) }))
        #expect(statement.text.hasSuffix(#"t0."key1" = ?\#(count + 1) AND t0."key2" = ?\#(count + 2)"#))
        #expect(statement.bindings == Array(repeating: .integer(1), count: count) + [.integer(7), .integer(8)])
    }

    @Test func insertions() throws {
        let compiler = SQLCompiler(schema: people)
        let values: [String: PredicateValue] = [
            "age": 3, "name": "jo", "boss": SQLObjectID("Person", key: 7).predicateValue, "seen": .null,
        ]
        #expect(
            shown(try compiler.insert("Person", values, returningKey: true)) == """
                INSERT INTO "person" ("age", "boss_id", "full_name", "seen") VALUES (?1, ?2, ?3, ?4) RETURNING "id" \
                [3, 7, 'jo', NULL]
                """)
        #expect(try compiler.insert("Tag", [:]).text == #"INSERT INTO "tag" DEFAULT VALUES"#)
        #expect(
            try SQLCompiler(schema: people, dialect: PostgreSQLDialect()).insert("Person", ["code": .null, "age": 1])
                .text
                == #"INSERT INTO "person" ("age", "code") VALUES ($1::int8, $2::uuid)"#)
        #expect(throws: SQLCompilationError(.notAColumn(key: "phones"))) {
            try compiler.insert("Person", ["phones": .null])
        }
        #expect(throws: SQLCompilationError(.valueKind(key: "age", expected: "an integer", found: "a string"))) {
            try compiler.insert("Person", ["age": "x"])
        }
        #expect(throws: SQLCompilationError(.unknownEntity("Persn", nearMisses: ["Person"]))) {
            try compiler.insert("Persn", [:])
        }
    }

    @Test func updatesCountVersions() throws {
        let schema = SQLSchema([
            SQLEntity(
                "A", table: "a", attributes: ["n": .init(.integer), "v": .init(.integer, column: "version")],
                versionKey: "v")
        ])
        let query = try SQLCompiler(schema: schema).compile(FormatPredicate("n > 1"), entity: "A")
        #expect(
            shown(try query.update(["n": 3])) == """
                UPDATE "a" AS t0 SET "n" = ?1, "version" = COALESCE(t0."version", 0) + 1 WHERE t0."n" > ?2 [3, 1]
                """)
        #expect(shown(try query.update(["v": 3])) == #"UPDATE "a" AS t0 SET "version" = ?1 WHERE t0."n" > ?2 [3, 1]"#)
    }

    @Test func updatesThatFitNoColumn() throws {
        let query = try query("age > 1")
        let cases: [(String, PredicateValue, SQLCompilationError.Code)] = [
            ("age", "x", .valueKind(key: "age", expected: "an integer", found: "a string")),
            ("age", 1.5, .valueKind(key: "age", expected: "an integer", found: "a double")),
            ("member", 2, .valueKind(key: "member", expected: "a Boolean", found: "an integer")),
            ("boss", 7, .valueKind(key: "boss", expected: "an SQLObjectID of Person", found: "an integer")),
            ("phones", .null, .notAColumn(key: "phones")),
            ("nmae", "x", .unknownKey("nmae", entity: "Person", nearMisses: ["name"])),
        ]
        for (key, value, code) in cases {
            let error = SQLCompilationError.thrown { try query.update([key: value]) }
            #expect(error?.code == code)
        }
        #expect(throws: SQLCompilationError(.nothingToUpdate)) { try query.update([:]) }
    }

    /// What a database keeps as another value is no value of its columns: SQLite has NULL for what is not a number,
    /// PostgreSQL has no text with U+0000.
    @Test func valuesThatADatabaseDoesNotKeep() throws {
        let types: [SQLType] = [
            .double, .decimal, .string, .any, .date(.since2001), .date(.since1970), .date(.iso8601), .date(.timestamp),
        ]
        let nanDate = PredicateValue.date(Date(timeIntervalSinceReferenceDate: .nan))
        for type in types {
            #expect(type.binding(of: .double(.nan)) == nil)
            #expect(type.binding(of: .decimal(.nan)) == nil)
            #expect(type.binding(of: nanDate) == nil)
            #expect(type.binding(of: .decimal(.nan), for: PostgreSQLDialect()) == nil)
            #expect(type.binding(of: "a\0b", for: PostgreSQLDialect()) == nil)
        }
        #expect(SQLType.date(.iso8601).binding(of: nanDate, for: PostgreSQLDialect()) == nil)
        #expect(SQLType.double.binding(of: .double(.nan), for: PostgreSQLDialect()) != nil)
        #expect(SQLType.date.binding(of: nanDate, for: PostgreSQLDialect()) != nil)
        #expect(SQLType.string.binding(of: "a\0b") == .text("a\0b"))
        #expect(SQLType.double.binding(of: .double(-.infinity)) == .double(-.infinity))
        let schema = SQLSchema(
            table: "t", columns: ["height": .double, "born": .date, "price": .decimal, "note": .any])
        let query = try SQLCompiler(schema: schema).compile(FormatPredicate("TRUEPREDICATE"), entity: "t")
        let cases: [(String, PredicateValue, expected: String, found: String)] = [
            ("height", .double(.nan), "a double", "NaN"),
            ("born", nanDate, "a date", "a date that is NaN"),
            ("price", .decimal(.nan), "a decimal number", "NaN"),
            ("note", .double(.nan), "a value of any type", "NaN"),
        ]
        for (key, value, expected, found) in cases {
            let error = SQLCompilationError.thrown { try query.update([key: value]) }
            #expect(error?.code == .valueKind(key: key, expected: expected, found: found))
        }
    }

    /// A moment in the database's own type is a text that the database reads.
    @Test func updatesOfTimestamps() throws {
        let schema = SQLSchema(table: "event", columns: ["at": .date(.timestamp)])
        let moment = try #require(ISO8601.date(from: "2024-01-31T12:00:00.5Z"))
        let dialects: [(any SQLDialect, placeholder: String, text: String)] = [
            (PostgreSQLDialect(), "$1::timestamptz", "2024-01-31 12:00:00.500000+00"),
            (SQLiteDialect(), "?1", "2024-01-31T12:00:00.5Z"),
        ]
        for (dialect, value, text) in dialects {
            let query = try SQLCompiler(schema: schema, dialect: dialect)
                .compile(FormatPredicate("TRUEPREDICATE"), entity: "event")
            let update = try query.update(["at": .date(moment)])
            #expect(update.text == #"UPDATE "event" AS t0 SET "at" = \#(value)"#)
            #expect(update.bindings == [.text(text)])
            #expect(try query.update(["at": .null]).text == update.text)
            let error = SQLCompilationError.thrown {
                try query.update(["at": .date(Date(timeIntervalSinceReferenceDate: 1e15))])
            }
            let found = "a date outside the years that the column can hold"
            #expect(error?.code == .valueKind(key: "at", expected: "a date", found: found))
        }
    }

    @Test func aPrimaryKeyIsAKey() throws {
        let flat = SQLCompiler(schema: SQLSchema(table: "person", columns: ["name": .string]))
        let query = try flat.compile(FormatPredicate("id == 3 AND id IN {3, 4}"), entity: "person")
        #expect(shown(query.where) == #"t0."id" = ?1 AND t0."id" IN (?2, ?3) [3, 3, 4]"#)
        #expect(try query.select(keys: ["id"]).text.hasPrefix(#"SELECT t0."id", t0."id" FROM "person""#))
        #expect(try flat.insert("person", ["id": 3]).text == #"INSERT INTO "person" ("id") VALUES (?1)"#)
    }

    @Test func anotherKeyMayHaveTheNameOfThePrimaryKey() throws {
        let schema = SQLSchema([
            SQLEntity("Person", table: "person", attributes: ["id": .init(.string, column: "code")])
        ])
        let query = try SQLCompiler(schema: schema).compile(FormatPredicate("id == 'x'"), entity: "Person")
        #expect(query.where.text.hasPrefix(#"t0."code""#))
    }

    @Test func deletions() throws {
        #expect(shown(try query("age > 1").delete()) == #"DELETE FROM "person" AS t0 WHERE t0."age" > ?1 [1]"#)
        #expect(shown(try query("TRUEPREDICATE").delete()) == #"DELETE FROM "person" AS t0"#)
    }

    @Test func functionsAreNamed() throws {
        let names = try query("name ==[cd] 'a' AND due > CAST(1, 'NSDate') AND name LIKE '?a*b'").requiredFunctions
            .map(\.name).sorted()
        #expect(names == ["predicates2_compare", "predicates2_like", "predicates_date"])
        let other = try query("name ==[d] 'a' AND name.length > 3", dialect: PostgreSQLDialect())
        #expect(other.requiredFunctions.isEmpty)
        #expect(other.prelude.count == 3)
        #expect(other.prelude[1].hasPrefix("CREATE OR REPLACE FUNCTION predicates2_fold_d(s text) RETURNS text"))
        #expect(other.setup == ["SET TIME ZONE 'UTC'"])
    }

    @Test func objects() throws {
        let jo = SQLObjectID("Person", key: 7).predicateValue
        #expect(try condition("boss == %@", jo) == #"t0."boss_id" = ?1 [7]"#)
        #expect(try condition("boss != %@", jo) == #"t0."boss_id" IS NOT ?1 [7]"#)
        #expect(
            try condition("SELF IN %@", .array([jo, SQLObjectID("Person", key: 8).predicateValue]))
                == #"t0."id" IN (?1, ?2) [7, 8]"#)
        #expect(try condition("boss == %@", SQLObjectID("Tag", key: "x").predicateValue) == "0")
        #expect(
            try condition("tags CONTAINS %@", SQLObjectID("Tag", key: "x").predicateValue) == """
                t0."id" IN (SELECT t1."person_id" FROM "person_tag" AS t1 JOIN "tag" AS t2 ON t2."id" = t1."tag_id" \
                WHERE t2."id" COLLATE BINARY = ?1) ['x']
                """)
        #expect(try refusal("boss == %@", [.object(PredicateObject("x"))])?.code == .notExpressible(.hostObject))
    }

    @Test func longListsAreOneParameter() throws {
        let numbers = PredicateValue.array((0..<101).map { .integer($0) })
        #expect(try condition("age IN %@", numbers).hasPrefix(#"t0."age" IN (SELECT value FROM json_each(?1)) ['[0,1"#))
        let texts = PredicateValue.array((0..<101).map { .string("\"\($0)") })
        #expect(try condition("name IN %@", texts).contains("COLLATE BINARY IN (SELECT value FROM json_each(?1))"))
        #expect(
            try condition("name IN %@", numbers, dialect: PostgreSQLDialect()) == "FALSE")
        #expect(
            try condition("age IN %@", numbers, dialect: PostgreSQLDialect())
                .hasPrefix(#"t0."age" IN (SELECT value::int8 FROM jsonb_array_elements_text($1::jsonb))"#))
    }
}
