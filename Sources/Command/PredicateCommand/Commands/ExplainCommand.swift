import PredicateEvaluation
import PredicateSession
import PredicateSyntax

extension Subcommand {
    static let explain = Subcommand(
        "explain", "Count the matches of each clause of a predicate",
        usage: ["predicate explain [OPTION...] FORMAT FILE"], operands: [.predicate, .files],
        options: [[ExplainCommand.object, .table, .argument, .variable], OptionGroup.records, [.zone, .color]],
        help: [
            .paragraph(
                "For each clause of a predicate, count the objects for which it holds by itself (alone), the objects"
                    + " that reach it because no earlier clause has decided the result (reached), and how many of these"
                    + " pass it (passed). This shows which clause excludes everything."),
            .options,
            .exitStatus([("0", "success"), ("2", "an error, even if only some objects could not be read")]),
            .examples([
                "predicate explain 'age > 21 AND name BEGINSWITH \"jo\"' people.json",
                "predicate explain --object 3 'ANY tags == \"new\"' people.jsonl",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try ExplainCommand(reader).run(console) }
}

/// `predicate explain 'age > 21 AND name BEGINSWITH "jo"' people.json`: counts the matches of each clause.
struct ExplainCommand {
    private let format: String
    private let file: String
    private let object: Int?
    private let table: String?
    private let words: [String]
    private let context: PredicateContext
    private let records: RecordReadingOptions
    private let colour: ColourChoice

    static let object = CommandOption(
        "object", "n", value: "N", help: "Also show the values of object N, counted from 1")

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard reader.operands.count == 2 else { throw Self.wrongOperands(reader) }
        (format, file) = (reader.operands[0], reader.operands[1])
        object = try Self.number(reader)
        table = reader.value(of: .table)
        words = reader.values(of: .argument)
        var context = reader.context
        try context.setVariables(reader)
        self.context = context
        records = try RecordReadingOptions(reader)
        colour = try ColourChoice(reader)
    }

    private static func wrongOperands(_ reader: ArgumentReader) -> CommandFailure {
        guard let word = reader.operands.first else { return reader.failure("expected a format and a file") }
        if reader.operands.count > 2 {
            return reader.failure("expected one file, found '\(reader.operands[2])' too")
        }
        if FileAccess.size(of: word) != nil {
            return reader.failure(
                "expected a format before the file '\(word)'", hints: ["predicate explain 'age > 21' \(word)"])
        }
        return reader.failure("expected a file after the format", hints: ["a hyphen as the file is standard input"])
    }

    private static func number(_ reader: ArgumentReader) throws(CommandFailure) -> Int? {
        guard let word = reader.value(of: object) else { return nil }
        if let number = Int(word), number > 0 { return number }
        throw reader.failure("--object takes a number above 0, found '\(word)'")
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let session = try LoadedSession.make(
            for: format, file: file, table: table, records, context, object: object ?? 0, colour, console)
        let explanation: Session.Explanation
        do throws(SessionError) {
            explanation = try session.explanation(of: format, words: words, object: object)
        } catch {
            console.report(error.text)
            return .failure
        }
        try console.write(explanation.text + "\n")
        let isWhole = LoadedSession.reportRest(of: session, file, console)
        return session.loadProblems.isEmpty && explanation.failures == 0 && isWhole ? .success : .failure
    }
}

/// A session that is used for a single query about one file.
enum LoadedSession {
    /// Returns a session with the objects of a file or a table. Reports the notes about columns that occur in the format.
    static func make(
        for format: String, file: String?, table: String?, _ records: RecordReadingOptions,
        _ context: PredicateContext, object: Int = 0, _ colour: ColourChoice, _ console: Console
    ) throws(CommandFailure) -> Session {
        let terminal = console.terminal
        var words = SessionSettings(
            width: terminal.isOutputTerminal ? terminal.size.columns : 120,
            isColoured: terminal.isColoured(colour), showsTime: false)
        words.namesOptions = true
        let session = Session(settings: words, environment: FileAccess.environment(console), context: context)
        guard let file else { return session }
        let predicate = predicate(format)
        let reply = try records.load(
            file, into: session, keys: predicate.flatMap { RecordPaths.roots(of: $0.node) },
            dated: TextReadings.datedKeys(of: predicate.map { [.predicate($0.node)] } ?? []),
            limit: max(heldObjects, object))
        guard !reply.isError else {
            console.report(reply.text)
            throw .reported
        }
        for problem in session.loadProblems + session.notes(about: format) { console.report(problem) }
        try choose(table, of: file, session, console)
        return session
    }

    /// The maximum number of objects in memory: the checks examine a sample, and later objects are only counted.
    private static let heldObjects = 32 << 10

    /// Reports records that could not be read when they were counted; returns true if there are none.
    static func reportRest(of session: Session, _ file: String, _ console: Console) -> Bool {
        guard let rest = session.rest, let error = rest.firstError else { return true }
        console.report(RecordProblems.text(error, in: file))
        if rest.unreadable > 1 { console.report("error: \(rest.unreadable) records could not be read") }
        return false
    }

    /// Returns the predicate of a format whose arguments do not matter; nil for a format with keys as arguments, or that is
    /// invalid.
    private static func predicate(_ format: String) -> FormatPredicate? {
        let kinds = FormatPredicate.specifiers(in: format).map(\.kind)
        guard !kinds.contains(.keyPath),
            let arguments = try? ValueWord.arguments(kinds.map(\.placeholder), for: format, in: nil)
        else { return nil }
        return try? FormatPredicate(format: format, arguments: arguments)
    }

    /// Reads the chosen table. The only table of a file is already read.
    private static func choose(
        _ table: String?, of file: String, _ session: Session, _ console: Console
    ) throws(CommandFailure) {
        let names = session.tableNames
        guard let table else {
            guard names.count > 1, session.tableName == nil else { return }
            throw .message(
                "\(file): there is more than one table",
                hints: ["--table NAME chooses one of \(names.joined(separator: ", "))"])
        }
        guard !names.isEmpty else { throw .message("\(file): only a SQLite file has tables") }
        let reply = session.reply(to: ":table \(table)")
        guard reply.isError else { return }
        console.report(reply.text)
        throw .reported
    }
}
