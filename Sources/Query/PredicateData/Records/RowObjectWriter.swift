import PredicateJSON
import PredicateSyntax

/// Writes rows below a header as JSON objects.
///
/// `Jo,1.10` below `name,price` is `{"name":"Jo","price":1.10}`: numbers and dates keep their text.
package final class RowObjectWriter {
    private struct Column {
        /// The index of the column's field in a row.
        let place: Int
        /// The end of the JSON that precedes the column's value.
        let nameEnd: Int
        let reading: ColumnReading
    }

    private let dialect: DelimitedDialect
    private let columns: UnsafeMutableBufferPointer<Column>
    /// The JSON before the values of the columns, one after the other.
    private let names: UnsafeMutableBufferPointer<UInt8>
    /// The fields of a row.
    private let fields: UnsafeMutableBufferPointer<FieldScan.QuickField>

    /// Creates a writer of some columns, in the order given; names that the header lacks are left out.
    package init(_ header: RecordHeader, columns: [String]) {
        dialect = header.dialect
        let places = Dictionary(zip(header.columns, header.columns.indices)) { first, _ in first }
        var (names, found): ([UInt8], [Column]) = ([], [])
        for name in columns {
            guard let place = places[name] else { continue }
            names.append(found.isEmpty ? Byte.openBrace : Byte.comma)
            JSONWriter.writeString(name, to: &names)
            names.append(Byte.colon)
            let reading =
                place < header.readings.count ? header.readings[place] : ColumnReading(.string, .declared)
            found.append(Column(place: place, nameEnd: names.count, reading: reading))
        }
        self.columns = .allocate(capacity: found.count)
        _ = self.columns.initialize(from: found)
        self.names = .allocate(capacity: names.count)
        _ = self.names.initialize(from: names)
        fields = .allocate(capacity: header.columns.count)
    }

    deinit {
        columns.deinitialize()
        columns.deallocate()
        names.deallocate()
        fields.deallocate()
    }

    /// Appends a row without its line end.
    package func write(_ row: [UInt8], to bytes: inout [UInt8]) {
        let line = row + [Byte.lineFeed] + [UInt8](repeating: 0, count: ByteWindow.margin)
        line.withUnsafeBufferPointer { write(sifted: $0.slice(0..<row.count), to: &bytes) }
    }

    /// Appends a row without its line end, which must follow in memory, with ``ByteWindow/margin`` bytes after it.
    package func write(sifted row: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        guard let start = row.baseAddress else { return }
        let scan = FieldScan(dialect, end: start + row.count)
        let count = divide(row, start, scan) ?? split(row, start)
        if columns.isEmpty { bytes.append(Byte.openBrace) }
        var nameStart = 0
        for index in columns.indices {
            bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: names[nameStart..<columns[index].nameEnd]))
            nameStart = columns[index].nameEnd
            if columns[index].place < count {
                write(fields[columns[index].place], scan, columns[index].reading, to: &bytes)
            } else {
                bytes.append(contentsOf: "null".utf8)
            }
        }
        bytes.append(Byte.closeBrace)
    }

    /// Finds the fields of a row and returns their number; nil for a row that needs the full reader.
    private func divide(
        _ row: UnsafeBufferPointer<UInt8>, _ start: UnsafePointer<UInt8>, _ scan: FieldScan
    ) -> Int? {
        guard dialect.layout == .delimited else { return nil }
        var place = scan.place(at: start)
        var (pointer, count) = (start, 0)
        while let field = scan.field(pointer, &place) {
            if count < fields.count { fields.initializeElement(at: count, to: field) }
            count += 1
            pointer = field.next
            if pointer.pointee != Byte.lineFeed {
                pointer += 1
            } else {
                let isWhole = field.isQuoted ? pointer - scan.end <= 1 : field.end == scan.end
                return isWhole ? min(count, fields.count) : nil
            }
        }
        return nil
    }

    /// Finds the fields of a row with the full reader and returns their number; 0 for a malformed row.
    private func split(_ row: UnsafeBufferPointer<UInt8>, _ start: UnsafePointer<UInt8>) -> Int {
        var found: [Field] = []
        guard (try? dialect.split(row, into: &found)) != nil else { return 0 }
        for (index, field) in found.prefix(fields.count).enumerated() {
            let (first, end) = (start + field.range.lowerBound, start + field.range.upperBound)
            fields.initializeElement(
                at: index,
                to: FieldScan.QuickField(
                    start: first, end: end, next: end, isQuoted: field.isQuoted,
                    hasDoubledQuotes: field.hasDoubledQuotes))
        }
        return min(found.count, fields.count)
    }

    private func write(
        _ field: FieldScan.QuickField, _ scan: FieldScan, _ reading: ColumnReading, to bytes: inout [UInt8]
    ) {
        let text = scan.content(of: field)
        guard field.hasDoubledQuotes else { return reading.writeJSON(text, isQuoted: field.isQuoted, to: &bytes) }
        text.withoutDoubledQuotes().withUnsafeBufferPointer { reading.writeJSON($0, isQuoted: true, to: &bytes) }
    }
}

/// The fields of one row after another below a header, which are written one by one.
package struct RowFields {
    private let header: RecordHeader
    private let most: Int
    private var fields: [Field] = []

    /// Creates the fields up to a place; those after it are not divided.
    package init(_ header: RecordHeader, upTo place: Int) {
        (self.header, most) = (header, place + 1)
        fields.reserveCapacity(most)
    }

    /// Finds the fields of a row. A malformed row has none.
    package mutating func divide(_ row: UnsafeBufferPointer<UInt8>) {
        fields.removeAll(keepingCapacity: true)
        if (try? header.dialect.split(row, into: &fields, most: most)) == nil { fields.removeAll() }
    }

    /// Appends the field at a place of the row: its contents, or JSON according to the column's type.
    package func write(
        _ place: Int, of row: UnsafeBufferPointer<UInt8>, _ format: RowCell.Format, to bytes: inout [UInt8]
    ) {
        guard place < fields.count else { return RowCell.value(.null).write(format, to: &bytes) }
        let field = fields[place]
        if field.hasDoubledQuotes {
            row.content(of: field).withUnsafeBufferPointer { write(place, field, $0, format, to: &bytes) }
        } else {
            write(place, field, row.slice(field.range), format, to: &bytes)
        }
    }

    private func write(
        _ place: Int, _ field: Field, _ contents: UnsafeBufferPointer<UInt8>, _ format: RowCell.Format,
        to bytes: inout [UInt8]
    ) {
        switch format {
        case .field(let dialect): dialect.write(contents, to: &bytes)
        case .json:
            let reading =
                place < header.readings.count ? header.readings[place] : ColumnReading(.string, .declared)
            reading.writeJSON(contents, isQuoted: field.isQuoted, to: &bytes)
        }
    }

    /// Returns the contents of the field at a place of the row.
    package func cell(_ place: Int, of row: UnsafeBufferPointer<UInt8>) -> RowCell {
        place < fields.count ? .text(row.content(of: fields[place])) : .value(.null)
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
