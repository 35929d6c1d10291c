import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Statements that create the indexes of a predicate. [NSP-440]
@Suite struct IndexTests {
    private func statements(_ format: String, _ dialect: any SQLDialect = SQLiteDialect()) throws -> [String] {
        try statements(FormatPredicate(format), dialect)
    }

    private func statements(_ predicate: FormatPredicate, _ dialect: any SQLDialect) throws -> [String] {
        try SQLCompiler(schema: people, dialect: dialect).indexes(for: predicate, entity: "Person").map(\.statement)
    }

    private func creation(_ name: String, _ table: String, _ term: String) -> String {
        #"CREATE INDEX IF NOT EXISTS "\#(name)" ON "\#(table)" (\#(term))"#
    }

    @Test func columnsThatAreComparedWithConstants() throws {
        #expect(try statements("age > 3 AND NOT (age < 9)") == [creation("index(person.age)", "person", #""age""#)])
        #expect(try statements("age != 3") == [])
        #expect(try statements("age * 2 == 18") == [])
        let isSeven = try FormatPredicate("SELF == %@", SQLObjectID("Person", key: 7).predicateValue)
        #expect(try statements(isSeven, SQLiteDialect()) == [])
        #expect(
            try statements("name == 'Jo' OR name IN {'a', 'b'} OR name > 'x'")
                == [creation("index(person.full_name)", "person", #""full_name" COLLATE BINARY"#)])
    }

    @Test func keysThatJoinTables() throws {
        #expect(
            try statements("boss.age == 3") == [
                creation("index(person.boss_id)", "person", #""boss_id""#),
                creation("index(person.age)", "person", #""age""#),
            ])
        #expect(try statements("NOT (boss.age > 5)") == statements("boss.age > 5"))
        #expect(
            try statements("NONE phones.rank > 5").contains(
                creation("index(phone.person_id)", "phone", #""person_id""#)))
        #expect(
            try statements("ANY phones.number == '1' AND age == 3") == [
                creation("index(phone.number)", "phone", #""number" COLLATE BINARY"#),
                creation("index(phone.person_id)", "phone", #""person_id""#),
                creation("index(person.age)", "person", #""age""#),
            ])
        #expect(
            try statements("ANY tags.title == 'x'", PostgreSQLDialect()).first
                == creation("index(person_tag.person_id)", "person_tag", #""person_id""#))
        #expect(
            try statements("phones.@count > 3").contains(
                creation("index(phone.person_id)", "phone", #""person_id""#)))
    }

    @Test func folds() throws {
        let index = creation("predicates2_fold_cd(person.full_name)", "person", #"predicates2_fold_cd("full_name")"#)
        #expect(try statements("name ==[cd] 'jo'") == [index])
        #expect(try statements("name BEGINSWITH[cd] 'jo'") == [index])
        #expect(try statements("name <[cd] 'jo' OR name LIKE[cd] 'jo*n?'") == [index])
        #expect(try statements("name CONTAINS[cd] 'jo'") == [])
    }

    @Test func classesOfOperatorsOnPostgreSQL() throws {
        let postgreSQL = PostgreSQLDialect()
        let (name, fold) = (#"("full_name"::text)"#, #"(predicates2_fold_c("full_name"::text))"#)
        #expect(try statements("name == 'Jo'", postgreSQL) == [creation("index(person.full_name)", "person", name)])
        let prefix = creation("prefix(person.full_name)", "person", name + " text_pattern_ops")
        #expect(try statements("name BEGINSWITH 'Jo' OR name == 'Al'", postgreSQL) == [prefix])
        #expect(try statements("name LIKE 'Jo*n?'", postgreSQL) == [prefix])
        #expect(try statements("name LIKE '*Jo?n'", postgreSQL) == [])
        let parts =
            #"CREATE INDEX IF NOT EXISTS "parts(person.full_name)" ON "person" USING gin (("full_name"::text) gin_trgm_ops)"#
        let extensions = "CREATE EXTENSION IF NOT EXISTS pg_trgm"
        #expect(try statements("name CONTAINS 'ohn' OR name LIKE '*?ohn'", postgreSQL) == [extensions, parts])
        #expect(try statements("name CONTAINS 'oh'", postgreSQL) == [])
        #expect(
            try statements("name > 'Jo' AND name BEGINSWITH 'J'", postgreSQL) == [
                creation("order(person.full_name)", "person", #"("full_name"::text COLLATE "C")"#)
            ])
        #expect(
            try statements("name ==[c] 'Jo'", postgreSQL)
                == [creation("predicates2_fold_c(person.full_name)", "person", fold)])
        #expect(
            try statements("name BEGINSWITH[c] 'Jo'", postgreSQL)
                == [creation("prefix(predicates2_fold_c(person.full_name))", "person", fold + " text_pattern_ops")])
    }

    @Test func whatAnIndexOfMariaDBCannotHold() throws {
        let index = "CREATE INDEX IF NOT EXISTS `index(person.full_name)` ON `person` (`full_name`)"
        #expect(try statements("name BEGINSWITH 'Jo' OR name == 'x'", MariaDBDialect()) == [index])
        #expect(try statements("name BEGINSWITH 'Jo'", MariaDBDialect()) == [index])
        #expect(try statements("name ==[c] 'Jo'", MariaDBDialect()) == [index])
        #expect(try statements("name > 'Jo'", MariaDBDialect()) == [])
        #expect(try statements("name BEGINSWITH[cd] 'Jo'", MariaDBDialect()) == [])
        #expect(
            try statements("age == 3", MySQLDialect()) == ["CREATE INDEX `index(person.age)` ON `person` (`age`)"])
        #expect(try statements("age == 3", DuckDBDialect()) == [])
        #expect(try statements("age == 3", SparkDialect()) == [])
    }

    @Test func orderByCodePointsIfTheColumnIsDeclaredSo() throws {
        let schema = SQLSchema([
            SQLEntity("p", attributes: ["name": .init(.string, collation: "utf8mb4_nopad_bin")])
        ])
        let indexes = try SQLCompiler(schema: schema, dialect: MariaDBDialect()).indexes(
            for: FormatPredicate("name > 'Jo'"), entity: "p")
        #expect(indexes.map(\.statement) == ["CREATE INDEX IF NOT EXISTS `index(p.name)` ON `p` (`name`)"])
    }

    /// Names are unique, and fit the databases' limits.
    @Test func names() throws {
        let long = String(repeating: "é", count: 30)
        let schema = SQLSchema([
            SQLEntity("a", table: "a.b", attributes: ["c": .init(.integer), long: .init(.integer)]),
            SQLEntity("d", table: long, attributes: [long + "e": .init(.integer), long + "f": .init(.integer)]),
        ])
        let compiler = SQLCompiler(schema: schema, dialect: PostgreSQLDialect())
        #expect(try compiler.indexes(for: FormatPredicate("c == 3"), entity: "a").map(\.name) == ["index(a%2Eb.c)"])
        let names = try compiler.indexes(
            for: FormatPredicate("%K == 3 OR %K == 4", long + "e", long + "f"), entity: "d"
        ).map(\.name)
        #expect(names.count == 2 && Set(names).count == 2)
        #expect(names.allSatisfy { $0.utf8.count <= 60 && $0.hasPrefix("index(ééé") })
    }
}
