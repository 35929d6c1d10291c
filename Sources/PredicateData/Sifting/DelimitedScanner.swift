import PredicateSyntax

/// Reads the sought fields of rows of CSV or TSV into slots, and checks the rest.
struct DelimitedScanner: SiftingScanner {
    typealias Pointer = UnsafePointer<UInt8>

    private let scan: QuickScan
    private let roots: UnsafeBufferPointer<SoughtKey>
    private let columns: UnsafeBufferPointer<SoughtColumn>
    /// A tab, or a comma; only comma-separated fields may be quoted.
    private let delimiter: UInt8
    private let slots: UnsafeMutablePointer<FlatValue>
    private let slotCount: Int

    private var isQuoted: Bool { delimiter == Byte.comma }

    /// Creates a scanner for rows that end before `end`; it must not outlive the keys, columns and memory.
    init(_ sought: SoughtColumns, _ memory: SieveMemory, end: Pointer) {
        scan = QuickScan(end: end)
        roots = sought.keys.roots
        columns = sought.columns
        delimiter = sought.delimiter
        (slots, slotCount) = (memory.slots, memory.slotCount)
    }

    /// Returns the line feed of the row at a pointer if the row has all its fields and they are understood.
    @inline(__always)
    mutating func line(_ start: Pointer) -> Pointer? {
        for slot in 0..<slotCount { slots[slot] = .null }
        var pointer = start
        var column = 0
        var high: UInt64 = 0
        while column < columns.count {
            guard let field = field(pointer, &high), fill(column, with: field) else { return nil }
            column += 1
            pointer = field.next
            if pointer.pointee == Byte.lineFeed { break }
            if column == columns.count { return nil }
            pointer += 1
        }
        if column < columns.count { return nil }
        return high & 0x8080_8080_8080_8080 == 0 || Self.isText(start, pointer) ? pointer : nil
    }

    /// Returns the line feed after a row that is not understood; nil if it is not in memory.
    func lineFeed(after start: Pointer) -> Pointer? {
        let rest = UnsafeBufferPointer(start: start, count: scan.end - start)
        guard isQuoted else { return rest.firstIndex(of: Byte.lineFeed, from: 0).map { start + $0 } }
        var boundary = CommaBoundary()
        return boundary.end(in: rest, from: 0).map { start + ($0 - 1) }
    }

    /// Returns true for an empty row, unless there is only one column.
    func isSkipped(_ row: UnsafeBufferPointer<UInt8>) -> Bool { row.isEmpty && columns.count != 1 }

    /// True if fields may be quoted and thus contain line ends.
    var holdsLineEnds: Bool { isQuoted }

    @inline(never)
    private static func isText(_ start: Pointer, _ end: Pointer) -> Bool {
        let row = UnsafeBufferPointer(start: start, count: end - start)
        return UTF8Validation.firstFault(in: row, 0..<row.count) == nil
    }
}

extension DelimitedScanner {
    /// A field, and the delimiter or line feed after it.
    private struct QuickField {
        let start: Pointer
        let end: Pointer
        let next: Pointer
        var isQuoted = false
        var hasDoubledQuotes = false
    }

    @inline(__always)
    private func field(_ start: Pointer, _ high: inout UInt64) -> QuickField? {
        if isQuoted, start.pointee == Byte.quote { return quotedField(start + 1, &high) }
        let end = fieldEnd(start, &high)
        switch end.pointee {
        case Byte.lineFeed:
            let hasReturn = end > start && end[-1] == Byte.carriageReturn
            return QuickField(start: start, end: hasReturn ? end - 1 : end, next: end)
        case delimiter: return QuickField(start: start, end: end, next: end)
        default: return nil
        }
    }

    /// Returns the first delimiter, line feed or quote; quotes have no meaning in TSV.
    @inline(__always)
    private func fieldEnd(_ start: Pointer, _ high: inout UInt64) -> Pointer {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let delimiters = ones &* UInt64(delimiter)
        let quotes = ones &* UInt64(isQuoted ? Byte.quote : delimiter)
        var pointer = start
        while true {
            let word = pointer.word
            let stops =
                Self.zeros(word ^ delimiters) | Self.zeros(word ^ quotes)
                | Self.zeros(word ^ (ones &* UInt64(Byte.lineFeed)))
            if stops != 0 {
                let bits = stops.trailingZeroBitCount & ~7
                high |= word & ((1 &<< UInt64(truncatingIfNeeded: bits)) &- 1)
                return pointer + bits &>> 3
            }
            high |= word
            pointer += 8
        }
    }

    /// Returns the high bits of zero bytes; bits after the first may be wrong.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// Reads a quoted field, which may contain line ends.
    @inline(never)
    private func quotedField(_ start: Pointer, _ high: inout UInt64) -> QuickField? {
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

    /// Writes a field into its slots; returns false if the row must be read in full.
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

    /// Returns the value of a field, like ``ColumnType``.
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
