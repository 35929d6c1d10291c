import PredicateConformance
import PredicateTestSupport
import Testing

/// Records that do not hold fail, and records that make no sense are errors.
@Suite struct WrongRecordTests {
    @Test func aRecordThatHoldsPasses() throws {
        let report = try Self.report(
            """
            format       age >= $AGE AND name BEGINSWITH %@
            args         ["jo"]
            vars         {"AGE": 18}
            prints       age >= $AGE AND name BEGINSWITH "jo"
            substituted  age >= 18 AND name BEGINSWITH "jo"
            row          {"age": 21, "name": "joanna"}        true    [NSP-001]
            # a comment
            row          {"age": 21, "name": "Joanna"}        false
            row          {"age": "x", "name": null}           error(incomparable)
            """)
        #expect(report.failures == [])
        #expect(report.passed == 1)
    }

    @Test(
        "options and compounds",
        arguments: [
            "format a == 1\nargs [1]\noptions strict\nerror surplusArguments @ 0..<6",
            "format a == 1\noptions formatLength=3\nerror formatTooLong @ 0..<0",
            "format NOT NOT a == 1\noptions nesting=2\nerror nestingTooDeep @ 4..<14",
            "format NOT NOT a == 1\noptions evaluationNesting=2\nrow {} error(nestingTooDeep)",
            "api not([])\nrow {} error(subpredicateCount)",
            "api and([])\nprints TRUEPREDICATE\nrow {} true",
        ])
    func recordsThatHold(fields: String) throws {
        #expect(try Self.report(fields).failures == [])
    }

    @Test(
        "a record that does not hold fails",
        arguments: [
            ("format a = 1\nprints a = 1", "prints: expected a = 1, found a == 1"),
            ("format a == 1\ntree (a)", "tree: expected (a), found (comparison == (keyPath a) (constantValue 1))"),
            (
                "format a == $b\nvars {\"b\": 1}\nsubstituted a == 2",
                "substituted: expected a == 2, found a == 1"
            ),
            ("format a == 1\nrow {\"a\": 1} false", "row in line 3: expected false, found true"),
            (
                "format a == 1\nrow {\"a\": 1} error(incomparable)",
                "row in line 3: expected error(incomparable), found true"
            ),
            ("expression a + 1\nrow {\"a\": 1} = 3", "row in line 3: expected 3, found 2"),
            ("expression a\nrow {\"a\": \"=\"} = \"1\"", #"row in line 3: expected "1", found "=""#),
            ("format a ==\nprints a == 1", "expected it to parse, found expectedExpression @ 4..<4"),
            ("format a == 1\nerror expectedExpression @ 4..<4", "expected expectedExpression @ 4..<4, found a == 1"),
            (
                "format a ==\nerror expectedExpression @ 0..<4",
                "expected expectedExpression @ 0..<4, found expectedExpression @ 4..<4"
            ),
            (
                "format a ==\nerror expectedOperator @ 4..<4",
                "expected expectedOperator @ 4..<4, found expectedExpression @ 4..<4"
            ),
            ("format a == 1\nrow {\"a\": 1} true\ngap row later", "listed as a gap of 'row', yet it holds"),
        ])
    func wrongRecord(fields: String, message: String) throws {
        #expect(try Self.report(fields).failures.map(\.description) == ["a.cases:1 title: \(message)"])
    }

    @Test(arguments: ["format a == 1\nprints a == 2", "expression a == 1\nrow {} = 1", "api not([])\nrow {} true"])
    func aRecordMayBeginWithItsFormat(fields: String) throws {
        let title = fields.prefix { $0 != "\n" }.drop { $0 != " " }.dropFirst()
        let failures = try ConformanceSuite(path: "a.cases", text: fields).run().failures
        #expect(failures.count == 1)
        #expect(failures.first?.description.hasPrefix("a.cases:1 \(title): ") == true)
    }

    @Test func aGapMustFail() throws {
        #expect(try Self.report("format a == 1\nrow {\"a\": 1} false\ngap row not yet").isSuccess)
    }

    @Test(
        "a record that makes no sense is an error",
        arguments: [
            ("case a\nformat a == 1\nrows {} true", "3: unknown field 'rows'"),
            ("case a\nformat a == 1\nargsjson []", "3: unknown field 'argsjson'"),
            ("case a\nformat a == 1", "1: the record asserts nothing"),
            ("case a\nformat a == 1\nsqlite a = 1", "1: a record needs 'schema'"),
            (
                "schema Row {}\n\ncase a\nexpression a\nsqlite a = 1",
                "3: 'expression' and 'sqlite' exclude each other"
            ),
            ("schema Row", "1: 'schema' should be the name of an entity and its JSON"),
            ("schema Row {}\nschema Row {}", "2: 'Row' occurs twice"),
            ("case a\nprints a == 1", "1: a record needs 'format'"),
            ("prints a == 1\nformat a == 1", "1: a record needs 'case'"),
            ("case\nformat a == 1\nprints a == 1", "1: a record needs 'case'"),
            ("case a\nformat a == 1\nformatjson \"b\"\nprints a == 1", "3: 'format' occurs twice in one record"),
            ("case a\nformat a == 1\nexpression a\ntree (a)", "1: 'format' and 'expression' exclude each other"),
            ("case a\nformat a\nerror emptyFormat @ 0..<0\ntree (a)", "1: 'error' and 'tree' exclude each other"),
            ("case a\nformat a\nprints a\n\ncase a\nformat a\nprints a", "5: 'a' occurs twice"),
            ("case a\nformat a\napi not([])\nprints a", "1: 'format' and 'api' exclude each other"),
            ("case a\napi nor([])\nprints a", "2: 'api' should be readable: cannot read 'nor([])'"),
            (
                "case a\nformat a\noptions loose\nprints a",
                "3: 'options' should be 'strict', 'nesting=3', 'evaluationNesting=2' or another limit"
            ),
            ("case a\nformat a\nargs {}\nprints a", "3: 'args' should be a JSON array"),
            ("case a\nformat a\nvars [\nprints a", "3: invalid JSON: the JSON ends in the middle of a value: ["),
            (
                "case a\nformat a\nerror noSuchCode @ 0..<0",
                "3: 'error' should be a code and its place, as in 'expectedExpression @ 6..<6'"
            ),
            (
                "case a\nformat a\nrow {} error(noSuchCode)",
                "3: 'row' should be error(…) with the code of an evaluation error"
            ),
            ("case a\nformat a\nprints a\ngap sums later", "4: 'gap' should be a stage and a reason"),
            (
                "case a\nformat a\nprints",
                "3: 'prints' should be what is printed; rewriting the golden fields fills it in"
            ),
            ("case a\nformat a\nrow {\"$day\": 1} true", "3: 'row' should be readable: unknown tag '$day'"),
        ])
    func senselessRecord(text: String, message: String) {
        let error = ConformanceFileError.thrown { try ConformanceSuite(path: "a.cases", text: text) }
        #expect(error?.description == "a.cases:\(message)")
    }

    @Test(arguments: ["format a == 1\nrow {} = 1", "expression a\nrow {} true", "format a == 1\nrow {} maybe"])
    func rowsSuitTheirFormat(fields: String) {
        let error = ConformanceFileError.thrown { try Self.report(fields) }
        #expect(error?.description.hasPrefix("a.cases:3: 'row' should be JSON and then 'true'") == true)
    }

    private static func report(_ fields: String) throws -> ConformanceReport {
        try ConformanceSuite(path: "a.cases", text: "case title\n\(fields)\n").run()
    }
}
