import PredicateEvaluation
import PredicateSession

extension Subcommand {
    static let repl = Subcommand(
        "repl", "Start an interactive session", usage: ["predicate repl [OPTION...] [FILE]", "predicate [FILE]"],
        options: [OptionGroup.records, [.zone, .color]],
        help: [
            .paragraph(
                "Start an interactive session: a predicate shows which objects match, an expression shows its"
                    + " values, and commands such as :explain and :check show why. On a terminal, lines can be edited and"
                    + " recalled; otherwise they are read from standard input, and any error makes the exit status 2."
                    + " A file of more than 10,000 records, or of more than 1 MiB, and a table of more than 10,000 rows are not"
                    + " held in memory but read for each question."),
            .options, .exitStatus([("0", "success"), ("2", "a line from standard input had an error")]),
            .examples(["predicate repl people.json", "echo 'age > 21' | predicate repl people.json"]),
        ]
    ) { (reader, console) throws(CommandFailure) in try ReplCommand(reader).run(console) }
}

/// `predicate repl people.json`: an interactive session.
struct ReplCommand {
    private static let prompt = "predicate> "
    private static let continuation = "      ...> "

    private let file: String?
    private let records: RecordReadingOptions
    private let colour: ColourChoice
    private let context: PredicateContext

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard reader.operands.count < 2 else { throw reader.failure("expected one file at most") }
        file = reader.operands.first
        records = try RecordReadingOptions(reader)
        colour = try ColourChoice(reader)
        context = reader.context
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        console.terminal.isInputTerminal ? try talk(console) : try readLines(console)
    }
}

// MARK: - On a terminal

extension ReplCommand {
    private func talk(_ console: Console) throws(CommandFailure) -> ExitStatus {
        Interruption.install()
        let session = makeSession(console, showsTime: true) { Interruption.isRequested }
        session.settings.wrapsLines = true
        let history = HistoryFile(console.terminal.environment)
        let marksPaste = console.terminal.isOutputTerminal && console.terminal.environment["TERM"] != "dumb"
        let editor = LineEditor(history: history, marksPaste: marksPaste) { line in
            session.completion(of: line, files: FileAccess.names(startingWith:))
        }
        try console.write("predicate \(CommandLineTool.version), :help for help\n")
        if history?.isNew ?? false { try console.write(Session.greeting + "\n") }
        if let file { try show(records.load(file, into: session), console) }
        return try converse(session, editor, console)
    }

    private func converse(
        _ session: Session, _ lines: LineEditor, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        var entries = EntryBuilder(isRead: session.canRead)
        while true {
            let input = lines.next(prompt: entries.isOpen ? Self.continuation : Self.prompt)
            switch input {
            case .end: return .success
            case .cancelled: entries.clear()
            case .tooLong:
                entries.clear()
                try console.write(
                    "error: a typed line can have at most \(LineEditor.longestLine) bytes\n"
                        + "hint: write it to a file, and run predicate repl < FILE\n")
            case .line(let line):
                for entry in entries.add(line) {
                    lines.remember(entry)
                    session.settings.width = console.terminal.columns
                    let reply = session.reply(to: entry)
                    if reply.quits { return .success }
                    // The terminal has echoed ^C at the cursor.
                    if Interruption.isRequested { try console.write("\n") }
                    try show(reply, console)
                }
            }
        }
    }

    private func show(_ reply: Reply, _ console: Console) throws(CommandFailure) {
        if !reply.text.isEmpty { try console.write(reply.text + "\n") }
    }
}

// MARK: - From a file or a pipe

extension ReplCommand {
    /// Replies to every line. Errors are written to standard error with the line number, and the exit status is 2.
    private func readLines(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let session = makeSession(console, showsTime: false) { false }
        var status = ExitStatus.success
        if let file { status = try write(records.load(file, into: session), line: nil, console) }
        let lines = StreamLines(console.input)
        var entries = EntryBuilder(isRead: session.canRead)
        var number = 0
        var start = 1
        while let line = try lines.next() {
            number += 1
            if !entries.isOpen { start = number }
            for entry in entries.add(line) {
                let reply = session.reply(to: entry)
                if reply.quits { return status }
                if try write(reply, line: start, console) != .success { status = .failure }
                start += entry.count { $0 == "\n" } + 1
            }
        }
        for entry in entries.finish() {
            if try write(session.reply(to: entry), line: start, console) != .success { status = .failure }
        }
        return status
    }

    private func write(_ reply: Reply, line: Int?, _ console: Console) throws(CommandFailure) -> ExitStatus {
        if reply.isError {
            console.report(line.map { "line \($0): \(reply.text)" } ?? reply.text)
            return .failure
        }
        if !reply.text.isEmpty { try console.write(reply.text + "\n") }
        return .success
    }

    private func makeSession(
        _ console: Console, showsTime: Bool, isCancelled: @escaping @Sendable () -> Bool
    ) -> Session {
        let settings = SessionSettings(
            width: console.terminal.columns, isColoured: console.terminal.isColoured(colour), showsTime: showsTime)
        let environment = FileAccess.environment(console, isCancelled: isCancelled)
        return Session(settings: settings, environment: environment, context: context)
    }
}
