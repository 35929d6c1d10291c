import Foundation
@_spi(Dialect) import PredicateSQL
import PredicateSyntax
import Testing

/// Statements that return values of objects and of groups.
@Suite struct ResultTests {
    private func selection(
        _ results: [ResultKey], _ rows: ResultRows = .all, where format: String = "TRUEPREDICATE",
        sortKeys: [SortKey] = [], limit: Int? = nil, dialect: any SQLDialect = SQLiteDialect()
    ) throws -> ResultSelection {
        let query = try SQLCompiler(schema: people, dialect: dialect).compile(
            FormatPredicate(format), entity: "Person")
        return try query.select(results: results, rows, sortKeys: sortKeys, limit: limit)
    }

    private func code(
        _ results: [ResultKey], _ rows: ResultRows = .all, _ sortKeys: [SortKey] = [],
        in dialect: any SQLDialect = SQLiteDialect()
    ) -> SQLCompilationError? {
        do {
            _ = try selection(results, rows, sortKeys: sortKeys, dialect: dialect)
            return nil
        } catch {
            return error as? SQLCompilationError
        }
    }

    @Test func valuesOfObjects() throws {
        let found = try selection(
            ["name", ResultKey("boss.name", as: "chief"), "boss", "phones.@count", "due", "name.length"],
            where: "age > 21", sortKeys: [SortKey("chief", nils: .last), SortKey("rank", ascending: false)], limit: 5)
        #expect(
            shown(found.statement) == """
                SELECT t0."full_name" AS "name", t1."full_name" AS "chief", t0."boss_id" AS "boss", (SELECT COUNT(*) \
                FROM "phone" AS t2 WHERE t2."person_id" = t0."id") AS "phones.@count", t0."due", \
                predicates_length(t0."full_name") AS "name.length" FROM "person" AS t0 LEFT JOIN "person" AS t1 ON \
                t1."id" = t0."boss_id" WHERE t0."age" > ?1 ORDER BY t1."full_name" COLLATE BINARY ASC NULLS LAST, \
                t0."rank" DESC, t0."id" LIMIT ?2 [21, 5]
                """)
        #expect(found.columns.map(\.name) == ["name", "chief", "boss", "phones.@count", "due", "name.length"])
        #expect(
            found.columns.map(\.type) == [.string, .string, .integer, .integer, .date(.iso8601), .integer])
        #expect(found.columns.map(\.entity) == [nil, nil, "Person", nil, nil, nil])
    }

    @Test func distinctRows() throws {
        #expect(
            shown(try selection(["name", "boss"], .distinct).statement) == """
                SELECT MIN(t0."full_name" COLLATE BINARY) AS "name", t0."boss_id" AS "boss" FROM "person" AS t0 \
                GROUP BY t0."full_name" COLLATE BINARY, t0."boss_id"
                """)
        #expect(
            shown(try selection(["nick"], .distinct, sortKeys: [SortKey("nick", ascending: false)], limit: 2).statement)
                == """
                SELECT t0."c0" AS "nick" FROM (SELECT t0."nick" AS "c0" FROM "person" AS t0 GROUP BY t0."nick") AS t0 \
                ORDER BY t0."c0" COLLATE BINARY DESC, t0."c0" COLLATE BINARY LIMIT ?1 [2]
                """)
        #expect(
            shown(try selection(["name"], .distinct, dialect: PostgreSQLDialect()).statement)
                == """
                SELECT MIN(t0."full_name"::text COLLATE "C") AS "name" FROM "person" AS t0 GROUP BY t0."full_name"::text
                """)
    }

    @Test func groups() throws {
        let having = try FormatPredicate("people > 1 AND NOT boss.name BEGINSWITH 'J' AND oldest < 99")
        let found = try selection(
            [.count(as: "people"), .maximum("age", as: "oldest")], .grouped(by: ["boss", "boss.rank"], having: having),
            where: "age > 21", sortKeys: [SortKey("oldest", ascending: false), SortKey("boss.rank")], limit: 3)
        #expect(
            shown(found.statement) == """
                SELECT t0."c0" AS "people", t0."c1" AS "oldest" FROM (SELECT COUNT(*) AS "c0", MAX(t0."age") AS \
                "c1", t0."boss_id" AS "c2", t1."rank" AS "c3" FROM "person" AS t0 LEFT JOIN "person" AS t1 ON \
                t1."id" = t0."boss_id" WHERE t0."age" > ?1 GROUP BY t0."boss_id", t1."rank") AS t0 LEFT JOIN \
                "person" AS t1 ON t1."id" = t0."c2" WHERE t0."c0" > ?2 AND (t1."full_name" COLLATE BINARY >= ?3 AND \
                t1."full_name" COLLATE BINARY < ?4) IS NOT TRUE AND t0."c1" < ?5 ORDER BY t0."c1" DESC, t0."c3", \
                t0."c2", t0."c3" LIMIT ?6 [21, 1, 'J', 'K', 99, 3]
                """)
        #expect(found.columns.map(\.name) == ["people", "oldest"])
    }

    @Test func everyAggregate() throws {
        let keys: [ResultKey] = [
            .count(as: "a"), .count("height", as: "b"), .countDistinct("name", as: "c"),
            .countDistinct("boss", as: "d"),
            .sum("age", as: "e"), .average("age", as: "f"), .minimum("due", as: "g"), .maximum("name", as: "h"),
            .sum("member", as: "i"), .count("boss", as: "j"), .sum("phones.@count", as: "k"),
        ]
        let found = try selection(keys, .grouped(by: []))
        #expect(
            shown(found.statement) == """
                SELECT COUNT(*) AS "a", COUNT(t0."height") AS "b", COUNT(DISTINCT t0."full_name" COLLATE BINARY) AS \
                "c", COUNT(DISTINCT t0."boss_id") AS "d", predicates_sum(t0."age") AS "e", \
                predicates_average(t0."age") AS "f", MIN(predicates_date(t0."due")) AS "g", MAX(t0."full_name" \
                COLLATE BINARY) AS "h", predicates_sum(t0."member") AS "i", COUNT(t0."boss_id") AS "j", \
                predicates_sum((SELECT COUNT(*) FROM "phone" AS t1 WHERE t1."person_id" = t0."id")) AS "k" FROM \
                "person" AS t0
                """)
        #expect(
            found.columns.map(\.type) == [
                .integer, .integer, .integer, .integer, .integer, .double, .date(.since2001), .string, .integer,
                .integer,
                .integer,
            ])
    }

    /// [NSP-512]
    @Test func aggregatesOfOtherDatabases() throws {
        let keys: [ResultKey] = [
            .sum("age", as: "a"), .average("age", as: "b"), .sum("price", as: "c"), .average("price", as: "d"),
            .minimum("member", as: "e"), .maximum("height", as: "f"),
            ResultKey("g", .aggregate(.joined(separator: ", "), of: "name")),
        ]
        let found = shown(try selection(keys, .grouped(by: []), dialect: PostgreSQLDialect()).statement)
        #expect(
            found == """
                SELECT SUM(t0."age")::int8 AS "a", SUM(t0."age")::float8 / NULLIF(COUNT(t0."age"), 0) AS "b", \
                SUM(t0."price") AS "c", SUM(t0."price")::float8 / NULLIF(COUNT(t0."price"), 0) AS "d", \
                bool_and(t0."member") AS "e", CASE WHEN MAX(NULLIF(t0."height", 'NaN'::float8)) >= 0 OR \
                COUNT(t0."height") = COUNT(NULLIF(t0."height", 'NaN'::float8)) THEN MAX(NULLIF(t0."height", \
                'NaN'::float8)) ELSE MAX(t0."height") END AS "f", string_agg(t0."full_name", $1::text ORDER BY \
                t0."id") AS "g" FROM "person" AS t0 [', ']
                """)
        let deviation = ResultKey("n", .aggregate(.standardDeviation, of: "age"))
        #expect(
            code([deviation], .grouped(by: []), in: MariaDBDialect())?.code
                == .notExpressible(.function("the aggregate stddev", dialect: "mariadb")))
    }

    @Test func whatIsRefused() throws {
        #expect(code([])?.code == .nothingToSelect)
        #expect(code(["name", ResultKey("nick", as: "name")])?.code == .duplicateResult("name"))
        #expect(code([.count(as: "n")])?.code == .aggregateWithoutGroups("n"))
        #expect(code([.count(as: "n")], .distinct)?.code == .aggregateWithoutGroups("n"))
        #expect(code(["name"], .grouped(by: ["age"]))?.code == .notGrouped("name"))
        #expect(code(["phones"])?.code == .notAColumn(key: "phones"))
        #expect(code(["height"], .grouped(by: ["height.boolValue"]))?.code == .notAColumn(key: "height.boolValue"))
        #expect(
            code(["wings"])?.code == .unknownKey("wings", entity: "Person", nearMisses: []))
        let sum = code([.sum("height", as: "n")], .grouped(by: []), in: PostgreSQLDialect())
        #expect(sum?.code == .notExpressible(.sumOfDoubles))
        #expect(code([.minimum("boss", as: "n")], .grouped(by: []))?.text == "boss")
        let having = ResultRows.grouped(by: ["age"], having: try FormatPredicate("n > 3 AND nam == 'x'"))
        let error = try #require(code([.count(as: "n"), ResultKey("age", as: "name")], having))
        #expect(error.code == .unknownKey("nam", entity: "the results", nearMisses: ["name"]))
        #expect(error.range == 10..<13)
        #expect(code(["age"], .distinct, [SortKey("rank")])?.text == "rank")
    }

    /// [NSP-417]
    @Test func expressions() throws {
        let sum = ResultKey(try FormatExpression("age + rank * 2"), as: "sum")
        let found = try selection(
            [sum, ResultKey(try FormatExpression("lowercase(name)"), as: "low")], where: "age > 1",
            sortKeys: [SortKey("sum", ascending: false)], limit: 2)
        #expect(
            shown(found.statement) == """
                SELECT CASE WHEN typeof(t0."age" + t0."rank" * ?1) = 'integer' THEN t0."age" + t0."rank" * ?1 END AS \
                "sum", predicates2_lower(t0."full_name") AS "low" FROM "person" AS t0 WHERE t0."age" > ?2 ORDER BY \
                CASE WHEN typeof(t0."age" + t0."rank" * ?3) = 'integer' THEN t0."age" + t0."rank" * ?3 END DESC, \
                t0."id" LIMIT ?4 [2, 1, 2, 2]
                """)
        #expect(found.columns.map(\.type) == [.integer, .string])
        #expect(found.functions == [.lowercase])
    }

    /// Positional placeholders cannot bind one value twice, so rows are grouped by the column. [NSP-418]
    @Test func groupsOfExpressions() throws {
        let results: [ResultKey] = [
            ResultKey(try FormatExpression("age / 10"), as: "decade"),
            .aggregate(.maximum, of: try FormatExpression("rank * 2"), as: "most"),
        ]
        let spark = try selection(results, .grouped(by: ["decade"]), where: "rank == 7", dialect: SparkDialect())
        #expect(
            shown(spark.statement) == """
                SELECT CAST(t0.`age` AS BIGINT) div NULLIF(CAST(? AS BIGINT), 0) AS `decade`, \
                MAX(try_multiply(CAST(t0.`rank` AS BIGINT), CAST(? AS BIGINT))) AS `most` FROM `person` AS t0 WHERE \
                t0.`rank` = CAST(? AS BIGINT) GROUP BY 1 [10, 2, 7]
                """)
        let having = ResultRows.grouped(by: ["decade"], having: try FormatPredicate("most > 3"))
        let sqlite = try selection(results, having, sortKeys: [SortKey("most")])
        #expect(sqlite.statement.text.hasSuffix("AS t0 WHERE t0.\"c1\" > ?3 ORDER BY t0.\"c1\", t0.\"c0\""))
        #expect(sqlite.columns.map(\.name) == ["decade", "most"])
    }

    @Test func errorsOfExpressionsHaveAPlace() throws {
        func error(_ format: String, _ rows: ResultRows = .all) throws -> SQLCompilationError? {
            code([ResultKey(try FormatExpression(format), as: "x")], rows)
        }
        let misspelled = try #require(try error("rank + agee"))
        #expect(misspelled.title == "expected a key of Person, found 'agee'")
        #expect(misspelled.range == 7..<11)
        #expect(try error("phones.number")?.code == .notExpressible(.collectionValue))
        #expect(try error("age ** 2")?.code == .notExpressible(.kindDependsOnRow))
        #expect(try error("TERNARY(age > 1, name, rank)")?.code == .notExpressible(.kindDependsOnRow))
        #expect(try error("name + 1")?.range == 0..<4)
        let total = ResultKey.aggregate(.sum, of: try FormatExpression("height * 2.0"), as: "x")
        #expect(code([total], .grouped(by: []), in: DuckDBDialect())?.code == .notExpressible(.sumOfDoubles))
        #expect(
            code([.aggregate(.median, of: try FormatExpression("rank * 2"), as: "x")])?.code
                == .aggregateWithoutGroups("x"))
        let median = ResultKey.aggregate(.median, of: try FormatExpression("rank * 2"), as: "x")
        #expect(code([median], .grouped(by: []), in: DuckDBDialect())?.range == 0..<8)
    }

    /// [NSP-416]
    @Test func functionsOfDatesNeedTheirZone() throws {
        let predicate = try FormatPredicate("month(born) == 2")
        func error(_ zone: TimeZone?) -> SQLCompilationError.Code? {
            let compiler = SQLCompiler(schema: people, calendarZone: zone)
            do throws(SQLCompilationError) { _ = try compiler.compile(predicate, entity: "Person") } catch {
                return error.code
            }
            return nil
        }
        let rome = try #require(TimeZone(identifier: "Europe/Rome"))
        #expect(error(.gmt) == nil)
        #expect(error(nil) == .notExpressible(.hostFunction("month")))
        #expect(error(rome) == .notExpressible(.timeZone("Europe/Rome")))
        let constant = try FormatPredicate(
            "born >= dateByAddingUnit:value:toDate:('month', 1, CAST('2001-01-31', 'NSDate'))")
        let sql = try SQLCompiler(schema: people, calendarZone: rome).compile(constant, entity: "Person")
        #expect(sql.where.bindings == [.double(5_011_200)])
    }

    @Test func placeholdersWithoutNumbersStandInTheirOrder() throws {
        struct Plain: SQLDialect {
            let name = "plain"
            let limits = SQLLimits(parameters: 100, parserStack: 300)
        }
        let having = try FormatPredicate("people > 1")
        let found = try selection(
            [.count(as: "people")], .grouped(by: ["age"], having: having), where: "rank == 7", limit: 9,
            dialect: Plain())
        #expect(
            shown(found.statement) == """
                SELECT t0."c0" AS "people" FROM (SELECT COUNT(*) AS "c0", t0."age" AS "c1" FROM "person" AS t0 WHERE \
                t0."rank" = ? GROUP BY t0."age") AS t0 WHERE t0."c0" > ? ORDER BY t0."c1" ASC NULLS FIRST LIMIT ? \
                [7, 1, 9]
                """)
    }
}
