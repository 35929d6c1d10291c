import Foundation
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Columns of types that only the database has: enumerations, `citext`, `char(n)`, arrays. [NSP-427]
@Suite struct NativeTypeTests {
    private static let schema = SQLSchema([
        SQLEntity(
            "Order", table: "orders",
            attributes: [
                "state": SQLAttribute(.string, nativeType: "order_state", labels: ["open", "paid", "sent"]),
                "stage": SQLAttribute(.string, isNullable: false, nativeType: "order_state", labels: ["open", "paid"]),
                "email": SQLAttribute(.string, nativeType: "citext"), "code": SQLAttribute(.paddedString),
                "land": SQLAttribute(.paddedString, nativeType: "character(2)"),
                "total": SQLAttribute(.integer), "tags": SQLAttribute(.array(.string, .native)),
            ])
    ])

    private func compiler(_ dialect: any SQLDialect = PostgreSQLDialect()) -> SQLCompiler {
        SQLCompiler(schema: Self.schema, dialect: dialect)
    }

    private func query(_ format: String, _ dialect: any SQLDialect = PostgreSQLDialect()) throws -> SQLQuery {
        try compiler(dialect).compile(FormatPredicate(format), entity: "Order")
    }

    private func condition(_ format: String) throws -> String { shown(try query(format).where) }

