import PredicateData
import PredicateSession

/// A source that calls a function before each read, and counts the bytes for the progress of a file.
final class AnnouncingSource: ByteSource {
    private let base: any ByteSource
    private let willRead: () throws(DataError) -> Void
    private let didRead: (Int) -> Void
    private var count = 0

    init(
        _ base: any ByteSource, willRead: @escaping () throws(DataError) -> Void, didRead: @escaping (Int) -> Void
    ) {
        (self.base, self.willRead, self.didRead) = (base, willRead, didRead)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        try willRead()
        let length = try base.read(into: buffer)
        count += length
        didRead(count)
        return length
    }

    var canRestart: Bool { base.canRestart }

    func restart() throws(DataError) {
        try base.restart()
        count = 0
    }
}

/// The progress of reading files, on standard error if it is a terminal and nothing else is written on the terminal.
struct ReadingProgress {
    private let line: ProgressLine?

    /// `writesAtEnd` is true if output is written only after the last file.
    init(_ console: Console, writesAtEnd: Bool) {
        let terminal = console.terminal
        let isShown = terminal.isErrorTerminal && (writesAtEnd || !terminal.isOutputTerminal)
        line = isShown ? ProgressLine(columns: { terminal.size.columns }, write: console.reportPiece) : nil
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
