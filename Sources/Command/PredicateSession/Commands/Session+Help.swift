/// Help: the list of commands, one command, or a topic of the language.
extension Session {
    /// `:help`, `:help explain`, `:help strings`
    func help(_ rest: String) throws(SessionError) -> String {
        guard !rest.isEmpty else { return helpOverview }
        if let topic = LanguageTopic.named(rest) { return topic.text(width: settings.width) }
        let command = try SessionCommandLine(rest.hasPrefix(":") ? rest : ":" + rest).command
        return "\(command.usage)\n\(command.summary).\nexample: \(command.example)"
    }

    private var helpOverview: String {
        let intro = """
            A line that does not begin with a colon is a predicate or an expression:
              age > 21 AND name BEGINSWITH[c] "j"
              length:(name) + 1
            A predicate shows which objects match, an expression its value for each object. A line continues on the \
            next one while a bracket or a quote is open, and after an operator. Tab completes words, Ctrl-R searches \
            the history, Ctrl-C cancels the line. A command applies to the last predicate, or to the FORMAT after it, \
            which then becomes the last one. :help language explains predicates.
            """
        let head = intro.split(separator: "\n").flatMap { line in
            line.first == " " ? [String(line)] : Paragraph.lines(of: String(line), width: settings.width)
        }
        return (head + [""] + SessionCommand.allCases.flatMap(helpLines)).joined(separator: "\n")
    }

    /// Returns the help for a command: its usage, followed by the summary and an example or, on a narrow terminal, above them.
    private func helpLines(_ command: SessionCommand) -> [String] {
        let column = (SessionCommand.allCases.map { $0.usage.count }.max() ?? 0) + 2
        let isNarrow = settings.width < column + (SessionCommand.allCases.map { $0.example.count }.max() ?? 0)
        let indent = String(repeating: " ", count: isNarrow ? 4 : column)
        let lines =
            Paragraph.lines(of: command.summary, width: settings.width - indent.count)
            + [painter.paint(command.example, .faint)]
        let usage = painter.paint(command.usage, .heading)
        if isNarrow { return [usage] + lines.map { indent + $0 } }
        let space = String(repeating: " ", count: column - command.usage.count)
        return [usage + space + lines[0]] + lines.dropFirst().map { indent + $0 }
    }
}
