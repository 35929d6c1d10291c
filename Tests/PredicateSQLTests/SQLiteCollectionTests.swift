import PredicateSQL
import PredicateSyntax
import Testing

/// Formats and the conditions they become on SQLite: what reaches other rows, and lists.
@Suite struct SQLiteCollectionTests {
    @Test func membership() throws {
        try expectConditions(
            #"""
            age IN {1, 2, nil, 'x', 3.5}
              t0."age" IN (?1, ?2) [1, 2]
            name IN {'a', 'b'}
              t0."full_name" COLLATE BINARY IN (?1, ?2) ['a', 'b']
            name IN {}
              0
            name IN[c] {'A'}
              predicates15_fold_c(t0."full_name") = ?1 ['a']
            age IN {rank, 3}
              t0."age" = t0."rank" OR t0."age" = ?1 [3]
            'jo' IN name
              instr(t0."full_name", ?1) > 0 ['jo']
            name IN phones.number
              EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."number" COLLATE BINARY =
              t0."full_name")
            age BETWEEN {1, 10}
              t0."age" >= ?1 AND t0."age" <= ?2 [1, 10]
            age BETWEEN {10, nil}
              0
            height BETWEEN {age, rank}
              t0."height" >= CAST(t0."age" AS REAL) AND t0."height" <= CAST(t0."rank" AS REAL)
            name IN phones.number UNION {'a'}
              EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."number" COLLATE BINARY =
              t0."full_name") OR t0."full_name" COLLATE BINARY = ?1 ['a']
            name IN phones.number MINUS {'a'}
              EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."number" COLLATE BINARY =
              t0."full_name") AND t0."full_name" COLLATE BINARY IS NOT ?1 ['a']
            """#)
    }

    @Test func paths() throws {
        try expectConditions(
            #"""
            boss.name == 'x'
              t1."full_name" COLLATE BINARY = ?1 ['x']
            boss.boss.name == boss.name
              t2."full_name" COLLATE BINARY IS t1."full_name"
            boss == nil
              t0."boss_id" IS NULL
            boss != nil
              t0."boss_id" IS NOT NULL
            boss == deputy
              t0."boss_id" IS t0."deputy_id"
            SELF == boss
              t0."id" = t0."boss_id"
            boss.age > age AND boss.rank > 2
              t1."age" > t0."age" AND t1."rank" > ?1 [2]
            TERNARY(age > 3, name, nick) == 'x'
              CASE WHEN t0."age" > ?1 THEN t0."full_name" ELSE t0."nick" END = ?2 [3, 'x']
            TERNARY(age > 3, name, age) == 'x'
              t0."age" > ?1 AND t0."full_name" COLLATE BINARY = ?2 [3, 'x']
            """#)
    }

    @Test func collections() throws {
        try expectConditions(
            #"""
            ANY phones.number == '1'
              EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."number" COLLATE BINARY =
              ?1) ['1']
            ANY phones.number != '1'
              EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."number" IS NOT NULL AND
              t1."number" COLLATE BINARY IS NOT ?1) ['1']
            ALL phones.rank > 3
              NOT EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" IS NOT NULL AND
              (t1."rank" > ?1) IS NOT TRUE) [3]
            NONE phones.rank > 3
              NOT EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" > ?1) [3]
            ANY phones.rank == nil
              0
            ALL phones.rank != nil
              1
            ANY phones.calls.seconds > 3
              EXISTS (SELECT 1 FROM "phone" AS t1 JOIN "call" AS t2 ON t2."phone_id" = t1."id" WHERE
              t1."person_id" = t0."id" AND t2."seconds" > ?1) [3]
            ANY phones.owner.name == 'x'
              EXISTS (SELECT 1 FROM "phone" AS t1 LEFT JOIN "person" AS t2 ON t2."id" = t1."person_id" WHERE
              t1."person_id" = t0."id" AND t2."full_name" COLLATE BINARY = ?1) ['x']
            ANY tags.title LIKE 'a*'
              EXISTS (SELECT 1 FROM "person_tag" AS t1 JOIN "tag" AS t2 ON t2."id" = t1."tag_id" WHERE
              t1."person_id" = t0."id" AND t2."title" IS NOT NULL AND t2."title" COLLATE BINARY >= ?1 AND
              t2."title" COLLATE BINARY < ?2) ['a', 'b']
            ANY phones.rank IN {1, 2}
              EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" IN (?1, ?2)) [1, 2]
            ANY {1, age} == 3
              t0."age" = ?1 [3]
            phones.@count > 0
              EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id")
            phones.@count == 0
              NOT EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id")
            phones.@count == 3
              (SELECT COUNT(*) FROM "phone" AS t1 WHERE t1."person_id" = t0."id") = ?1 [3]
            phones[SIZE] >= 1
              EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id")
            boss.phones.@count == 0
              CASE WHEN t0."boss_id" IS NOT NULL THEN (SELECT COUNT(*) FROM "phone" AS t1 WHERE t1."person_id" =
              t0."boss_id") END = ?1 [0]
            phones.number.@count > 2
              (SELECT COUNT(DISTINCT t1."number" COLLATE BINARY) FROM "phone" AS t1 WHERE t1."person_id" =
              t0."id") > ?1 [2]
            phones.@sum.rank > 3
              (SELECT COALESCE(SUM(t1."rank"), 0) FROM "phone" AS t1 WHERE t1."person_id" = t0."id") > ?1 [3]
            phones.@avg.rank > 3
              (SELECT CAST(COALESCE(SUM(t1."rank"), 0) AS REAL) / NULLIF(COUNT(*), 0) FROM "phone" AS t1 WHERE
              t1."person_id" = t0."id") > ?1 [3.0]
            phones.@min.number < 'x'
              (SELECT MIN(t1."number" COLLATE BINARY) FROM "phone" AS t1 WHERE t1."person_id" = t0."id") < ?1
              ['x']
            phones == nil
              0
            phones.@max.owner.age == 3
              (SELECT MAX(t2."age") FROM "phone" AS t1 LEFT JOIN "person" AS t2 ON t2."id" = t1."person_id" WHERE
              t1."person_id" = t0."id") = ?1 [3]
            SUBQUERY(phones, $p, $p.rank > age).@count > 1
              (SELECT COUNT(*) FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" > t0."age") > ?1
              [1]
            SUBQUERY(phones, $p, $p.rank > 1 AND SUBQUERY($p.calls, $c, $c.seconds > rank).@count > 0).@count > 0
              EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" > ?1 AND EXISTS
              (SELECT 1 FROM "call" AS t2 WHERE t2."phone_id" = t1."id" AND t2."seconds" > t0."rank")) [1]
            boss IN SUBQUERY(staff, $s, $s.age > 3)
              EXISTS (SELECT 1 FROM "person" AS t1 WHERE t1."boss_id" = t0."id" AND t1."age" > ?1 AND t1."id" =
              t0."boss_id") [3]
            SELF IN staff
              EXISTS (SELECT 1 FROM "person" AS t1 WHERE t1."boss_id" = t0."id" AND t1."id" = t0."id")
            boss IN staff.boss
              EXISTS (SELECT 1 FROM "person" AS t1 WHERE t1."boss_id" = t0."id" AND t1."boss_id" = t0."boss_id")
            phones CONTAINS boss
              0
            """#)
    }
}
