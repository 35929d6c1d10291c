/// A line, or a row, that a sieve has kept.
package struct SiftedLine {
    /// Where its text stands among the bytes, without the line end.
    package fileprivate(set) var text: Range<Int>
    /// How many lines and how many records stand before it.
    fileprivate(set) var linesBefore: Int
    fileprivate(set) var recordsBefore: Int
    /// Whether it is one of those that were looked for; else it must be read in full to know.
    package let isMatch: Bool
}

/// What a sieve made of some lines.
package struct SiftedLines {
    /// Those that were kept, in order.
    package private(set) var kept: [SiftedLine] = []
    private(set) var lineCount = 0
    /// How many records there are, and of how many of them it is not known what they are.
    private(set) var recordCount = 0
    private var unknownCount = 0
    /// How much was looked at.
    private(set) var length = 0
    /// What is there to look at, where it begins in the input, and how many records were read before.
    private(set) var bytes: UnsafeBufferPointer<UInt8>
    let start: Position
    let firstRecord: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Position, firstRecord: Int) {
        (self.bytes, self.start, self.firstRecord) = (bytes, start, firstRecord)
    }

    /// How many records were understood.
    package var knownCount: Int { recordCount - unknownCount }

    /// A place in the input, so many bytes and lines behind the first.
    func place(at offset: Int, line: Int) -> Position {
        Position(offset: start.offset + offset, line: start.line + line, column: 1)
    }

    /// Takes note of a record up to a line feed, which is kept unless the answer is no; nil says that it is not known.
    @inline(__always)
    mutating func note(_ text: Range<Int>, _ answer: Bool?) {
        if answer != false { keep(text, isMatch: answer != nil) }
        recordCount += 1
    }

    private mutating func keep(_ text: Range<Int>, isMatch: Bool) {
        kept.append(SiftedLine(text: text, linesBefore: lineCount, recordsBefore: recordCount, isMatch: isMatch))
        if !isMatch { unknownCount += 1 }
    }

    /// Goes on behind a line feed, with which so many lines end.
    @inline(__always)
    mutating func advance(to end: Int, lines: Int) {
        length = end
        lineCount += lines
    }

    /// Adds what was made of the bytes right behind these, all of which were looked at.
    mutating func append(_ other: SiftedLines) {
        bytes = UnsafeBufferPointer(start: bytes.baseAddress, count: bytes.count + other.bytes.count)
        kept.reserveCapacity(kept.count + other.kept.count)
        for var line in other.kept {
            line.text = line.text.lowerBound + length..<line.text.upperBound + length
            line.linesBefore += lineCount
            line.recordsBefore += recordCount
            kept.append(line)
        }
        lineCount += other.lineCount
        recordCount += other.recordCount
        unknownCount += other.unknownCount
        length += other.length
    }
}
