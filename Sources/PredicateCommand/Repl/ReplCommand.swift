import PredicateSession

/// The options of `predicate repl`.
enum ReplOption: RecordReadingOption {
    case format
    case types
    case path
    case delimiter
    case decimal
    case dayFirst
    case monthFirst
    case skip
    case encoding
    case color

    var declaration: OptionDeclaration {
        switch self {
        case .format: FilterOption.format.declaration
        case .types: FilterOption.types.declaration
        case .path: FilterOption.path.declaration
        case .delimiter: FilterOption.delimiter.declaration
        case .decimal: FilterOption.decimal.declaration
        case .dayFirst: FilterOption.dayFirst.declaration
        case .monthFirst: FilterOption.monthFirst.declaration
        case .skip: FilterOption.skip.declaration
        case .encoding: FilterOption.encoding.declaration
        case .color:
            .init(
                "color", value: .required("WHEN"),
                help: "Colour the output: auto (on a terminal, unless NO_COLOR is set), always or never")
        }
    }
}

/// `predicate repl people.json`: an interactive session.
struct ReplCommand {
    private static let prompt = "predicate> "
    private static let continuation = "      ...> "

    private let file: String?
    private let records: RecordWords
    private let colour: ColourChoice

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<ReplOption>(words, .repl)
        guard reader.positionals.count < 2 else { throw .usage(UsageError("expected one file at most", in: .repl)) }
        file = reader.positionals.first
        records = try RecordWords(reader, in: .repl)
        colour = try ColourChoice(reader.value(of: .color), in: .repl)
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
        session.recall(history?.entries ?? [])
        let marksPaste = console.terminal.isOutputTerminal && console.terminal.environment["TERM"] != "dumb"
        let editor = LineEditor(history: history, marksPaste: marksPaste) { line in
            session.completion(of: line, files: FileAccess.names(startingWith:))
        }
        try greet(console, isFirst: history?.isNew ?? false)
        if let file { try show(records.load(file, into: session), console, mayPage: false) }
        return try converse(session, editor, console)
    }

    private func greet(_ console: Console, isFirst: Bool) throws(CommandFailure) {
        try console.write("predicate \(CommandLineTool.version), :help for help\n")
        if isFirst { try console.write(Session.greeting + "\n") }
    }

    private func converse(
        _ session: Session, _ lines: some LineSource, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        var entries = EntryBuilder(isRead: session.canRead)
        while true {
            let input = try lines.next(prompt: entries.isOpen ? Self.continuation : Self.prompt)
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
                    session.settings.width = console.terminal.size.columns
                    let reply = session.reply(to: entry)
                    if reply.quits { return .success }
                    // The terminal has echoed ^C at the cursor.
                    if Interruption.isRequested { try console.write("\n") }
                    let isLast = !lines.hasInput && !entries.isOpen
                    try show(reply, console, mayPage: isLast)
                }
            }
        }
    }

    /// Shows a reply; a pager takes the keys of the terminal, which are the session's if some are waiting.
    private func show(_ reply: Reply, _ console: Console, mayPage: Bool) throws(CommandFailure) {
        guard !reply.text.isEmpty else { return }
        let pager = Pager(terminal: console.terminal)
        if mayPage, pager.isNeeded(for: reply.text), pager.show(reply.text) { return }
        try console.write(reply.text + "\n")
    }
}

// MARK: - From a file or a pipe

extension ReplCommand {
    /// Replies to every line; errors go to standard error with the line number, and make the status 2.
    private func readLines(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let session = makeSession(console, showsTime: false) { false }
        var status = ExitStatus.success
        if let file { status = try write(records.load(file, into: session), line: nil, console) }
        let lines = StreamLines(console.input)
        var entries = EntryBuilder(isRead: session.canRead)
        var number = 0
        var start = 1
        while case .line(let line) = try lines.next(prompt: "") {
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
            width: console.terminal.size.columns, isColoured: console.terminal.isColoured(colour), showsTime: showsTime)
        return Session(settings: settings, environment: FileAccess.environment(console, isCancelled: isCancelled))
    }
}
