import PredicateJSON
import PredicateSyntax

/// Reads the needed fields of CSV or TSV rows into slots, and checks the rest.
struct DelimitedScanner: SiftingScanner {
    typealias Pointer = UnsafePointer<UInt8>

    private let scan: QuickScan
    private let fields: FieldScan
    private let roots: UnsafeBufferPointer<SoughtKey>
    private let columns: UnsafeBufferPointer<SoughtColumn>
    private let slots: UnsafeMutablePointer<FlatValue>
    private let slotCount: Int
    private let skipsEmptyRows: Bool

    /// Creates a scanner for rows that end before `end`; it must not outlive the keys, columns and memory.
    init(_ sought: SoughtColumns, _ memory: SieveMemory, end: Pointer) {
        scan = QuickScan(end: end)
        fields = FieldScan(dialect: sought.dialect, end: end)
        roots = sought.keys.roots
        columns = sought.columns
        skipsEmptyRows = sought.skipsEmptyRows
        (slots, slotCount) = (memory.slots, memory.slotCount)
    }

    /// Returns the line feed of the row at a pointer if the row has all its fields and needs no full reader.
    @inline(__always)
    mutating func line(_ start: Pointer) -> Pointer? {
        if skipsEmptyRows, start.pointee == Byte.lineFeed || start.pointee == Byte.carriageReturn { return nil }
        for slot in 0..<slotCount { slots[slot] = .null }
        var pointer = start
        var column = 0
        var high: UInt64 = 0
        while column < columns.count {
            guard let field = fields.field(pointer, &high), fill(column, with: field) else { return nil }
            column += 1
            pointer = field.next
            if pointer.pointee == Byte.lineFeed { break }
            if column == columns.count { return nil }
            pointer += 1
        }
        if column < columns.count { return nil }
        return high & 0x8080_8080_8080_8080 == 0 || Self.isText(start, pointer) ? pointer : nil
    }

    /// Returns the line feed of a row that needs the full reader; nil if it is not in memory.
    func lineFeed(after start: Pointer) -> Pointer? { fields.lineFeed(after: start) }

    /// Returns true for an empty row, unless there is only one column.
    func isSkipped(_ row: UnsafeBufferPointer<UInt8>) -> Bool { row.isEmpty && skipsEmptyRows }

    /// True if fields may be quoted and thus contain line ends.
    var holdsLineEnds: Bool { fields.dialect.isQuoted }

    @inline(never)
    private static func isText(_ start: Pointer, _ end: Pointer) -> Bool {
        let row = UnsafeBufferPointer(start: start, count: end - start)
        return UTF8Validation.firstFault(in: row, 0..<row.count) == nil
    }
}

extension DelimitedScanner {
    /// Writes a field into its slots; returns false if the row must be read in full.
    @inline(__always)
    private func fill(_ column: Int, with field: FieldScan.QuickField) -> Bool {
        let root = columns[column].root
        if root < 0 { return true }
        let reading = columns[column].reading
        if roots[root].slot < 0, roots[root].children.isEmpty, !reading.mayFail { return true }
        guard !field.hasDoubledQuotes, let value = value(of: field, reading) else { return false }
        roots[root].fill(slots, with: value)
        return true
    }

    /// Returns the value of a field, like ``ColumnReading``.
    @inline(__always)
    private func value(of field: FieldScan.QuickField, _ reading: ColumnReading) -> FlatValue? {
        let bytes = field.bytes
        if bytes.isEmpty { return slowValue(of: bytes, field.isQuoted, reading) }
        if reading.isPlainText { return .text(bytes) }
        if reading.isPlainNumber {
            var value = FlatValue.opaque
            let first = bytes[0]
            if first.isDigit || first == Byte.minus, scan.number(field.start, &value) == field.end {
                switch value {
                case .integer(let number): return reading.type == .double ? .double(Double(number)) : value
                case .double: if reading.type == .double { return value }
                default: break
                }
            }
        }
        return slowValue(of: bytes, field.isQuoted, reading)
    }

