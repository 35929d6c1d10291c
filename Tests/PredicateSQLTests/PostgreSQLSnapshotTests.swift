import PredicateSQL
import PredicateSyntax
import Testing

/// Formats and the conditions they become on PostgreSQL.
@Suite struct PostgreSQLSnapshotTests {
    @Test func conditions() throws {
        try expectConditions(
            #"""
            age >= 21 AND name BEGINSWITH[cd] 'Jö'
              t0."age" >= $1::int8 AND starts_with(predicates15_fold_cd(t0."full_name"), $2::text) [21, 'jo']
            name BEGINSWITH 'jo'
              starts_with(t0."full_name", $1::text) ['jo']
            name ENDSWITH 'jo'
              right(t0."full_name", length($1::text)) = $1::text ['jo']
            name CONTAINS nick
              strpos(t0."full_name", t0."nick") > 0 AND t0."nick" <> $1::text ['']
            name == nick
              t0."full_name" IS NOT DISTINCT FROM t0."nick"
            name != 'x'
              t0."full_name" IS DISTINCT FROM $1::text ['x']
            name < 'm'
              t0."full_name" COLLATE "C" < $1::text ['m']
            name LIKE 'j?n%_!*'
              t0."full_name" LIKE $1::text ESCAPE '!' ['j_n!%!_!!%']
            name.length > 3
              predicates_length(t0."full_name") > $1::int8 [3]
            age + 1 != 20
              t0."age" + $1::int8 <> $2::int8 [1, 20]
            age / rank > 2
              t0."age" / NULLIF(t0."rank", 0) > $1::int8 [2]
            height > 3
              t0."height" > $1::float8 AND t0."height" <> 'NaN'::float8 [3.0]
            height > weight
              NULLIF(t0."height", 'NaN'::float8) > NULLIF(t0."weight", 'NaN'::float8)
            height < 3
              t0."height" < $1::float8 [3.0]
            member == YES
              t0."member" = $1::boolean [true]
            member + 1 > 1
              t0."member"::int + $1::int8 > $2::int8 [1, 1]
            price > 3
              t0."price" > $1::numeric ['3']
            price == cost
              t0."price" IS NOT DISTINCT FROM t0."cost"
            price > 2.5
              t0."price"::float8 > $1::float8 [2.5]
            seen > CAST(10, 'NSDate')
              t0."seen" >= $1::float8 [978307210.0000001]
            code == CAST('137DECC8-B300-4954-A233-F89909F4FD89', 'NSUUID')
              t0."code" = $1::uuid ['137DECC8-B300-4954-A233-F89909F4FD89']
            ALL phones.rank > 3
              NOT EXISTS (SELECT 1 FROM "phone" AS t1 WHERE t1."person_id" = t0."id" AND t1."rank" IS NOT NULL AND
              (t1."rank" > $1::int8) IS NOT TRUE) [3]
            phones.@avg.rank > 3
              (SELECT COALESCE(SUM(t1."rank")::int8, 0)::float8 / NULLIF(COUNT(*), 0) FROM "phone" AS t1 WHERE
              t1."person_id" = t0."id") > $1::float8 [3.0]
            phones.@sum.rank > 3
              (SELECT COALESCE(SUM(t1."rank")::int8, 0) FROM "phone" AS t1 WHERE t1."person_id" = t0."id") >
              $1::int8 [3]
            phones.@max.number == 'x'
              (SELECT MAX(t1."number" COLLATE "C") FROM "phone" AS t1 WHERE t1."person_id" = t0."id") = $1::text
              ['x']
            age & 3 == 1
              t0."age" & $1::int8 = $2::int8 [3, 1]
            age ^ 3 == 1
              t0."age" # $1::int8 = $2::int8 [3, 1]
            age << 2 == 8
              t0."age"::int8 << $1::int8::int = $2::int8 [2, 8]
            TRUEPREDICATE
              TRUE
            NOT (age > 3 OR name == 'x')
              (t0."age" > $1::int8 OR t0."full_name" = $2::text) IS NOT TRUE [3, 'x']
            """#, dialect: PostgreSQLDialect())
    }
}
