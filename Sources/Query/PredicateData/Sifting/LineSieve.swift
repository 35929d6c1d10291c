import Dispatch
import PredicateJSON
import PredicateSyntax

/// Reads the lines of one format into slots.
protocol SiftingScanner {
    /// Returns the line feed of the record at a pointer; nil if the record needs the full reader. Sets `holdsLineEnds` to
    /// true for a record that may span several lines, and to false for any other.
    mutating func line(_ start: UnsafePointer<UInt8>, _ holdsLineEnds: inout Bool) -> UnsafePointer<UInt8>?
    /// Returns the line feed of a record that needs the full reader; nil if it is not in memory.
    func lineFeed(after start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>?
    /// Returns true if a line is not a record.
    func isSkipped(_ text: UnsafeBufferPointer<UInt8>) -> Bool
}

/// One of the two halves into which many lines are divided for two cores.
package enum SiftedHalf {
    case first, second
}

/// The place of a line among the sifted lines: its half, and the numbers of earlier records and of kept runs in that half.
package struct SiftedPlace {
    package let half: SiftedHalf
    package let keptBefore: Int
    package let recordsBefore: Int
}

/// Decides about a line from its slots: true to keep it, false to leave it out, nil if it must be read in full.
package typealias LineTest = @Sendable (_ slots: UnsafePointer<FlatValue>, SiftedPlace) -> Bool?

/// Finds matching lines of JSON and rows of CSV and TSV without creating their values.
///
/// `{"name": "jo", "age": 21}` with the path `age` fills one slot with 21.
///
/// The result for a record is the same as with ``RecordReader`` and an evaluator, or unknown for invalid records and
/// rare constructs.
package final class LineSieve {
    private enum Sought {
        case keys(SoughtKeys)
        case columns(SoughtColumns)
        /// The line itself.
        case line

        var keys: SoughtKeys? {
            switch self {
            case .keys(let keys): keys
            case .columns(let columns): columns.keys
            case .line: nil
            }
        }
    }

    private let sought: Sought
    private let memory: SieveMemory
    private let limit: Int
    /// The bytes that every match contains, for lines of text.
    private let required: RequiredBytes?
    /// A sieve for the second half of many lines, which another core may process.
    let secondSieve: LineSieve?
    /// The half of the lines that this sieve processes.
    private let half: SiftedHalf

    private init(
        _ sought: Sought, _ slotCount: Int, _ options: RecordOptions, required: RequiredBytes? = nil,
        _ half: SiftedHalf = .first, isShared: Bool
    ) {
        self.sought = sought
        self.required = required
        self.half = half
        secondSieve =
            isShared
            ? LineSieve(sought, slotCount, options, required: required, .second, isShared: false) : nil
        memory = SieveMemory(slotCount: slotCount, objectCount: sought.keys?.objectCount ?? 0)
        limit = options.maximumRecordLength
    }

    /// Creates a sieve for JSON Lines that fills a slot for each key path; nil if the options require more than that. If there
    /// are many lines, two cores share them, unless `isShared` is false. A line is read in full if it has a key at a path whose
    /// index is in `refused`.
    package convenience init?(
        _ paths: [[String]], options: RecordOptions, isShared: Bool = true, refused: Set<Int> = []
    ) {
        guard options.recordsPath == nil, let keys = SoughtKeys(paths, options, refused: refused) else { return nil }
        self.init(.keys(keys), paths.count, options, isShared: isShared)
    }

    /// Creates a sieve for rows under a header. Two cores share many rows without quotes, unless `isShared` is false.
    package convenience init?(
        _ paths: [[String]], options: RecordOptions, header: RecordHeader, isShared: Bool = true
    ) {
        guard let keys = SoughtKeys(paths, options) else { return nil }
        let columns = SoughtColumns(header, keys, skipsEmptyRows: options.comment != nil)
        self.init(.columns(columns), paths.count, options, isShared: isShared)
    }

    /// Creates a sieve for lines of text, which fills one slot with each line. Only lines that contain the required bytes can
    /// match.
    fileprivate convenience init(linesOf options: RecordOptions, required: RequiredBytes?) {
        self.init(.line, 1, options, required: required, isShared: true)
    }

    /// Returns where the second half of some lines begins; nil if a line feed there may be in quotes.
    func middle(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let lineFeed = bytes.firstIndex(of: Byte.lineFeed, from: bytes.count / 2) else { return nil }
        guard case .columns(let columns) = sought, columns.dialect.isQuoted else { return lineFeed + 1 }
        return bytes.slice(0..<lineFeed).firstIndex(of: Byte.quote, from: 0) == nil ? lineFeed + 1 : nil
    }

    /// Returns whether some line of JSON had a key path, and whether one had a dictionary that could have contained
    /// it; nil for a path that is not needed.
    package func presence(of path: [String]) -> (isPresent: Bool, hadHolder: Bool)? {
        guard let keys = sought.keys, let key = keys.key(at: path) else { return nil }
        var bits = memory.presence.pointee
        if let other = secondSieve?.memory.presence.pointee { bits.formUnion(other) }
        let holder = keys.key(at: Array(path.dropLast()))
        return (bits.isPresent(key.number), holder.map { bits.isObject($0.number) } ?? true)
    }

    /// Sifts lines that end with line feeds. A line is kept if `matches` returns true for its slots, or nil if the line must be
    /// read in full. Reads up to ``ByteWindow/margin`` bytes after the lines.
    func sift(_ sifted: inout SiftedLines, _ matches: LineTest) {
        guard let start = sifted.bytes.baseAddress else { return }
        let end = start + sifted.bytes.count
        switch sought {
        case .keys(let keys): sift(LineScanner(keys.roots, memory, end: end), &sifted, matches)
        case .line:
            let scanner = PlainScanner(memory, sifted.bytes)
            if let required { return sift(scanner, &sifted, containing: required, matches) }
            sift(scanner, &sifted, matches)
        case .columns(let columns): sift(DelimitedScanner(columns, memory, end: end), &sifted, matches)
        }
    }

    /// Reads a run of one record into slots; nil if it must be read in full.
    package func slots(of run: SiftedRun, in sifted: SiftedLines) -> UnsafePointer<FlatValue>? {
        var lines = sifted.lines(of: run)
        sift(&lines) { _, _ in false }
        return lines.kept.isEmpty ? UnsafePointer(memory.slots) : nil
    }

    @inline(__always)
    private func sift(
        _ scanner: some SiftingScanner, _ sifted: inout SiftedLines, _ matches: LineTest
    ) {
        guard let start = sifted.bytes.baseAddress else { return }
        var scanner = scanner
        sift(start..<start + sifted.bytes.count, &scanner, &sifted, matches)
    }

    /// Sifts some of the lines.
    @inline(__always)
    private func sift(
        _ range: Range<UnsafePointer<UInt8>>, _ scanner: inout some SiftingScanner, _ sifted: inout SiftedLines,
        _ matches: LineTest
    ) {
        guard let start = sifted.bytes.baseAddress else { return }
        var pointer = range.lowerBound
        var holdsLineEnds = false
        while pointer < range.upperBound {
            let understood = scanner.line(pointer, &holdsLineEnds)
            guard let lineFeed = understood ?? scanner.lineFeed(after: pointer) else { return }
            let hasReturn = lineFeed > pointer && lineFeed[-1] == Byte.carriageReturn
            let text = UnsafeBufferPointer(start: pointer, count: lineFeed - pointer - (hasReturn ? 1 : 0))
            let place = SiftedPlace(
                half: half, keptBefore: sifted.kept.count, recordsBefore: sifted.recordCount)
            let result = understood != nil && text.count <= limit ? matches(memory.slots, place) : nil
            if result != nil || !scanner.isSkipped(text) {
                sifted.note(pointer - start..<pointer - start + text.count, result, place)
            }
            let lines = holdsLineEnds ? 1 + text.lineFeedCount : 1
            sifted.advance(to: lineFeed + 1 - start, lines: lines)
            pointer = lineFeed + 1
        }
    }

    /// Sifts the lines that contain some bytes. The others are only counted, unless they are not UTF-8: these must be read in
    /// another encoding.
    private func sift(
        _ scanner: PlainScanner, _ sifted: inout SiftedLines, containing required: RequiredBytes,
        _ matches: LineTest
    ) {
        guard let start = sifted.bytes.baseAddress else { return }
        let bytes = sifted.bytes
        var scanner = scanner
        var index = 0
        while index < bytes.count {
            let found = required.line(in: bytes, from: index) ?? bytes.count..<bytes.count
            if scanner.areUTF8(index..<found.lowerBound) {
                let count = bytes.slice(index..<found.lowerBound).lineFeedCount
                sifted.leaveOut(count, to: found.lowerBound)
            } else {
                sift(start + index..<start + found.lowerBound, &scanner, &sifted, matches)
            }
            sift(start + found.lowerBound..<start + found.upperBound, &scanner, &sifted, matches)
            index = found.upperBound
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The number of line feeds, which are counted sixteen bytes at a time.
    var lineFeedCount: Int {
        let raw = UnsafeRawBufferPointer(self)
        let lineFeeds = SIMD16<UInt8>(repeating: Byte.lineFeed)
        var (index, total) = (0, 0)
        while index + 16 <= count {
            var counts = SIMD16<UInt8>()
            let end = index + Swift.min(255, (count - index) / 16) * 16
            while index < end {
                let bytes = raw.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
                // A mask is a vector of -1 and 0.
                counts &-= unsafeBitCast(bytes .== lineFeeds, to: SIMD16<UInt8>.self)
                index += 16
            }
            total += Int(SIMD16<UInt16>(truncatingIfNeeded: counts).wrappedSum())
        }
        while index < count {
            if self[index] == Byte.lineFeed { total += 1 }
            index += 1
        }
        return total
    }
}

/// A run of lines or rows that a sieve has kept: one, or several adjacent matches.
package struct SiftedRun {
    /// The range of its bytes, without the last line end.
    package fileprivate(set) var text: Range<Int>
    /// The number of lines and of records before it.
    fileprivate(set) var linesBefore: Int
    package fileprivate(set) var recordsBefore: Int
    /// True for matches; false for a single record that must be read in full.
    package let isMatch: Bool
    /// The place of its first line.
    package let place: SiftedPlace
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
    /// The number of records, and the number of those that must be read in full.
    private(set) var recordCount = 0
    private var unknownCount = 0
    /// The number of records in the first half, if two cores share the lines.
    package private(set) var firstHalfCount = 0
    /// The number of bytes sifted so far.
    private(set) var length = 0
    /// The bytes to sift, their position in the input, and the number of records read before.
    private(set) var bytes: UnsafeBufferPointer<UInt8>
    private let start: InputPosition
    let firstRecord: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, start: InputPosition, firstRecord: Int, joinsMatches: Bool) {
        (self.bytes, self.start, self.firstRecord) = (bytes, start, firstRecord)
        self.joinsMatches = joinsMatches
    }

    /// Returns the two halves of the lines, before sifting. Their position is right for the first half only.
    func halves(at middle: Int) -> (SiftedLines, SiftedLines) {
        var halves = (self, self)
        halves.0.bytes = bytes.slice(0..<middle)
        halves.1.bytes = bytes.slice(middle..<bytes.count)
        return halves
    }

    /// Returns the lines of a run, before sifting.
    func lines(of run: SiftedRun) -> SiftedLines {
        let end = run.text.upperBound
        let lineEnd = bytes[end] == Byte.carriageReturn ? 2 : 1
        return SiftedLines(
            bytes.slice(run.text.lowerBound..<min(end + lineEnd, bytes.count)), start: start, firstRecord: firstRecord,
            joinsMatches: false)
    }

    /// The number of records that need not be read in full.
    package var knownCount: Int { recordCount - unknownCount }

    /// Returns a position in the input, for an offset and a line relative to the sifted bytes.
    func position(at offset: Int, line: Int) -> InputPosition {
        InputPosition(offset: start.offset + offset, line: start.line + line, column: 1)
    }

    /// Counts a record, and keeps it unless its result is false; nil means that it must be read in full.
    @inline(__always)
    mutating func note(_ text: Range<Int>, _ result: Bool?, _ place: SiftedPlace) {
        if result == nil || result == true && !join(text) { keep(text, isMatch: result != nil, place) }
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

    private mutating func keep(_ text: Range<Int>, isMatch: Bool, _ place: SiftedPlace) {
        kept.append(
            SiftedRun(text: text, linesBefore: lineCount, recordsBefore: recordCount, isMatch: isMatch, place: place))
        if !isMatch { unknownCount += 1 }
    }

    /// Advances over lines that are not kept.
    mutating func leaveOut(_ count: Int, to end: Int) {
        recordCount += count
        lineCount += count
        length = end
    }

    /// Advances over a record that ends at `end` and spans some lines.
    @inline(__always)
    mutating func advance(to end: Int, lines: Int) {
        length = end
        lineCount += lines
    }

    /// Appends the result for the bytes that directly follow these, which must all have been sifted.
    mutating func append(_ other: SiftedLines) {
        bytes = UnsafeBufferPointer(start: bytes.baseAddress, count: bytes.count + other.bytes.count)
        firstHalfCount = recordCount
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

extension RecordReader {
    /// Returns the sieve for the values at key paths; nil if all records must be read in full. `isShared` allows two cores to
    /// share many lines. JSON is read in full if it has a key at a path whose index is in `refused`.
    package func sieve(_ paths: [[String]], isShared: Bool = true, refused: Set<Int> = []) -> LineSieve? {
        switch format {
        case .json, .lines, .log, .logfmt, .deb822: return nil
        case .jsonLines: return LineSieve(paths, options: options, isShared: isShared, refused: refused)
        case .csv, .tsv:
            guard let header else { return nil }
            var options = options
            options.keys = options.keysToRead ?? Set(header.columns)
            return LineSieve(paths, options: options, header: header, isShared: isShared)
        }
    }

    /// Returns the sieve for lines of text. Only lines that contain a string of each of the required lists can match.
    package func sieve(requiring lists: [[String]]) -> LineSieve {
        // A line that is too long is an error, whatever it contains.
        let mayLeaveOut = options.maximumRecordLength >= Self.siftedLength
        let beginning = window.bytes.slice(0..<min(window.bytes.count, Self.sharedLength))
        let required = mayLeaveOut ? RequiredBytes(lists, beginning: beginning) : nil
        return LineSieve(linesOf: options, required: required)
    }

    /// Sifts the complete lines in memory without reading more input. Two cores share many lines.
    ///
    /// The kept runs are read with ``text(of:in:)`` and ``read(_:in:)``, in order, and then dropped. If
    /// `joiningMatches` is true, adjacent matches form one run.
    package func sift(
        with sieve: LineSieve, joiningMatches: Bool, _ matches: LineTest
    ) -> SiftedLines {
        let bytes = window.bytes
        let end = bytes.prefix(Self.siftedLength).lastIndex(of: Byte.lineFeed).map { $0 + 1 } ?? 0
        let lines = SiftedLines(
            bytes.slice(0..<end), start: window.position, firstRecord: count, joinsMatches: joiningMatches)
        if let secondSieve = sieve.secondSieve, end >= Self.sharedLength, let middle = sieve.middle(of: lines.bytes) {
            return sift(lines.halves(at: middle), with: sieve, secondSieve, matches)
        }
        var sifted = lines
        sieve.sift(&sifted, matches)
        return sifted
    }

    /// The maximum number of bytes to sift at once. A second core is used from `sharedLength` bytes on.
    static var siftedLength: Int { 1 << 20 }
    private static var sharedLength: Int { 96 << 10 }

    private func sift(
        _ halves: (SiftedLines, SiftedLines), with sieve: LineSieve, _ secondSieve: LineSieve, _ matches: LineTest
    ) -> SiftedLines {
        var (first, second) = halves
        withUnsafeMutablePointer(to: &first) { first in
            withUnsafeMutablePointer(to: &second) { second in
                // Each half has its own sieve to write to; the lines and the closure are only read.
                nonisolated(unsafe) let halves = [(sieve, first), (secondSieve, second)]
                DispatchQueue.concurrentPerform(iterations: 2) { number in
                    halves[number].0.sift(&halves[number].1.pointee, matches)
                }
            }
        }
        first.append(second)
        return first
    }

    /// Returns the bytes of a run.
    package func text(of run: SiftedRun, in sifted: SiftedLines) -> UnsafeBufferPointer<UInt8> {
        sifted.bytes.slice(run.text)
    }

    /// Reads the first record of a run in full. Throws a ``DataError``, like ``next()``.
    package func read(_ run: SiftedRun, in sifted: SiftedLines) throws(DataError) -> SourceRecord? {
        window.dropLines(before: sifted.position(at: run.text.lowerBound, line: run.linesBefore))
        count = sifted.firstRecord + run.recordsBefore
        return try next()
    }

    /// Returns the place of the first record of a run, without its value and its bytes.
    package func record(of run: SiftedRun, in sifted: SiftedLines) -> SourceRecord {
        let position = sifted.position(at: run.text.lowerBound, line: run.linesBefore)
        return SourceRecord(
            value: .null, raw: [], line: position.line,
            index: sifted.firstRecord + run.recordsBefore)
    }

    /// Continues after the sifted lines.
    package func drop(_ sifted: SiftedLines) {
        window.dropLines(before: sifted.position(at: sifted.length, line: sifted.lineCount))
        count = sifted.firstRecord + sifted.recordCount
    }
}