    @Test func anAssignedStringIsALabelOfItsEnumeration() throws {
        let values: [String: PredicateValue] = ["state": "paid", "email": "a@b"]
        #expect(
            try shown(query("total == 3").update(values)) == """
                UPDATE "orders" AS t0 SET "email" = $1::text, "state" = $2::text::"order_state" \
                WHERE t0."total" = $3::int8 ['a@b', 'paid', 3]
                """)
        #expect(
            try shown(compiler().insert("Order", values)) == """
                INSERT INTO "orders" ("email", "state") VALUES ($1::text, $2::text::"order_state") ['a@b', 'paid']
                """)
        #expect(try query("total == 3", MariaDBDialect()).update(values).text.contains("`state` = ? WHERE"))
    }

    @Test func equalityIsTestedInTheTypeOfTheColumnToo() throws {
        #expect(try condition("state == 'paid'") == #"t0."state" = $1::text::"order_state" ['paid']"#)
        #expect(
            try condition("state IN {'paid', 'open'} OR total > 3") == """
                t0."state" IN ($1::text::"order_state", $2::text::"order_state") OR t0."total" > $3::int8 ['paid', 'open', 3]
                """)
        #expect(try condition("state != 'paid'") == #"t0."state" IS DISTINCT FROM $1::text::"order_state" ['paid']"#)
        #expect(try condition("stage != 'paid'") == #"t0."stage" <> $1::text::"order_state" ['paid']"#)
        // A cast of any other string would end the statement.
        #expect(try condition("state == 'lost'") == #"t0."state"::text = $1::text ['lost']"#)
        #expect(
            try condition("state IN {'paid', 'lost'}") == #"t0."state"::text IN ($1::text, $2::text) ['paid', 'lost']"#)
        #expect(try condition("land == 'no'") == #"t0."land" = $1::text::"bpchar" ['no']"#)
        #expect(
            try condition("email == 'Ann'") == """
                t0."email" = ANY (ARRAY[$1::text]::"citext"[]) AND t0."email"::text = $1::text ['Ann']
                """)
        #expect(
            try condition("code == 'ab '") == """
                t0."code" = ANY (ARRAY[$1::text]::"bpchar"[]) AND textin(bpcharout(t0."code")) = $1::text ['ab ']
                """)
    }

    @Test func aLongListIsTestedInTheTypeOfTheColumnToo() throws {
        let list = (0...100).map { "'\($0)'" }.joined(separator: ", ")
        let elements = "SELECT value FROM jsonb_array_elements_text($1::jsonb)"
        let email = try condition("email IN {\(list)}")
        #expect(
            email.hasPrefix(
                """
                t0."email" = ANY (ARRAY(\(elements))::"citext"[]) AND t0."email"::text IN (\(elements)) [
                """), "\(email)")
    }

    @Test func otherComparisonsAreOfStrings() throws {
        #expect(
            try condition("state > 'paid' AND email < 'b'") == """
                t0."state"::text COLLATE "C" > $1::text AND t0."email"::text COLLATE "C" < $2::text ['paid', 'b']
                """)
        #expect(try query("state == 'paid'", SQLiteDialect()).where.text == #"t0."state" COLLATE BINARY = ?1"#)
    }

    @Test func anIndexHoldsTheColumnInItsType() throws {
        let formats = ["state == 'paid'", "email IN {'a', 'b'}", "code == 'ab'", "ANY tags == 'x'"]
        let terms = [#"("state")"#, #"("email")"#, #"("code")"#, #"USING gin (("tags"::text[]))"#]
        for (format, term) in zip(formats, terms) {
            let indexes = try compiler().indexes(for: FormatPredicate(format), entity: "Order").map(\.statement)
            #expect(indexes.count == 1 && indexes[0].hasSuffix(#" ON "orders" \#(term)"#), "\(indexes)")
        }
        // A cast of an enumeration is not immutable.
        #expect(try compiler().indexes(for: FormatPredicate("state > 'a'"), entity: "Order").isEmpty)
        #expect(try compiler().indexes(for: FormatPredicate("state ==[c] 'a'"), entity: "Order").isEmpty)
    }

    @Test func anArrayIsNoTable() throws {
        let schema = SQLSchema(table: "a", columns: ["tags": .array(.string, .json)])
        for dialect in [SQLiteDialect(), PostgreSQLDialect()] as [any SQLDialect] {
            let compiler = SQLCompiler(schema: schema, dialect: dialect)
            #expect(try compiler.indexes(for: FormatPredicate("'x' IN tags"), entity: "a").isEmpty)
        }
    }

    @Test func eachElementOfAListMayBeAnElementOfAnArray() throws {
        #expect(
            try condition("ANY tags IN {'x', 'y'}").hasPrefix(
                #"(t0."tags"::text[] @> ARRAY[$1::text] OR t0."tags"::text[] @> ARRAY[$2::text]) AND EXISTS"#))
    }

    @Test func aSchemaStatesTheType() throws {
        #expect(try SQLSchema(json: Self.schema.json) == Self.schema)
        let document = #"""
            {"database": "postgresql", "foreignKeys": [], "columns": [
              {"table": "o", "kind": "table", "name": "id", "position": 1, "type": "int8", "declared": "bigint",
               "nullable": "NO", "keyPosition": 1},
              {"table": "o", "kind": "table", "name": "state", "position": 2, "type": "enum", "declared": "order_state",
               "native": "order_state", "labels": ["open", "paid"], "nullable": "YES"}]}
            """#
        let schema = try IntrospectedSchema(document: Array(document.utf8)).schema
        #expect(schema["o"]?.attributes["state"]?.nativeType == "order_state")
        #expect(schema["o"]?.attributes["state"]?.labels == ["open", "paid"])
    }

    /// The SQL of a comparison with a label is not that of one with another string.
    @Test func labelsHaveNoTemplate() throws {
        let compiler = compiler()
        for label in ["lost", "gone", "open", "paid", "lost"] {
            let format = try FormatPredicate("state == '\(label)'")
            let isLabel = ["open", "paid"].contains(label)
            let text = try compiler.compile(format, entity: "Order").where.text
            #expect(text == (isLabel ? #"t0."state" = $1::text::"order_state""# : #"t0."state"::text = $1::text"#))
        }
    }

    @Test func anEnumerationOfMariaDBKeepsItsIndex() throws {
        let schema = SQLSchema([
            SQLEntity("Order", table: "orders", attributes: ["state": SQLAttribute(.string, nativeType: "enum")])
        ])
        let query = try SQLCompiler(schema: schema, dialect: MariaDBDialect()).compile(
            FormatPredicate("state == 'paid'"), entity: "Order")
        #expect(query.where.text.hasPrefix("t0.`state` IN (?) AND t0.`state` = "))
    }

    /// Days are whole seconds, in which the parts that a database reads are the same.
    @Test func partsOfDaysAreTheDatabasesOwn() throws {
        let schema = SQLSchema([
            SQLEntity(
                "Person",
                attributes: [
                    "born": SQLAttribute(.date(.timestamp), nativeType: "date"),
                    "died": SQLAttribute(.date(.timestamp), nativeType: "date"),
                ])
        ])
        let compiler = SQLCompiler(schema: schema, dialect: PostgreSQLDialect(), calendarZone: .gmt)
        #expect(
            shown(
                try compiler.compile(
                    FormatPredicate("month:(born) == 5 AND day:(born) == 17"), entity: "Person"
                ).where) == """
                    extract(month from t0."born")::int8 = $1::int8 AND extract(day from t0."born")::int8 = $2::int8 [5, 17]
                    """)
        #expect(
            shown(try compiler.compile(FormatPredicate("died > born"), entity: "Person").where)
                == #"t0."died" > t0."born""#)
    }
}
