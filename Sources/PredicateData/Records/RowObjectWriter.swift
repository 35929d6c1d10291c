import PredicateJSON
import PredicateSyntax

/// Writes rows below a header as JSON objects.
///
/// `Jo,1.10` below `name,price` is `{"name":"Jo","price":1.10}`: numbers and dates keep their text.
package final class RowObjectWriter {
    private let dialect: DelimitedDialect
    /// The places of the columns, and how they are read.
    private let places: [Int]
    private let readings: [ColumnReading]
    /// The JSON before the values of the columns, one after the other, and the end of each.
    private let (names, nameEnds): ([UInt8], [Int])
    private var fields: [Field] = []

    /// Creates a writer of some columns, in their order; names that the header lacks are left out.
    package init(_ header: RecordHeader, columns: [String]) {
        dialect = header.dialect
        let places = Dictionary(zip(header.columns, header.columns.indices)) { first, _ in first }
        let found = columns.filter { places[$0] != nil }
        self.places = found.compactMap { places[$0] }
        readings = self.places.map { index in
            index < header.readings.count ? header.readings[index] : ColumnReading(.string, .declared)
        }
        (names, nameEnds) = Self.names(found)
    }

    private static func names(_ columns: [String]) -> ([UInt8], [Int]) {
        var (bytes, ends): ([UInt8], [Int]) = ([], [])
        for name in columns {
            bytes.append(ends.isEmpty ? Byte.openBrace : Byte.comma)
            JSONWriter.writeString(name, to: &bytes)
            bytes.append(Byte.colon)
            ends.append(bytes.count)
        }
        return (bytes, ends)
    }

    /// Appends a row without its line end.
    package func write(_ row: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        fields.removeAll(keepingCapacity: true)
        let isDivided = (try? dialect.split(row, into: &fields)) != nil
        if places.isEmpty { bytes.append(Byte.openBrace) }
        var nameStart = 0
        for column in places.indices {
            bytes.append(contentsOf: names[nameStart..<nameEnds[column]])
            nameStart = nameEnds[column]
            if isDivided, places[column] < fields.count {
                write(fields[places[column]], of: row, readings[column], to: &bytes)
            } else {
                bytes.append(contentsOf: "null".utf8)
            }
        }
        bytes.append(Byte.closeBrace)
    }

    private func write(
        _ field: Field, of row: UnsafeBufferPointer<UInt8>, _ reading: ColumnReading, to bytes: inout [UInt8]
    ) {
        let text = row.slice(field.range)
        guard field.hasDoubledQuotes else { return reading.writeJSON(text, isQuoted: field.isQuoted, to: &bytes) }
        text.withoutDoubledQuotes().withUnsafeBufferPointer { reading.writeJSON($0, isQuoted: true, to: &bytes) }
    }
}

extension RecordHeader {
    /// Returns the cells of a row at some places: the contents of the fields, or their JSON by the types of the
    /// columns. A cell is nil for a place that is nil.
    package func fields(of row: [UInt8], at places: [Int?], asJSON: Bool) -> [RowCell?] {
        row.withUnsafeBufferPointer { row in
            var fields: [Field] = []
            let isDivided = (try? dialect.split(row, into: &fields)) != nil
            return places.map { place in
                guard let place else { return nil }
                guard isDivided, place < fields.count else { return .value(.null) }
                return cell(fields[place], of: row, at: place, asJSON)
            }
        }
    }

    private func cell(
        _ field: Field, of row: UnsafeBufferPointer<UInt8>, at place: Int, _ asJSON: Bool
    ) -> RowCell {
        let contents = row.content(of: field)
        guard asJSON else { return .text(contents) }
        let reading = place < readings.count ? readings[place] : ColumnReading(.string, .declared)
        var json: [UInt8] = []
        contents.withUnsafeBufferPointer { reading.writeJSON($0, isQuoted: field.isQuoted, to: &json) }
        return .json(json)
    }
}

extension ColumnReading {
    /// Appends a cell as JSON. A JSON number, a date of ISO 8601 and a string keep their text.
    fileprivate func writeJSON(_ cell: UnsafeBufferPointer<UInt8>, isQuoted: Bool, to bytes: inout [UInt8]) {
        let bare = cell.withoutOuterSpaces
        switch type {
        case .integer, .double, .decimal:
            if !hasDecimalComma, bare.isJSONNumber { return bytes.append(contentsOf: bare) }
        case .date:
            if !bare.isEmpty, JSONDate.date(from: bare) != nil {
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
        return (try? JSONNumber(self, from: 0))?.range.count == count
    }
}
