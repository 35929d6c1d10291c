import PredicateEvaluation
import PredicateSession

/// A question about one file or table, which a session answers.
struct FileQuestion {
    private let file: String?
    private let table: String?
    private let context: PredicateContext
    private let records: RecordReadingOptions
    private let colour: ColourChoice

    /// `file` is nil for a question without objects.
    init(_ reader: ArgumentReader, _ file: String?) throws(CommandFailure) {
        var context = reader.context
        try context.setVariables(reader)
        (self.file, table, self.context) = (file, reader.value(of: .table), context)
        records = try RecordReadingOptions(reader)
        colour = try ColourChoice(reader)
    }

    /// Throws if the file comes before the format, or in place of it: `predicate check people.csv`
    static func checkFormat(_ reader: ArgumentReader) throws(CommandFailure) {
        guard let word = reader.operands.first, FileAccess.size(of: word) != nil, !CommandLineTool.isPredicate(word)
        else { return }
        let format = reader.operands.dropFirst().first ?? "age > 21"
        throw reader.failure(
            "expected a format before the file '\(word)'",
            hints: ["predicate \(reader.command.name) '\(format)' \(word)"])
    }

    /// Writes the answer and returns its status or, after an error such as a record that could not be read, the status of the
    /// error. Reports notes about columns that occur in the format.
    func ask(
        for format: String, _ console: Console,
        _ answer: (Session) throws(SessionError) -> (text: String, status: ExitStatus)
    ) throws(CommandFailure) -> ExitStatus {
        let session = try session(for: format, console)
        let (text, status): (String, ExitStatus)
        do throws(SessionError) {
            (text, status) = try answer(session)
        } catch {
            console.report(error.text)
            return .failure
        }
        try console.write(text)
        guard let (count, error) = session.unread else { return session.loadProblems.isEmpty ? status : .failure }
        console.report(RecordProblems.text(error, in: file ?? "-"))
        if count > 1 { console.report("error: \(count) records could not be read") }
        return .failure
    }

    /// Returns a session with the objects of the file or the table.
    private func session(for format: String, _ console: Console) throws(CommandFailure) -> Session {
        let terminal = console.terminal
        var words = SessionSettings(
            width: terminal.isOutputTerminal ? terminal.columns : 120,
            isColoured: terminal.isColoured(colour), showsTime: false)
        words.namesOptions = true
        let session = Session(settings: words, environment: FileAccess.environment(console), context: context)
        guard let file else { return session }
        let reply = try records.load(file, into: session)
        guard !reply.isError else {
            console.report(reply.text)
            throw .reported
        }
        for problem in session.loadProblems + session.notes(about: format) { console.report(problem) }
        try choose(file, session, console)
        return session
    }

    /// Reads the chosen table. The only table of a file is already read.
    private func choose(_ file: String, _ session: Session, _ console: Console) throws(CommandFailure) {
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
