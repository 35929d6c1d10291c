import PredicateSyntax

/// Reads the fields that are looked for in rows of CSV or TSV into slots, and checks the rest.
struct DelimitedScanner: SiftingScanner {
    typealias Place = UnsafePointer<UInt8>

    private let scan: QuickScan
    private let roots: UnsafeBufferPointer<SoughtKey>
    private let columns: UnsafeBufferPointer<SoughtColumn>
    /// Tab, or a comma: where fields may be in quotes.
    private let delimiter: UInt8
    private let slots: UnsafeMutablePointer<FlatValue>
    private let slotCount: Int

    private var isQuoted: Bool { delimiter == Byte.comma }

    /// A scanner for rows that end before `end`, for as long as keys, columns and memory are there.
    init(_ sought: SoughtColumns, _ memory: SieveMemory, end: Place) {
        scan = QuickScan(end: end)
        roots = sought.keys.roots
        columns = sought.columns
        delimiter = sought.delimiter
        (slots, slotCount) = (memory.slots, memory.slotCount)
    }

    /// The line feed of the row that begins here, when it has all its fields and they are understood.
    @inline(__always)
    mutating func line(_ start: Place) -> Place? {
        for slot in 0..<slotCount { slots[slot] = .null }
        var place = start
        var column = 0
        var high: UInt64 = 0
        while column < columns.count {
            guard let field = field(place, &high), fill(column, with: field) else { return nil }
            column += 1
            place = field.next
            if place.pointee == Byte.lineFeed { break }
            if column == columns.count { return nil }
            place += 1
        }
        if column < columns.count { return nil }
        return high & 0x8080_8080_8080_8080 == 0 || Self.isText(start, place) ? place : nil
    }

    /// The line feed behind a row that is not understood; nil where it is not in memory.
    func lineFeed(behind start: Place) -> Place? {
        let rest = UnsafeBufferPointer(start: start, count: scan.end - start)
        guard isQuoted else { return rest.firstIndex(of: Byte.lineFeed, from: 0).map { start + $0 } }
        var boundary = CommaBoundary()
        return boundary.end(in: rest, from: 0).map { start + ($0 - 1) }
    }

    /// Empty rows are passed over where there is more than one column.
    func isPassedOver(_ row: UnsafeBufferPointer<UInt8>) -> Bool { row.isEmpty && columns.count != 1 }

    /// Only fields in quotes hold line ends.
    var holdsLineEnds: Bool { isQuoted }

    @inline(never)
    private static func isText(_ start: Place, _ end: Place) -> Bool {
        let row = UnsafeBufferPointer(start: start, count: end - start)
        return UTF8Validation.firstFault(in: row, 0..<row.count) == nil
    }
}

extension DelimitedScanner {
    /// A field, and the delimiter or line feed behind it.
    private struct QuickField {
        let start: Place
        let end: Place
        let next: Place
        var isQuoted = false
        var hasDoubledQuotes = false
    }

    @inline(__always)
    private func field(_ start: Place, _ high: inout UInt64) -> QuickField? {
        if isQuoted, start.pointee == Byte.quote { return quotedField(start + 1, &high) }
        let end = plainEnd(start, &high)
        switch end.pointee {
        case Byte.lineFeed:
            let hasReturn = end > start && end[-1] == Byte.carriageReturn
            return QuickField(start: start, end: hasReturn ? end - 1 : end, next: end)
        case delimiter: return QuickField(start: start, end: end, next: end)
        default: return nil
        }
    }

    /// The first delimiter, line feed or quote; in TSV quotes are no more than other bytes.
    @inline(__always)
    private func plainEnd(_ start: Place, _ high: inout UInt64) -> Place {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let delimiters = ones &* UInt64(delimiter)
        let quotes = ones &* UInt64(isQuoted ? Byte.quote : delimiter)
        var place = start
        while true {
            let word = place.word
            let stops =
                Self.zeros(word ^ delimiters) | Self.zeros(word ^ quotes)
                | Self.zeros(word ^ (ones &* UInt64(Byte.lineFeed)))
            if stops != 0 {
                let plain = stops.trailingZeroBitCount & ~7
                high |= word & ((1 &<< UInt64(truncatingIfNeeded: plain)) &- 1)
                return place + plain &>> 3
            }
            high |= word
            place += 8
        }
    }

    /// The high bits of zero bytes; behind the first they may be set by mistake.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// A field in quotes may hold line ends, so that only the end of memory stops it.
    @inline(never)
    private func quotedField(_ start: Place, _ high: inout UInt64) -> QuickField? {
        high = .max
        let rest = UnsafeBufferPointer(start: start, count: scan.end - start)
        var index = 0
        var hasDoubledQuotes = false
        while let quote = rest.firstIndex(of: Byte.quote, from: index) {
            var next = start + quote + 1
            if next.pointee == Byte.quote {
                hasDoubledQuotes = true
                index = quote + 2
                continue
            }
            if next.pointee == Byte.carriageReturn, next[1] == Byte.lineFeed { next += 1 }
            guard next.pointee == delimiter || next.pointee == Byte.lineFeed else { return nil }
            return QuickField(
                start: start, end: start + quote, next: next, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
        }
        return nil
    }

    /// Puts a field where it is looked for; false where it must be read in full to know what it holds.
    @inline(__always)
    private func fill(_ column: Int, with field: QuickField) -> Bool {
        let root = columns[column].root
        if root < 0 { return true }
        let type = columns[column].type
        if roots[root].slot < 0, roots[root].children.isEmpty, !type.converts { return true }
        guard !field.hasDoubledQuotes, let value = value(of: field, type) else { return false }
        roots[root].fill(slots, with: value)
        return true
    }

    /// The value of a field, as ``ColumnType`` has it.
    @inline(__always)
    private func value(of field: QuickField, _ type: ColumnType) -> FlatValue? {
        let bytes = UnsafeBufferPointer(start: field.start, count: field.end - field.start)
        if type == .string, !bytes.isEmpty { return .text(bytes) }
        if type != .automatic || bytes.isEmpty { return declaredValue(of: bytes, field.isQuoted, type) }
        let first = bytes[0]
        if first.isDigit || first == Byte.minus {
            var value = FlatValue.opaque
            return scan.number(field.start, &value) == field.end ? value : .text(bytes)
        }
        let isWord = bytes.count <= 5 && (first | 0x20 == 0x74 || first | 0x20 == 0x66)
        return isWord ? declaredValue(of: bytes, field.isQuoted, type) : .text(bytes)
    }

    @inline(never)
    private func declaredValue(
        of bytes: UnsafeBufferPointer<UInt8>, _ isQuoted: Bool, _ type: ColumnType
    ) -> FlatValue? {
        guard let value = type.value(of: bytes, isQuoted: isQuoted) else { return nil }
        if case .string = value { return .text(bytes) }
        return FlatValue(value)
    }
}
