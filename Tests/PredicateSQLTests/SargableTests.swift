import Foundation
import PredicateSQL
import PredicateSyntax
import Testing

/// Conditions that leave a column bare, so that an index of it serves.
@Suite struct SargableTests {
    @Test func aNegatedOrderIsTheOppositeOrNil() throws {
        try expectConditions(
            """
            NOT (age > 18)
                t0."age" <= ?1 OR t0."age" IS NULL [18]
            NOT (rank <= 18)
                t0."rank" > ?1 [18]
            NOT (name < 'm')
                t0."full_name" COLLATE BINARY >= ?1 OR t0."full_name" IS NULL ['m']
            NOT (age > 18) AND rank == 2
                (t0."age" <= ?1 OR t0."age" IS NULL) AND t0."rank" = ?2 [18, 2]
            NOT (age BETWEEN {18, 78})
                t0."age" < ?1 OR t0."age" > ?2 OR t0."age" IS NULL [18, 78]
            NOT (name == 'x' OR age > 17)
                t0."full_name" COLLATE BINARY IS NOT ?1 AND (t0."age" <= ?2 OR t0."age" IS NULL) ['x', 17]
            NOT (name == 'x' AND age > 17)
                (t0."full_name" COLLATE BINARY = ?1 AND t0."age" > ?2) IS NOT TRUE ['x', 17]
            NOT (age != nil AND rank > 17)
                t0."rank" <= ?1 OR t0."age" IS NULL [17]
            """)
    }

    /// NSP-344: the decimal numbers whose nearest double satisfies it.
    @Test func aDoubleBesideADecimalColumnIsADecimalBound() throws {
        try expectConditions(
            """
            price >= 0.5
                t0."price" >= $1::numeric ['0.4999999999999999722444243843710864894092082977294921875']
            price > 0.0
                t0."price" > $1::numeric ['0']
            price < 9007199254740992.0
                t0."price" < $1::numeric ['9007199254740991.5']
            price == 9007199254740993.0
                t0."price" >= $1::numeric AND t0."price" <= $2::numeric ['9007199254740991.5', '9007199254740993']
            """, dialect: PostgreSQLDialect())
        try expectConditions(
            """
            price >= 0.5
                t0."price" >= $1::DECIMAL(38, 18) ['0.499999999999999973']
            price == 0.1
                t0."price" >= $1::DECIMAL(38, 18) AND t0."price" <= $2::DECIMAL(38, 18) ['0.099999999999999999', '0.100000000000000012']
            price == 1e-40
                FALSE
            price > 1e30
                FALSE
            price < 1e30
                t0."price" IS NOT NULL
            """, dialect: DuckDBDialect())
    }

    @Test func theGreatestOfSomeIsGreaterWhereOneIs() throws {
        try expectConditions(
            """
            phones.@max.rank > 9
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 WHERE t1."rank" > ?1) [9]
            phones.@min.rank <= 9
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 WHERE t1."rank" <= ?1) [9]
            """)
    }

    /// A value of another kind among those of a column is an error for the greatest of them.
    @Test func theGreatestOfAGuardedColumnFindsOtherKinds() throws {
        let rank = SQLAttribute(.integer, affinity: .integer)
        let schema = SQLSchema([
            SQLEntity(
                "Person", attributes: [:], relationships: ["phones": .toMany("Phone", inverseColumn: "owner")]),
            SQLEntity("Phone", attributes: ["rank": rank]),
        ])
        let own = #"CASE WHEN typeof(t1."rank") = 'integer' THEN t1."rank" ELSE predicates_mixed_kinds(t1."rank", ?"#
        let compiler = SQLCompiler(schema: schema)
        let above = try compiler.compile(FormatPredicate("phones.@max.rank > 9"), entity: "Person").where.text
        #expect(above.contains(#"WHERE t1."rank" > ?1 AND \#(own)2) END > ?3)"#), "\(above)")
        let below = try compiler.compile(FormatPredicate("phones.@min.rank < 9"), entity: "Person").where.text
        #expect(below.contains(#"WHERE (t1."rank" < ?1 OR t1."rank" > 9e999) AND \#(own)2) END < ?3)"#), "\(below)")
    }

    /// The negation of nested conjunctions and disjunctions is computed once for each of them.
    @Test func deeplyNestedNegationsAreCompiled() throws {
        let format = (2...60).reduce("age > 1") { "(\($0)) \($1 % 2 == 0 ? "AND" : "OR") age > \($1)" }
        let text = try SQLCompiler(schema: people).compile(FormatPredicate("NOT (\(format))"), entity: "Person")
            .where.text
        #expect(text.hasSuffix("<= ?60") || text.hasSuffix("IS NULL"), "\(text)")
    }

