@_spi(Dialect) import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Constructs without an exact SQL form are refused, with source range and reason.
@Suite struct RefusalTests {
    typealias Code = SQLCompilationError.Code

    private func check(_ cases: [(format: String, code: Code, place: String)]) throws {
        for (format, code, place) in cases {
            let error = try #require(try refusal(format), "\(format)")
            #expect(error.code == code, "\(format)")
            #expect(String(decoding: Array(error.text.utf8)[error.range], as: UTF8.self) == place, "\(format)")
        }
    }

    @Test func keysAndVariables() throws {
        try check([
            ("nmae == 'x'", .unknownKey("nmae", entity: "Person", nearMisses: ["name"]), "nmae"),
            ("age > 1 AND boss.wings == 2", .unknownKey("wings", entity: "Person", nearMisses: []), "boss.wings"),
            ("ANY phones.numbr == '1'", .unknownKey("numbr", entity: "Phone", nearMisses: ["number"]), "phones.numbr"),
            ("age > $limit", .unboundVariable("limit"), "$limit"),
        ])
    }

    /// A variable in a bound expression means what was given, never the element of a SUBQUERY.
    @Test func boundExpressions() throws {
        let variables: [String: PredicateValue] = [
            "twice": .expression(try FormatExpression("$w + $w").node),
            "w": .expression(try FormatExpression("age + 1").node),
            "x": .expression(try FormatExpression("$f.rank").node),
        ]
        let written = try condition("age > (age + 1) + (age + 1)")
        #expect(try condition("age > $twice", variables: variables) == written)
        let format = "SUBQUERY(phones, $f, $f.rank == $x).@count > 1"
        #expect(try refusal(format, variables: variables)?.code == .unboundVariable("f"))
    }

    /// Expressions that variables are bound to count as nesting and as nodes.
    @Test func boundExpressionsEnd() throws {
        let itself = ["v": PredicateValue.expression(try FormatExpression("$v").node)]
        #expect(try refusal("age > $v", variables: itself)?.code == .nestingTooDeep(limit: 100))
        var doubling = ["v40": PredicateValue.integer(1)]
        for level in 0..<40 {
            doubling["v\(level)"] = .expression(try FormatExpression("$v\(level + 1) + $v\(level + 1)").node)
        }
        var limits = PredicateLimits.standard
        limits.nodes = 500
        #expect(try refusal("age > $v0", variables: doubling, limits: limits)?.code == .exceeds(.nodes, limit: 500))
    }

    @Test func whatAnEvaluatorRefusesForEveryRow() throws {
        try check([
            ("name < 3", .incomparable(left: .string, right: .integer), "name < 3"),
            ("born > height", .incomparable(left: .date, right: .double), "born > height"),
            ("code < label", .incomparable(left: .uuid, right: .uuid), "code < label"),
            ("name + 1 > 2", .expected(.number, found: .string), "name"),
            ("age + nil > 2", .nilOperand, "nil"),
            ("age > 1 / 0", .expected(.nonzeroDivisor, found: .other("0")), "0"),
            ("modulus:by:(age, 0) == 1", .expected(.nonzeroDivisor, found: .other("0")), "0"),
            (
                "age < 9223372036854775807 + 1", .expected(.integerOf64Bits, found: .other("a larger one")),
                "9223372036854775807 + 1"
            ),
            (
                "born > CAST('2000', 'NSDate')",
                .expected(.date, found: .other("a string that is not one")),
                "'2000'"
            ),
            ("age BEGINSWITH 'a'", .expected(.string, found: .integer), "age"),
            ("ANY age == 1", .expected(.collection, found: .integer), "age"),
            ("age BETWEEN 25", .expected(.twoBounds, found: .integer), "25"),
            ("name IN 10", .expected(.stringOrCollection, found: .integer), "10"),
            ("age & 1.5 == 1", .expected(.integer, found: .other("a fraction")), "1.5"),
        ])
    }

    @Test func collections() throws {
        try check([
            ("phones.number == '1'", .toManyWithoutModifier("phones"), "phones.number"),
            ("(phones)[FIRST] == boss", .notExpressible(.order), "(phones)[FIRST]"),
            ("phones.calls.@count > 1", .notExpressible(.nestedCollections), "phones.calls.@count"),
            ("phones.@sum.length > 1", .notExpressible(.sumOfDoubles), "phones.@sum.length"),
            ("phones.owner.@sum.age > 1", .notExpressible(.sharedElements), "phones.owner.@sum.age"),
            (
                "phones.@unionOfObjects.rank.@count == 2", .notExpressible(.nestedCollections),
                "phones.@unionOfObjects.rank.@count"
            ),
            (
                "phones.@unionOfObjects.rank.count == 2", .notExpressible(.nestedCollections),
                "phones.@unionOfObjects.rank.count"
            ),
            ("{1, age} == {1, 2}", .notExpressible(.collectionValue), "{1, age} == {1, 2}"),
        ])
    }

