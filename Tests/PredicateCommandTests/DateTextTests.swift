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

    /// A column that one cell makes text is compared as text, which is said. [NSP-486]
    @Test func textBesideADateIsNoted() throws {
        let rows = "id,d\n1,25.12.2023\n2,unknown\n3,01.03.2024\n"
        let outcome = predicate("filter", "d > '2024-01-01'", "-k", "id", "-o", "csv", input: rows)
        #expect(outcome.output == "id\n1\n2\n" && outcome.status == 0)
        #expect(
            outcome.error == """
                note: (standard input): 'd' is text, since 'unknown' is not a date, and its cells are compared with a date \
                as text; --nil TEXT reads TEXT as nil

                """)
        #expect(self.rows("d > '2024-01-01'", ["--nil", "unknown"], rows) == .success("id\n3\n"))
        for format in ["d == 'unknown'", "d BEGINSWITH '2'", "id > 1"] {
            #expect(predicate("filter", format, input: rows).error == "")
        }
        try withFiles(["t.csv": rows]) { paths in
            let session = predicate("repl", try #require(paths["t.csv"]), input: "d > '2024-01-01'\nid > 1\n").output
            #expect(session.components(separatedBy: "its cells are compared with a date as text").count == 2)
        }
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