    /// SQLite answers EXISTS row by row, so that it is given the keys that decide, unless another condition selects few objects.
    @Test func keysAreSelectedUnlessFewObjectsAre() throws {
        try expectConditions(
            """
            ANY phones.rank > 9
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 WHERE t1."rank" > ?1) [9]
            ANY phones.rank > 9 AND age > 40
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 WHERE t1."rank" > ?1) AND t0."age" > ?2 [9, 40]
            ANY phones.rank > 9 OR age > 40
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 WHERE t1."rank" > ?1) OR t0."age" > ?2 [9, 40]
            ANY phones.rank > 9 AND age == 40
                EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" > ?1) AND t0."age" = ?2 [9, 40]
            ANY phones.rank > 9 AND name BEGINSWITH 'Jo'
                EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" > ?1) AND t0."full_name" COLLATE BINARY >= ?2 AND t0."full_name" COLLATE BINARY < ?3 [9, 'Jo', 'Jp']
            SUBQUERY(phones, $p, $p.rank > 9).@count >= 2
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 WHERE t1."rank" > ?1 GROUP BY +t1."person_id" HAVING COUNT(*) >= ?2) [9, 2]
            ANY phones.rank > rank
                EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" > t0."rank")
            NONE phones.rank > 9
                (t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 WHERE t1."rank" > ?1)) IS NOT TRUE [9]
            """)
        try expectConditions(
            """
            ANY phones.rank > 9
                EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" > $1::int8) [9]
            NONE phones.rank > 9
                NOT EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" > $1::int8) [9]
            ANY phones.rank > 9 OR age > 40
                EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" > $1::int8) OR t0."age" > $2::int8 [9, 40]
            ANY phones.rank > 9 OR name CONTAINS 'oh'
                EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" > $1::int8) OR t0."full_name"::text LIKE $2::text ESCAPE '!' [9, '%oh%']
            """, dialect: PostgreSQLDialect())
        try expectConditions(
            """
            ANY phones.rank > 9 OR age > 40
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 WHERE t1."rank" > $1::BIGINT) OR t0."age" > $2::BIGINT [9, 40]
            """, dialect: DuckDBDialect())
    }

    /// PostgreSQL searches a large set row by row unless it can join it.
    @Test func setsArePartsOfJoinsWhereTheyAreNotHashed() throws {
        try expectConditions(
            """
            phones.@count > 7
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 GROUP BY t1."person_id" HAVING COUNT(*) > $1::int8) [7]
            phones.@count < 7
                NOT EXISTS (SELECT 1 FROM (SELECT t1."person_id" AS "k" FROM "phone" AS t1 GROUP BY t1."person_id" HAVING (COUNT(*) < $1::int8) IS NOT TRUE) AS g WHERE g."k" = t0."id") [7]
            NOT (phones.@count > 7)
                NOT EXISTS (SELECT 1 FROM (SELECT t1."person_id" AS "k" FROM "phone" AS t1 GROUP BY t1."person_id" HAVING COUNT(*) > $1::int8) AS g WHERE g."k" = t0."id") [7]
            phones.@count > 7 OR age > 40
                (SELECT COUNT(*) FROM "phone" AS t1 WHERE t1."person_id" = t0."id") > $1::int8 OR t0."age" > $2::int8 [7, 40]
            """, dialect: PostgreSQLDialect())
    }

