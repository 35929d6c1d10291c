import PredicateSQL
import PredicateSyntax

/// The commands of a session. They begin with a colon.
package enum SessionCommand: String, CaseIterable, Sendable {
    case load, object, table, sample, keys
    case limit, more, sort, show
    case countBy = "count-by"
    case columns, group, sum, avg, min, max, median
    case write
    case set, args
    case explain, why, check
    case tree, sql
    case help, quit

    /// What the rest of the line after a command contains.
    enum Argument {
        case none, file, keys, table, dialect, topic, variable, keyPath
        /// A predicate or an expression; without it, the last one is meant.
        case format
    }

    /// The words after the name, their meaning, and an example of them.
    private typealias Page = (words: String, summary: String, example: String, argument: Argument)

    private var page: Page {
        switch self {
        case .load:
            (
                "FILE [OPTION...]",
                "Read objects: JSON, JSON Lines, CSV, TSV, or a SQLite file, with options of predicate filter such as"
                    + " --types born=date,photo=data", "people.json --path result.items", .file
            )
        case .object: ("JSON", "Use one JSON object as the data", "{\"name\": \"Jo\", \"age\": 30}", .none)
        case .table: ("[NAME]", "List the tables of the SQLite file, or read one", "people", .table)
        case .sample: ("[N]", "Show objects sampled evenly from the data", "3", .none)
        case .keys: ("[WORD]", "List the key paths: types, share of nil, examples", "name", .keyPath)
        case .limit: ("[N]", "Set the number of matches that are shown, or print it", "50", .none)
        case .more: ("[N]", "Show further matches of the last predicate", "", .none)
        case .sort:
            (
                "[KEY,-KEY]",
                "Sort matches by keys or expressions, -KEY descending; -- restores the order of the data", "city,-age",
                .keys
            )
        case .show: ("N", "Show object N, one key on each line", "3", .none)
        case .countBy:
            (
                "KEY,...", "Count the matches of the last predicate by keys or expressions, the largest groups first",
                "city", .keys
            )
        case .columns:
            (
                "[KEY,...]", "Show and write these keys or expressions of matches, each with AS NAME; -- shows all",
                "name, age + 1 AS next", .keys
            )
        case .group:
            (
                "KEY,AGGREGATE,...",
                "Group the matches by the keys: count(), count(DISTINCT x), sum(x), avg(x), min(x), max(x), median(x),"
                    + " stddev(x), percentile(x, 95), joined(x, \", \")", "city, count(), avg(age) AS mean", .keys
            )
        case .sum:
            (
                Self.values, "Sum of keys or expressions of the matches, or of each group", "price * quantity AS total",
                .keys
            )
        case .avg: (Self.values, "Average, in the same way", "age BY city", .keys)
        case .min: (Self.values, "Minimum", "joined", .keys)
        case .max: (Self.values, "Maximum", "age BY city, year(joined)", .keys)
        case .median: (Self.values, "Median", "age", .keys)
        case .write:
            ("FILE", "Write the matches of the last predicate: .jsonl, .json, .csv or .tsv", "adults.jsonl", .file)
        case .set: ("[NAME VALUE]", "Set the variable $NAME, or list the variables", "LIMIT 18", .variable)
        case .args:
            (
                "[VALUE...]", "Set the arguments for %@ and %K, or list them; -- removes them",
                "18 \"Jo\" date:2024-01-31", .none
            )
        case .explain: ("[N|FORMAT]", "Count the matches of each clause; with N also show object N", "3", .format)
        case .why: ("N", "Explain in one sentence why object N matches or not", "3", .none)
        case .check: ("[FORMAT]", "Find what is legal but probably wrong", "age > 5 AND age < 3", .format)
        case .tree: ("[FORMAT]", "Show the tree of the format", "NOT a == 1 AND b == 2", .format)
        case .sql: ("[DIALECT] [FORMAT]", "Compile to SQL for \(SQLEngine.list())", "postgresql", .dialect)
        case .help:
            (
                "[COMMAND|TOPIC]", "Show this list, or the help for a command or a topic of the language", "explain",
                .topic
            )
        case .quit: ("", "End the session, like Ctrl-D", "", .none)
        }
    }

    /// The words after the name of an aggregate.
    private static let values = "KEY,... [BY KEY,...]"

    /// `:load FILE [OPTION...]`
    package var usage: String { ":\(rawValue) \(page.words)".trimmed }

    /// One line for the list of commands.
    package var summary: String { page.summary }

    /// `:load people.json --path result.items`
    package var example: String { ":\(rawValue) \(page.example)".trimmed }

    var argument: Argument { page.argument }

    /// True if a predicate or an expression may follow the name, also after a dialect.
    package var takesFormat: Bool { argument == .format || argument == .dialect }
}

/// A parsed line that begins with a colon.
struct SessionCommandLine {
    let command: SessionCommand
    /// The text after the name, trimmed.
    let rest: String

    /// Short names for the most common commands, besides the prefixes that only one command has.
    private static let shortNames: [String: SessionCommand] = ["l": .load, "m": .more, "t": .table, "?": .help]

    /// Parses `:load people.json`. An unambiguous prefix of a name is enough. Throws a ``SessionError``.
    init(_ line: String) throws(SessionError) {
        let body = line.dropFirst().drop { $0 == " " }
        let name = body.prefix { !$0.isWhitespace }.lowercased()
        rest = String(body.dropFirst(name.count)).trimmed
        let matches = SessionCommand.allCases.filter { $0.rawValue.hasPrefix(name) }
        let exact =
            SessionCommand(rawValue: name) ?? Self.shortNames[name] ?? (matches.count == 1 ? matches.first : nil)
        if let exact, !name.isEmpty {
            command = exact
            return
        }
        guard !name.isEmpty else { throw SessionError("expected a command", hints: [":help lists the commands"]) }
        guard matches.isEmpty else {
            let names = matches.map { ":" + $0.rawValue }.joined(separator: " or ")
            throw SessionError("':\(name)' is ambiguous: \(names)", hints: [":help lists the commands"])
        }
        let suggestions = NearMiss.hints(
            for: name, among: SessionCommand.allCases.map(\.rawValue), prefix: ":")
        let isPredicate = suggestions.isEmpty && (try? FormatPredicate(format: rest, arguments: [])) != nil
        throw SessionError(
            "unknown command ':\(name)'",
            hints: isPredicate
                ? ["write the predicate alone: \(rest)"] : suggestions + [":help lists the commands"])
    }
}