    @inline(never)
    private func slowValue(
        of bytes: UnsafeBufferPointer<UInt8>, _ isQuoted: Bool, _ reading: ColumnReading
    ) -> FlatValue? {
        guard let value = reading.value(of: bytes, isQuoted: isQuoted) else { return nil }
        if case .string = value { return .text(bytes) }
        return FlatValue(value)
    }
}

/// Finds the fields of rows before a line feed. The line feed ends every loop, so no bounds are checked.
///
/// Up to eight bytes after the last line feed are read and ignored.
struct FieldScan {
    typealias Pointer = UnsafePointer<UInt8>

    /// A field, and the delimiter or line feed after it.
    struct QuickField {
        let start: Pointer
        let end: Pointer
        let next: Pointer
        var isQuoted = false
        var hasDoubledQuotes = false

        @inline(__always)
        var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: end - start) }
    }

    let dialect: DelimitedDialect
    /// The end of the last row, after its line feed.
    let end: Pointer

    /// Returns the field at a pointer; nil if it needs the full reader. `high` collects the high bits of the row.
    @inline(__always)
    func field(_ start: Pointer, _ high: inout UInt64) -> QuickField? {
        if dialect.isQuoted, start.pointee == Byte.quote { return quotedField(start + 1, &high) }
        let end = fieldEnd(start, &high)
        switch end.pointee {
        case Byte.lineFeed:
            let hasReturn = end > start && end[-1] == Byte.carriageReturn
            return unquotedField(start, hasReturn ? end - 1 : end, next: end)
        case dialect.delimiter: return unquotedField(start, end, next: end)
        default: return nil
        }
    }

    @inline(__always)
    private func unquotedField(_ start: Pointer, _ end: Pointer, next: Pointer) -> QuickField {
        let isNil = dialect.nilTexts.contains(UnsafeBufferPointer(start: start, count: end - start))
        return QuickField(start: start, end: isNil ? start : end, next: next)
    }

    /// Returns the line feed of a row that needs the full reader; nil if it is not in memory.
    func lineFeed(after start: Pointer) -> Pointer? {
        let rest = UnsafeBufferPointer(start: start, count: end - start)
        var boundary = dialect.makeBoundary()
        return boundary.end(in: rest, from: 0).map { start + ($0 - 1) }
    }

    /// Returns the first delimiter, line feed or quote. Quotes are ordinary characters in TSV.
    @inline(__always)
    private func fieldEnd(_ start: Pointer, _ high: inout UInt64) -> Pointer {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let delimiters = ones &* UInt64(dialect.delimiter)
        let quotes = ones &* UInt64(dialect.isQuoted ? Byte.quote : dialect.delimiter)
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
        let rest = UnsafeBufferPointer(start: start, count: end - start)
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
            guard next.pointee == dialect.delimiter || next.pointee == Byte.lineFeed else { return nil }
            return QuickField(
                start: start, end: start + quote, next: next, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
        }
        return nil
    }
}

/// Puts each line of text into the only slot.
struct PlainScanner: SiftingScanner {
    private let end: UnsafePointer<UInt8>
    private let slots: UnsafeMutablePointer<FlatValue>

    init(_ memory: SieveMemory, end: UnsafePointer<UInt8>) {
        (slots, self.end) = (memory.slots, end)
    }

    /// Returns the line feed of the line at a pointer if the line is UTF-8.
    @inline(__always)
    mutating func line(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard let lineFeed = lineFeed(after: start) else { return nil }
        let textEnd = lineFeed > start && lineFeed[-1] == Byte.carriageReturn ? lineFeed - 1 : lineFeed
        let text = UnsafeBufferPointer(start: start, count: textEnd - start)
        guard UTF8Validation.firstFault(in: text, 0..<text.count) == nil else { return nil }
        slots[0] = .text(text)
        return lineFeed
    }

    func lineFeed(after start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        let rest = UnsafeBufferPointer(start: start, count: end - start)
        return rest.firstIndex(of: Byte.lineFeed, from: 0).map { start + $0 }
    }

    func isSkipped(_ text: UnsafeBufferPointer<UInt8>) -> Bool { false }

    var holdsLineEnds: Bool { false }
}
