import PredicateSyntax

/// A scanner for the lines of one format, which writes values into slots.
protocol SiftingScanner {
    /// Returns the line feed of the record at a pointer; nil if the record is not understood.
    mutating func line(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>?
    /// Returns the line feed of a record that is not understood; nil if it is not in memory.
    func lineFeed(after start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>?
    /// Returns true if a text without its line end is not a record.
    func isSkipped(_ text: UnsafeBufferPointer<UInt8>) -> Bool
    /// True if a record may span several lines.
    var holdsLineEnds: Bool { get }
}

/// Finds matching lines of JSON, and rows of CSV and TSV, without making values of them.
///
/// `{"name": "jo", "age": 21}` with the path `age` fills one slot with 21.
///
/// The result for a record is that of ``RecordReader`` and an evaluator, or unknown: for invalid records and for rare
/// constructs.
package final class LineSieve {
    private enum Sought {
        case keys(SoughtKeys)
        case columns(SoughtColumns)
        /// The text of the line itself.
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
    /// A sieve for the second half of many lines, which another core may process.
    let secondSieve: LineSieve?

    private init(_ sought: Sought, _ slotCount: Int, _ options: RecordOptions, secondSieve: LineSieve?) {
        self.sought = sought
        self.secondSieve = secondSieve
        memory = SieveMemory(slotCount: slotCount)
        limit = options.maximumRecordLength
    }

    /// Creates a sieve for JSON Lines that fills a slot for each key path. Nil if the options need more than that.
    package convenience init?(_ paths: [[String]], options: RecordOptions) {
        guard let keys = SoughtKeys(paths, options) else { return nil }
        let secondSieve = LineSieve(.keys(keys), paths.count, options, secondSieve: nil)
        self.init(.keys(keys), paths.count, options, secondSieve: secondSieve)
    }

    /// Creates a sieve for rows under a header.
    package convenience init?(_ paths: [[String]], options: RecordOptions, header: RecordHeader) {
        guard let keys = SoughtKeys(paths, options) else { return nil }
        self.init(.columns(SoughtColumns(header, keys)), paths.count, options, secondSieve: nil)
    }

    /// Creates a sieve for lines of text, which fills one slot with each.
    package convenience init(linesOf options: RecordOptions) {
        let secondSieve = LineSieve(.line, 1, options, secondSieve: nil)
        self.init(.line, 1, options, secondSieve: secondSieve)
    }

    /// Returns whether some line of JSON had a key path, and whether one had a dictionary in which it could have been; nil
    /// for a path that is not sought.
    package func presence(of path: [String]) -> (isPresent: Bool, hadHolder: Bool)? {
        guard let keys = sought.keys, let key = keys.key(at: path) else { return nil }
        var bits = memory.presence.pointee
        if let other = secondSieve?.memory.presence.pointee { bits.formUnion(other) }
        let holder = keys.key(at: Array(path.dropLast()))
        return (bits.isPresent(key.number), holder.map { bits.isObject($0.number) } ?? true)
    }

    /// Sifts lines that end with line feeds: keeps those for whose slots `matches` is true, and those for which it is
    /// nil, which must be read in full. Reads up to ``ByteWindow/margin`` bytes after the lines.
    func sift(_ sifted: inout SiftedLines, _ matches: (UnsafePointer<FlatValue>) -> Bool?) {
        guard let start = sifted.bytes.baseAddress else { return }
        let end = start + sifted.bytes.count
        switch sought {
        case .keys(let keys): sift(LineScanner(keys.roots, memory, end: end), &sifted, matches)
        case .line: sift(PlainScanner(memory, end: end), &sifted, matches)
        case .columns(let columns): sift(DelimitedScanner(columns, memory, end: end), &sifted, matches)
        }
    }

    @inline(__always)
    private func sift(
        _ scanner: some SiftingScanner, _ sifted: inout SiftedLines, _ matches: (UnsafePointer<FlatValue>) -> Bool?
    ) {
        guard let start = sifted.bytes.baseAddress else { return }
        let end = start + sifted.bytes.count
        var scanner = scanner
        var pointer = start
        while pointer < end {
            let understood = scanner.line(pointer)
            guard let lineFeed = understood ?? scanner.lineFeed(after: pointer) else { return }
            let hasReturn = lineFeed > pointer && lineFeed[-1] == Byte.carriageReturn
            let text = UnsafeBufferPointer(start: pointer, count: lineFeed - pointer - (hasReturn ? 1 : 0))
            let result = understood != nil && text.count <= limit ? matches(memory.slots) : nil
            if result != nil || !scanner.isSkipped(text) {
                sifted.note(pointer - start..<pointer - start + text.count, result)
            }
            let lines = scanner.holdsLineEnds ? 1 + text.lineFeedCount : 1
            sifted.advance(to: lineFeed + 1 - start, lines: lines)
            pointer = lineFeed + 1
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var lineFeedCount: Int {
        var count = 0
        var index = 0
        while let found = firstIndex(of: Byte.lineFeed, from: index) {
            count += 1
            index = found + 1
        }
        return count
    }
}
