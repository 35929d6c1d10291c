/// A run of lines or rows that a sieve has kept: one, or several adjacent matches.
package struct SiftedRun {
    /// The range of its text, without the last line end.
    package fileprivate(set) var text: Range<Int>
    /// The number of lines and of records before it.
    fileprivate(set) var linesBefore: Int
    fileprivate(set) var recordsBefore: Int
    /// True for matches; false for a single record that must be read in full.
    package let isMatch: Bool
    /// The number of records.
    package fileprivate(set) var count = 1
}

/// The result of sifting some lines.
package struct SiftedLines {
    /// The runs that were kept, in order.
    package private(set) var kept: [SiftedRun] = []
    /// True if adjacent matches are kept as one run.
    private let joinsMatches: Bool
    private(set) var lineCount = 0
    /// The number of records, and of those among them that must be read in full.
    private(set) var recordCount = 0
    private var unknownCount = 0
    /// The number of bytes that were sifted.
    private(set) var length = 0
    /// The bytes to sift, their position in the input, and the number of records read before.
    private(set) var bytes: UnsafeBufferPointer<UInt8>
    private let start: Position
    let firstRecord: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Position, firstRecord: Int, joinsMatches: Bool) {
        (self.bytes, self.start, self.firstRecord) = (bytes, start, firstRecord)
        self.joinsMatches = joinsMatches
    }

    /// The two halves of the lines, before sifting. Their position is right for the first half only.
    var halves: (SiftedLines, SiftedLines) {
        let middle = bytes.firstIndex(of: Byte.lineFeed, from: bytes.count / 2).map { $0 + 1 } ?? bytes.count
        var halves = (self, self)
        halves.0.bytes = bytes.slice(0..<middle)
        halves.1.bytes = bytes.slice(middle..<bytes.count)
        return halves
    }

    /// The number of records that were understood.
    package var knownCount: Int { recordCount - unknownCount }

    /// Returns a position in the input, by bytes and lines after the first.
    func position(at offset: Int, line: Int) -> Position {
        Position(offset: start.offset + offset, line: start.line + line, column: 1)
    }

    /// Notes a record, which is kept unless its result is false; nil means that it must be read in full.
    @inline(__always)
    mutating func note(_ text: Range<Int>, _ result: Bool?) {
        if result == nil || result == true && !join(text) { keep(text, isMatch: result != nil) }
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

    /// Advances over a record that ends at `end` and spans some lines.
    @inline(__always)
    mutating func advance(to end: Int, lines: Int) {
        length = end
        lineCount += lines
    }

    /// Appends the result for the bytes directly after these, all of which were sifted.
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
