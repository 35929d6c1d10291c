import PredicateJSON

/// Removes the text of lines that begin with a comment mark, but keeps their line ends, so line numbers do not change.
///
/// With the mark `#`, `# made by hand` becomes an empty line. A line inside quotes is not a comment, except in TSV, where a
/// quote may be data, and in JSON. If the format is not known, the first line with delimiters decides. [NSP-492]
final class CommentSource: ByteSource {
    private enum State {
        /// At the beginning of a line, after `matched` bytes of the mark.
        case start(matched: Int)
        case text
        case comment
    }

    private let base: any ByteSource
    private let mark: [UInt8]
    private var hasQuotes: Bool
    /// The number of delimiters in the first line that has some, up to its end; nil if the format is known.
    private var header: (tabs: Int, others: Int)?
    private var state = State.start(matched: 0)
    private var isInQuotes = false
    private var input = [UInt8](repeating: 0, count: 64 << 10)
    private var output: [UInt8] = []
    private var index = 0
    /// True before the first byte, where a byte order mark may precede the first line.
    private var isBeginning = true

    /// Returns a source without the comments of the options.
    static func removing(_ options: RecordOptions, from source: any ByteSource) -> any ByteSource {
        guard let mark = options.comment, !mark.isEmpty else { return source }
        let isPlain = options.hasLazyQuotes || !options.hasQuotes || (options.format ?? .csv) != .csv
        let isKnown = options.format != nil || options.delimiter != nil
        return CommentSource(source, Array(mark.utf8), hasQuotes: !isPlain, header: isKnown ? nil : (0, 0))
    }

    private init(
        _ base: any ByteSource, _ mark: [UInt8], hasQuotes: Bool, header: (tabs: Int, others: Int)?
    ) {
        (self.base, self.mark, self.hasQuotes, self.header) = (base, mark, hasQuotes, header)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        while index == output.count {
            output.removeAll(keepingCapacity: true)
            index = 0
            let count = try base.read(into: &input)
            if count == 0 {
                endLine()
                if output.isEmpty { return 0 }
            }
            take(count)
        }
        let count = min(output.count - index, buffer.count)
        buffer.copyBytes(from: output[index..<index + count])
        index += count
        return count
    }

    var canRestart: Bool { base.canRestart }

    func restart() throws(DataError) {
        try base.restart()
        (state, isInQuotes, output, index, isBeginning) = (.start(matched: 0), false, [], 0, true)
        header = header.map { _ in (0, 0) }
    }

    /// Appends the bytes held back from a line that is only the beginning of the mark.
    private func endLine() {
        if case .start(let matched) = state { output += mark[..<matched] }
        state = .start(matched: 0)
    }

    private func take(_ count: Int) {
        var position = isBeginning ? copyMark(count) : 0
        isBeginning = false
        while position < count {
            switch state {
            case .start(let matched): position = takeStart(position, matched)
            case .text: position = takeText(position, count)
            case .comment:
                position = lineFeed(position, count)
                if position < count { state = .text }
            }
        }
    }

    /// Copies a byte order mark, and returns its length.
    private func copyMark(_ count: Int) -> Int {
        guard count >= 3, input[..<3].elementsEqual([0xEF, 0xBB, 0xBF]) else { return 0 }
        output += input[..<3]
        return 3
    }

    private func takeStart(_ position: Int, _ matched: Int) -> Int {
        guard input[position] == mark[matched] else {
            output += mark[..<matched]
            // In JSON a quote may be escaped by a backslash, and a line end is never within quotes.
            if [Byte.openBrace, Byte.openBracket].contains(input[position]) { hasQuotes = false }
            state = .text
            return position
        }
        state = matched + 1 == mark.count ? .comment : .start(matched: matched + 1)
        return position + 1
    }

    /// Copies text up to the end of the line.
    private func takeText(_ position: Int, _ count: Int) -> Int {
        let end = lineFeed(position, count)
        if hasQuotes {
            for byte in input[position..<end] where byte == Byte.quote { isInQuotes.toggle() }
        }
        output += input[position..<min(end + 1, count)]
        if hasQuotes, let header { see(header, input[position..<end], isWhole: end < count) }
        if end < count, !isInQuotes { state = .start(matched: 0) }
        return end + 1
    }

    /// Counts the delimiters in the first line that has any. If these are only tabs, quotes are data.
    private func see(_ known: (tabs: Int, others: Int), _ text: ArraySlice<UInt8>, isWhole: Bool) {
        let tabs = known.tabs + text.count { $0 == Byte.tab }
        let others = known.others + text.count { [Byte.comma, Byte.semicolon, Byte.bar].contains($0) }
        header = isWhole && tabs + others > 0 ? nil : (tabs, others)
        if isWhole, tabs > 0, others == 0 { (hasQuotes, isInQuotes) = (false, false) }
    }

    private func lineFeed(_ position: Int, _ count: Int) -> Int {
        input.withUnsafeBufferPointer { $0.slice(0..<count).firstIndex(of: Byte.lineFeed, from: position) } ?? count
    }
}