    /// The sides of OR over several tables: sets where they are hashed, EXISTS elsewhere. A missing boss satisfies `!=`: the set is
    /// that of its opposite.
    @Test func sidesOfOrInOtherTablesAreSets() throws {
        try expectConditions(
            """
            boss.age == 20 OR rank > 9
                t0."boss_id" IN (SELECT t1."id" FROM "person" AS t1 WHERE t1."age" = ?1) OR t0."rank" > ?2 [20, 9]
            boss.age == 20 AND age > 30 OR rank > 9
                t0."boss_id" IN (SELECT t1."id" FROM "person" AS t1 WHERE t1."age" = ?1) AND t0."age" > ?2 OR t0."rank" > ?3 [20, 30, 9]
            boss.boss.age == 20 OR boss.rank > 9
                t0."boss_id" IN (SELECT t1."id" FROM "person" AS t1 WHERE t1."boss_id" IN (SELECT t2."id" FROM "person" AS t2 WHERE t2."age" = ?1) OR t1."rank" > ?2) [20, 9]
            boss.age == 20 OR boss.rank > 9
                t0."boss_id" IN (SELECT t1."id" FROM "person" AS t1 WHERE t1."age" = ?1 OR t1."rank" > ?2) [20, 9]
            boss.age != 20 OR rank > 9
                (t0."boss_id" IN (SELECT t1."id" FROM "person" AS t1 WHERE t1."age" = ?1)) IS NOT TRUE OR t0."rank" > ?2 [20, 9]
            (boss.age == 20 OR rank > 9) AND boss.rank == 3
                (t0."boss_id" IN (SELECT t1."id" FROM "person" AS t1 WHERE t1."age" = ?1) OR t0."rank" > ?2) AND t0."boss_id" IN (SELECT t1."id" FROM "person" AS t1 WHERE t1."rank" = ?3) [20, 9, 3]
            SUBQUERY(phones, $p, $p.owner.age == 20 OR $p.rank > 9).@count > 0
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 WHERE t1."person_id" IN (SELECT t2."id" FROM "person" AS t2 WHERE t2."age" = ?1) OR t1."rank" > ?2) [20, 9]
            """)
        try expectConditions(
            """
            boss.age == 20 OR rank > 9
                EXISTS (SELECT 1 FROM "person" AS t1 WHERE t1."id" = t0."boss_id" AND t1."age" = $1::int8) OR t0."rank" > $2::int8 [20, 9]
            boss.age != 20 OR rank > 9
                NOT EXISTS (SELECT 1 FROM "person" AS t1 WHERE t1."id" = t0."boss_id" AND t1."age" = $1::int8) OR t0."rank" > $2::int8 [20, 9]
            """, dialect: PostgreSQLDialect())
    }

    /// Every string that an expression matches begins with its literal beginning.
    @Test func regularExpressionsBeginWithARange() throws {
        try expectConditions(
            """
            name MATCHES 'jo[a-z]*n'
                t0."full_name" COLLATE BINARY >= ?1 AND t0."full_name" COLLATE BINARY < ?2 AND predicates_matches(t0."full_name", ?3, '') ['jo', 'jp', 'jo[a-z]*n']
            name MATCHES '^jo.hanna'
                t0."full_name" COLLATE BINARY >= ?1 AND t0."full_name" COLLATE BINARY < ?2 AND instr(t0."full_name", ?3) > 0 AND predicates_matches(t0."full_name", ?4, '') ['jo', 'jp', 'hanna', '^jo.hanna']
            name MATCHES 'jo|al'
                predicates_matches(t0."full_name", ?1, '') ['jo|al']
            name MATCHES 'jo*'
                t0."full_name" COLLATE BINARY >= ?1 AND t0."full_name" COLLATE BINARY < ?2 AND predicates_matches(t0."full_name", ?3, '') ['j', 'k', 'jo*']
            name MATCHES[c] 'jo.*'
                predicates_matches(t0."full_name", ?1, 'c') ['jo.*']
            """)
    }

    /// NSP-445: an object without phones is in no group.
    @Test func comparisonsOfAggregatesSelectGroups() throws {
        try expectConditions(
            """
            phones.@count > 7
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 GROUP BY t1."person_id" HAVING COUNT(*) > ?1) [7]
            phones.@count < 7
                (t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 GROUP BY t1."person_id" HAVING (COUNT(*) < ?1) IS NOT TRUE)) IS NOT TRUE [7]
            phones.@sum.rank > 7
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 GROUP BY +t1."person_id" HAVING CASE WHEN COUNT(t1."rank") = 0 THEN 0 WHEN SUM(t1."rank" >> 32) + (SUM(t1."rank" & 4294967295) >> 32) BETWEEN -2147483648 AND 2147483647 THEN (SUM(t1."rank" >> 32) + (SUM(t1."rank" & 4294967295) >> 32)) * 4294967296 + SUM(t1."rank" & 4294967295) % 4294967296 END > ?1) [7]
            phones.@sum.rank > -7
                (t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 GROUP BY +t1."person_id" HAVING (CASE WHEN COUNT(t1."rank") = 0 THEN 0 WHEN SUM(t1."rank" >> 32) + (SUM(t1."rank" & 4294967295) >> 32) BETWEEN -2147483648 AND 2147483647 THEN (SUM(t1."rank" >> 32) + (SUM(t1."rank" & 4294967295) >> 32)) * 4294967296 + SUM(t1."rank" & 4294967295) % 4294967296 END > ?1) IS NOT TRUE)) IS NOT TRUE [-7]
            phones.@max.rank < 7
                t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 GROUP BY +t1."person_id" HAVING MAX(t1."rank") < ?1) [7]
            phones.@max.rank < 7 AND age == 40
                (SELECT MAX(t1."rank") FROM "phone" AS t1 WHERE t1."person_id" = t0."id") < ?1 AND t0."age" = ?2 [7, 40]
            phones.@sum.rank > rank
                (SELECT CASE WHEN COUNT(t1."rank") = 0 THEN 0 WHEN SUM(t1."rank" >> 32) + (SUM(t1."rank" & 4294967295) >> 32) BETWEEN -2147483648 AND 2147483647 THEN (SUM(t1."rank" >> 32) + (SUM(t1."rank" & 4294967295) >> 32)) * 4294967296 + SUM(t1."rank" & 4294967295) % 4294967296 END FROM "phone" AS t1 WHERE t1."person_id" = t0."id") > t0."rank"
            """)
    }

