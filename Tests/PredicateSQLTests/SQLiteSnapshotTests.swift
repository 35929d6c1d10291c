import PredicateSQL
import PredicateSyntax
import Testing

/// Formats and the conditions they become on SQLite: values of a row.
@Suite struct SQLiteSnapshotTests {
    @Test func comparisons() throws {
        try expectConditions(
            #"""
            age == 21
              t0."age" = ?1 [21]
            age != 21
              t0."age" IS NOT ?1 [21]
            rank != 21
              t0."rank" <> ?1 [21]
            NOT age == 21
              t0."age" IS NOT ?1 [21]
            age < 21
              t0."age" < ?1 [21]
            NOT age < 21
              (t0."age" < ?1) IS NOT TRUE [21]
            age == nil
              t0."age" IS NULL
            age != nil
              t0."age" IS NOT NULL
            rank == nil
              0
            name == 'jo'
              t0."full_name" COLLATE BINARY = ?1 ['jo']
            nick == 'jo'
              t0."nick" = ?1 ['jo']
            name == nick
              t0."full_name" COLLATE BINARY IS t0."nick"
            name != nick
              t0."full_name" COLLATE BINARY IS NOT t0."nick"
            age <= rank
              t0."age" <= t0."rank"
            age <= height
              CAST(t0."age" AS REAL) <= t0."height" OR t0."age" IS NULL AND t0."height" IS NULL
            age < nil
              0
            age <= nil
              t0."age" IS NULL
            name == 3
              0
            name != 3
              1
            name == age
              t0."full_name" IS NULL AND t0."age" IS NULL
            1 == 1
              1
            TRUEPREDICATE
              1
            NOT TRUEPREDICATE
              0
            """#)
    }

    @Test func numbers() throws {
        try expectConditions(
            #"""
            age == 2.5
              0
            age > 2.5
              t0."age" > ?1 [2]
            age == 9007199254740993.0
              t0."age" >= ?1 AND t0."age" <= ?2 [9007199254740992, 9007199254740993]
            height > 3
              t0."height" > ?1 [3.0]
            member == YES
              t0."member" = ?1 [true]
            member == 1
              t0."member" = ?1 [true]
            member > 0
              t0."member" = ?1 [true]
            member >= 0
              t0."member" IS NOT NULL
            member != 2
              1
            member == height
              CAST(t0."member" AS REAL) IS t0."height"
            price > 3
              predicates_decimal_compare(t0."price", ?1) > 0 ['3']
            price == cost
              predicates_decimal_compare(t0."price", t0."cost") = 0 OR t0."price" IS NULL AND t0."cost" IS NULL
            price > 2.5
              predicates_decimal_double(t0."price") > ?1 [2.5]
            age > 60 * 60 - 1
              t0."age" > ?1 [3599]
            age + 1 > 20
              CASE WHEN typeof(t0."age" + ?1) = 'integer' THEN t0."age" + ?1 END > ?2 [1, 20]
            age + 1 != 20
              CASE WHEN typeof(t0."age" + ?1) = 'integer' THEN t0."age" + ?1 END <> ?2 [1, 20]
            age * rank + 1 == 3
              CASE WHEN typeof(t0."age" * t0."rank" + ?1) = 'integer' THEN t0."age" * t0."rank" + ?1 END = ?2 [1,
              3]
            (age + 1) * 2 == 4
              CASE WHEN typeof((t0."age" + ?1) * ?2) = 'integer' THEN (t0."age" + ?1) * ?2 END = ?3 [1, 2, 4]
            age / rank == 2
              CASE WHEN typeof(t0."age" / t0."rank") = 'integer' THEN t0."age" / t0."rank" END = ?1 [2]
            height / 2 > 1
              t0."height" / ?1 > ?2 [2.0, 1.0]
            height / weight > 1
              predicates_divide(t0."height", t0."weight") > ?1 [1.0]
            height * 2 != 3
              t0."height" IS NOT NULL AND t0."height" * ?1 IS NOT ?2 [2.0, 3.0]
            -age == 3
              CASE WHEN typeof(0 - t0."age") = 'integer' THEN 0 - t0."age" END = ?1 [3]
            -height == 3
              t0."height" * ?1 = ?2 [-1.0, 3.0]
            modulus:by:(age, 3) == 1
              t0."age" % ?1 = ?2 [3, 1]
            age ** 2 == 4
              predicates_power(t0."age", ?1) = ?2 [2, 4]
            age & 3 == 1
              t0."age" & ?1 = ?2 [3, 1]
            age ^ 3 == 1
              (t0."age" | ?1) - (t0."age" & ?1) = ?2 [3, 1]
            ~age == 1
              -1 - t0."age" = ?1 [1]
            age << 2 == 8
              t0."age" << ?1 = ?2 [2, 8]
            abs(age) == 1
              predicates_abs(t0."age") = ?1 [1]
            floor(age) == 1
              t0."age" = ?1 [1]
            floor(height) == 1
              predicates_floor(t0."height") = ?1 [1.0]
            sqrt(age) > 2
              predicates_sqrt(CAST(t0."age" AS REAL)) > ?1 [2.0]
            """#)
    }

    @Test func texts() throws {
        try expectConditions(
            #"""
            name BEGINSWITH 'jo'
              t0."full_name" COLLATE BINARY >= ?1 AND t0."full_name" COLLATE BINARY < ?2 ['jo', 'jp']
            name ENDSWITH 'jo'
              substr(CAST(t0."full_name" AS BLOB), -length(?1)) = ?1 [x6a.6f]
            name CONTAINS 'jo'
              instr(t0."full_name", ?1) > 0 ['jo']
            name CONTAINS ''
              0
            name CONTAINS nick
              instr(t0."full_name", t0."nick") > 0 AND t0."nick" <> ?1 ['']
            'jonas' CONTAINS name
              instr(?1, t0."full_name") > 0 AND t0."full_name" COLLATE BINARY <> ?2 ['jonas', '']
            name BEGINSWITH[cd] 'Jö'
              instr(predicates15_fold_cd(t0."full_name"), ?1) = 1 ['jo']
            name ==[c] 'Jo'
              predicates15_fold_c(t0."full_name") = ?1 ['jo']
            name <[d] 'm'
              predicates15_fold_d(t0."full_name") < ?1 ['m']
            name CONTAINS[c] nick
              instr(predicates15_fold_c(t0."full_name"), predicates15_fold_c(t0."nick")) > 0 AND
              predicates15_fold_c(t0."nick") <> ?1 ['']
            name ==[n] 'Jo'
              t0."full_name" COLLATE BINARY = ?1 ['Jo']
            name LIKE 'jo'
              t0."full_name" COLLATE BINARY = ?1 ['jo']
            name LIKE 'jo*'
              t0."full_name" COLLATE BINARY >= ?1 AND t0."full_name" COLLATE BINARY < ?2 ['jo', 'jp']
            name LIKE '*jo'
              substr(CAST(t0."full_name" AS BLOB), -length(?1)) = ?1 [x6a.6f]
            name LIKE '*jo*'
              instr(t0."full_name", ?1) > 0 ['jo']
            name LIKE 'j?n*'
              t0."full_name" COLLATE BINARY >= ?1 AND t0."full_name" COLLATE BINARY < ?2 AND
              predicates_like(t0."full_name", ?3, '') ['j', 'k', 'j?n*']
            name LIKE[c] 'J?n*'
              predicates_like(t0."full_name", ?1, 'c') ['J?n*']
            name LIKE '*'
              t0."full_name" IS NOT NULL
            name LIKE ''
              0
            name LIKE nick
              predicates_like(t0."full_name", t0."nick", '')
            name MATCHES[c] 'j.*'
              predicates_matches(t0."full_name", ?1, 'c') ['j.*']
            name.length > 3
              predicates_length(t0."full_name") > ?1 [3]
            length(name) == 0
              t0."full_name" COLLATE BINARY = ?1 ['']
            uppercase(name) == 'JO'
              predicates_upper(t0."full_name") = ?1 ['JO']
            nick UTI-EQUALS 'public.png'
              predicates15_fold_c(t0."nick") = ?1 ['public.png']
            """#)
    }

    @Test func datesAndIdentifiers() throws {
        try expectConditions(
            #"""
            born < CAST(10, 'NSDate')
              t0."born" < ?1 [10.0]
            seen > CAST(10, 'NSDate')
              t0."seen" >= ?1 [978307210.0000001]
            seen == CAST(0.1, 'NSDate')
              0
            born > CAST('2001-01-02', 'NSDate')
              t0."born" > ?1 [86400.0]
            due >= CAST(10, 'NSDate')
              predicates_date(t0."due") >= ?1 [10.0]
            born == seen
              t0."born" IS t0."seen" - 978307200.0
            born.timeIntervalSinceReferenceDate > 3
              t0."born" > ?1 [3.0]
            code == CAST('137DECC8-B300-4954-A233-F89909F4FD89', 'NSUUID')
              t0."code" = ?1 [x13.7d.ec.c8.b3.0.49.54.a2.33.f8.99.9.f4.fd.89]
            label == CAST('137DECC8-B300-4954-A233-F89909F4FD89', 'NSUUID')
              t0."label" = ?1 ['137DECC8-B300-4954-A233-F89909F4FD89']
            photo == CAST('aGk=', 'NSData')
              t0."photo" = ?1 [x68.69]
            """#)
    }
}
