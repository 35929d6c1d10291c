import PredicateCommand
import PredicateData
import Testing

/// Dates that files have as strings, beside strings that are dates.
struct DateTextTests {
    private func rows(_ format: String, _ input: String) -> Outcome { rows(format, [], input) }

    private func rows(_ format: String, _ options: [String], _ input: String) -> Outcome {
        predicate(["filter", format, "-k", "id", "-o", "csv"] + options, source: MemorySource(input))
    }

    private func ids(_ outcome: Outcome) -> [Substring] { Array(outcome.output.split(separator: "\n").dropFirst()) }

    @Test func theColumnDecidesTheOrder() {
        let german = "id,d\n1,25.12.2023\n2,01.02.2024\n3,31.05.2024\n"
        #expect(rows("d > '2024-01-01'", german) == .success("id\n2\n3\n"))
        #expect(rows("d == '2024-02-01'", german) == .success("id\n2\n"))
        let american = "id,d\n1,12/25/2023\n2,02/01/2024\n"
        #expect(rows("d >= '2024-02-01' AND d < '2024-03'", american) == .success("id\n2\n"))
    }

    @Test(arguments: ["d > '2024-01-01'", "d == '2024-01-02'", "d < '2024'", "d < now()", "'01.01.2024' < d"])
    func anUndecidedOrderIsAnError(format: String) {
        let rows = "id,d\n1,01.02.2024\n2,03.04.2024\n"
        let outcome = self.rows(format, rows)
        #expect(outcome.status == 2 && outcome.output == "")
        #expect(outcome.error.contains("the dates of 'd' may be in several orders of day, month and year"))
        #expect(outcome.error.contains("--dates 'd=dmy' or --dates 'd=mdy' reads them"))
        #expect(self.rows("d > '2024-02-15'", ["--dates", "d=dmy"], rows) == .success("id\n2\n"))
        #expect(ids(self.rows("d > '2024-02-15'", ["--dates", "mdy"], rows)) == ["2"])
        #expect(ids(self.rows("d == '03.04.2024'", rows)) == ["2"])
    }

    /// A column of which most strings are dates is one of dates beside a date; other cells are errors. [NSP-486]
    @Test(arguments: [
        (["25.12.2023", "unknown", "01.03.2024"], "unknown", ["01.03.2024"]),
        (["31.02.2024", "25.12.2023", "01.03.2024"], "31.02.2024", ["01.03.2024"]),
        (["2023-12-25", "n.d.", "2024-03-01", "2024-02-01 00:00"], "n.d.", ["2024-03-01", "2024-02-01 00:00"]),
        (["2024-02-30", "2024-02-01", "2023-02-01"], "2024-02-30", ["2024-02-01"]),
        (["Jan 31, 2024", "-", "Feb 1, 2024"], "-", ["Feb 1, 2024"]),
    ])
    func stringsBesideDatesAreErrors(cells: [String], stray: String, found: [String]) {
        let orders = [cells, cells.reversed(), Array(cells.dropFirst()) + [cells[0]]]
        let formats = ["d >= '2024-02-01'", "d BETWEEN {'2024-02-01', '2025-01-01'}", "'2024-02-01' <= d"]
        for cells in orders {
            let table = "id,d\n" + cells.map { "1,\"\($0)\"\n" }.joined()
            let lines = cells.map { "{\"d\":\"\($0)\"}\n" }.joined()
            for (format, input) in formats.flatMap({ format in [table, lines].map { (format, $0) } }) {
                let outcome = predicate("filter", format, "-k", "d", "-o", "lines", input: input)
                #expect(Set(outcome.output.split(separator: "\n").map(String.init)) == Set(found), "\(outcome)")
                #expect(outcome.status == 2)
                #expect(outcome.error.contains("'d' has dates in the first records, but '\(stray)' is not one"))
            }
        }
    }

    /// Two orders that equally many cells have are an error, in any order of the rows.
    @Test func anOrderThatHalfOfTheDatesHaveIsUndecided() {
        for cells in [["25/12/2023", "12/25/2023", "01/03/2024"], ["01/03/2024", "12/25/2023", "25/12/2023"]] {
            let table = "id,d\n" + cells.enumerated().map { "\($0),\($1)\n" }.joined()
            let outcome = rows("d >= '2024-02-01'", table)
            #expect(outcome.status == 2 && outcome.output == "")
            #expect(outcome.error.contains("--dates 'd=dmy' or --dates 'd=mdy' reads them"))
            #expect(ids(rows("d >= '2024-02-01'", ["--dates", "dmy"], table)).count == 1)
        }
    }

