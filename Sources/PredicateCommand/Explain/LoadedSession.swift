import PredicateSession

/// A session for a single query about one file.
enum LoadedSession {
    /// Returns a session with the objects of a file or of a table in it, and with the variables of `--set`; reports what is
    /// noted about the columns in the format.
    static func make(
        for format: String, file: String?, table: String?, _ records: RecordWords, settings: [String],
        _ colour: ColourChoice,
        _ console: Console
    ) throws(CommandFailure) -> Session {
        let terminal = console.terminal
        var words = SessionSettings(
            width: terminal.isOutputTerminal ? terminal.size.columns : 120,
            isColoured: terminal.isColoured(colour), showsTime: false)
        words.namesOptions = true
        let session = Session(settings: words, environment: FileAccess.environment(console))
        for setting in settings {
            let (name, value) = try ArgumentValue.variable(setting)
            session.set(name, value)
        }
        guard let file else { return session }
        let reply = try records.load(file, into: session)
        guard !reply.isError else {
            console.report(reply.text)
            throw .reported
        }
        for problem in session.loadProblems + session.notes(about: format) { console.report(problem) }
        try choose(table, of: file, session, console)
        return session
    }

    /// Reads the chosen table; the only table is read already.
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
