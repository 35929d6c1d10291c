import PredicateConformance
import PredicateTestSupport
import Testing

/// The runner fails on wrong expectations, and says what differs.
@Suite struct WrongFactTests {
    @Test(
        "a wrong fact fails",
        arguments: [
            (#""format": "a == 1", "object": {"a": 1}, "expect": false"#, "expected false, found true"),
            (#""format": "a == 1", "object": {"a": 2}, "expect": true"#, "expected true, found false"),
            (
                #""format": "a < 1", "object": {"a": "x"}, "expect": true"#,
                "expected true, found error(incomparable): "
                    + #"incomparable(left: the string "x", right: the number 1)"#
            ),
            (
                #""format": "a ==", "expect": "parses""#,
                "expected it to parse, found expectedExpression @ 4..<4 in a =="
            ),
            (#""format": "a == 1", "expect": "parse-error""#, "expected a parse error, found a == 1"),
            (#""format": "a == 1", "object": {}, "expect": "eval-error""#, "expected an evaluation error, found false"),
            (
                #""format": "a = 1", "expect": "parses", "predicateFormat": "a = 1""#,
                "expected the print a = 1, found a == 1"
            ),
            (
                #""format": "a = 1", "expect": "parses", "roundtrip": true"#,
                "expected the print a = 1, found a == 1"
            ),
            (
                #""format": "a == $b", "expect": "parses", "substitutedFormat": "a == b", "#
                    + #""variables_for_substitution": {"b": "b"}"#,
                #"expected the print after substitution a == b, found a == "b""#
            ),
            (
                #""format": "a == $b", "expect": "parses", "substitutedFormat": "a == 1""#,
                "expected the print after substitution a == 1, found no value for $b"
            ),
            (
                #""format": "a == b", "expect": "parses", "expressionNodes": 3"#,
                "expected the expression count 3, found 2"
            ),
            (
                #""kind": "expression", "format": "1 + 1", "expect": "value", "value": {"string": "2"}"#,
                #"expected "2", found 2"#
            ),
            (#""kind": "expression", "format": "1 + 1", "expect": "value", "value": null"#, "expected nil, found 2"),
            (
                #""kind": "filter", "format": "SELF > 1", "object": [1, 2], "expect": "filter", "keep": [0, 1]"#,
                "object 0: expected true, found false"
            ),
            (
                #""kind": "filter", "format": "SELF > 1", "object": [2], "expect": "filter", "keep": [0, 1]"#,
                "there is no object 1 to keep"
            ),
            (#""kind": "api", "api": "and([])", "expect": false"#, "expected false, found true"),
            (
                #""kind": "api", "api": "or([FALSE,mustNotEvaluate])", "expect": true"#,
                #"expected true, found error(unboundVariable): "#
                    + #"unboundVariable("mustNotEvaluate", nearMisses: [])"#
            ),
            (#""kind": "api", "api": "xor([])", "expect": false"#, "cannot read 'xor([])'"),
            (#""format": "a == %@", "args": [{"date": "soon"}], "expect": "parses""#, #"invalid date: "soon""#),
            (#""format": "a == 1", "object": {"$colour": 1}, "expect": true"#, "unknown tag '$colour'"),
            (#""format": "a == 1", "expect": "maybe""#, "unknown expectation 'maybe'"),
        ])
    func wrongFact(row: String, message: String) throws {
        let report = try ConformanceSuite(path: "facts.jsonl", text: #"{"id": "wrong", \#(row)}"#).run()
        #expect(report.failures.map(\.description) == ["wrong: \(message)"])
        #expect(report.failed == 1)
    }

    @Test(
        "a wrong row of a corpus fails",
        arguments: [
            (#""format": "a == %@", "arguments": 2"#, "expected 2 specifiers, found 1 in a == %@"),
            (#""format": "a ==", "arguments": 0"#, "expected it to parse, found expectedExpression @ 4..<4 in a =="),
            (
                #""format": "a == 1", "arguments": 0, "suspect": "grammar""#,
                "expected a parse error, found a == 1"
            ),
            (#""format": "a == 1", "arguments": 0, "suspect": "rumour""#, "unknown evidence 'rumour'"),
        ])
    func wrongCorpusRow(row: String, message: String) throws {
        let report = try ConformanceSuite(path: "corpus.jsonl", text: "\n{\(row)}").run()
        #expect(report.failures.map(\.description) == ["corpus.jsonl:2: \(message)"])
    }

    @Test func doubtfulRowsAreSkipped() throws {
        let rows = ["a == 1", "a =="].map { #"{"format": "\#($0)", "arguments": 0, "suspect": "unsure"}"# }
        let report = try ConformanceSuite(path: "corpus.jsonl", text: rows.joined(separator: "\n")).run()
        #expect(report.summary == "0 passed, 0 failed, 2 skipped")
    }

    @Test func exceptionsMustFail() throws {
        let rows = """
            {"id": "a-1", "format": "1 == 1", "expect": false}
            {"id": "a-2", "format": "1 == 1", "expect": true}
            """
        let exceptions = try ExceptionList(path: "list", text: "# why\n\na-1\tdiffers\na-2  differs too\na-3 gone\n")
        let report = try ConformanceSuite(path: "facts.jsonl", text: rows).run(exceptions: exceptions)
        #expect(report.failures.map(\.description) == ["a-2: listed as an exception, yet it passes"])
        #expect(report.summary == "0 passed, 1 failed, 0 skipped, 1 excepted")
        #expect(exceptions.idsMissing(from: report) == ["a-3"])
    }

    @Test(
        "data that cannot be read is an error with its line",
        arguments: [
            ("facts.jsonl", "\n{\"expect\": }", "facts.jsonl:2: invalid JSON: expected a value, column 12"),
            ("facts.jsonl", "[1]", "facts.jsonl:1: invalid JSON: a row is an object"),
            ("facts.jsonl", "{}", "facts.jsonl:1: a row has either 'expect' or 'arguments'"),
            (
                "facts.jsonl", "{\"id\": \"a\", \"expect\": true}\n{\"id\": \"a\", \"expect\": true}",
                "facts.jsonl:2: 'a' occurs twice"
            ),
        ])
    func unreadable(path: String, text: String, message: String) {
        let error = ConformanceFileError.thrown { try ConformanceSuite(path: path, text: text) }
        #expect(error?.description == message)
    }

    @Test func exceptionsNeedReasons() {
        let error = ConformanceFileError.thrown { try ExceptionList(path: "list", text: "a-1") }
        #expect(error?.description == "list:1: the exception 'a-1' needs a reason")
    }
}