    /// Where dates do not outnumber other strings, and beside strings that are no dates, text is text.
    @Test(arguments: [
        (["alpha", "2024-06-01", "zeta"], "d > '2024-01-01'", ["0", "1", "2"]),
        (["2001", "2002", "A7"], "d == '2001'", ["0"]), (["1999", "2000-06", "2000-06-30"], "d > '2000'", ["1", "2"]),
        (["2023-W52", "2024-W01", "2024-W02"], "d > '2024'", ["1", "2"]),
        (["24.12.25", "x", "25.12.25"], "d < '2024-01-01'", []),
        (["25.12.2023", "unknown", "01.03.2024"], "d == 'unknown'", ["1"]),
        (["25.12.2023", "unknown", "01.03.2024"], "d BEGINSWITH '25'", ["0"]),
    ])
    func otherStringsAreText(cells: [String], format: String, found: [String]) {
        let table = "id,d\n" + cells.enumerated().map { "\($0),\($1)\n" }.joined()
        let lines = cells.enumerated().map { "{\"id\":\($0),\"d\":\"\($1)\"}\n" }.joined()
        for input in [table, lines] { #expect(ids(rows(format, input)).map(String.init) == found, "\(input)") }
    }

    /// Every way to ask for the dates of a column asks for the same.
    @Test(arguments: [
        ["d > '2024-01-01'"], ["d < now() AND d > '01.02.2024'"], ["max({d, d}) > '2024-01-01'"],
        ["TERNARY(id > 0, d, d) > '2024-01-01'"], ["'01.02.2024' < d"],
    ])
    func waysToCompareWithDates(arguments: [String]) {
        let german = "id,d\n1,25.12.2023\n2,unknown\n3,01.03.2024\n4,NA\n5,\n"
        let outcome = predicate(["filter", "-k", "id", "-o", "csv"] + arguments, source: MemorySource(german))
        #expect(outcome.status == 2 && outcome.output.hasPrefix("id\n3\n"), "\(outcome)")
        #expect(outcome.error.contains("but 'unknown' is not one"))
    }

    @Test func groupsOfStringsBesideDates() throws {
        let rows = "c,d\na,25.12.2023\na,unknown\nb,01.03.2024\nb,02.03.2022\n"
        let most = predicate("filter", "--group-by", "c", "--max", "d", "--having", "max_d >= '2024'", input: rows)
        #expect(most.status == 2 && most.output.contains("b,2,2024-03-01") && !most.output.contains("a,"), "\(most)")
        try withFiles(["t.csv": rows]) { paths in
            let file = try #require(paths["t.csv"])
            let session = predicate("repl", file, input: "d >= '2024'\nd == 'unknown'\nd > '2022-12'\n").output
            #expect(session.contains("1 of 3 objects") && session.contains("1 of 4 objects"), "\(session)")
            #expect(session.contains("2 of 3 objects") && session.contains("1 record could not be read; the first is"))
            #expect(session.contains("'unknown' is not one: --types 'd=string' compares strings"))
            #expect(predicate("explain", "d >= '2024'", file).status == 2)
            #expect(predicate("describe", file).output.contains("since 'unknown' is not a date"))
        }
    }

    /// The options that an error names read the rows, whatever the names of the columns.
    @Test(arguments: ["d", "joined on", "v1.0", "a-b", "it's", "a=b", "über"])
    func hintsOfStringsBesideDates(name: String) throws {
        let rows = "id,\"\(name)\"\n1,25.12.2023\n2,unknown\n3,01.03.2024\n4,it's\n5,02.03.2024\n"
        let format = "#\"\(name)\" > '2024-01-01'"
        let outcome = self.rows(format, rows)
        var words: [String] = []
        for line in outcome.error.split(separator: "\n") {
            let options = line.matches(of: /--(nil|types) ((?:'[^']*'|\\')+)/).map { (String($0.1), String($0.2)) }
            #expect(options.map(\.0) == ["types", "nil"], "\(line)")
            let values = options.map {
                $1.replacing("'\\''", with: "\0").replacing("'", with: "").replacing("\0", with: "'")
            }
            #expect(self.rows(format, ["--types", values[0]], rows).status == 0)
            words += ["--nil", values[1]]
        }
        #expect(words.count == 4)
        #expect(self.rows(format, words, rows) == .success("id\n3\n5\n"))
    }

    @Test func hintsOfStringsBesideDatesInJSON() {
        let texts = ["25.12.2023", "soon", "01.03.2024"].enumerated()
        let lines = texts.map { "{\"id\":\($0 + 1),\"v1.0\":{\"x y\":\"\($1)\"}}\n" }.joined()
        let format = "#\"v1.0\".#\"x y\" > '2024-01-01'"
        let outcome = rows(format, lines)
        #expect(ids(outcome) == ["3"])
        #expect(outcome.error.contains("--types 'v1\\.0.x y=string' compares strings"), "\(outcome)")
        #expect(rows(format, ["--types", "v1\\.0.x y=string"], lines).status == 0)
    }

    @Test func datesOfMails() {
        let mails = "id,d\n1,\"Wed, 31 Jan 2024 23:30:00 +0100\"\n2,\"Thu, 1 Feb 2024 00:30:00 -0700\"\n"
        #expect(rows("d > '2024-02-01'", mails) == .success("id\n2\n"))
        let json =
            "{\"id\":1,\"d\":\"Wed, 31 Jan 2024 23:30:00 +0100\"}\n{\"id\":2,\"d\":\"Thu, 1 Feb 2024 00:30:00 GMT\"}\n"
        #expect(rows("d > '2024-02-01'", json) == .success("id\n2\n"))
    }

