import PredicateSession

/// The pages of `--help`. Options come from the tables with which arguments are parsed.
enum HelpPages {
    /// `predicate --help`
    static var overview: String {
        var page = HelpLayout(
            usage: ["predicate COMMAND [ARGUMENT...]"],
            purpose: "Reads predicates in the format language of Apple's NSPredicate, and asks them about records.")
        page.add("Commands", rows: Command.allCases.map { ($0.rawValue, $0.summary) })
        page.add("Options", rows: [("-h, --help", "Show this page"), ("    --version", "Show the version")])
        page.add(
            "Examples",
            lines: [
                "predicate parse 'age >= %@ AND name BEGINSWITH[cd] %@' 18 jo",
                "predicate filter 'age >= 21' people.csv",
                "predicate help filter",
            ])
        return page.text
    }

    /// `predicate help filter`, `predicate filter --help`
    static func page(of command: Command) -> String {
        switch command {
        case .parse: parse
        case .filter: filter
        case .sql: sql
        case .schema: schema
        case .explain: explain
        case .check: check
        case .repl: repl
        case .test: test
        case .help: help
        }
    }

    private static var parse: String {
        var page = HelpLayout(
            usage: ["predicate parse [OPTION...] FORMAT [VALUE...]"],
            purpose: "Shows what a format string says: its tree, the canonical print, and the keys, variables and"
                + " functions in it. Each VALUE is the argument for one specifier, from left to right.")
        page.add("Options", rows: rows(ParseOption.self))
        page.add("Values", rows: values)
        page.add(
            "Exit status", rows: [("0", "the format is valid"), ("2", "it is not, or the command line is wrong")])
        page.add(
            "Examples",
            lines: [
                "predicate parse 'name ==[c] \"jo\" OR NOT ANY tags IN {1, 2}'",
                "predicate parse '%K BETWEEN %@' age '[18, 65]'",
                "predicate parse --json 'born < %@' date:2001-01-01T00:00:00Z",
                "predicate parse --expression 'sum:(prices) * 1.19'",
            ])
        return page.text
    }

    private static var filter: String {
        var page = HelpLayout(
            usage: ["predicate filter [OPTION...] FORMAT [FILE...]"],
            purpose: "Writes the records for which the predicate holds, as they were written. Reads JSON (an array, or"
                + " values one after another), JSON Lines, CSV and TSV with a header; standard input without FILE and"
                + " for '-'. The format is that of the file's name, else what the first line looks like. A key that a"
                + " record lacks is nil. One FILE alone may be a SQLite file, which is known by its first bytes: SQL selects"
                + " the rows of a table, and they are written as JSON Lines, dates in ISO 8601 and data in base 64, in"
                + " the order in which SQLite finds them, with --first in that of the primary key. A record for which the"
                + " predicate is an error is reported and not written; SQL says nothing of such rows, and --invert"
                + " selects them.")
        page.add("Options", rows: rows(FilterOption.self))
        page.add("Values", rows: values)
        page.add("Exit status", rows: filterStatus)
        page.add(
            "Examples",
            lines: [
                "predicate filter 'age >= 21 AND name BEGINSWITH[cd] \"jo\"' people.jsonl",
                "predicate filter --arg 21 'age >= %@' --keys name,age people.csv",
                "predicate filter --set MIN=21 'age >= $MIN' --count a.csv b.csv",
                "predicate filter --path result.items 'tags.@count > 2' answer.json",
                "predicate filter 'ANY phones.number == \"0\"' library.sqlite --table person",
                "curl -s https://example.org/log | predicate filter -q 'level == \"error\"'",
            ])
        return page.text
    }

    private static let filterStatus = [
        ("0", "a record matched"),
        ("1", "none did"),
        ("2", "an error: also where only some records could not be read or evaluated, unless --quiet found a match"),
    ]

    private static var explain: String {
        var page = HelpLayout(
            usage: ["predicate explain [OPTION...] FORMAT FILE"],
            purpose: "Shows for every clause of a predicate how many objects it holds for alone, how many come so far,"
                + " and how many get past, so that the clause which lets nothing through stands out.")
        page.add("Options", rows: rows(ExplainOption.self))
        page.add(
            "Exit status",
            rows: [
                ("0", "the predicate was explained"), ("2", "an error: also where only some objects could not be read"),
            ])
        page.add(
            "Examples",
            lines: [
                "predicate explain 'age > 21 AND name BEGINSWITH \"jo\"' people.json",
                "predicate explain --object 3 'ANY tags == \"new\"' people.jsonl",
            ])
        return page.text
    }

    private static var check: String {
        var page = HelpLayout(
            usage: ["predicate check [OPTION...] FORMAT [FILE]"],
            purpose: "Looks for what is legal but probably wrong: clauses that can never hold, comparisons of kinds"
                + " that never match, patterns that do something else. With a FILE of objects also for keys that none"
                + " of them has. Specifiers without --arg stand for anything.")
        page.add("Options", rows: rows(CheckOption.self))
        page.add(
            "Exit status",
            rows: [
                ("0", "nothing looks wrong"), ("1", "something does"),
                ("2", "the format is no predicate, or an error: also where only some objects could not be read"),
            ])
        page.add(
            "Examples",
            lines: [
                "predicate check 'age > 5 AND age < 3'",
                "predicate check 'nmae == \"jo\"' people.json",
            ])
        return page.text
    }

    private static var repl: String {
        var page = HelpLayout(
            usage: ["predicate repl [OPTION...] [FILE]", "predicate"],
            purpose: "A conversation: a line that is a predicate shows which objects match, one that is an expression"
                + " its values, and commands such as :explain and :check say why. On a terminal lines are edited and"
                + " remembered; otherwise they are read from standard input, and an error makes the status 2.")
        page.add("Options", rows: rows(ReplOption.self))
        page.add("Exit status", rows: [("0", "the conversation ended"), ("2", "a line that was read had an error")])
        page.add("Examples", lines: ["predicate repl people.json", "echo 'age > 21' | predicate repl people.json"])
        return page.text
    }

    private static var test: String {
        var page = HelpLayout(
            usage: ["predicate test [OPTION...] FILE..."],
            purpose:
                "Runs conformance cases and prints what differs, a line for each: id and difference. A FILE that ends"
                + " in .cases holds records; every other one JSON lines. The last line counts.")
        page.add("Options", rows: rows(TestOption.self))
        page.add(
            "Exit status",
            rows: [("0", "no case failed"), ("1", "some did"), ("2", "a file could not be read")])
        page.add(
            "Examples", lines: ["predicate test cases.jsonl", "predicate test --exceptions known.txt cases.jsonl"])
        return page.text
    }

    private static var help: String {
        HelpLayout(usage: ["predicate help [COMMAND]"], purpose: "Shows how a command is used.").text
    }

    static func rows<Option: CommandOption>(_: Option.Type) -> [(String, String)] {
        Option.allCases.map { ($0.declaration.synopsis, $0.declaration.help) } + [("-h, --help", "Show this page")]
    }

    /// The notation of values on the command line.
    static let values =
        [
            ("18, 1.5, true, null", "what JSON says it is, for %@ and variables"),
            ("[1, 2], {\"a\": 1}", "an array, a dictionary"),
            ("jo", "everything that is no JSON: a text"),
        ]
        + ValuePrefix.allCases.map { ($0.example, $0.meaning) } + [
            ("for %K and %s", "the word as it is"), ("for %d and %f", "a number"),
        ]
}
