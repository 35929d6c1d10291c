import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// A conversation about predicates, without the terminal around it: a line in, text out.
///
/// `session.reply(to: "age > 21")` answers how many of the loaded objects match, and which.
///
/// Files and the clock are reached through ``SessionEnvironment`` only.
package final class Session {
    package var settings: SessionSettings
    let environment: SessionEnvironment

    /// The loaded objects, and what they are called.
    var table = ObjectTable.empty {
        didSet {
            cachedStatistics = nil
            columns = ObjectColumns()
        }
    }
    /// The same objects by column, once that pays.
    var columns = ObjectColumns()
    var source: DataSource?
    /// Relationships of the table that are not followed, since it is large.
    var leftOut: [String] = []
    /// What could not be read when objects were last loaded.
    package internal(set) var loadProblems: [String] = []
    /// The values of variables, by their names without `$`.
    var variables: [String: PredicateValue] = [:]
    /// The words that stand for specifiers.
    var argumentWords: [String] = []
    /// The predicate or expression that was asked last.
    var current: Query?
    /// All that were asked, each once.
    var asked: [Query] = []
    private var cachedStatistics: KeyStatistics?

    package init(settings: SessionSettings = SessionSettings(), environment: SessionEnvironment = SessionEnvironment())
    {
        self.settings = settings
        self.environment = environment
    }

    /// Gives a variable its value.
    package func set(_ variable: String, _ value: PredicateValue) {
        variables[variable] = value
    }

    var painter: Painter { Painter(isColoured: settings.isColoured) }

    /// What is known of the keys of the objects; found out when it is first needed.
    package var statistics: KeyStatistics {
        if let cachedStatistics { return cachedStatistics }
        let statistics = KeyStatistics(table)
        cachedStatistics = statistics
        return statistics
    }

    /// The answer to a line: a command that begins with a colon, a predicate or an expression.
    package func reply(to line: String) -> Reply {
        let line = line.trimmed
        if line.isEmpty { return Reply() }
        do throws(SessionError) {
            if let command = try command(in: line) { return try run(command) }
            return Reply(try answer(line))
        } catch {
            return Reply(painter.paint(error: error.text), isError: true, refill: error.isMendable ? line : nil)
        }
    }

    /// The greeting of a first session.
    package static let greeting = """
        A predicate, such as age > 21 AND name BEGINSWITH "J", shows which objects match.
        :load FILE reads objects, :explain shows what each clause lets through.
        """

    /// A command; people also write `help`, `exit` and `?` without a colon.
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
        case .help: Reply(try help(line.rest))
        case .quit: Reply(quits: true)
        }
    }

    /// The format behind a command, which becomes the current one, or the one that is.
    func query(_ format: String) throws(SessionError) -> Query {
        if !format.isEmpty { current = try Query(format, words: argumentWords) }
        if let current { return current }
        throw SessionError("there is no predicate yet", hints: ["type one, such as age > 21"])
    }

    /// The predicate behind a command, or the current one. Throws where it is an expression, or there is none.
    func predicate(_ format: String = "") throws(SessionError) -> (query: Query, predicate: FormatPredicate) {
        let query = try format.isEmpty ? query("") : Query(format, words: argumentWords)
        guard case .predicate(let predicate) = query.content else {
            throw SessionError(
                "\(query.printed) is an expression", hints: ["this needs a predicate, such as age > 21"])
        }
        current = query
        return (query, predicate)
    }

    /// Objects to ask. Throws where there are none.
    func requireObjects() throws(SessionError) {
        guard table.isEmpty else { return }
        let reason = reasonForNoObjects
        throw SessionError(reason.message, hints: reason.hint.map { [$0] } ?? [])
    }

    /// Why there are no objects to ask.
    var reasonForNoObjects: NoObjects {
        switch source {
        case nil: NoObjects("no objects are loaded", ":load FILE reads some, :object {…} takes one")
        case .table(nil, _): NoObjects("no table is read yet", ":table NAME reads one")
        case .table(_?, _), .file, .object: NoObjects("there is no object in what was loaded")
        }
    }

    /// Every variable has a value.
    func requireVariables(of query: Query) throws(SessionError) {
        for name in query.fields.variables where variables[exactly: name] == nil {
            throw SessionError(
                "the variable $\(name) has no value",
                hints: Suggestion.among(Array(variables.keys), for: name, prefix: "$") + [
                    settings.namesOptions ? "--set \(name)=VALUE gives it one" : ":set \(name) VALUE gives it one"
                ])
        }
    }

    /// What a time took, where that is to be shown.
    func time(since start: ContinuousClock.Instant) -> String {
        settings.showsTime ? " (\(Count.seconds(ContinuousClock.now - start)))" : ""
    }
}

/// Where the objects of a session come from.
enum DataSource {
    case file(name: String)
    case object
    /// A table of an SQLite file, or the file while none of its tables is read.
    case table(name: String?, store: OpenedStore)
}
