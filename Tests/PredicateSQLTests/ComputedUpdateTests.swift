import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Updates whose values are computed for each row: `SET stock = stock - 1`
@Suite struct ComputedUpdateTests {
    private static let schema = SQLSchema([
        SQLEntity(
            "Item", table: "item",
            attributes: [
                "stock": SQLAttribute(.integer, nativeType: "int"), "held": SQLAttribute(.integer, isNullable: false),
                "price": SQLAttribute(.decimal), "name": SQLAttribute(.string), "height": SQLAttribute(.double),
                "state": SQLAttribute(.string, nativeType: "item_state", labels: ["new"]),
                "done": SQLAttribute(.boolean),
                "due": SQLAttribute(.date(.timestamp)), "made": SQLAttribute(.date(.timestamp)),
                "key": SQLAttribute(.uuid), "photo": SQLAttribute(.data),
            ],
            relationships: [
                "kind": .toOne("Kind", column: "kind_id"), "base": .toOne("Item", column: "base_id"),
                "parts": .toMany("Item", inverseColumn: "base_id"),
            ]),
        SQLEntity(
            "Kind", table: "kind", attributes: ["rate": SQLAttribute(.integer), "title": SQLAttribute(.string)],
            relationships: ["first": .toOne("Item", column: "first_id")]),
    ])

    private func update(
        _ values: [String: String], _ format: String = "held > 3", _ dialect: any SQLDialect = PostgreSQLDialect()
    ) throws -> SQLFragment {
        let query = try SQLCompiler(schema: Self.schema, dialect: dialect).compile(
            FormatPredicate(format), entity: "Item")
        return try query.update(values.mapValues { .expression(try FormatExpression($0).node) })
    }

    private func assigned(
        _ values: [String: String], _ dialect: any SQLDialect = PostgreSQLDialect()
    ) throws -> String {
        let text = try update(values, "held > 3", dialect).text
        return String(
            text[
                (text.range(of: " SET ")?.upperBound ?? text.startIndex)..<(text.range(of: " WHERE t0")?.lowerBound
                    ?? text.endIndex)])
    }

    @Test func valuesAreComputedForEachRow() throws {
        #expect(
            shown(try update(["stock": "stock - 1", "name": "uppercase(name)"])) == """
                UPDATE "item" AS t0 SET "name" = predicates2_upper(t0."name"::text), "stock" = t0."stock" - $1::int8 \
                WHERE t0."held" > $2::int8 [1, 3]
                """)
        let cases = [
            ("height", "stock", #""height" = t0."stock"::float8"#), ("price", "held", #""price" = t0."held"::numeric"#),
            ("price", "price * 2", #""price" = t0."price" * $1::numeric"#), ("due", "made", #""due" = t0."made""#),
            ("state", "name", #""state" = t0."name"::"item_state""#), ("base", "base.base", ""),
            ("held", "5", #""held" = $1::int8"#), ("name", "nil", #""name" = $1::text"#),
            ("base", "nil", #""base_id" = $1::int8"#),
            ("done", "done", #""done" = t0."done""#), ("key", "key", #""key" = t0."key""#),
            (
                "stock", "TERNARY(done == YES, held, nil)",
                #""stock" = CASE WHEN t0."done" = $1::boolean THEN t0."held" END"#
            ),
        ]
        for (key, value, sql) in cases where !sql.isEmpty {
            #expect(try assigned([key: value]) == sql, "\(key) := \(value)")
        }
    }

    /// An error of a row, such as a number of more than 64 bits or arithmetic on nil, leaves the value.
    @Test func whereTheValueIsAnErrorTheRowKeepsItsOwn() throws {
        #expect(
            try assigned(["held": "held + 1"]) == """
                "held" = COALESCE(CASE WHEN t0."held"::numeric + $1::int8 BETWEEN -9223372036854775808 \
                AND 9223372036854775807 THEN (t0."held"::numeric + $1::int8)::int8 END, t0."held")
                """)
        #expect(try assigned(["stock": "stock * 2"]) == #""stock" = t0."stock" * $1::int8"#)
        #expect(try assigned(["held": "stock * 2"]) == #""held" = COALESCE(t0."stock" * $1::int8, t0."held")"#)
        #expect(
            try assigned(["held": "held + 1"], SQLiteDialect()) == """
                "held" = COALESCE(CASE WHEN typeof(t0."held" + ?1) = 'integer' THEN t0."held" + ?1 END, t0."held")
                """)
    }

    /// NULL may also mean nil, or NaN in SQLite: then the errors are tested.
    @Test func whereTheValueMayBeNilTheErrorsAreTested() throws {
        #expect(
            try assigned(["height": "height * held + stock"], SQLiteDialect()) == """
                "height" = CASE WHEN t0."height" IS NOT NULL AND CAST(t0."stock" AS REAL) IS NOT NULL \
                THEN t0."height" * CAST(t0."held" AS REAL) + CAST(t0."stock" AS REAL) ELSE t0."height" END
                """)
        #expect(
            try assigned(["height": "height * held + stock"]) == """
                "height" = COALESCE(t0."height" * t0."held"::float8 + t0."stock"::float8, t0."height")
                """)
        #expect(
            try assigned(["held": "TERNARY(done == YES, stock * 2, nil)"]) == """
                "held" = CASE WHEN CASE WHEN t0."done" = $1::boolean AND t0."stock" * $2::int8 IS NULL \
                THEN NULL ELSE 0 END IS NOT NULL \
                THEN CASE WHEN t0."done" = $1::boolean THEN t0."stock" * $2::int8 END ELSE t0."held" END
                """)
    }

