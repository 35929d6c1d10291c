import PredicateSyntax
import PredicateTestSupport
import Testing

@_spi(Dialect) @testable import PredicateSQL

/// What a schema knows of the numbers of its columns, and the tests that SQL then needs no more. [NSP-411]
@Suite struct NumberRangeTests {
    private static let schema = SQLSchema([
        SQLEntity(
            "Line", table: "line",
            attributes: [
                "qty": SQLAttribute(.integer, nativeType: "smallint"), "n": SQLAttribute(.integer, nativeType: "int"),
                "u": SQLAttribute(.integer, nativeType: "int(10) unsigned"), "big": SQLAttribute(.integer),
                "price": SQLAttribute(.decimal, nativeType: "numeric(10,2)"),
                "cost": SQLAttribute(.decimal, nativeType: "decimal(10, 2)"),
                "long": SQLAttribute(.decimal, nativeType: "decimal(38,18)"), "free": SQLAttribute(.decimal),
            ],
            relationships: [
                "whole": .toOne("Line", column: "whole_id"), "parts": .toMany("Line", inverseColumn: "whole_id"),
            ])
    ])

    private func condition(_ format: String, _ dialect: any SQLDialect) throws -> String {
        try SQLCompiler(schema: Self.schema, dialect: dialect).compile(FormatPredicate(format), entity: "Line").where
            .text
    }

    private static let dialects: [any SQLDialect] = [
        PostgreSQLDialect(), MariaDBDialect(), DuckDBDialect(), SparkDialect(),
    ]

    // MARK: - The proof

    @Test(
        arguments: [
            ("smallint", -32768, 32767, 5), ("int2", -32768, 32767, 5), ("tinyint", -128, 127, 3),
            ("TINYINT", -128, 127, 3),
            ("tinyint(3) unsigned", 0, 255, 3), ("UTINYINT", 0, 255, 3), ("mediumint(9)", -8_388_608, 8_388_607, 7),
            ("integer", -2_147_483_648, 2_147_483_647, 10), ("int(10) unsigned zerofill", 0, 4_294_967_295, 10),
            ("UINTEGER", 0, 4_294_967_295, 10), ("usmallint", 0, 65_535, 5),
        ] as [(String, Double, Double, Int)])
    func rangesOfIntegers(name: String, least: Double, greatest: Double, digits: Int) throws {
        let range = try #require(NumberRange(nativeType: name))
        #expect((range.least, range.greatest) == (least, greatest))
        #expect((range.whole, range.fraction) == (digits, 0))
    }

    @Test(arguments: [
        ("numeric(10,2)", 8, 2), ("DECIMAL(10, 2)", 8, 2), ("numeric(5)", 5, 0), ("decimal(4,4)", 0, 4),
        ("numeric(38,18)", 20, 18),
    ])
    func digitsOfDecimals(name: String, whole: Int, fraction: Int) throws {
        let range = try #require(NumberRange(nativeType: name))
        #expect((range.whole, range.fraction) == (whole, fraction))
        #expect(range.greatest >= (0..<whole).reduce(1) { power, _ in power * 10 })
        #expect(range.least == -range.greatest)
    }

