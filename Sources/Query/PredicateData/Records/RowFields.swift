import PredicateJSON
import PredicateSyntax

/// The fields of one row after another below a header, which are written one by one.
package final class RowFields {
    private let dialect: DelimitedDialect
    private let readings: UnsafeMutableBufferPointer<ColumnReading>
    /// The fields of the row. They point to bytes of the row.
    private let fields: UnsafeMutableBufferPointer<FieldScan.QuickField>
    private var count = 0
    private let copy = LineCopy()

    /// Prepares to read the fields at some places; fields after the last of these places are not read.
    package init(_ header: RecordHeader, _ places: [Int]) {
        dialect = header.dialect
        fields = .allocate(capacity: (places.max() ?? -1) + 1)
        readings = .allocate(capacity: fields.count)
        for place in readings.indices {
            let isKnown = place < header.readings.count
            readings.initializeElement(
                at: place, to: isKnown ? header.readings[place] : ColumnReading(.string, .declared))
        }
    }

    deinit {
        readings.deinitialize()
        readings.deallocate()
        fields.deallocate()
    }

    /// Finds the fields of a row without its line end. A malformed row has none.
    package func divide(_ row: [UInt8]) { divide(sifted: copy.bytes(of: row)) }

    /// Finds the fields of a row whose line end follows in memory, with ``ByteWindow/margin`` bytes after it. The row must stay
    /// in memory while its fields are written.
    package func divide(sifted row: UnsafeBufferPointer<UInt8>) {
        guard let start = row.baseAddress, !fields.isEmpty else { return count = 0 }
        if !divide(start, FieldScan(dialect, end: start + row.count)) { split(row, start) }
    }

    /// Finds the fields; returns false for a row that needs the full reader.
    private func divide(_ start: UnsafePointer<UInt8>, _ scan: FieldScan) -> Bool {
        guard dialect.layout == .delimited else { return false }
        var place = scan.place(at: start)
        var pointer = start
        count = 0
        while let field = scan.field(pointer, &place) {
            fields.initializeElement(at: count, to: field)
            count += 1
            if field.next.pointee == Byte.lineFeed {
                return field.isQuoted ? field.next - scan.end <= 1 : field.end == scan.end
            }
            if count == fields.count { return true }
            pointer = field.next + 1
        }
        return false
    }

    /// Finds the fields with the full reader.
    private func split(_ row: UnsafeBufferPointer<UInt8>, _ start: UnsafePointer<UInt8>) {
        var found: [Field] = []
        count = 0
        guard (try? dialect.split(row, into: &found)) != nil else { return }
        for field in found.prefix(fields.count) {
            let (first, end) = (start + field.range.lowerBound, start + field.range.upperBound)
            let quick = FieldScan.QuickField(
                start: first, end: end, next: end, isQuoted: field.isQuoted, hasDoubledQuotes: field.hasDoubledQuotes)
            fields.initializeElement(at: count, to: quick)
            count += 1
        }
    }

    /// Appends the field at a place of the row: its contents, or JSON according to the column's type. A place that the row
    /// lacks is nil.
    package func write(_ place: Int, _ format: RowCell.Format, to bytes: inout [UInt8]) {
        guard place < count else { return RowCell.value(.null).write(format, to: &bytes) }
        let (field, text) = (fields[place], fields[place].content(dialect))
        guard field.hasDoubledQuotes else { return write(text, field.isQuoted, place, format, to: &bytes) }
        text.withoutDoubledQuotes().withUnsafeBufferPointer { write($0, true, place, format, to: &bytes) }
    }

    private func write(
        _ text: UnsafeBufferPointer<UInt8>, _ isQuoted: Bool, _ place: Int, _ format: RowCell.Format,
        to bytes: inout [UInt8]
    ) {
        switch format {
        case .field(let format): format.write(text, to: &bytes)
        case .json: readings[place].writeJSON(text, isQuoted: isQuoted, to: &bytes)
        }
    }

    /// Returns the contents of the field at a place of the row.
    package func cell(_ place: Int) -> RowCell {
        guard place < count else { return .value(.null) }
        let text = fields[place].content(dialect)
        return .text(fields[place].hasDoubledQuotes ? text.withoutDoubledQuotes() : Array(text))
    }
}

extension ColumnReading {
    /// Appends a cell as JSON. A JSON number, an ISO 8601 date and a string keep their text.
    fileprivate func writeJSON(_ cell: UnsafeBufferPointer<UInt8>, isQuoted: Bool, to bytes: inout [UInt8]) {
        let bare = cell.withoutOuterSpaces
        switch type {
        case .integer, .double, .decimal:
            if !hasDecimalComma, bare.isJSONNumber { return bytes.append(contentsOf: bare) }
        case .date:
            if ISO8601.isDay(bare) || !bare.isEmpty && JSONDate.date(from: bare) != nil {
                return JSONWriter.writeString(repairing: bare, to: &bytes)
            }
        case .string:
            if !hasNilWords, !cell.isEmpty { return JSONWriter.writeString(repairing: cell, to: &bytes) }
        case .automatic:
            if cell.isJSONNumber { return bytes.append(contentsOf: cell) }
        case .boolean, .uuid, .data: break
        }
        write(value(of: cell, isQuoted: isQuoted) ?? .string(String(decoding: cell, as: UTF8.self)), to: &bytes)
    }

    private func write(_ value: PredicateValue, to bytes: inout [UInt8]) {
        let cell: RowCell = if case .date(let date) = value, isDay { .day(day(of: date)) } else { .value(value) }
        cell.writeJSON(to: &bytes)
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var isJSONNumber: Bool {
        guard let first, first.isDigit || first == Byte.minus else { return false }
        var index = first == Byte.minus ? 1 : 0
        let whole = index
        guard skipDigits(&index), self[whole] != Byte.zero || index == whole + 1 else { return false }
        if index < count, self[index] == Byte.dot {
            index += 1
            guard skipDigits(&index) else { return false }
        }
        guard index < count, self[index] | 0x20 == 0x65 else { return index == count }
        index += 1
        if index < count, self[index] == Byte.minus || self[index] == Byte.plus { index += 1 }
        return skipDigits(&index) && index == count
    }

    /// Skips digits; returns false if there is none.
    private func skipDigits(_ index: inout Int) -> Bool {
        let start = index
        while index < count, self[index].isDigit { index += 1 }
        return index > start
    }
}
