import PredicateSQL

/// The commands of a session. They begin with a colon.
package enum SessionCommand: String, CaseIterable, Sendable {
    case load, object, table, sample, keys
    case limit, more, sort, show
    case countBy = "count-by"
    case columns, group, sum, avg, min, max, median
    case write
    case set, args
    case explain, why, whynot, check
    case tree, format, fields, sql, save
    case history, help, quit

    /// `:load FILE [KEY.KEY] [TYPES]`
    package var usage: String {
        switch self {
        case .load: ":load FILE [KEY.KEY] [TYPES]"
        case .object: ":object JSON"
        case .table: ":table [NAME]"
        case .sample: ":sample [N]"
        case .keys: ":keys [WORD]"
        case .limit: ":limit [N]"
        case .more: ":more [N]"
        case .sort: ":sort [KEY,-KEY]"
        case .show: ":show N"
        case .countBy: ":count-by KEY,..."
        case .columns: ":columns [KEY,...]"
        case .group: ":group KEY,AGGREGATE,..."
        case .sum, .avg, .min, .max, .median: ":\(rawValue) KEY,... [BY KEY,...]"
        case .write: ":write FILE"
        case .set: ":set [NAME VALUE]"
        case .args: ":args [VALUE...]"
        case .explain: ":explain [N|FORMAT]"
        case .why: ":why N"
        case .whynot: ":whynot N"
        case .check: ":check [FORMAT]"
        case .tree: ":tree [FORMAT]"
        case .format: ":format [FORMAT]"
        case .fields: ":fields [FORMAT]"
        case .sql: ":sql [DIALECT] [FORMAT]"
        case .save: ":save FILE"
        case .history: ":history [N|WORD]"
        case .help: ":help [COMMAND|TOPIC]"
        case .quit: ":quit"
        }
    }

    /// One line for the list of commands.
    package var summary: String {
        switch self {
        case .load: "Read objects: JSON, JSON Lines, CSV, TSV, or a SQLite file; TYPES: born=date,photo=data"
        case .object: "Use one JSON object as the data"
        case .table: "List the tables of the SQLite file, or read one"
        case .sample: "Show objects sampled evenly from the data"
        case .keys: "List the key paths: types, share of nil, examples"
        case .limit: "Set the number of matches that are shown, or print it"
        case .more: "Show further matches of the last predicate"
        case .sort: "Sort matches by keys or expressions, -KEY descending; -- restores the order of the data"
        case .show: "Show object N, one key on each line"
        case .countBy: "Count the matches of the last predicate by keys or expressions, the largest groups first"
        case .columns: "Show and write these keys or expressions of matches, each with AS NAME; -- shows all"
        case .group:
            "Group the matches by the keys: count(), count(DISTINCT x), sum(x), avg(x), min(x), max(x), median(x),"
                + " stddev(x), percentile(x, 95), joined(x, \", \")"
        case .sum: "Sum of keys or expressions of the matches, or of each group"
        case .avg: "Average, in the same way"
        case .min: "Minimum"
        case .max: "Maximum"
        case .median: "Median"
        case .write: "Write the matches of the last predicate: .jsonl, .json, .csv or .tsv"
        case .set: "Set the variable $NAME, or list the variables"
        case .args: "Set the arguments for %@ and %K, or list them; -- removes them"
        case .explain: "Count the matches of each clause; with N also show object N"
        case .why: "Explain in one sentence why object N matches"
        case .whynot: "Explain in one sentence why object N does not match"
        case .check: "Find what is legal but probably wrong"
        case .tree: "Show the tree of the format"
        case .format: "Print the format in its canonical spelling"
        case .fields: "List the keys, variables and functions in the format"
        case .sql: "Compile to SQL for \(SQLEngine.list())"
        case .save: "Write the session's predicates as conformance records"
        case .history: "List the last entries, or those that contain WORD"
        case .help: "Show this list, or the help for a command or a topic of the language"
        case .quit: "End the session, like Ctrl-D"
        }
    }

    package var example: String {
        switch self {
        case .load: ":load people.json result.items"
        case .object: ":object {\"name\": \"Jo\", \"age\": 30}"
        case .table: ":table people"
        case .sample: ":sample 3"
        case .keys: ":keys name"
        case .limit: ":limit 50"
        case .more: ":more"
        case .sort: ":sort city,-age"
        case .show: ":show 3"
        case .countBy: ":count-by city"
        case .columns: ":columns name, age + 1 AS next"
        case .group: ":group city, count(), avg(age) AS mean"
        case .sum: ":sum price * quantity AS total"
        case .avg: ":avg age BY city"
        case .min: ":min joined"
        case .max: ":max age BY city, year(joined)"
        case .median: ":median age"
        case .write: ":write adults.jsonl"
        case .set: ":set LIMIT 18"
        case .args: ":args 18 \"Jo\" date:2024-01-31"
        case .explain: ":explain 3"
        case .why: ":why 3"
        case .whynot: ":whynot 4"
        case .check: ":check age > 5 AND age < 3"
        case .tree: ":tree NOT a == 1 AND b == 2"
        case .format: ":format age>=18&&name='Jo'"
        case .fields: ":fields age >= $LIMIT AND length:(name) > 2"
        case .sql: ":sql postgresql"
        case .save: ":save session.cases"
        case .history: ":history name"
        case .help: ":help explain"
        case .quit: ":quit"
        }
    }

    var takesFile: Bool {
        switch self {
        case .load, .save, .write: true
        case .object, .table, .sample, .keys, .limit, .more, .sort, .show, .countBy, .columns, .group, .sum, .avg,
            .min, .max, .median, .set, .args, .explain, .why, .whynot, .check, .tree, .format, .fields, .sql, .history,
            .help, .quit:
            false
        }
    }

    package var takesFormat: Bool {
        switch self {
        case .explain, .check, .tree, .format, .fields, .sql: true
        case .load, .object, .table, .sample, .keys, .limit, .more, .sort, .show, .countBy, .columns, .group, .sum,
            .avg, .min, .max, .median, .write, .set, .args, .why, .whynot, .save, .history, .help, .quit:
            false
        }
    }
}

/// A parsed line that begins with a colon.
struct SessionCommandLine {
    let command: SessionCommand
    /// The text after the name, trimmed.
    let rest: String

    /// Short names for the most common commands.
    private static let shortNames: [String: SessionCommand] = [
        "e": .explain, "h": .help, "l": .load, "m": .more, "q": .quit, "t": .table, "?": .help,
    ]

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
        let suggestions = Suggestion.among(SessionCommand.allCases.map(\.rawValue), for: name, prefix: ":")
        throw SessionError(
            "unknown command ':\(name)'", hints: suggestions + [":help lists the commands"])
    }
}
