import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// An interactive session, without the terminal: a line in, text out.
///
/// `session.reply(to: "age > 21")` returns how many of the loaded objects match, and which.
///
/// Files are accessed through ``SessionEnvironment`` only.
package final class Session {
    package var settings: SessionSettings
    let environment: SessionEnvironment

    /// The loaded objects.
    var table = ObjectTable.empty {
        didSet { cachedStatistics = nil }
    }
    var source: DataSource?
    /// How texts beside keys of the loaded objects are read.
    var texts: TextReadings?
    /// What the last load noted about the file and its columns.
    var loadNotes: [ReadingNote] = []
    /// Relationships that are not followed because the table is large.
    var leftOut: [String] = []
    /// The records that could not be read by the last load, as text.
    package internal(set) var loadProblems: [String] = []
    /// The values of variables, by their names without `$`.
    var variables: [String: PredicateValue] = [:]
    /// The words that are the arguments of specifiers.
    var argumentWords: [String] = []
    /// The last predicate or expression.
    var current: Query?
    /// All predicates and expressions of the session, without duplicates.
    var history: [Query] = []
    /// The entries of earlier sessions and this one, the oldest first.
    var entries: [String] = []
    /// The order of the matches that are shown.
    var order: [SortKey] = []
    /// The number of matches of the last predicate that were shown.
    var shown = 0
    private var cachedStatistics: KeyStatistics?

    package init(settings: SessionSettings = SessionSettings(), environment: SessionEnvironment = SessionEnvironment())
    {
        self.settings = settings
        self.environment = environment
    }

    /// Sets the value of a variable.
    package func set(_ variable: String, _ value: PredicateValue) {
        variables[variable] = value
    }

    var painter: Painter { Painter(isColoured: settings.isColoured) }

    /// Returns a text whose sentences fit the width of the terminal.
    func fitted(_ text: String) -> String {
        settings.wrapsLines ? Paragraph.wrapped(text, width: settings.width) : text
    }

    /// The facts about the keys of the objects; computed when first needed.
    package var statistics: KeyStatistics {
        if let cachedStatistics { return cachedStatistics }
        let statistics = KeyStatistics(table)
        cachedStatistics = statistics
        return statistics
    }

    /// Returns the reply to a line: a command that begins with a colon, a predicate or an expression.
    package func reply(to line: String) -> Reply {
        let line = line.trimmed
        if line.isEmpty { return Reply() }
        if entries.last != line { entries.append(line) }
        do throws(SessionError) {
            if let command = try command(in: line) { return try run(command) }
            return Reply(try result(of: line))
        } catch {
            return Reply(painter.paint(error: fitted(error.text)), isError: true)
        }
    }

    /// Takes the entries of earlier sessions.
    package func recall(_ entries: [String]) { self.entries = entries }

    /// True if a line is a predicate, an expression or a command, whether or not it has a result.
    package func canRead(_ line: String) -> Bool {
        let line = line.trimmed
        if line.hasPrefix(":"), !line.hasPrefix(":=") { return (try? CommandLine(line)) != nil }
        let words = FormatPredicate.specifiers(in: line).map(\.kind.placeholder)
        return (try? Query(line, words: words)) != nil
    }

    /// The greeting of a first session.
    package static let greeting = """
        A predicate, such as age > 21 AND name BEGINSWITH "J", shows which objects match.
        :load FILE reads objects, :explain shows what each clause lets through.
        """

    /// Returns the command in a line; `help`, `exit` and `?` need no colon.
    private func command(in line: String) throws(SessionError) -> CommandLine? {
        if line.hasPrefix(":"), !line.hasPrefix(":=") { return try CommandLine(line) }
        guard !table.columns.contains(line) else { return nil }
        switch line.lowercased() {
        case "help", "?": return try CommandLine(":help")
        case "quit", "exit", "\\q", ".quit", ".exit": return try CommandLine(":quit")
        default: return nil
        }
    }

    private func run(_ line: CommandLine) throws(SessionError) -> Reply {
        switch line.command {
        case .load: Reply(try load(line.rest))
        case .object: Reply(try takeObject(line.rest))
        case .table: Reply(try takeTable(line.rest))
        case .sample: Reply(try sample(line.rest))
        case .keys: Reply(try keys(line.rest))
        case .set: Reply(try setVariable(line.rest))
        case .args: Reply(try setArguments(line.rest))
        case .explain: Reply(try explain(line.rest))
        case .why, .whynot: Reply(try decide(line.rest, line.command))
        case .check: Reply(try check(line.rest))
        case .tokens: Reply(try tokens(line.rest))
        case .tree: Reply(try query(line.rest).tree.description)
        case .format: Reply(painter.highlight(try query(line.rest).printed))
        case .fields: Reply(fields(try query(line.rest)))
        case .sql: Reply(try sql(line.rest))
        case .bench: Reply(try bench(line.rest))
        case .save: Reply(try save(line.rest))
        case .limit: Reply(try setLimit(line.rest))
        case .more: Reply(try more(line.rest))
        case .sort: Reply(try sort(line.rest))
        case .show: Reply(try show(line.rest))
        case .write: Reply(try write(line.rest))
        case .history: Reply(try listHistory(line.rest))
        case .help: Reply(try help(line.rest))
        case .quit: Reply(quits: true)
        }
    }

    /// Returns the query of a command's format, which becomes the current one; without a format the current one.
    func query(_ format: String) throws(SessionError) -> Query {
        if !format.isEmpty { current = try Query(format, words: argumentWords) }
        if let current { return current }
        throw SessionError("there is no predicate yet", hints: ["type one, such as age > 21"])
    }

    /// Returns the predicate of a command's format, or the current one. Throws if it is an expression or missing.
    func predicate(_ format: String = "") throws(SessionError) -> (query: Query, predicate: FormatPredicate) {
        let query = try format.isEmpty ? query("") : Query(format, words: argumentWords)
        guard case .predicate(let predicate) = query.content else {
            throw SessionError(
                "\(query.printed) is an expression", hints: ["this needs a predicate, such as age > 21"])
        }
        current = query
        return (query, reading(predicate))
    }

    /// Returns the predicate with its texts read as `filter` does: as dates beside columns of dates.
    func reading(_ predicate: FormatPredicate) -> FormatPredicate { texts?.reading(predicate) ?? predicate }

    /// Throws if there are no objects.
    func requireObjects() throws(SessionError) {
        guard table.isEmpty else { return }
        let reason = reasonForNoObjects
        throw SessionError(reason.message, hints: reason.hint.map { [$0] } ?? [])
    }

    /// The reason why there are no objects.
    var reasonForNoObjects: NoObjects {
        switch source {
        case nil: NoObjects("no objects are loaded", ":load FILE reads objects, :object {…} takes one")
        case .table(nil, _): NoObjects("no table has been read yet", ":table NAME reads one")
        case .table(_?, _), .file, .object: NoObjects("the loaded data has no objects")
        }
    }

    /// Checks the variables and keys of a query, and reads the related objects that it needs.
    func prepare(_ query: Query) throws(SessionError) {
        try requireVariables(of: query)
        try requireKeys(of: query)
        try follow(query)
    }

    /// Throws if a variable has no value.
    func requireVariables(of query: Query) throws(SessionError) {
        for name in query.fields.variables where variables[exactly: name] == nil {
            throw SessionError(
                "the variable $\(name) has no value",
                hints: Suggestion.among(Array(variables.keys), for: name, prefix: "$") + [
                    settings.namesOptions ? "--set \(name)=VALUE sets it" : ":set \(name) VALUE sets it"
                ])
        }
    }

    /// Returns the time since an instant as text, if times are shown.
    func time(since start: ContinuousClock.Instant) -> String {
        settings.showsTime ? " (\(Count.seconds(ContinuousClock.now - start)))" : ""
    }
}

/// The source of a session's objects.
enum DataSource {
    case file(name: String)
    case object
    /// A table of a SQLite file; the name is nil until a table is read.
    case table(name: String?, store: OpenedStore)
}