    @Test func constructs() throws {
        try check([
            ("mgl_round(age) == 1", .notExpressible(.hostFunction("mgl_round")), "mgl_round(age)"),
            (
                "FUNCTION(name, 'uppercaseString') == 'X'", .notExpressible(.message("uppercaseString")),
                "FUNCTION(name, 'uppercaseString')"
            ),
            ("SELF isKindOfClass: name", .notExpressible(.selector("isKindOfClass:")), "SELF isKindOfClass: name"),
            ("sum(ANYKEY) == 1", .notExpressible(.construct("ANYKEY")), "ANYKEY"),
            ("ANY ANYKEY == 1", .notExpressible(.construct("ANYKEY")), "ANYKEY"),
            ("ANYKEY BETWEEN 1", .expected(.twoBounds, found: .integer), "1"),
            ("phones.kind[SIZE] == 1", .expected(.keyAfterDot, found: .index), "phones.kind[SIZE]"),
            ("random() > 0.5", .notExpressible(.construct("random")), "random()"),
            ("age ** rank > 1", .notExpressible(.kindDependsOnRow), "age ** rank"),
            (
                "name.capitalizedString == 'Jo'", .notExpressible(.property("capitalizedString")),
                "name.capitalizedString"
            ),
            ("floor:(price) > 3", .notExpressible(.decimalArithmetic), "floor:(price)"),
            (
                "CAST(name, 'NSNumber') > 3", .notExpressible(.cast(from: "a string", to: "NSNumber")),
                "CAST(name, 'NSNumber')"
            ),
            (
                "nick UTI-CONFORMS-TO 'public.image'", .notExpressible(.typeIdentifiers),
                "nick UTI-CONFORMS-TO 'public.image'"
            ),
            ("code == label", .notExpressible(.storage(.uuid)), "code == label"),
        ])
    }

    @Test func whatPostgreSQLCannotSay() throws {
        let dialect = PostgreSQLDialect()
        let cases: [(String, SQLCompilationError.Obstacle)] = [
            ("name MATCHES '(?=a).*'", .function("MATCHES with '?='", dialect: "postgresql")),
            ("height ** 2 > 1", .function("**", dialect: "postgresql")),
            ("ln(height) > 1", .function("ln:", dialect: "postgresql")),
            ("modulus:by:(height, weight) > 1", .function("modulus:by:", dialect: "postgresql")),
        ]
        for (format, obstacle) in cases {
            #expect(try refusal(format, dialect: dialect)?.code == .notExpressible(obstacle), "\(format)")
        }
    }