    private static let times = """
        {"id":1,"t":"2024-05-30T12:34:56-07:00","a":{"t":"2024-05-30T12:34:56-07:00"},"l":[{"t":"2024-05-30T21:00:00Z"}]}
        {"id":2,"t":"2024-05-30T18:59:59Z","a":{"t":"2024-05-30T18:59:59Z"},"l":[]}
        {"id":3,"t":"2024-05-30 20:00:00.250+0200","a":{"t":null},"l":[{"t":"2024-05-30T22:00:00+0700"}]}

        """

    /// Strings of JSON that are compared with dates are moments, also in the session.
    @Test(arguments: [
        ("t > '2024-05-30T19:00:00Z'", ["1"]), ("a.t > '2024-05-30T19:00:00Z'", ["1"]),
        ("ANY l.t > '2024-05-30T19:00:00Z'", ["1"]),
        ("SUBQUERY(l, $l, $l.t > '2024-05-30T19:00:00Z').@count > 0", ["1"]), ("t == '2024-05-30T19:34:56Z'", ["1"]),
        ("t BETWEEN {'2024-05-30T18:00:00Z', '2024-05-30T19:00:00Z'}", ["2", "3"]), ("t < '2024-06'", ["1", "2", "3"]),
        ("t > '2024-05-30T19:00:00Z' AND t CONTAINS '-07'", []),
    ])
    func momentsInJSON(format: String, found: [String]) throws {
        let lines = rows(format, Self.times)
        #expect(ids(lines).map(String.init) == found, "\(lines.error)")
        let array = "[" + Self.times.split(separator: "\n").joined(separator: ",\n") + "]"
        #expect(ids(rows(format, array)).map(String.init) == found)
        #expect(ids(rows(format, ["--zone", "Europe/Rome"], Self.times)).map(String.init) == found)
        try withFiles(["t.jsonl": Self.times]) { paths in
            let file = try #require(paths["t.jsonl"])
            let count = "\(found.count) of 3 objects"
            #expect(predicate("repl", file, input: "id > 0\n" + format + "\n").output.contains(count))
            #expect(predicate("explain", format, file).output.contains(count))
        }
    }

    @Test func aLaterStringThatIsNoDateIsAnError() {
        let lines = String(repeating: "{\"id\":1,\"t\":\"2024-05-30T18:59:59Z\"}\n", count: 40_000)
        let outcome = rows("t > '2024-06-01'", lines + "{\"id\":2,\"t\":\"soon\"}\n")
        #expect(outcome.status == 2)
        #expect(outcome.error.contains("'t' has dates in the first records, but 'soon' is not one"))
        let mixed = "{\"id\":1,\"t\":\"2024-05-30\"}\n{\"id\":2,\"t\":\"soon\"}\n"
        #expect(ids(rows("t > '2024-06-01'", mixed)) == ["2"])
        let dates = "{\"id\":1,\"t\":\"25.12.2023\"}\n{\"id\":2,\"t\":\"01.03.2024\"}\n"
        #expect(rows("t > '2024-01-01' AND t BEGINSWITH '01'", dates).status == 2)
    }

    /// Seconds and milliseconds since 1970.
    @Test func epochs() {
        let csv = "id,d\n1,1706700000\n2,1706800000.5\n"
        #expect(rows("d > '2024-02-01'", ["--dates", "d=epoch"], csv) == .success("id\n2\n"))
        #expect(
            predicate("filter", "--dates", "d=epoch", "TRUEPREDICATE", "-o", "jsonl", input: csv).output
                == "{\"id\":1,\"d\":\"2024-01-31T11:20:00Z\"}\n{\"id\":2,\"d\":\"2024-02-01T15:06:40.5Z\"}\n")
        let json = "{\"id\":1,\"a\":{\"d\":1706700000000}}\n{\"id\":2,\"a\":{\"d\":1706800000123}}\n"
        let dates = ["--dates", "a.d=epochms"]
        #expect(rows("a.d == '2024-02-01T15:06:40.123Z'", dates, json) == .success("id\n2\n"))
        let seconds = rows("a.d > '2024-02-01'", ["--dates", "a.d=epoch"], json)
        #expect(seconds.status == 2 && seconds.error.contains("'1706700000000' is not a valid date"))
    }

    /// Whatever is a date is compared with a string as a date.
    @Test(arguments: [
        ("CAST(s - 978307200, \"NSDate\") > '2024-02-01'", ["2"]), ("TERNARY(id > 1, d, e) > '2024-02-01'", ["2"]),
        ("max:({d, e}) > '2024-02-01'", ["2"]), ("'2024-02-01' > CAST(s - 978307200, \"NSDate\")", ["1"]),
        ("CAST(s - 978307200, \"NSDate\") == '2024-01'", ["1"]),
    ])
    func expressionsThatAreDates(format: String, found: [String]) {
        let csv = "id,s,d,e\n1,1706700000,2024-01-31,2023-01-01\n2,1706800000,2024-02-02,2023-01-01\n"
        let outcome = rows(format, csv)
        #expect(ids(outcome).map(String.init) == found, "\(outcome.error)")
    }
}
