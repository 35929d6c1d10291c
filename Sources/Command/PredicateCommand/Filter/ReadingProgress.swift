import PredicateData
import PredicateSession

/// Shows the progress of reading files on standard error, if that is a terminal to which nothing else is written.
struct ReadingProgress {
    private let line: ProgressLine?

    /// `writesAtEnd` is true if output is written only after the last file.
    init(_ console: Console, writesAtEnd: Bool) {
        let terminal = console.terminal
        let isShown = terminal.isErrorTerminal && (writesAtEnd || !terminal.isOutputTerminal)
        line = isShown ? ProgressLine(columns: { terminal.columns }, write: console.reportPiece) : nil
    }

    /// Shows how much of a file was read, and the number of matches so far.
    func show(_ file: String, bytes: Int, matches: Int) {
        line?.show(
            TaskProgress(
                task: "reading \(file.displayName)", done: bytes, total: FileAccess.size(of: file), objects: matches,
                noun: "matching record"))
    }

    func finish() { line?.finish() }
}
