import PredicateLint
import PredicateQuery
import PredicateSession

/// A page of help: paragraphs, examples and rows of two columns.
///
/// ``text`` is the page for a terminal: its paragraphs and rows have at most 79 columns. ``ManualPage`` writes the
/// same blocks for man.
struct HelpPage {
    enum Block: Sendable {
        case paragraph(String)
        /// A heading and lines that keep their line breaks.
        case lines(String, [String])
        /// A heading and rows of two columns. If the left column is too long, the right column begins on the next line.
        case rows(String, [(String, String)])
        /// The options of the subcommand, as rows.
        case options

        static func exitStatus(_ rows: [(String, String)]) -> Block { .rows("Exit status", rows) }
        static func examples(_ lines: [String]) -> Block { .lines("Examples", lines) }

        /// The notation of values on the command line.
        static let values = Block.rows("Values", valueRows)

        static let valueRows =
            [
                ("18, 1.5, true, null", "the JSON value, for %@ and variables"),
                ("[1, 2], {\"a\": 1}", "an array, a dictionary"),
                ("jo", "anything else is a string"),
            ]
            + ValuePrefix.allCases.map { ($0.example, $0.meaning) } + [
                ("for %K and %s", "the word itself"), ("for %d and %f", "a number"),
            ]
    }

    static let width = 79
    private static let indent = "  "

    let usage: [String]
    let blocks: [Block]

    init(usage: [String], _ blocks: [Block]) {
        (self.usage, self.blocks) = (usage, blocks)
    }

    /// `predicate --help`
    static var overview: HelpPage {
        HelpPage(
            usage: ["predicate COMMAND [ARGUMENT...]", "predicate [OPTION...] [FORMAT] [FILE...]", "predicate [FILE]"],
            [
                .paragraph(
                    "Parse predicates in the format language of Apple's NSPredicate, check them, compile them to SQL,"
                        + " and filter JSON, CSV and SQLite files with them. Without a command, a FORMAT filters,"
                        + " and so does an option before a FILE; a FILE alone or nothing starts an interactive"
                        + " session."),
                .rows("Commands", Subcommand.overview.map { ($0.name, $0.summary) }),
                .rows("The language, predicate help TOPIC", LanguageTopic.all.map { ($0.name, $0.summary) }),
                .rows("Options", [("-h, --help", "Show this page"), ("    --version", "Show the version")]),
                .examples([
                    "predicate filter 'age >= 21' people.csv",
                    "predicate parse 'age >= %@ AND name BEGINSWITH[cd] %@' 18 jo",
                    "predicate help filter",
                ]),
                .rows(
                    "Guides, in the repository",
                    [
                        ("README.md", "Lists them: servers, databases, Core Data, lint"),
                        ("make docs", "Makes a site of them"),
                    ]),
            ])
    }

    /// A page about the language.
    init(_ topic: LanguageTopic) {
        var blocks = topic.paragraphs.map(Block.paragraph)
        if let record = topic.record { blocks.append(.lines("The record of the examples", [record])) }
        let rows = topic.lines.filter { !$0.example.isEmpty }.map { ($0.example, $0.meaning) }
        self.init(usage: [], blocks + [.rows("Examples", rows)])
    }

    /// A page about a rule of lint, or about a check.
    init(_ name: LintName) {
        self.init(
            usage: [],
            [
                .paragraph("\(name.page.summary). \(name.page.why)."),
                .rows(
                    "Example",
                    [("wrong", name.page.wrong), ("right", name.page.right), ("source", name.page.source.words)]),
                .rows(
                    "In .predicate-lint and in sources",
                    [
                        ("level \(name.identifier) off", "\(name.standardLevel?.rawValue ?? "off") without this line"),
                        ("// predicate:disable:next \(name.identifier)", "turns it off for the next line"),
                    ]),
            ])
    }

    /// The page for a terminal.
    var text: String {
        let lead = "Usage: "
        let lines = usage.enumerated().map { ($0.offset == 0 ? lead : "       ") + $0.element + "\n" }
        return lines.joined() + blocks.map(Self.text).joined()
    }

    private static func text(of block: Block) -> String {
        switch block {
        case .paragraph(let text): "\n" + Paragraph.lines(of: text, width: width).map { $0 + "\n" }.joined()
        case .lines(let heading, let lines): "\n\(heading):\n" + lines.map { indent + $0 + "\n" }.joined()
        case .rows(let heading, let rows):
            "\n\(heading):\n" + Paragraph.rows(rows, widest: 25, width: width).map { $0 + "\n" }.joined()
        case .options: ""
        }
    }
}

