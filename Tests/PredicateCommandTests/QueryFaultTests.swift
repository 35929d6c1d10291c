import Foundation
import PredicateData
import Testing

/// Queries whose answers once depended on the road, or were wrong: decimals as doubles, NaN at the end, mixed kinds, values that
/// were the same in groups and not in `--distinct`, and names of columns that look like expressions.
struct QueryFaultTests {
    private func filter(_ words: [String], _ input: String) -> Outcome {
        predicate(["filter"] + words, source: MemorySource(input))
    }

    /// The replies of a session to lines, after a line that says so.
    private func replies(_ lines: [String], _ records: String) throws -> Outcome {
        var outcome = Outcome.success("")
        try withFiles(["rows.jsonl": records]) { paths in
            let input = ([":limit 1000"] + lines).joined(separator: "\n")
            outcome = predicate("repl", paths["rows.jsonl", default: ""], input: input)
        }
        outcome.output = outcome.output.components(separatedBy: "1,000 matches are shown\n").last ?? ""
        return outcome
    }

    // MARK: Decimals

    private static let decimals = "id,x\n1,1234567890123.4567\n2,1234567890123.4568\n"
    private static let script = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, x DECIMAL TEXT);
        INSERT INTO t VALUES (1, '1234567890123.4567'), (2, '1234567890123.4568');
        """

    /// Both decimals have one nearest double. [NSP-510]
    @Test(arguments: [
        (["--max", "x"], "count,max_x\n2,1234567890123.4568\n"),
        (["--min", "x"], "count,min_x\n2,1234567890123.4567\n"),
        (["--sort", "x", "-k", "id"], "id\n1\n2\n"), (["--sort", "-x", "-k", "id"], "id\n2\n1\n"),
        (["--sort", "-x", "--first", "1", "-k", "id"], "id\n2\n"),
        (["--sort", "-x", "--last", "1", "-k", "id"], "id\n1\n"),
        (["--sort", "-x", "--distinct-on", "TERNARY(x > 0, 1, 0)", "-k", "id"], "id\n2\n"),
        (["--group-by", "x", "--sort", "-x", "--first", "1"], "x,count\n1234567890123.4568,1\n"),
        (["--count-by", "x"], "x,count\n1234567890123.4567,1\n1234567890123.4568,1\n"),
    ])
    func decimalsHaveAllTheirDigits(words: [String], expected: String) throws {
        #expect(filter(words + ["--types", "x=decimal"], Self.decimals) == .success(expected))
        try withStore(Self.script, [:]) { store, _ in
            #expect(predicate(["filter"] + words + ["-o", "csv", store], source: silence) == .success(expected))
        }
    }

    @Test func conditionsOfGroupsSeeAllDigits() {
        let condition = "max_x > CAST('1234567890123.4567', 'NSDecimalNumber')"
        let words = ["--types", "x=decimal", "--max", "x", "--having", condition]
        #expect(filter(words, Self.decimals).output == "count,max_x\n2,1234567890123.4568\n")
    }

    // MARK: NaN

    private static let numbers = "{\"id\":1,\"x\":1}\n{\"id\":2,\"x\":0}\n{\"id\":3,\"x\":-1}\n"
    private static let nan = "TERNARY(x == 0, sqrt(-1), x)"

    /// NaN is between the negative numbers and 0, as in predicates. [NSP-176] [NSP-510]
    @Test func nanIsBetweenTheNegativeNumbersAndZero() {
        #expect(
            filter(["-k", "id", "--sort", Self.nan], Self.numbers).output == "{\"id\":3}\n{\"id\":2}\n{\"id\":1}\n")
        #expect(
            filter(["-k", "id", "--sort", "-" + Self.nan], Self.numbers).output
                == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
        #expect(filter(["-c", "\(Self.nan) < 0.5"], Self.numbers).output == "2\n")
        #expect(filter(["--max", "\(Self.nan) AS m"], Self.numbers).output == "{\"count\":3,\"m\":1}\n")
        let groups = filter(["--group-by", "\(Self.nan) AS g"], Self.numbers).output
        #expect(groups == "{\"g\":-1,\"count\":1}\n{\"g\":null,\"count\":1}\n{\"g\":1,\"count\":1}\n")
    }

    /// NaN is written as nil, in every format.
    @Test func nanIsWrittenAsNil() {
        #expect(filter(["-k", "\(Self.nan) AS n", "-o", "csv"], Self.numbers).output == "n\n1\n\n-1\n")
        let joined = filter(["-k", "joined(\(Self.nan), ';') AS n", "-o", "csv"], Self.numbers)
        #expect(joined.output == "n\n1;;-1\n")
    }

    // MARK: Mixed kinds

    private static let mixed = """
        {"id":1,"x":"7"}
        {"id":2,"x":2.5}
        {"id":3,"x":true}
        {"id":4,"x":null}
        {"id":5,"x":-1}

        """

    /// nil, numbers and Booleans, strings. [NSP-510]
    @Test func mixedKindsHaveOneOrder() throws {
        let sorted = filter(["-k", "id", "--sort", "x"], Self.mixed)
        #expect(sorted.output == "{\"id\":4}\n{\"id\":5}\n{\"id\":3}\n{\"id\":2}\n{\"id\":1}\n")
        let session = try replies([":columns id", ":sort x", "TRUEPREDICATE"], Self.mixed)
        #expect(session.status == 0, "\(session)")
        let ids = session.output.split(separator: "\n").suffix(5).compactMap { $0.split(separator: " ").last }
        #expect(ids == ["4", "5", "3", "2", "1"], "\(session)")
    }

    @Test(arguments: [("max", "7"), ("min", "-1")])
    func mixedKindsHaveExtremes(function: String, expected: String) throws {
        let text = expected == "7" ? "\"7\"" : expected
        let extreme = filter(["--" + function, "x AS m"], Self.mixed)
        #expect(extreme.status == 0 && extreme.output == "{\"count\":5,\"m\":\(text)}\n", "\(extreme)")
        let session = try replies([":\(function) x AS m"], Self.mixed)
        #expect(session.status == 0 && session.output.split(separator: " ").last == "\(expected)\n", "\(session)")
    }

    /// A value that is no number is an error of its row, which is reported; the sum is that of the others. [NSP-512]
    @Test func sumsLeaveOutWhatIsNoNumber() throws {
        let sum = filter(["--sum", "x AS s"], Self.mixed)
        #expect(sum.status == 2 && sum.output == "{\"count\":5,\"s\":2.5}\n", "\(sum)")
        #expect(sum.error.contains("'x' is not a number: it is the string \"7\""), "\(sum)")
        let session = try replies([":sum x AS s"], Self.mixed)
        #expect(session.output.contains("  2.5"), "\(session)")
    }

    // MARK: Equality

    /// 1 and 1.0 are one value, and true is another, everywhere. [NSP-511]
    @Test func equalValuesAreOneEverywhere() throws {
        let lines = "{\"x\":1}\n{\"x\":1.0}\n{\"x\":true}\n"
        #expect(filter(["--distinct", "-k", "x"], lines) == .success("{\"x\":1}\n{\"x\":true}\n"))
        #expect(filter(["--distinct", "-k", "x", "-c"], lines) == .success("2\n"))
        #expect(filter(["--distinct-on", "x"], lines) == .success("{\"x\":1}\n{\"x\":true}\n"))
        #expect(filter(["--count-by", "x"], lines) == .success("{\"x\":1,\"count\":2}\n{\"x\":true,\"count\":1}\n"))
        let session = try replies([":count-by x"], lines)
        #expect(session.output.split(separator: "\n").count == 3, "\(session)")
    }

    /// A decimal is the number that it is. [NSP-511]
    @Test func decimalsAreOneWithIntegers() {
        let lines = "{\"a\":1,\"b\":2}\n{\"a\":2,\"b\":1}\n"
        let key = "TERNARY(a == 1, CAST('1', 'NSDecimalNumber'), b) AS k"
        #expect(filter(["--count-by", key], lines).output == "{\"k\":1,\"count\":2}\n")
        #expect(filter(["--distinct", "-k", key], lines).output == "{\"k\":1}\n")
    }

    // MARK: Names of columns

    /// A column with the name of an expression comes first, without notes about the keys in it. [NSP-484]
    @Test(arguments: [
        (["--count-by", "x-y", "-o", "csv"], "x-y,count\na,2\nb,1\n"),
        (["--distinct", "-k", "x-y", "-o", "csv"], "x-y\na\nb\n"),
        (["--sort", "-x-y", "--first", "1", "-o", "csv"], "x-y\nb\n"),
        (["--max", "x-y AS m", "-o", "csv"], "count,m\n3,b\n"),
    ])
    func columnsWithNamesOfExpressionsComeFirst(words: [String], expected: String) {
        #expect(filter(words, "{\"x-y\":\"a\"}\n{\"x-y\":\"b\"}\n{\"x-y\":\"a\"}\n") == .success(expected))
        #expect(filter(words + ["-f", "csv"], "x-y\na\nb\na\n") == .success(expected))
    }

    /// So does a column of a table. [NSP-484]
    @Test(arguments: [
        (["-k", "dep-delay,no"], "dep-delay,no\n5,x\n7,y\n5,z\n"),
        (["--count-by", "dep-delay"], "dep-delay,count\n5,2\n7,1\n"),
        (["--sum", "dep-delay"], "count,sum_dep-delay\n3,17\n"),
        (["--distinct", "-k", "dep-delay"], "dep-delay\n5\n7\n"),
        (["-k", "dep-delay AS d", "--sort", "-dep-delay", "--first", "2"], "d\n7\n5\n"),
        (["--distinct-on", "dep-delay", "-k", "no", "--sort", "-no"], "no\nz\ny\n"),
        (["-k", "price (EUR) AS p", "--last", "1"], "p\n1.5\n"),
        (["--max", "price (EUR) AS p", "--having", "p > 1"], "count,p\n3,2.5\n"),
    ])
    func columnsOfTablesComeFirst(words: [String], expected: String) throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, "dep-delay" INTEGER, no TEXT, dep INTEGER, delay INTEGER,
            "price (EUR)" REAL); INSERT INTO t VALUES (1, 5, 'x', 9, 1, 2.5), (2, 7, 'y', 3, 1, 0.5), (3, 5, 'z', 3, 1, 1.5);
            """
        try withStore(script, [:]) { store, _ in
            let found = predicate(["filter"] + words + ["-o", "csv", store], source: silence)
            #expect(found.output == expected, "\(found)")
        }
    }

    @Test func fieldsOfParagraphsComeFirst() {
        let status = "Package: a\nInstalled-Size: 12\n\nPackage: b\nInstalled-Size: 7\n"
        let found = filter(["-f", "deb822", "-k", "Installed-Size", "-o", "csv"], status)
        #expect(found == .success("Installed-Size\n12\n7\n"))
        let sorted = filter(["-f", "deb822", "--sort", "Installed-Size", "-k", "Package", "-o", "csv"], status)
        #expect(sorted == .success("Package\nb\na\n"))
    }

    // MARK: Errors of rows

    /// A row that --distinct leaves out is not sorted, so that an error in its sort value is not reported. [NSP-513]
    @Test func rowsThatAreLeftOutAreNotSorted() {
        let lines = "{\"x\":1,\"y\":1}\n{\"x\":1,\"y\":0}\n"
        let found = filter(["--distinct", "-k", "x", "--sort", "1 / y"], lines)
        #expect(found.status == 0 && found.output == "{\"x\":1}\n", "\(found)")
    }

    // MARK: Names after AS

    /// A key of groups that is also written under another name is a column of both names.
    @Test func conditionsOfGroupsKnowBothNames() {
        let words = ["-f", "csv", "--group-by", "x", "-k", "x AS y, count()", "--sort", "y"]
        let rows = "x\n1\n2\n2\n"
        #expect(filter(words + ["--having", "count > 1"], rows).output == "y,count\n2,2\n")
        #expect(filter(words + ["--having", "y < 2 AND x < 2"], rows).output == "y,count\n1,1\n")
    }
}
