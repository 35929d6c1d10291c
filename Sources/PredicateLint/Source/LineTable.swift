/// A place in a source: line and column, both from 1; the column counts bytes of UTF-8, as Swift's and C's compilers do.
package struct SourcePlace: Hashable, Sendable {
    package var line: Int
    package var column: Int
}

/// The beginnings of the lines of a source. A line ends at LF, at CR LF or at a CR alone.
package struct LineTable: Sendable {
    private let starts: [Int]
    private let end: Int

    package init(_ source: [UInt8]) {
        self = source.withUnsafeBufferPointer { LineTable(Bytes($0)) }
    }

    init(_ bytes: Bytes) {
        var starts = [0]
        var offset = 0
        while offset < bytes.count {
            let byte = bytes.buffer[offset]
            offset += 1
            guard byte.isNewline else { continue }
            if byte == 0x0D, bytes[offset] == 0x0A { offset += 1 }
            starts.append(offset)
        }
        self.starts = starts
        end = bytes.count
    }

    /// The place of an offset.
    package func place(of offset: Int) -> SourcePlace {
        let line = index(of: offset)
        return SourcePlace(line: line + 1, column: offset - starts[line] + 1)
    }

    /// The offset at which a line begins; nil for a line that there is not.
    package func start(ofLine line: Int) -> Int? {
        line >= 1 && line <= starts.count ? starts[line - 1] : nil
    }

    /// The offsets of a line, its line break included.
    package func range(ofLine line: Int) -> Range<Int> {
        guard let start = start(ofLine: line) else { return end..<end }
        return start..<(self.start(ofLine: line + 1) ?? max(end, start))
    }

    /// The number of lines that are not empty at the end of a source of so many bytes.
    func count(_ bytes: Int) -> Int { starts.last == bytes && starts.count > 1 ? starts.count - 1 : starts.count }

    /// The index of the line that holds an offset, by binary search.
    private func index(of offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }
}
