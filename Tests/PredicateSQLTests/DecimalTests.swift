@_spi(Dialect) import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Arithmetic of decimal numbers is written as a person would write it where the database has room for every result.
/// [NSP-411]
@Suite struct DecimalTests {
    @Test func decimalsOfAnyLength() throws {
        try expectConditions(
            """
            price * rank > 100
                t0."price" * t0."rank"::numeric > $1::numeric ['100']
            cost == price * 2
                t0."cost" = t0."price" * $1::numeric ['2']
            cost - price > 5
                t0."cost" - t0."price" > $1::numeric ['5']
            -price < 0
                0 - t0."price" < $1::numeric ['0']
            abs(price) > 5
                abs(t0."price") > $1::numeric ['5']
            (price + 1) * cost == 3
                (t0."price" + $1::numeric) * t0."cost" = $2::numeric ['1', '3']
            staff.@sum.price > 1000
                t0."id" IN (SELECT t1."boss_id" FROM "person" AS t1 GROUP BY t1."boss_id"
                HAVING COALESCE(SUM(t1."price"), 0) > $1::numeric) ['1000']
            staff.@avg.price > 10
                (SELECT COALESCE(SUM(t1."price"), 0) - $1::numeric * NULLIF(COUNT(*), 0) FROM "person" AS t1
                WHERE t1."boss_id" = t0."id") > 0 ['10']
            staff.@avg.price == nil
                (SELECT COALESCE(SUM(t1."price"), 0) - 0 * NULLIF(COUNT(*), 0) FROM "person" AS t1
                WHERE t1."boss_id" = t0."id") IS NULL
            """, dialect: PostgreSQLDialect())
    }

    @Test func decimalsOfLimitedLength() throws {
        try expectConditions(
            """
            price * 2 > cost
                COALESCE(CASE WHEN t0.`price` = TRUNCATE(GREATEST(LEAST(t0.`price`, 999999999999999999), -999999999999999999), 15)
                THEN TRUNCATE(GREATEST(LEAST(t0.`price`, 999999999999999999), -999999999999999999), 15) *
                TRUNCATE(GREATEST(LEAST(CAST(? AS DECIMAL(65, 30)), 999999999999999999), -999999999999999999), 15) END
                > t0.`cost`, CAST(t0.`price` AS DOUBLE) * CAST(? AS DOUBLE) - CAST(t0.`cost` AS DOUBLE)
                > (ABS(CAST(t0.`price` AS DOUBLE)) * CAST(? AS DOUBLE) + ABS(CAST(t0.`cost` AS DOUBLE))) * 1e-9)
                ['2', 2.0, 2.0]
            price + 2 > cost
                t0.`price` + CAST(? AS DECIMAL(65, 30)) > t0.`cost` ['2']
            """, dialect: MariaDBDialect())
    }

    @Test func sumsOfGroups() throws {
        let query = try SQLCompiler(schema: people, dialect: PostgreSQLDialect()).compile(
            FormatPredicate("TRUEPREDICATE"), entity: "Person")
        let found = try query.select(results: [.sum("price", as: "n"), .maximum("price", as: "m")], .grouped(by: []))
        #expect(found.statement.text == #"SELECT SUM(t0."price") AS "n", MAX(t0."price") AS "m" FROM "person" AS t0"#)
        #expect(found.columns.map(\.type) == [.decimal, .decimal])
    }

    @Test func whatIsRefused() throws {
        let cases: [(format: String, place: String)] = [
            ("price / 3 > 1", "price / 3"), ("modulus:by:(price, 2) > 1", "modulus:by:(price, 2)"),
            ("staff.@avg.price > cost", "staff.@avg.price > cost"), ("staff.@avg.price + 1 > 2", "staff.@avg.price"),
        ]
        for dialect in [PostgreSQLDialect(), MariaDBDialect(), DuckDBDialect(), SparkDialect()] as [any SQLDialect] {
            for (format, place) in cases {
                let error = try #require(try refusal(format, dialect: dialect), "\(format)")
                #expect(error.code == .notExpressible(.decimalArithmetic))
                #expect(String(decoding: Array(error.text.utf8)[error.range], as: UTF8.self) == place)
            }
        }
    }

    /// A dialect that compares decimals, but does not say how it computes them.
    @Test func aDialectWithoutArithmetic() throws {
        struct Comparing: SQLDialect {
            let name = "comparing"
            let limits = SQLLimits(parameters: 100, parserStack: 300)
            let features: SQLFeatures = [.decimalType]
        }
        #expect(try refusal("price > 2", dialect: Comparing()) == nil)
        for format in ["price * 2 > 3", "-price > 3", "staff.@sum.price > 3", "staff.@avg.price > 3"] {
            #expect(try refusal(format, dialect: Comparing())?.code == .notExpressible(.decimalArithmetic), "\(format)")
        }
    }
}
