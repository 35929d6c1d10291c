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
    private let skipsEmptyRows: Bool

    /// Creates a scanner for rows that end before `end`; it must not outlive the keys, columns and memory. The slots of keys
    /// that are not columns keep the value nil.
    init(_ sought: SoughtColumns, _ memory: SieveMemory, end: Pointer) {
        scan = QuickScan(end: end)
        fields = FieldScan(sought.dialect, end: end)
        roots = sought.keys.roots
        columns = sought.columns
        skipsEmptyRows = sought.skipsEmptyRows
        slots = memory.slots
    }

    /// Returns the line feed of the row at a pointer, if the row has all its fields and does not need the full reader.
    @inline(__always)
    func line(_ start: Pointer, _ holdsLineEnds: inout Bool) -> Pointer? {
        holdsLineEnds = fields.dialect.isQuoted
        if skipsEmptyRows, start.pointee == Byte.lineFeed || start.pointee == Byte.carriageReturn { return nil }
        var place = fields.place(at: start)
        var pointer = start
        var column = 0
        var hasQuotes = false
        while true {
            guard column < columns.count, let field = fields.field(pointer, &place), fill(column, with: field) else {
                return nil
            }
            hasQuotes = hasQuotes || field.isQuoted
            column += 1
            pointer = field.next
            if pointer.pointee == Byte.lineFeed { break }
            pointer += 1
        }
        holdsLineEnds = hasQuotes
        guard column == columns.count else { return nil }
        return place.isASCII || Self.isText(start, pointer) ? pointer : nil
    }

    /// Returns the line feed of a row that needs the full reader; nil if it is not in memory.
    func lineFeed(after start: Pointer) -> Pointer? { fields.lineFeed(after: start) }

    /// Returns true for an empty row, unless there is only one column.
    func isSkipped(_ row: UnsafeBufferPointer<UInt8>) -> Bool { row.isEmpty && skipsEmptyRows }

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
        let use = columns[column].use
        if use == .none { return true }
        guard !field.hasDoubledQuotes, let value = value(of: field, column, use) else { return false }
        let slot = columns[column].slot
        if slot >= 0 {
            slots[slot] = value
        } else {
            roots[columns[column].root].fill(slots, with: value)
        }
        return true
    }

    /// Returns the value of a field, like ``ColumnReading``.
    @inline(__always)
    private func value(of field: FieldScan.QuickField, _ column: Int, _ use: SoughtColumn.Use) -> FlatValue? {
        let bytes = field.content(fields.dialect)
        if !bytes.isEmpty {
            switch use {
            case .text: return .text(bytes)
            case .integer, .double: if let number = number(bytes, use) { return number }
            case .none, .other: break
            }
        }
        return slowValue(of: bytes, field.isQuoted, column)
    }

    /// Returns the value of a JSON number; nil if the field is not one.
    @inline(__always)
    private func number(_ bytes: UnsafeBufferPointer<UInt8>, _ use: SoughtColumn.Use) -> FlatValue? {
        guard let start = bytes.baseAddress, start.pointee.isDigit || start.pointee == Byte.minus else { return nil }
        var value = FlatValue.opaque
        guard scan.number(start, &value) == start + bytes.count else { return nil }
        switch value {
        case .integer(let number): return use == .double ? .double(Double(number)) : value
        case .double: return use == .double ? value : nil
        case .null, .bool, .date, .text, .list, .opaque: return nil
        }
    }

    @inline(never)
    private func slowValue(of bytes: UnsafeBufferPointer<UInt8>, _ isQuoted: Bool, _ column: Int) -> FlatValue? {
        guard let value = columns[column].reading.value(of: bytes, isQuoted: isQuoted) else { return nil }
        if case .string = value { return .text(bytes) }
        return FlatValue(value)
    }
}