/// The manual page predicate(1): all help pages in the markup of man.
enum ManualPage {
    static var text: String {
        var lines = [
            ".TH PREDICATE 1 \"\" \"predicate \(CommandLineTool.version)\" \"User Commands\"",
            ".SH NAME", "predicate \\- filter data with predicates in the format language of NSPredicate",
            ".SH SYNOPSIS",
        ]
        for usage in Subcommand.all.flatMap(\.usage) { lines += [".nf", escaped(usage), ".fi"] }
        lines.append(".SH DESCRIPTION")
        lines += HelpPage.overview.blocks.flatMap(Self.lines)
        for command in Subcommand.all {
            lines.append(".SH PREDICATE \(command.name.uppercased())")
            lines += command.page.blocks.flatMap(Self.lines)
        }
        for topic in LanguageTopic.all {
            lines.append(".SH THE LANGUAGE: \(topic.name.uppercased())")
            lines += HelpPage(topic).blocks.flatMap(Self.lines)
        }
        lines += rows("VALUES", HelpPage.Block.valueRows) + rows("ENVIRONMENT", environment)
        lines += [
            ".SH FILES", ".TP", "~/.local/state/predicate/history",
            "Lines of interactive sessions; $XDG_STATE_HOME/predicate/history if that variable is set.",
        ]
        lines += [".SH SEE ALSO", ".BR grep (1),", ".BR jq (1),", ".BR sqlite3 (1)"]
        return lines.map { $0 + "\n" }.joined()
    }

    private static let environment = [
        ("NO_COLOR", "If it is set and not empty, output has no colours unless --color always is given."),
        ("TERM", "Output has no colours if it is dumb."),
        ("XDG_STATE_HOME", "The folder of the history (default: ~/.local/state)."),
    ]

    private static func rows(_ heading: String, _ rows: [(String, String)]) -> [String] {
        [".SH \(heading)"] + rows.flatMap { [".TP", ".B \(escaped($0.0))", escaped($0.1)] }
    }

    private static func lines(of block: HelpPage.Block) -> [String] {
        switch block {
        // The rows about values are the same for all commands, so the manual has one section for them.
        case .rows("Values", let rows) where rows.count == HelpPage.Block.valueRows.count: []
        case .paragraph(let text): [".PP", escaped(text)]
        case .lines(let title, let lines): [".SS \(title)", ".nf"] + lines.map(escaped) + [".fi"]
        case .rows(let title, let rows):
            [".SS \(title)"] + rows.flatMap { [".TP", ".B \(escaped($0.0.trimmed))", escaped($0.1)] }
        case .options: []
        }
    }

    /// Returns a line in which characters that man would read as markup are escaped.
    private static func escaped(_ line: String) -> String {
        let text = line.map { character -> String in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "\"": "\\(dq"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "`": "\\(ga"
            default: String(character)
            }
        }.joined()
        return text.hasPrefix(".") ? "\\&" + text : text
    }
}

extension Subcommand {
    /// `predicate help filter`
    static let help = Subcommand(
        "help", "Show help for a command or a topic of the language", usage: ["predicate help [COMMAND|TOPIC|RULE]"],
        operands: [.topics], options: [[manual]],
        help: [
            .paragraph(
                "Show help for a command, for a topic of the language, or for a rule or check of lint, such as"
                    + " never-holds."),
            .rows("Topics", LanguageTopic.all.map { ($0.name, $0.summary) }), .options,
        ]
    ) { (reader, console) throws(CommandFailure) in
        if reader.has(manual) {
            try console.write(ManualPage.text)
        } else if !reader.operands.isEmpty {
            try console.write(try text(of: reader.operands.joined(separator: " ")))
        } else {
            try console.write(HelpPage.overview.text)
        }
        return .success
    }

    private static func text(of topic: String) throws(CommandFailure) -> String {
        if let command = Subcommand.named(topic) { return command.page.text }
        if let page = LanguageTopic.named(topic) { return page.text(width: HelpPage.width) + "\n" }
        if let name = LintName(topic) { return HelpPage(name).text }
        return try CommandLineTool.command(named: topic).page.text
    }

    private static let manual = CommandOption("man", help: "Print all pages as one manual page, for man")
}
