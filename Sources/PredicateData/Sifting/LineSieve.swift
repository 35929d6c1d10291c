import PredicateSyntax

/// One format's way through lines: each of them either understood, its values in slots, or not.
protocol SiftingScanner {
    /// The line feed of the record that begins here, when all of it is understood.
    mutating func line(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>?
    /// The line feed of a record that is not understood; nil where it is not in memory.
    func lineFeed(behind start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>?
    /// Whether a text without its line end is no record.
    func isPassedOver(_ text: UnsafeBufferPointer<UInt8>) -> Bool
    /// Whether a record may stand on several lines.
    var holdsLineEnds: Bool { get }
}

/// Tells for lines of JSON, and for rows of CSV and TSV, which of them are looked for, without making values of them.
///
/// `{"name": "jo", "age": 21}` under the path `age` fills one slot with 21.
///
/// It says of a record what ``RecordReader`` and an evaluator would say, or that they must be asked: of every record at
/// fault, and of whatever is seldom.
package final class LineSieve {
    private enum Sought {
        case keys(SoughtKeys)
        case columns(SoughtColumns)
    }

    private let sought: Sought
    private let memory: SieveMemory
    private let limit: Int
    /// For the second half of many lines, where another core may have it.
    let twin: LineSieve?

    private init(_ sought: Sought, _ slotCount: Int, _ options: RecordOptions, twin: LineSieve?) {
        self.sought = sought
        self.twin = twin
        memory = SieveMemory(slotCount: slotCount)
        limit = options.maximumRecordLength
    }

    /// A sieve for JSON Lines that fills a slot for each path of keys. Nil where the options leave more to do than that.
    package convenience init?(_ paths: [[String]], options: RecordOptions) {
        guard let keys = SoughtKeys(paths, options) else { return nil }
        let twin = LineSieve(.keys(keys), paths.count, options, twin: nil)
        self.init(.keys(keys), paths.count, options, twin: twin)
    }

    /// A sieve for rows under a header.
    package convenience init?(
        _ paths: [[String]], options: RecordOptions, header: RecordHeader, isCommaSeparated: Bool
    ) {
        guard let keys = SoughtKeys(paths, options) else { return nil }
        let columns = SoughtColumns(
            header.columns, keys, options, delimiter: isCommaSeparated ? Byte.comma : Byte.tab)
        self.init(.columns(columns), paths.count, options, twin: nil)
    }

    /// Goes through lines, each with its line feed, and keeps those whose slots `isWanted` says to keep; where it does not
    /// know, the line is to be read in full. Up to ``ByteWindow/margin`` bytes behind the lines are looked at.
    func sift(_ sifted: inout SiftedLines, _ isWanted: (UnsafePointer<FlatValue>) -> Bool?) {
        guard let start = sifted.bytes.baseAddress else { return }
        let end = start + sifted.bytes.count
        switch sought {
        case .keys(let keys): sift(LineScanner(keys.roots, memory, end: end), &sifted, isWanted)
        case .columns(let columns): sift(DelimitedScanner(columns, memory, end: end), &sifted, isWanted)
        }
    }

    @inline(__always)
    private func sift(
        _ scanner: some SiftingScanner, _ sifted: inout SiftedLines, _ isWanted: (UnsafePointer<FlatValue>) -> Bool?
    ) {
        guard let start = sifted.bytes.baseAddress else { return }
        let end = start + sifted.bytes.count
        var scanner = scanner
        var place = start
        while place < end {
            let understood = scanner.line(place)
            guard let lineFeed = understood ?? scanner.lineFeed(behind: place) else { return }
            let hasReturn = lineFeed > place && lineFeed[-1] == Byte.carriageReturn
            let text = UnsafeBufferPointer(start: place, count: lineFeed - place - (hasReturn ? 1 : 0))
            let answer = understood != nil && text.count <= limit ? isWanted(memory.slots) : nil
            if answer != nil || !scanner.isPassedOver(text) {
                sifted.note(place - start..<place - start + text.count, answer)
            }
            let lines = scanner.holdsLineEnds ? 1 + text.lineFeedCount : 1
            sifted.advance(to: lineFeed + 1 - start, lines: lines)
            place = lineFeed + 1
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
