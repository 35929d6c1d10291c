import PredicateData

/// The source of a session's lines.
protocol LineSource: AnyObject {
    /// Returns the next line. A terminal shows `prompt` before it.
    func next(prompt: String) throws(CommandFailure) -> LineInput
    /// True if the next line has been typed already, or begun.
    var hasInput: Bool { get }
    /// Adds an entry to the history.
    func remember(_ entry: String)
}

/// The result of reading a line.
enum LineInput: Equatable {
    case line(String)
    /// Ctrl-C: the entry is discarded.
    case cancelled
    /// Longer than ``LineEditor/longestLine``: the entry is discarded.
    case tooLong
    /// Ctrl-D, or the end of the input.
    case end
}

/// Lines of a file or a pipe.
final class StreamLines: LineSource {
    private let source: any ByteSource
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(_ source: any ByteSource) {
        self.source = source
    }

    func next(prompt: String) throws(CommandFailure) -> LineInput {
        while true {
            if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) { return .line(take(upTo: end)) }
            if isAtEnd { return start < buffer.count ? .line(take(upTo: buffer.count)) : .end }
            try refill()
        }
    }

    var hasInput: Bool { start < buffer.count || !isAtEnd }

    func remember(_ entry: String) {}

    private func take(upTo end: Int) -> String {
        var line = buffer[start..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        start = min(end + 1, buffer.count)
        return String(decoding: line, as: UTF8.self)
    }

    private func refill() throws(CommandFailure) {
        buffer.removeFirst(start)
        start = 0
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        do throws(DataError) {
            let count = try source.read(into: &piece)
            isAtEnd = count == 0
            buffer += piece[..<count]
        } catch {
            throw .message("standard input: \(error.message)")
        }
    }
}
