/// Lines, or rows, that a sieve has kept: one, or several that were looked for and stand one behind the other.
package struct SiftedRun {
    /// Where its text stands among the bytes, without the last line end.
    package fileprivate(set) var text: Range<Int>
    /// How many lines and how many records stand before it.
    fileprivate(set) var linesBefore: Int
    fileprivate(set) var recordsBefore: Int
    /// Whether it was looked for; else it is one record that must be read in full to know.
    package let isMatch: Bool
    /// How many records it is.
    package fileprivate(set) var count = 1
}

/// What a sieve made of some lines.
package struct SiftedLines {
    /// Those that were kept, in order.
    package private(set) var kept: [SiftedRun] = []
    /// Whether matches with nothing but a line feed between them are kept as one.
    private let joinsMatches: Bool
    private(set) var lineCount = 0
    /// How many records there are, and of how many of them it is not known what they are.
    private(set) var recordCount = 0
    private var unknownCount = 0
    /// How much was looked at.
    private(set) var length = 0
    /// What is there to look at, where it begins in the input, and how many records were read before.
    private(set) var bytes: UnsafeBufferPointer<UInt8>
    private let start: Position
    let firstRecord: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Position, firstRecord: Int, joinsMatches: Bool) {
        (self.bytes, self.start, self.firstRecord) = (bytes, start, firstRecord)
        self.joinsMatches = joinsMatches
    }

    /// The lines in two, before anything was made of them. Where they begin in the input is right for the first ones only.
    var halves: (SiftedLines, SiftedLines) {
        let middle = bytes.firstIndex(of: Byte.lineFeed, from: bytes.count / 2).map { $0 + 1 } ?? bytes.count
        var halves = (self, self)
        halves.0.bytes = bytes.slice(0..<middle)
        halves.1.bytes = bytes.slice(middle..<bytes.count)
        return halves
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
        if answer == nil || answer == true && !join(text) { keep(text, isMatch: answer != nil) }
        recordCount += 1
    }

    private mutating func join(_ text: Range<Int>) -> Bool {
        let last = kept.count - 1
        guard joinsMatches, last >= 0, kept[last].isMatch, kept[last].text.upperBound + 1 == text.lowerBound else {
            return false
        }
        kept[last].text = kept[last].text.lowerBound..<text.upperBound
        kept[last].count += 1
        return true
    }

    private mutating func keep(_ text: Range<Int>, isMatch: Bool) {
        kept.append(SiftedRun(text: text, linesBefore: lineCount, recordsBefore: recordCount, isMatch: isMatch))
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
        for var run in other.kept {
            run.text = run.text.lowerBound + length..<run.text.upperBound + length
            run.linesBefore += lineCount
            run.recordsBefore += recordCount
            kept.append(run)
        }
        lineCount += other.lineCount
        recordCount += other.recordCount
        unknownCount += other.unknownCount
        length += other.length
    }
}