    /// A column that holds values of several types.
    @Test func mixedKinds() throws {
        let notes = SQLEntity(
            "Note", table: "note", attributes: ["id": SQLAttribute(.integer), "value": SQLAttribute(.any)],
            relationships: [
                "next": .toOne("Note", column: "next_id"), "parts": .toMany("Note", inverseColumn: "next_id"),
            ])
        let compiler = SQLCompiler(schema: SQLSchema([notes]))
        for (format, text) in [
            ("value == nil", "+t0.\"value\" IS NULL"), ("nil != value", "+t0.\"value\" IS NOT NULL"),
            ("NOT (next.value == nil)", "+t1.\"value\" IS NOT NULL"), ("value == 1", "+t0.\"value\" = ?1"),
            ("value > 1", "+t0.\"value\" > ?1 AND likely(+t0.\"value\" <= 9e999)"),
        ] {
            #expect(try compiler.compile(try FormatPredicate(format), entity: "Note").where.text == text, "\(format)")
        }
        let told = [
            "value == 1", "value != 'x'", "value > 1", "value BETWEEN {1, 2}", "value IN {1, 'x'}", "value LIKE '1*'",
            "ANY parts.value == 1", "SUBQUERY(parts, $p, $p.value > 1).@count == nil", "value == $v",
        ]
        let untold = [
            "value + 1 > 2", "value.length == nil", "lowercase(value) == nil", "value == value", "parts.@max.value > 1",
            "value == id",
        ]
        let postgreSQL = SQLCompiler(schema: compiler.schema, dialect: PostgreSQLDialect())
        for format in told {
            let predicate = try FormatPredicate(format)
            #expect(throws: Never.self, "\(format)") {
                try compiler.compile(predicate, entity: "Note", variables: ["v": 1])
            }
        }
        for (compiler, formats) in [(compiler, untold), (postgreSQL, told + untold)] {
            for format in formats {
                let error = SQLCompilationError.thrown("\(format)") {
                    try compiler.compile(try FormatPredicate(format), entity: "Note", variables: ["v": 1])
                }
                if format != "value.length == nil" {
                    #expect(error?.code == .notExpressible(.mixedKinds("value")), "\(format)")
                }
            }
        }
        let all = try compiler.compile(.constant(true), entity: "Note")
        #expect(try all.select(keys: ["value"]).text.contains("t0.\"value\""))
        #expect(throws: SQLCompilationError.self) { try all.select(keys: ["id"], sortKeys: [SortKey("value")]) }
        let residual = SQLCompiler(schema: SQLSchema([notes]), mode: .residual)
        let query = try residual.compile(try FormatPredicate("id > 2 AND value + 1 > 1"), entity: "Note")
        #expect(query.residual?.predicateFormat == "value + 1 > 1" && query.where.text == "t0.\"id\" > ?1")
    }

    @Test func shownWithTheirPlaces() throws {
        #expect(
            try #require(try refusal("age > 1 AND nmae == 'x'")).description == """
                error: expected a key of Person, found 'nmae'
                  age > 1 AND nmae == 'x'
                              ^~~~
                hint: did you mean name?
                """)
        #expect(
            try #require(try refusal("phones.@sum.length > 1")).description == """
                error: SQL cannot express this exactly
                  phones.@sum.length > 1
                  ^~~~~~~~~~~~~~~~~~ rounding depends on the order in which doubles are added
                hint: compile with mode: .residual, or fetch with allowsResidual: true, to evaluate this part in memory
                """)
    }

    @Test func treesMadeByHandAreShownPrinted() throws {
        let node = PredicateNode.compound(CompoundPredicate(.not, []))
        let error = SQLCompilationError.thrown {
            try SQLCompiler(schema: people).compile(FormatPredicate(node), entity: "Person")
        }
        #expect(error?.code == .subpredicateCount(found: 0))
    }

    /// Constructs for which SQL repeats operands, nested and side by side.
    @Test(arguments: [SQLiteDialect() as any SQLDialect, PostgreSQLDialect()])
    func size(dialect: any SQLDialect) throws {
        let choices = (0..<20).map { "TERNARY(age > \($0), age, height)" }.joined(separator: " + ")
        let truths = "age" + String(repeating: ".boolValue", count: 60)
        for format in ["\(choices) == (\(choices))", "\(truths) == 1"] {
            let limit = dialect.limits.length
            #expect(try refusal(format, dialect: dialect)?.code == .notExpressible(.size(limit: limit)), "\(format)")
        }
        let nested = (0..<25).reduce("height") { inner, _ in "TERNARY(\(inner) > 1, height, weight)" }
        let limit = PostgreSQLDialect().limits.length
        let code = try refusal("\(nested) > 1", dialect: PostgreSQLDialect())?.code
        #expect(code == .notExpressible(.size(limit: limit)))
    }

    @Test func entities() {
        let error = SQLCompilationError.thrown {
            try SQLCompiler(schema: people).compile(.constant(true), entity: "Persn")
        }
        #expect(error?.code == .unknownEntity("Persn", nearMisses: ["Person"]))
    }

    @Test func limits() throws {
        let doubles = (0..<40_000).map { PredicateValue.double(Double($0) + 0.5) }
        #expect(
            try refusal("height IN %@", [.array(doubles)])?.code == .tooManyParameters(limit: 32_766, found: 40_000))
        var deep = "age == 1"
        for _ in 0..<45 { deep = "NOT (name == 'a' AND \(deep))" }
        #expect(try refusal(deep)?.code == .notExpressible(.depth(limit: 88, dialect: "sqlite")))
        #expect(try refusal("phones.@unionOfObjects.rank == 2")?.code == .toManyWithoutModifier("phones"))
        let many = FormatPredicate.or((0..<5_000).map { PredicateKey("age") == $0 })
        let query = try SQLCompiler(schema: people).compile(many, entity: "Person")
        #expect(query.where.bindings.count == 5_000)
    }
}
