import PredicateSession

/// The pages of `--help`. Options come from the tables with which arguments are parsed.
enum HelpPages {
    /// `predicate --help`
    static var overview: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate COMMAND [ARGUMENT...]", "predicate [FILE]"],
            purpose: "Parse predicates in the format language of Apple's NSPredicate, check them, compile them to SQL,"
                + " and filter JSON, CSV and SQLite files with them. Without a command, start an interactive session.")
        page.add("Commands", rows: Command.allCases.map { ($0.rawValue, $0.summary) })
        page.add("Options", rows: [("-h, --help", "Show this page"), ("    --version", "Show the version")])
        page.add(
            "Examples",
            lines: [
                "predicate filter 'age >= 21' people.csv",
                "predicate parse 'age >= %@ AND name BEGINSWITH[cd] %@' 18 jo",
                "predicate help filter",
            ])
        return page
    }

    /// `predicate help filter`, `predicate filter --help`
    static func page(of command: Command) -> HelpLayout {
        switch command {
        case .parse: parse
        case .filter: filter
        case .sql: sql
        case .schema: schema
        case .create: create
        case .insert: insert
        case .update: update
        case .delete: delete
        case .metadata: metadata
        case .migrate: migrate
        case .export: export
        case .explain: explain
        case .check: check
        case .model: model
        case .lint: lint
        case .repl: repl
        case .lsp: lsp
        case .test: test
        case .completion: completion
        case .help: help
        }
    }

    private static var parse: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate parse [OPTION...] FORMAT [VALUE...]"],
            purpose: "Show how a format string is parsed: its tree, its canonical form, and its keys, variables and"
                + " functions. Each VALUE is the argument for one specifier, from left to right.")
        page.add("Options", rows: rows(ParseOption.self))
        page.add("Values", rows: values)
        page.add("Exit status", rows: [("0", "FORMAT is valid"), ("2", "FORMAT or the command line is invalid")])
        page.add(
            "Examples",
            lines: [
                "predicate parse 'name ==[c] \"jo\" OR NOT ANY tags IN {1, 2}'",
                "predicate parse '%K BETWEEN %@' age '[18, 65]'",
                "predicate parse --json 'born < %@' date:2001-01-01T00:00:00Z",
                "predicate parse --expression 'sum:(prices) * 1.19'",
            ])
        return page
    }

    private static var explain: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate explain [OPTION...] FORMAT FILE"],
            purpose:
                "For each clause of a predicate, count the objects for which it holds by itself (alone), those that"
                + " reach it because no earlier clause has decided the result (reached), and those of them for which it"
                + " holds (passed). This shows which clause excludes everything.")
        page.add("Options", rows: rows(ExplainOption.self))
        page.add(
            "Exit status", rows: [("0", "success"), ("2", "an error, even if only some objects could not be read")])
        page.add(
            "Examples",
            lines: [
                "predicate explain 'age > 21 AND name BEGINSWITH \"jo\"' people.json",
                "predicate explain --object 3 'ANY tags == \"new\"' people.jsonl",
            ])
        return page
    }

    private static var check: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate check [OPTION...] FORMAT [FILE]"],
            purpose:
                "Report what is legal but probably wrong: clauses that never hold, comparisons of values that never"
                + " match, patterns with a surprising meaning. With a FILE of objects, also keys that no object has."
                + " With --model and --entity, what an entity of a Core Data model rules out. A %@ without --arg"
                + " stands for any value.")
        page.add("Options", rows: rows(CheckOption.self))
        page.add(
            "Exit status",
            rows: [
                ("0", "no problems found"), ("1", "problems found"),
                ("2", "FORMAT is not a predicate, or an error, even if only some objects could not be read"),
            ])
        page.add(
            "Examples",
            lines: [
                "predicate check 'age > 5 AND age < 3'",
                "predicate check 'nmae == \"jo\"' people.json",
                "predicate check 'done == NO' --model ToDo.xcdatamodeld --entity Item",
            ])
        return page
    }

    private static var repl: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate repl [OPTION...] [FILE]", "predicate [FILE]"],
            purpose: "Start an interactive session: a predicate shows which objects match, an expression shows its"
                + " values, and commands such as :explain and :check show why. On a terminal, lines can be edited and"
                + " recalled; otherwise they are read from standard input, and any error makes the exit status 2.")
        page.add("Options", rows: rows(ReplOption.self))
        page.add("Exit status", rows: [("0", "success"), ("2", "a line from standard input had an error")])
        page.add("Examples", lines: ["predicate repl people.json", "echo 'age > 21' | predicate repl people.json"])
        return page
    }

    private static var test: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate test [OPTION...] FILE..."],
            purpose: "Run conformance cases and print a line for each difference: the id, and what differs. A FILE that"
                + " ends in .cases holds records, any other FILE JSON Lines. The last line is a summary.")
        page.add("Options", rows: rows(TestOption.self))
        page.add(
            "Exit status", rows: [("0", "all cases passed"), ("1", "a case failed"), ("2", "a file could not be read")])
        page.add(
            "Examples", lines: ["predicate test cases.jsonl", "predicate test --exceptions known.txt cases.jsonl"])
        return page
    }

    private static var completion: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate completion SHELL"],
            purpose:
                "Print a script for bash, zsh or fish that completes commands, options, file names, and the keys of the"
                + " file on the command line. 'make install' puts the scripts in place.")
        page.add("Options", rows: rows(CompletionOption.self))
        page.add(
            "Examples",
            lines: [
                "source <(predicate completion bash)",
                "predicate completion zsh > ~/.zfunc/_predicate",
                "predicate completion fish > ~/.config/fish/completions/predicate.fish",
            ])
        return page
    }

    private static var help: HelpLayout {
        var page = HelpLayout(usage: ["predicate help [COMMAND]"], purpose: "Show help for a command.")
        page.add("Options", rows: rows(HelpOption.self))
        return page
    }

    static func rows<Option: CommandOption>(_: Option.Type) -> [(String, String)] {
        Option.allCases.map { ($0.declaration.synopsis, $0.declaration.help) } + [("-h, --help", "Show this page")]
    }

    /// The notation of values on the command line.
    static let values =
        [
            ("18, 1.5, true, null", "the JSON value, for %@ and variables"),
            ("[1, 2], {\"a\": 1}", "an array, a dictionary"),
            ("jo", "anything else is a string"),
        ]
        + ValuePrefix.allCases.map { ($0.example, $0.meaning) } + [
            ("for %K and %s", "the word itself"), ("for %d and %f", "a number"),
        ]
}
