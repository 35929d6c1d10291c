import PredicateSyntax

/// Reads the sought fields of rows of CSV or TSV into slots, and checks the rest.
struct DelimitedScanner: SiftingScanner {
    typealias Pointer = UnsafePointer<UInt8>

    private let scan: QuickScan
    private let fields: FieldScan
    private let roots: UnsafeBufferPointer<SoughtKey>
    private let columns: UnsafeBufferPointer<SoughtColumn>
    private let slots: UnsafeMutablePointer<FlatValue>
    private let slotCount: Int

    /// Creates a scanner for rows that end before `end`; it must not outlive the keys, columns and memory.
    init(_ sought: SoughtColumns, _ memory: SieveMemory, end: Pointer) {
        scan = QuickScan(end: end)
        fields = FieldScan(dialect: sought.dialect, end: end)
        roots = sought.keys.roots
        columns = sought.columns
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

    /// Returns the line feed after a row that is not understood; nil if it is not in memory.
    func lineFeed(after start: Pointer) -> Pointer? { fields.lineFeed(after: start) }

    /// Returns true for an empty row, unless there is only one column.
    func isSkipped(_ row: UnsafeBufferPointer<UInt8>) -> Bool { row.isEmpty && columns.count != 1 }

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
