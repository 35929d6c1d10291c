import PredicateSession

/// A session for one question about one file.
enum LoadedSession {
    /// The session with the objects of a file, where there is one, and the variables of `--set`.
    static func make(
        file: String?, settings: [String], _ colour: ColourChoice, _ console: Console
    ) throws(CommandFailure) -> Session {
        let terminal = console.terminal
        let session = Session(
            settings: SessionSettings(
                width: terminal.isOutputTerminal ? terminal.size.columns : 120,
                isColoured: terminal.isColoured(colour), showsTime: false),
            environment: FileAccess.environment(console))
        for setting in settings {
            let (name, value) = try ArgumentValue.variable(setting)
            session.set(name, value)
        }
        guard let file else { return session }
        let reply = session.load(file: file)
        guard !reply.isError else {
            console.report(reply.text)
            throw .reported
        }
        for problem in session.loadProblems { console.report(problem) }
        return session
    }
}