    @Test(arguments: [
        "bigint", "int8", "bigint(20) unsigned", "UBIGINT", "HUGEINT", "numeric", "numeric(2,-3)", "numeric(2,3)",
        "numeric(1000,2)", "decimal(10,2) unsigned", "decimal(a,b)", "decimal()", "text", "", "interval", "cents",
    ])
    func typesWithoutARange(name: String) { #expect(NumberRange(nativeType: name) == nil) }

    @Test func theRangeOfAnOperationHoldsAllResults() throws {
        let int = try #require(NumberRange(nativeType: "int")),
            unsigned = try #require(NumberRange(nativeType: "uinteger"))
        let product = try #require(int.result(of: .multiplyIntegers, int))
        #expect(product.fitsInt64 && product.greatest >= 0x1p62 && product.least <= -0x1p31 * (0x1p31 - 1))
        #expect(int.result(of: .multiplyIntegers, unsigned)?.fitsInt64 == true)
        #expect(unsigned.result(of: .multiplyIntegers, unsigned)?.fitsInt64 == false)
        #expect(product.result(of: .multiplyIntegers, int)?.fitsInt64 == false)
        #expect(product.result(of: .addIntegers, product)?.fitsInt64 == false)
        let least = NumberRange(.min, digits: 19), greatest = NumberRange(.max, digits: 19)
        #expect(!least.fitsInt64 && !greatest.fitsInt64)
        let price = try #require(NumberRange(nativeType: "numeric(10,2)"))
        let amount = try #require(price.result(of: .multiplyDecimals, int))
        #expect((amount.whole, amount.fraction) == (19, 2))
        let rest = try #require(amount.result(of: .subtractDecimals, price))
        #expect((rest.whole, rest.fraction) == (20, 2) && !rest.fitsInt64)
        #expect(price.result(of: .divideDoubles, int) == nil)
        #expect(int.addsUpInInt64 && unsigned.addsUpInInt64 && !price.addsUpInInt64 && !product.addsUpInInt64)
    }

    // MARK: - The SQL

    @Test func integersAreComputedWithoutTests() throws {
        let cases: [(String, [String])] = [
            (
                "qty - n > 3",
                [
                    #"t0."qty"::int8 - t0."n" > $1::int8"#, "CAST(t0.`qty` AS SIGNED) - t0.`n` > CAST(? AS SIGNED)",
                    #"CAST(t0."qty" AS BIGINT) - t0."n" > $1::BIGINT"#,
                    "CAST(t0.`qty` AS BIGINT) - t0.`n` > CAST(? AS BIGINT)",
                ]
            ),
            (
                "n * 1000 + 1 < n",
                [
                    #"t0."n" * $1::int8 + $2::int8 < t0."n""#,
                    "t0.`n` * CAST(? AS SIGNED) + CAST(? AS SIGNED) < t0.`n`",
                    #"t0."n" * $1::BIGINT + $2::BIGINT < t0."n""#,
                    "t0.`n` * CAST(? AS BIGINT) + CAST(? AS BIGINT) < t0.`n`",
                ]
            ),
            (
                "-u < n",
                [
                    #"0 - t0."u"::int8 < t0."n""#, "0 - CAST(t0.`u` AS SIGNED) < t0.`n`",
                    #"0 - CAST(t0."u" AS BIGINT) < t0."n""#, "0 - CAST(t0.`u` AS BIGINT) < t0.`n`",
                ]
            ),
        ]
        for (format, expected) in cases {
            for (dialect, sql) in zip(Self.dialects, expected) { #expect(try condition(format, dialect) == sql) }
        }
    }

    /// What might exceed 64 bits keeps its test, and so does every chain with a division.
    @Test(arguments: [
        "n * n * n > 3", "big + 1 > 3", "u * u > 3", "n + 9223372036854775807 > 3", "(n + qty) / qty > 3",
    ])
    func whatIsNotProvenIsTested(format: String) throws {
        #expect(try condition(format, PostgreSQLDialect()).contains("BETWEEN") || format.hasPrefix("n + 92"))
        let bare = try SQLCompiler(schema: plain, dialect: MariaDBDialect()).compile(
            FormatPredicate(format), entity: "Line")
        #expect(try condition(format, MariaDBDialect()) == bare.where.text)
    }

    /// The same schema without what it knows.
    private var plain: SQLSchema {
        var entity = Self.schema.entities["Line"] ?? SQLEntity("Line", attributes: [:])
        for key in entity.attributes.keys { entity.attributes[key]?.nativeType = nil }
        return SQLSchema([entity])
    }

    @Test func sumsOfSmallNumbersNeedNoTest() throws {
        #expect(
            try condition("parts.@sum.qty < big", PostgreSQLDialect()) == """
                (SELECT COALESCE(SUM(t1."qty"), 0)::int8 FROM "line" AS t1 WHERE t1."whole_id" = t0."id") < t0."big"
                """)
        #expect(
            try condition("parts.@sum.price < cost", DuckDBDialect()) == """
                (SELECT TRY_CAST(COALESCE(SUM(t1."price"), 0) AS DECIMAL(37, 18)) FROM "line" AS t1 \
                WHERE t1."whole_id" = t0."id") < t0."cost"
                """)
        #expect(try condition("parts.@sum.long < cost", DuckDBDialect()).contains("trunc"))
        #expect(try condition("parts.@sum.big < n", PostgreSQLDialect()).contains("BETWEEN"))
    }

