import PredicateSession

/// The pages of `--help`. Options come from the tables with which arguments are parsed.
enum HelpPages {
    /// `predicate --help`
    static var overview: String {
        var page = HelpLayout(
            usage: ["predicate COMMAND [ARGUMENT...]"],
            purpose: "Parses predicates in the format language of Apple's NSPredicate, and evaluates them for records.")
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
            purpose: "Shows the parsed form of a format string: its tree, its canonical text, and its keys, variables"
                + " and functions. Each VALUE is the argument for one specifier, from left to right.")
        page.add("Options", rows: rows(ParseOption.self))
        page.add("Values", rows: values)
        page.add(
            "Exit status", rows: [("0", "the format is valid"), ("2", "the format or the command line is invalid")])
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
            purpose: "Writes the records that match the predicate, in their own text. Reads JSON (an array, or a"
                + " sequence of values), JSON Lines, and CSV and TSV with a header; reads standard input without a FILE"
                + " or for '-'. The format is detected from the file name, or else from the first line. A key that a"
                + " record does not have is nil. A record for which the predicate ends in an error is reported and not"
                + " written.")
        page.add(
            paragraph: "A single FILE may be a SQLite file, which is detected by its header. SQL selects the rows of"
                + " a table, and they are written as JSON Lines, with dates in ISO 8601 and data in base 64. They have"
                + " the order in which SQLite finds them, or with --first that of the primary key. Rows for which the"
                + " predicate would be an error are not reported, and --invert selects them.")
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
                "predicate filter 'ANY phone.number BEGINSWITH \"0\"' library.sqlite --table person",
                "curl -s https://example.org/log | predicate filter -q 'level == \"error\"'",
            ])
        return page.text
    }

    private static let filterStatus = [
        ("0", "a record matched"),
        ("1", "no record matched"),
        ("2", "an error, even if only some records could not be read or evaluated, unless --quiet found a match"),
    ]

    private static var explain: String {
        var page = HelpLayout(
            usage: ["predicate explain [OPTION...] FORMAT FILE"],
            purpose: "Counts for every clause of a predicate the objects for which it holds by itself (alone), those"
                + " that reach it because no other clause has decided the result (reached), and those of them for"
                + " which it holds (passed). This shows which clause excludes everything.")
        page.add("Options", rows: rows(ExplainOption.self))
        page.add(
            "Exit status",
            rows: [
                ("0", "the predicate was explained"), ("2", "an error, even if only some objects could not be read"),
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
            purpose: "Reports what is legal but probably wrong: clauses that never hold, comparisons of kinds of values"
                + " that never match, patterns with a surprising meaning. With a FILE of objects, also keys that no"
                + " object has. A specifier without --arg may have any value.")
        page.add("Options", rows: rows(CheckOption.self))
        page.add(
            "Exit status",
            rows: [
                ("0", "no problems found"), ("1", "some problem found"),
                ("2", "the format is not a predicate, or an error, even if only some objects could not be read"),
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
            purpose: "Starts an interactive session: a predicate shows which objects match, an expression shows its"
                + " values, and commands such as :explain and :check show why. A terminal has line editing and a"
                + " history; otherwise lines are read from standard input, and an error makes the status 2.")
        page.add("Options", rows: rows(ReplOption.self))
        page.add("Exit status", rows: [("0", "the session ended"), ("2", "a line from standard input had an error")])
        page.add("Examples", lines: ["predicate repl people.json", "echo 'age > 21' | predicate repl people.json"])
        return page.text
    }

    private static var test: String {
        var page = HelpLayout(
            usage: ["predicate test [OPTION...] FILE..."],
            purpose:
                "Runs conformance cases and prints a line for each difference: the id, and what differs. A FILE that"
                + " ends in .cases holds records, any other FILE JSON Lines. The last line is a summary.")
        page.add("Options", rows: rows(TestOption.self))
        page.add(
            "Exit status",
            rows: [("0", "no case failed"), ("1", "some case failed"), ("2", "a file could not be read")])
        page.add(
            "Examples", lines: ["predicate test cases.jsonl", "predicate test --exceptions known.txt cases.jsonl"])
        return page.text
    }

    private static var help: String {
        HelpLayout(usage: ["predicate help [COMMAND]"], purpose: "Shows the help for a command.").text
    }

    static func rows<Option: CommandOption>(_: Option.Type) -> [(String, String)] {
        Option.allCases.map { ($0.declaration.synopsis, $0.declaration.help) } + [("-h, --help", "Show this page")]
    }

    /// The notation of values on the command line.
    static let values =
        [
            ("18, 1.5, true, null", "the JSON value, for %@ and variables"),
            ("[1, 2], {\"a\": 1}", "an array, a dictionary"),
            ("jo", "anything that is not JSON: a text"),
        ]
        + ValuePrefix.allCases.map { ($0.example, $0.meaning) } + [
            ("for %K and %s", "the word itself"), ("for %d and %f", "a number"),
        ]
}