    @Test func aRelatedValueIsASubquery() throws {
        for (dialect, sql) in [
            (PostgreSQLDialect(), #"(SELECT t1."title" FROM "kind" AS t1 WHERE t1."id" = t0."kind_id")"#),
            (MariaDBDialect(), "(SELECT t1.`title` FROM `kind` AS t1 WHERE t1.`id` = t0.`kind_id`)"),
        ] as [(any SQLDialect, String)] {
            #expect(try assigned(["name": "kind.title"], dialect).hasSuffix(" = \(sql)"))
        }
        // The condition has joined the same table for its own rows.
        #expect(
            shown(try update(["name": "kind.title"], "kind.rate > 3")) == """
                UPDATE "item" AS t0 SET "name" = (SELECT t2."title" FROM "kind" AS t2 WHERE t2."id" = t0."kind_id") \
                WHERE t0."id" IN (SELECT t0."id" FROM "item" AS t0 JOIN "kind" AS t1 ON t1."id" = t0."kind_id" \
                WHERE t1."rate" > $1::int8) [3]
                """)
        #expect(try assigned(["held": "parts.@count"]).hasPrefix(#""held" = (SELECT COUNT(*) FROM "item" AS t1"#))
        #expect(
            try assigned(["name": "base.name"])
                == #""name" = (SELECT t1."name" FROM "item" AS t1 WHERE t1."id" = t0."base_id")"#)
    }

    @Test func whatNoColumnTakes() throws {
        let cases: [(String, String, SQLCompilationError.Code)] = [
            ("stock", "name", .valueKind(key: "stock", expected: "an integer", found: "a string")),
            ("stock", "stock + 0.5", .valueKind(key: "stock", expected: "an integer", found: "a double")),
            ("name", "held", .valueKind(key: "name", expected: "a string", found: "an integer")),
            ("done", "held", .valueKind(key: "done", expected: "a Boolean", found: "an integer")),
            ("kind", "base", .valueKind(key: "kind", expected: "an object of Kind", found: "the object Item")),
            ("stock", "stok - 1", .unknownKey("stok", entity: "Item", nearMisses: ["stock"])),
            ("stok", "stock - 1", .unknownKey("stok", entity: "Item", nearMisses: ["stock"])),
            ("parts", "stock", .notAColumn(key: "parts")),
            ("held", "5.5", .valueKind(key: "held", expected: "an integer", found: "a double")),
        ]
        for (key, value, code) in cases {
            let error = SQLCompilationError.thrown { try update([key: value]) }
            #expect(error?.code == code, "\(key) := \(value): \(String(describing: error))")
        }
        // MariaDB and MySQL assign in order: stock would be computed from the new value of held.
        #expect(throws: SQLCompilationError.self) {
            try update(["held": "stock + 1", "stock": "held + 1"], "held > 3", MariaDBDialect())
        }
        #expect(throws: SQLCompilationError.self) { try update(["name": "TERNARY(kind == nil, 'a', kind.title)"]) }
        // A value that is computed later would be computed from changed rows.
        for dialect in [MySQLDialect(), MariaDBDialect(), SQLiteDialect()] as [any SQLDialect] {
            for value in ["base.stock", "parts.@sum.stock", "kind.first.stock", "TERNARY(parts.@count > 1, 1, 2)"] {
                #expect(throws: SQLCompilationError.self) { try update(["stock": value], "held > 3", dialect) }
            }
            #expect(try !update(["stock": "kind.rate"], "held > 3", dialect).text.isEmpty)
        }
    }

    @Test func theFunctionsOfAValueAreNamed() throws {
        let query = try SQLCompiler(schema: Self.schema, dialect: PostgreSQLDialect()).compile(
            FormatPredicate("name ==[c] 'a'"), entity: "Item")
        let values: [String: PredicateValue] = ["name": .expression(try FormatExpression("uppercase(name)").node)]
        let functions = try query.functions(ofUpdate: values)
        #expect(functions.contains(.uppercase) && functions.isSuperset(of: query.requiredFunctions))
        #expect(!query.requiredFunctions.contains(.uppercase))
    }
}
