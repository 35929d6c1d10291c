import PredicateData

/// Where a conversation gets its lines from.
protocol LineSource: AnyObject {
    /// The next line. `prompt` stands before it and `text` in it, where somebody types.
    func next(prompt: String, text: String) throws(CommandFailure) -> LineInput
    /// Keeps what was typed for the sessions to come.
    func remember(_ entry: String)
}

/// What came of asking for a line.
enum LineInput: Equatable {
    case line(String)
    /// Ctrl-C: the line, and the lines before that it goes on from, are forgotten.
    case cancelled
    /// Longer than ``LineEditor/longestLine``: it is forgotten, too.
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

    func next(prompt: String, text: String) throws(CommandFailure) -> LineInput {
        while true {
            if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) { return .line(take(upTo: end)) }
            if isAtEnd { return start < buffer.count ? .line(take(upTo: buffer.count)) : .end }
            try refill()
        }
    }

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
            let count = try piece.withUnsafeMutableBytes { bytes in
                Result { () throws(DataError) in try source.read(into: bytes) }
            }.get()
            isAtEnd = count == 0
            buffer += piece[..<count]
        } catch {
            throw .message("standard input: \(error.message)")
        }
    }
}
