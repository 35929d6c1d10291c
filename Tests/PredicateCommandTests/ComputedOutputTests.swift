import Foundation
import PredicateCommand
import PredicateData
import Testing

/// Expressions in `--keys`, in orders and in groups, and the rows that are written of the result. [NSP-484] [NSP-485]
struct ComputedOutputTests {
    private let rows = "city,year,price,qty\nRome,2020,10,2\nParis,2021,2.5,4\nRome,2021,,1\n"
    private let lines = """
        {"name": "Jo", "tags": ["a", "b"], "labels": [{"name": "x"}, {"name": "y"}], "a.b": 1, "price": 1.10}
        {"name": "al", "tags": [], "labels": [], "a": {"b": 2}, "price": 2}

        """

    private func filter(_ words: String..., input: String) -> Outcome { filter(words, input: input) }

    private func filter(_ words: [String], input: String) -> Outcome {
        predicate(["filter"] + words, source: MemorySource(input))
    }

    // MARK: Columns

    @Test func keysAreExpressions() {
        #expect(
            filter("-k", "city, price * qty AS total, qty", input: rows).output
                == "city,total,qty\nRome,20.0,2\nParis,10.0,4\nRome,,1\n")
        #expect(
            filter("-k", "name, labels.name, tags.@count AS n, price", input: lines).output
                == #"{"name":"Jo","labels.name":["x","y"],"n":2,"price":1.10}"# + "\n"
                + #"{"name":"al","labels.name":[],"n":0,"price":2}"# + "\n")
        #expect(
            filter("-k", "max:({qty, 3}) AS \"at least, 3\"", "-o", "json", input: rows).output
                == "[{\"at least, 3\":3},\n{\"at least, 3\":4},\n{\"at least, 3\":3}]\n")
    }

    @Test func columnsKeepTheirText() {
        let prices = "n,price,at\n1,1.10,2024-01-05\n2,007,2023-12-31\n"
        #expect(
            filter("-k", "price, n + 1 AS m, at", "-o", "jsonl", input: prices).output
                == #"{"price":"1.10","m":2,"at":"2024-01-05"}"# + "\n"
                + #"{"price":"007","m":3,"at":"2023-12-31"}"# + "\n")
    }

    @Test func aColumnIsRenamed() {
        #expect(filter("-k", "city AS town", "--first", "1", input: rows).output == "town\nRome\n")
        #expect(
            filter("-k", "name as who", "--first", "1", "-o", "lines", input: lines).output == "Jo\n")
    }

    /// A column with the name comes before an expression.
    @Test func namesThatAreNoIdentifiersAreColumns() {
        let odd = "dep-delay,price (EUR),first name,driver's name,a.b\n5,2,Jo,Al,7\n"
        #expect(
            filter("-k", "dep-delay,price (EUR),first name,a.b", input: odd).output
                == "dep-delay,price (EUR),first name,a.b\n5,2,Jo,7\n")
        #expect(filter("-k", "driver's name,a.b", input: odd).output == "driver's name,a.b\nAl,7\n")
        #expect(filter("--sort", "-dep-delay", "-k", "first name", input: odd).output == "first name\nJo\n")
        #expect(filter("--sum", "price (EUR)", input: odd).output == "count,sum_price (EUR)\n1,2\n")
        #expect(filter("-k", "a.b", input: lines).output == "{\"a.b\":1}\n{\"a.b\":2}\n")
        #expect(filter("--sum", "a.b", input: lines).output == "{\"count\":2,\"sum_a.b\":3}\n")
    }

    @Test func anExpressionOfNilIsNil() {
        let outcome = filter("-k", "price / 2.0 AS half", input: rows)
        #expect(outcome == .success("half\n5.0\n1.25\n\n"))
    }

    @Test func anExpressionThatFailsIsReported() {
        let outcome = filter("-k", "city, city + 1 AS x", input: rows)
        #expect(outcome.output == "city,x\nRome,\nParis,\nRome,\n")
        #expect(outcome.status == 2)
        #expect(outcome.error.contains("(standard input):2: error: expected a number"))
        #expect(outcome.error.contains("  city + 1\n  ^~~~"))
        #expect(filter("--strict", "-k", "city + 1", input: rows).output == "")
    }

    @Test(arguments: [
        ("price *", "expected a value"), ("pricee * 2", "there is no column 'pricee'"),
        ("nope(price)", "nope"), ("city,,qty", "--keys takes keys separated by commas"),
        ("prices", "did you mean price?"), ("pricee * 2", "did you mean price?"),
    ])
    func wrongKeysAreErrors(keys: String, message: String) {
        let outcome = filter("-k", keys, input: rows)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.error.contains(message), "\(outcome.error)")
    }

    @Test func errorsHaveACaret() {
        #expect(filter("-k", "qty, pricee * 2 AS x", input: rows).error.contains("  pricee * 2\n  ^~~~~~"))
        #expect(filter("--sum", "qty + ", input: rows).error.contains("  qty +\n"))
        #expect(filter("-k", "1 +* 2", input: lines).error.contains("  1 +* 2\n"))
    }

    @Test func linesAreValues() {
        #expect(
            filter("-f", "lines", "-k", "SELF AS line, length:(SELF) AS n", "-o", "csv", input: "ab\nc\n").output
                == "line,n\nab,2\nc,1\n")
    }

    // MARK: Orders

    @Test func recordsAreSortedByExpressions() {
        #expect(
            filter("--sort", "-price * qty, city", "-k", "city,qty", input: rows).output
                == "city,qty\nRome,2\nParis,4\nRome,1\n")
        #expect(
            filter("--sort", "-total", "-k", "city, qty * 2 AS total", "--first", "1", input: rows).output
                == "city,total\nParis,8\n")
    }

    @Test func caseIsIgnored() {
        let names = "n\nb\nA\na\nB\n"
        #expect(filter("-f", "csv", "--sort", "n", input: names).output == "n\nA\nB\na\nb\n")
        #expect(filter("-f", "csv", "--sort", "n", "--ignore-case", input: names).output == "n\nA\na\nb\nB\n")
        #expect(
            filter("-f", "csv", "--sort", "-n", "--ignore-case", "--first", "2", input: names).output == "n\nb\nB\n")
        #expect(filter("--ignore-case", input: names).error.contains("--ignore-case needs --sort"))
    }

    // MARK: Groups

    @Test func groupsAreOfExpressions() {
        #expect(
            filter("--group-by", "year - 2000 AS y", "--sum", "price * qty AS total", "--max", "qty", input: rows)
                .output
                == "y,count,total,max_qty\n20,1,20.0,2\n21,2,10.0,4\n")
        #expect(
            filter("--count-by", "uppercase:(city) AS c", input: rows).output == "c,count\nROME,2\nPARIS,1\n")
        #expect(
            filter("--count-by", "tags.@count AS n", input: lines).output
                == "{\"n\":0,\"count\":1}\n{\"n\":2,\"count\":1}\n")
    }

    @Test func aggregatesAreInTheOrderOfTheCommandLine() {
        #expect(
            filter("--max", "qty", "--avg", "price", "--sum", "qty,year", "--median", "qty", input: rows).output
                == "count,max_qty,avg_price,sum_qty,sum_year,median_qty\n3,4,6.25,7,6062,2\n")
    }

    @Test func medians() {
        #expect(filter("--median", "price", input: rows).output == "count,median_price\n3,6.25\n")
        #expect(filter("FALSEPREDICATE", "--median", "price", input: rows).output == "count,median_price\n0,\n")
    }

    @Test func groupsHaveConditions() {
        #expect(filter("--count-by", "city", "--having", "count > 1", input: rows).output == "city,count\nRome,2\n")
        #expect(
            filter("--group-by", "city", "--sum", "qty", "--having", "sum_qty == 4", input: rows).output
                == "city,count,sum_qty\nParis,1,4\n")
        #expect(
            filter("--group-by", "a.b", "--having", "a.b > 1", input: lines).output == "{\"a.b\":2,\"count\":1}\n")
        let unknown = filter("--count-by", "city", "--having", "cuont > 1", input: rows)
        #expect(unknown.error.contains("did you mean count?"))
        #expect(filter("--having", "count > 1", input: rows).error.contains("--having needs groups"))
        #expect(filter("--count-by", "city", "--having", "count >", input: rows).error.contains("  count >\n"))
    }

    /// The sieve and the reader of whole records put records into the same groups.
    @Test func groupsAreThoseOfWholeRecords() {
        var input = "k,v\n"
        for number in 0..<4000 {
            let quoted = number % 7 == 0 ? "\"k\"\"\(number % 5)\"" : "k\(number % 11)"
            input += "\(quoted),\(number % 3 == 0 ? "" : "\(Double(number) / 4)")\n"
        }
        let sifted = filter("--group-by", "k", "--sum", "v", "--min", "v", "--median", "v", input: input)
        let read = filter(
            "--group-by", "lowercase:(k) AS k", "--sum", "v + 0 AS sum_v", "--min", "v + 0 AS min_v", "--median",
            "v + 0 AS median_v", input: input)
        #expect(sifted.status == 0)
        #expect(sifted == read)
        let words = ["filter", "--group-by", "k", "--sum", "v", "--min", "v", "--median", "v"]
        #expect(sifted == predicate(words, source: MemorySource(Array(input.utf8), maximumPiece: 1)))
        let json = (0..<3000).map { "{\"k\": {\"x\": \($0 % 4 == 0 ? "\($0 % 3).0" : "\($0 % 3)")}, \"v\": \($0)}\n" }
        let counted = filter("--count-by", "k.x", "--sum", "v", input: json.joined())
        #expect(counted == filter("--count-by", "k.x + 0 AS k.x", "--sum", "v + 0 AS sum_v", input: json.joined()))
        #expect(counted.output.hasPrefix("{\"k.x\":0.0,\"count\":1000"))
    }

    // MARK: Rows

    @Test func rowsAreWrittenOnce() {
        #expect(filter("-k", "city", "--distinct", input: rows).output == "city\nRome\nParis\n")
        #expect(filter("-f", "csv", "--distinct", input: "a\n1\n2\n1\n").output == "a\n1\n2\n")
        #expect(filter("-k", "city", "--distinct", "--first", "2", input: rows).output == "city\nRome\nParis\n")
        #expect(filter("-k", "tags.@count > 0 AS x", input: lines).status == 2)
    }

    @Test func pages() {
        let numbers = "n\n" + (1...9).map { "\($0)\n" }.joined()
        #expect(filter("-f", "csv", "--offset", "3", "--first", "2", input: numbers).output == "n\n4\n5\n")
        #expect(filter("-f", "csv", "--offset", "7", input: numbers).output == "n\n8\n9\n")
        #expect(filter("-f", "csv", "--last", "2", input: numbers).output == "n\n8\n9\n")
        #expect(filter("-f", "csv", "--last", input: numbers).output == "n\n9\n")
        #expect(
            filter("n < 6", "-f", "csv", "--last", "2", "-o", "jsonl", input: numbers).output
                == "{\"n\":4}\n{\"n\":5}\n")
        #expect(filter("-f", "csv", "--sort", "-n", "--last", "2", input: numbers).output == "n\n2\n1\n")
        #expect(
            filter("-f", "csv", "--sort", "-n", "--offset", "1", "--first", "2", input: numbers).output == "n\n8\n7\n")
        #expect(
            filter("-f", "csv", "--count-by", "n / 4 AS q", "--offset", "1", "--first", "1", input: numbers).output
                == "q,count\n0,3\n")
        #expect(filter("--last", "2", "--first", "2", input: numbers).error.contains("--last and --first"))
        #expect(filter("--offset", "-1", input: numbers).error.contains("--offset takes a number from 0"))
    }

    @Test func digits() {
        #expect(
            filter("--avg", "price", "--sum", "qty", "--digits", "1", input: rows).output
                == "count,avg_price,sum_qty\n3,6.2,7\n")
        #expect(
            filter("-k", "price / 3.0 AS x, price", "--digits", "2", input: rows).output
                == "x,price\n3.33,10\n0.83,2.5\n,\n")
        #expect(filter("--digits", "x", input: rows).error.contains("--digits takes a number from 0 to 15"))
    }

    // MARK: Dates

    private let people = "name,joined\nAnn,2020-01-31\nBo,2020-01-02\nCy,2019-12-31\nDi,\n"

    @Test func monthsAreGroups() {
        #expect(
            filter("--group-by", "date:truncatedTo:(joined, 'month') AS month", input: people).output
                == "month,count\n,1\n2019-12-01,1\n2020-01-01,2\n")
        #expect(filter("year:(joined) == 2020 AND month(joined) == 1", "-c", input: people).output == "2\n")
        #expect(filter("--count-by", "year(joined) AS y", input: people).output == "y,count\n2020,2\n,1\n2019,1\n")
        #expect(filter("joined > ago:(7, \"days\")", "-c", input: people).output == "0\n")
    }

    /// Beside a date, a year or a month is a span of time. [NSP-486]
    @Test(arguments: [
        ("joined == \"2020\"", 2), ("joined > \"2019\"", 2), ("joined >= \"2019-12\"", 3), ("joined < \"2020-01\"", 1),
        ("joined <= \"2020-01\"", 3), ("\"2019\" < joined", 2), ("\"2020\" >= joined", 3), ("\"2020\" > joined", 1),
        ("joined BETWEEN {\"2019\", \"2019\"}", 1), ("joined BETWEEN {\"2019-12\", \"2020-01-02\"}", 2),
        ("date:truncatedTo:(joined, 'month') == '2020-01'", 2), ("name == \"2020\"", 0), ("NOT joined == \"2020\"", 2),
        ("joined == \"2020-01-02\"", 1),
    ])
    func yearsAndMonthsAreSpans(format: String, count: Int) throws {
        #expect(filter(format, "-c", input: people).output == "\(count)\n")
        try withFiles(["people.csv": people]) { paths in
            let session = predicate("repl", try #require(paths["people.csv"]), input: format + "\n")
            #expect(session.status == 0)
            #expect(session.output.contains("\(count) of 4 objects match"), "\(session.output)")
        }
    }

    /// Where a range cannot stand, the error says what to write. [NSP-486]
    @Test(arguments: [
        ("joined != '2020'", "!= takes whole dates, and \"2020\" is a year", "write NOT joined == \"2020\""),
        ("joined IN {'2019', '2020-01'}", "IN takes", "write joined == \"2019\" OR joined == \"2020-01\""),
        ("'2020-01' != joined", "\"2020-01\" is a month", "write NOT joined == \"2020-01\""),
        ("'2020' == joined", "== takes", "write joined == \"2020\""),
        ("name != '2020' AND joined != '2020'", "!= takes", "NOT joined == \"2020\""),
    ])
    func spansThatCannotStandAreErrors(format: String, message: String, cure: String) throws {
        let outcome = filter(format, "-c", input: people)
        #expect(outcome.status != 0 && outcome.output == "")
        #expect(outcome.error.contains(message) && outcome.error.contains(cure), "\(outcome.error)")
        try withFiles(["people.csv": people]) { paths in
            let file = try #require(paths["people.csv"])
            #expect(predicate("repl", file, input: format + "\n").error.contains(cure))
            #expect(predicate("check", format, file).error.contains(cure))
            #expect(predicate("explain", format, file).error.contains(cure))
        }
        #expect(filter("name != '2020'", "-c", input: people).output == "4\n")
    }

    /// Strings in the conditions of expressions are read as in a predicate, in files, SQLite files and sessions.
    /// [NSP-486]
    @Test func conditionsOfExpressionsReadStrings() throws {
        let late = "TERNARY(joined > '2019', 'late', 'early')"
        #expect(filter("--count-by", late + " AS when", input: people).output == "when,count\nearly,2\nlate,2\n")
        #expect(
            filter("--sort", "TERNARY(joined == '2020-01', 0, 1)", "-k", "name", "--first", input: people)
                == filter("joined == '2020-01'", "-k", "name", "--first", input: people))
        #expect(filter("-k", "TERNARY(joined != '2020', 1, 0)", input: people).error.contains("!= takes whole dates"))
        let paid = "n,paid\n1,t\n2,f\n"
        #expect(filter("-k", "TERNARY(paid == 't', n, 0) AS n", input: paid).output == "n\n1\n0\n")
        try withFiles(["people.csv": people]) { paths in
            let session = predicate("repl", try #require(paths["people.csv"]), input: late + "\n:count-by \(late)\n")
            #expect(session.error == "" && session.output.contains("late"), "\(session)")
        }
    }

    @Test func conditionsOfExpressionsReadStringsInDatabases() throws {
        let old = "TERNARY(born < '1980', 1, 0) AS old"
        try withStore { store, _ in
            let rows = predicate("filter", "--table", "person", "-k", "id,\(old)", "-o", "csv", store)
            #expect(rows == .success("id,old\n1,1\n2,0\n3,0\n4,0\n"), "\(rows)")
            let groups = predicate("filter", "--table", "person", "--count-by", old, "-o", "csv", store)
            #expect(groups == .success("old,count\n0,3\n1,1\n"), "\(groups)")
            let words = ["sql", "TRUEPREDICATE", "--schema", store, "--table", "person"]
            let sql = predicate(words + ["-k", old, "--sort", "TERNARY(born < '1980', 1, 0)"], source: silence)
            #expect(sql.status == 0 && !sql.output.contains("1980\""), "\(sql)")
        }
    }

    @Test func theSessionAndTheChecksHaveTheFunctions() throws {
        try withFiles(["people.csv": people]) { paths in
            let file = try #require(paths["people.csv"])
            let format = "year(joined) == 2020 AND month(joined) == 1"
            #expect(predicate("repl", file, input: format + "\n").output.contains("2 of 4 objects match"))
            #expect(predicate("repl", file, input: "year:(joined)\n").output.contains("2020"))
            let explained = predicate("explain", format, file)
            #expect(explained.status == 0, "\(explained.error)")
            #expect(predicate("check", format, file) == predicate("check", "name BEGINSWITH \"A\"", file))
            #expect(predicate("check", "joined >= \"2020\"", file) == predicate("check", "name BEGINSWITH \"A\"", file))
        }
    }

    @Test func zones() {
        let times = "{\"at\": \"2026-03-29T00:30:00Z\"}\n{\"at\": \"2026-03-29T01:30:00Z\"}\n"
        #expect(
            filter("-k", "hour:(at) AS h", "--zone", "Europe/Rome", input: times).output == "{\"h\":1}\n{\"h\":3}\n")
        #expect(filter("-k", "hour:(at) AS h", input: times).output == "{\"h\":0}\n{\"h\":1}\n")
        #expect(filter("--zone", "Rome", input: times).error.contains("Europe/Rome"))
    }

    /// Dates without an offset, in files and beside dates, are in the zone. [NSP-494]
    @Test(arguments: [
        ("at == \"2026-01-31\"", "at\n2026-01-31\n2026-02-01\n", 1),
        ("at == \"2026-01-30T23:00:00Z\"", "at\n2026-01-31\n2026-02-01\n", 1),
        ("at == \"2026-01\"", "at\n2026-01-31T23:30\n2026-01-31T23:30Z\n", 1),
        ("at < \"2026\"", "at\n2025-12-31T23:30\n2026-01-01T00:00\n2025-12-31T23:30Z\n", 1),
        ("at >= \"2026-07-01T12:00\"", "at\n2026-07-01T09:59Z\n2026-07-01T10:00Z\n", 1),
        ("at == \"2026-07-01T10:00Z\"", "at\n01.07.2026 12:00\n31.07.2026 12:00\n", 1),
        ("at == \"2026-06-30T22:00Z\"", "at\n1 Jul 2026\n31 Jul 2026\n", 1),
        ("at == \"2026-07-01T11:00Z\"", "at\n1/Jul/2026:12:00:00 +0100\n1/Jul/2026:12:00:00 +0200\n", 1),
        ("at == %@", "at\n2026-01-31\n2026-02-01\n", 1), ("day:(at) == 31", "at\n2026-01-31\n2026-02-01\n", 1),
        ("day:('2026-01-31') == day:(at)", "at\n2026-01-30T23:00Z\n2026-01-31T23:00Z\n", 1),
        ("at == CAST('2026-01-31', 'NSDate')", "at\n2026-01-31\n2026-01-31T01:00\n", 1),
    ])
    func datesWithoutOffsetsAreInTheZone(format: String, rows: String, count: Int) throws {
        let arguments = format.contains("%@") ? ["--arg", "date:2026-01-31"] : []
        let options = ["filter", "-f", "csv", "--dates", "dmy", "--zone", "Europe/Rome", "-c", format] + arguments
        let counted = predicate(options, source: MemorySource(rows))
        #expect(counted == .success("\(count)\n"), "\(counted.error)")
    }

    @Test func jsonAndSessionsHaveTheZone() throws {
        let json = "{\"at\": \"2026-01-31\"}\n{\"at\": \"2026-01-31T01:00:00+01:00\"}\n"
        let types = ["--types", "at=date", "--zone", "Europe/Rome"]
        #expect(filter(types + ["at == '2026-01-30T23:00Z'", "-c"], input: json).output == "1\n")
        #expect(filter(types + ["at == '2026-01-31'", "-k", "day(at) AS d"], input: json).output == "{\"d\":31}\n")
        try withFiles(["d.csv": "at\n2026-01-31\n2026-02-01\n"]) { paths in
            let file = try #require(paths["d.csv"])
            let session = predicate("repl", "--zone", "Europe/Rome", file, input: "at == '2026-01-30T23:00Z'\n")
            #expect(session.output.contains("1 of 2 objects match"), "\(session.output)")
            let explained = predicate("explain", "--zone", "Europe/Rome", "at == '2026-01-30T23:00Z'", file)
            #expect(explained.output.contains("1 of 2"), "\(explained.output)")
            #expect(predicate("explain", "at == '2026-01-30T23:00Z'", file).output.contains("0 of 2"))
            let counted = predicate("repl", "--zone", "Europe/Rome", file, input: ":count-by at\n:count-by day:(at)\n")
            #expect(counted.output.contains(/2026-01-31 +1\n2026-02-01 +1\n/), "\(counted.output)")
            #expect(counted.output.contains(/1 +1\n +31 +1/), "\(counted.output)")
        }
    }

    /// Days are printed as days of the zone, times in UTC. [NSP-496]
    @Test func daysArePrintedInTheZone() {
        let zone = ["--zone", "Europe/Rome"]
        let days = "at,n\n2026-01-31,1\n2026-02-01,2\n2026-03-29,3\n"
        #expect(filter(zone + ["n == 1"], input: days).output == "at,n\n2026-01-31,1\n")
        #expect(filter(zone + ["n == 1", "-o", "jsonl"], input: days).output == "{\"at\":\"2026-01-31\",\"n\":1}\n")
        let dotted = filter(zone + ["n == 1", "-o", "jsonl"], input: "at,n\n31.01.2026,1\n")
        #expect(dotted.output == "{\"at\":\"2026-01-31\",\"n\":1}\n")
        #expect(
            filter(zone + ["--group-by", "date:truncatedTo:(at, 'month') AS m"], input: days).output
                == "m,count\n2026-01-01,1\n2026-02-01,1\n2026-03-01,1\n")
        let day = "at,n\n2026-01-31,1\n"
        let hours = ["--group-by", "dateByAddingUnit:value:toDate:('hour', 1, at) AS t"]
        #expect(filter(zone + hours, input: day).output == "t,count\n2026-01-31T00:00:00Z,1\n")
        for types in [[], ["--types", "at=date"]] {
            #expect(filter(zone + types + ["--group-by", "at"], input: day).output == "at,count\n2026-01-31,1\n")
        }
    }
}