    /// An index of MariaDB is one by the collation of its column, under which a text begins with all that are equal to its beginning.
    @Test func aPrefixIsOneOfTheColumnsCollation() throws {
        let text = try condition("name BEGINSWITH '10%_!'", dialect: MariaDBDialect())
        #expect(text.hasPrefix("t0.`full_name` LIKE ? ESCAPE '!' AND "))
        #expect(text.contains("['10!%!_!!%', "))
        // A column may have a character set without the other letters.
        #expect(try condition("name BEGINSWITH 'Zoë'", dialect: MariaDBDialect()).contains("['Zo%', 'Zoë', "))
        let pattern = try condition("name LIKE 'jo?n*'", dialect: MariaDBDialect())
        #expect(pattern.hasPrefix("t0.`full_name` LIKE ? ESCAPE '!' AND t0.`full_name` LIKE ? COLLATE"))
        #expect(pattern.hasSuffix("['jo%', 'jo_n%']"))
    }

    /// On PostgreSQL an index over a fold serves prefixes under it.
    @Test func aPrefixUnderAFoldIsOneOfTheFold() throws {
        let text = try condition("name BEGINSWITH[cd] 'Jo'", dialect: PostgreSQLDialect())
        #expect(text.hasPrefix("starts_with(predicates2_fold_cd(t0.\"full_name\"::text), $1::text) AND "))
    }

    /// Both bounds of a date stand side by side, apart from the numbers that the column may hold.
    @Test func datesInTextsAreOneRange() throws {
        let schema = SQLSchema([
            SQLEntity("T", attributes: ["born": SQLAttribute(.date(.iso8601), affinity: .numeric)])
        ])
        let predicate = try FormatPredicate(
            "born >= %@ AND born < %@", Date(timeIntervalSinceReferenceDate: 0),
            Date(timeIntervalSinceReferenceDate: 86_400))
        let query = try SQLCompiler(schema: schema).compile(predicate, entity: "T")
        let range = #"(t0."born" >= ?1 AND t0."born" < ?2 OR likelihood(t0."born" <= 9e999, 0.001)) AND "#
        let collated = range.replacing(#""born" >"#, with: #""born" COLLATE BINARY >"#)
            .replacing(#""born" < ?2"#, with: #""born" COLLATE BINARY < ?2"#)
        #expect(query.where.text.contains(collated), "\(query.where.text)")
    }

    /// Under the limits for untrusted predicates neither collections in collections nor patterns multiply the work of a statement.
    @Test func untrustedStatementsAreBounded() throws {
        let nested =
            "SUBQUERY(staff, $a, SUBQUERY($a.staff, $b, SUBQUERY($b.staff, $c, $c.age > 3).@count > 0).@count > 0).@count > 0"
        #expect(try refusal(nested) == nil)
        #expect(try refusal(nested, limits: .untrusted)?.code == .exceeds(.evaluationSteps, limit: 10_000))
        let two = "SUBQUERY(staff, $a, ANY $a.phones.rank > 3).@count > 0"
        #expect(try refusal(two, limits: .untrusted) == nil)
        for dialect in [MariaDBDialect(), SparkDialect()] as [any SQLDialect] {
            let slow = "name MATCHES '[ab]*[ab]*[ab]*c'"
            #expect(try refusal(slow, dialect: dialect) == nil)
            #expect(
                try refusal(slow, dialect: dialect, limits: .untrusted)?.code
                    == .exceeds(.patternSteps, limit: 100_000))
            #expect(try refusal("name MATCHES '[a-z]+@[a-z]+[.]com'", dialect: dialect, limits: .untrusted) == nil)
        }
        #expect(try refusal("name MATCHES '[ab]*[ab]*[ab]*c'", dialect: PostgreSQLDialect(), limits: .untrusted) == nil)
    }
}