    @Test func decimalsArePlainWithinTheirDigits() throws {
        let format = "price * qty - cost > 250"
        let expected = [
            #"t0."price" * t0."qty"::numeric - t0."cost" > $1::numeric"#,
            "t0.`price` * t0.`qty` - t0.`cost` > CAST(? AS DECIMAL(65, 30))",
            #"t0."price" * t0."qty" - t0."cost" > $1::DECIMAL(38, 18)"#,
            "t0.`price` * t0.`qty` - t0.`cost` > CAST(? AS DECIMAL(38, 18))",
        ]
        for (dialect, sql) in zip(Self.dialects, expected) { #expect(try condition(format, dialect) == sql) }
        // In DuckDB, a product of two types of up to 18 digits has no more than these.
        #expect(
            try condition("price * n > cost", DuckDBDialect())
                == #"TRY_CAST(t0."price" AS DECIMAL(27, 18)) * t0."n" > t0."cost""#)
        #expect(
            try condition("price * cost > 3", DuckDBDialect())
                == #"TRY_CAST(t0."price" AS DECIMAL(19, 9)) * TRY_CAST(t0."cost" AS DECIMAL(19, 9)) > $1::DECIMAL(38, 18)"#
        )
        #expect(
            try condition("price * 1.5 > 3", DuckDBDialect())
                == #"CAST(t0."price" AS DOUBLE) * $1::DOUBLE > $2::DOUBLE"#)
        for dialect in Self.dialects.dropFirst() {
            for format in ["long * long > 3", "free * qty > 3", "price * price * price * price * price > 3"] {
                #expect(try condition(format, dialect).hasPrefix("COALESCE(CASE WHEN"), "\(format)")
            }
        }
    }

    /// SQLite does not limit the numbers of a column.
    @Test func sqliteKnowsNoRange() throws {
        for format in ["qty - n > 3", "price * qty > 3", "parts.@sum.qty < big"] {
            let bare = try SQLCompiler(schema: plain).compile(FormatPredicate(format), entity: "Line").where.text
            #expect(try condition(format, SQLiteDialect()) == bare)
        }
    }

    // MARK: - Products of many digits

    /// `SQRT(NULL)` would be the square root of a product with too many digits.
    @Test(arguments: ["sqrt:(free * qty) > 1", "free * qty * 1.5 > 1", "1.5 - free * free < 2"])
    func doublesOfProductsAreRefused(format: String) throws {
        for dialect in Self.dialects.dropFirst() {
            let error = SQLCompilationError.thrown { try condition(format, dialect) }
            #expect(error?.code == .notExpressible(.decimalArithmetic), "\(format)")
        }
        #expect(try !condition(format, PostgreSQLDialect()).isEmpty)
        #expect(try !condition(format.replacing("free", with: "price"), MariaDBDialect()).isEmpty)
    }

    /// A product with a sum that is 0 is 0, whatever the other factor.
    @Test func aProductWithASumOfZero() throws {
        #expect(
            try condition("free * (free - long) >= 0", MariaDBDialect()).contains(
                "ELSE CASE WHEN t0.`free` - t0.`long` = 0 THEN 0 END END"))
    }
}
