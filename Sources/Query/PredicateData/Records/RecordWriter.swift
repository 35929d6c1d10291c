import Foundation
import PredicateJSON
import PredicateSyntax

/// Writes records in their input format, unchanged or with chosen keys only.
///
/// `try RecordWriter(format: reader.format, header: reader.header, sink: DescriptorSink.standardOutput)`
///
/// JSON Lines: one record per line. JSON: an array with one element per line, valid even without records. CSV and
/// TSV: the header and the rows. With chosen keys, a JSON record is an object with these keys in this order; values
/// are copied, and missing keys are `null`. The member of a key path is named by the whole path, in which a dot in a
/// key is escaped: `v1\.0`. In CSV and TSV the keys choose columns. JSON records can be written as JSON Lines and
/// vice versa. Output is buffered; ``finish()`` writes the rest.
package final class RecordWriter {
    private let format: DataFormat
    private let keys: [String]?
    /// True if the elements of a JSON array are indented for readers.
    private let isIndented: Bool
    private var output: ByteOutput
    private var count = 0
    private var isFinished = false
    /// In JSON, the chosen keys: their names, and their values in a record.
    private var names: [String] = []
    private let fields: JSONFields
    /// In JSON, for each chosen key, whether some record had it; nil if none could have had it.
    private var found: [Bool?] = []
    /// In CSV and TSV, the indices of the chosen columns.
    private var columns: [Int] = []
    private var dialect = DelimitedDialect.csv

    /// Creates a writer. CSV and TSV need the reader's header and begin with it. Throws
    /// ``DataError/Code/unknownColumn(_:)`` for a chosen key that the header lacks.
    package init(
        format: DataFormat, header: RecordHeader? = nil, keys: [String]? = nil,
        isIndented: Bool = false, sink: @escaping ByteSink
    ) throws(DataError) {
        (self.format, self.isIndented) = (format, isIndented)
        self.keys = keys
        output = ByteOutput(sink)
        let paths = (keys ?? []).map(RecordsPath.keys)
        fields = JSONFields(paths)
        switch format {
        case .json, .jsonLines:
            names = paths.map { $0.joined(separator: ".") }
            found = paths.map { _ in nil }
        case .csv, .tsv, .log: if let header { try begin(header) }
        case .lines, .logfmt, .deb822: break
        }
    }

    private func begin(_ header: RecordHeader) throws(DataError) {
        dialect = header.dialect
        for key in keys ?? [] {
            guard let column = header.columns.firstIndex(of: key) else { throw DataError(.unknownColumn(key)) }
            columns.append(column)
        }
        guard let names = header.raw else { return }
        try names.withUnsafeBufferPointer { row in Result { () throws(DataError) in try appendRow(row) } }.get()
    }

    /// Writes a prefix and the bytes of a record; in JSON, with additional members before its own. Throws errors of the sink,
    /// and a ``DataError`` if keys are chosen and the record is invalid.
    package func write(
        _ text: UnsafeBufferPointer<UInt8>, prefix: [UInt8] = [], members: [UInt8] = []
    ) throws(DataError) {
        try output.flushIfFull(adding: text.count)
        output.bytes += prefix
        switch format {
        case .json:
            if isIndented {
                try appendIndented(text, members)
            } else {
                append(count == 0 ? "[" : ",\n")
                try appendJSON(text, members)
            }
        case .jsonLines:
            let start = output.bytes.count
            try appendJSON(text, members)
            replace(Byte.lineFeed, in: text, from: start)
            replace(Byte.carriageReturn, in: text, from: start)
            output.bytes.append(Byte.lineFeed)
        case .csv, .tsv, .log, .lines, .logfmt, .deb822:
            try appendRow(text)
        }
        count += 1
    }

    /// The chosen keys that no JSON record had.
    package var missingKeys: [String] { zip(keys ?? [], found).filter { $0.1 == false }.map(\.0) }

    /// True if lines of the input are written unchanged, so that several can be written together.
    package var writesLines: Bool {
        switch format {
        case .json: false
        case .jsonLines, .csv, .tsv, .log: keys == nil
        case .lines, .logfmt, .deb822: true
        }
    }

    /// Writes records in the line format of the output, separated by line feeds; only if ``writesLines``.
    package func write(lines: UnsafeBufferPointer<UInt8>, count lineCount: Int) throws(DataError) {
        try output.flushIfFull(adding: lines.count)
        let start = output.bytes.count
        output.bytes.append(contentsOf: lines)
        if format == .jsonLines { replace(Byte.carriageReturn, in: lines, from: start) }
        output.bytes.append(Byte.lineFeed)
        count += lineCount
    }

    /// Writes the rest and the end of a JSON array. Nothing may be written afterwards; a second call does nothing.
    /// `isWhole` is false after an error: then no array is written if there are no records.
    package func finish(isWhole: Bool = true) throws(DataError) {
        if isFinished { return }
        isFinished = true
        if format == .json, isWhole || count > 0 { append(count == 0 ? "[]\n" : isIndented ? "\n]\n" : "]\n") }
        try flush()
    }

    /// Passes what is buffered to the sink.
    package func flush() throws(DataError) { try output.flush() }

    private func append(_ text: StaticString) {
        output.bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

extension RecordWriter {
    private func appendIndented(_ text: UnsafeBufferPointer<UInt8>, _ members: [UInt8]) throws(DataError) {
        append(count == 0 ? "[\n  " : ",\n  ")
        let start = output.bytes.count
        try appendJSON(text, members)
        let record = Array(output.bytes[start...])
        output.bytes.removeLast(record.count)
        output.bytes += JSONScanner.indented(record, level: 1)
    }

    /// Appends the record unchanged, or an object with the chosen keys.
    private func appendJSON(_ raw: UnsafeBufferPointer<UInt8>, _ members: [UInt8]) throws(DataError) {
        if keys == nil {
            if members.isEmpty { return output.bytes.append(contentsOf: raw) }
            return JSONScanner.append(members, before: raw, to: &output.bytes)
        }
        output.bytes.append(Byte.openBrace)
        output.bytes += members
        fields.read(Array(raw))
        for (index, name) in names.enumerated() {
            if index > 0 || !members.isEmpty { output.bytes.append(Byte.comma) }
            JSONWriter.writeString(name, to: &output.bytes)
            output.bytes.append(Byte.colon)
            try appendValue(index)
        }
        output.bytes.append(Byte.closeBrace)
    }

    /// Replaces line ends, which are white space in JSON and never part of a string.
    private func replace(_ lineEnd: UInt8, in text: UnsafeBufferPointer<UInt8>, from start: Int) {
        if text.firstIndex(of: lineEnd, from: 0) == nil { return }
        for index in start..<output.bytes.count where output.bytes[index] == lineEnd {
            output.bytes[index] = Byte.space
        }
    }

    /// Appends the value of a chosen key.
    private func appendValue(_ index: Int) throws(DataError) {
        let isFound: Bool?
        do throws(JSONError) { isFound = try fields.append(index, to: &output.bytes) } catch { throw DataError(error) }
        if let isFound, found[index] != true { found[index] = isFound }
    }

    private func appendRow(_ raw: UnsafeBufferPointer<UInt8>) throws(DataError) {
        if keys == nil || format == .lines || format == .logfmt || format == .deb822 {
            output.bytes.append(contentsOf: raw)
        } else {
            try appendColumns(of: raw)
        }
        output.bytes.append(Byte.lineFeed)
    }

    /// Appends the chosen fields with their quotes.
    private func appendColumns(of row: UnsafeBufferPointer<UInt8>) throws(DataError) {
        var fields: [Field] = []
        do {
            try dialect.split(row, into: &fields)
        } catch {
            throw error.located(in: row, from: InputPosition())
        }
        for (index, column) in columns.enumerated() {
            if index > 0 { output.bytes.append(dialect.delimiter) }
            guard column < fields.count else { continue }
            let field = fields[column]
            let margin = field.isQuoted ? 1 : 0
            output.bytes.append(contentsOf: row[field.range.lowerBound - margin..<field.range.upperBound + margin])
        }
    }
}

/// A cell of a written row.
package enum RowCell {
    /// The contents of a field.
    case text([UInt8])
    /// The JSON of a member.
    case json([UInt8])
    case value(PredicateValue)
    /// A date without a time.
    case day(Date)

    /// The contents for CSV, TSV, tables and lines: a string itself, nothing for nil, and JSON for lists and
    /// dictionaries.
    package var text: [UInt8] {
        switch self {
        case .text(let bytes): bytes
        case .json(let bytes): Self.text(ofJSON: bytes)
        case .day(let date): Array(Self.text(ofDay: date).utf8)
        case .value(let value): Self.text(of: value)
        }
    }

    /// The format of a cell.
    package enum Format {
        case json
        /// A field of CSV or TSV.
        case field(FieldFormat)
    }

    /// Appends the cell in a format.
    package func write(_ form: Format, to bytes: inout [UInt8]) {
        switch (form, self) {
        case (.json, _): writeJSON(to: &bytes)
        case (.field, .value(let value)) where value.isWrittenAsInJSON: writeJSON(to: &bytes)
        case (.field(let fields), .value(.string(var text))): text.withUTF8 { fields.write($0, to: &bytes) }
        case (.field(let fields), _): fields.write(text, to: &bytes)
        }
    }

    /// Appends the JSON of the cell.
    package func writeJSON(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): JSONWriter().write(.string(String(decoding: text, as: UTF8.self)), to: &bytes)
        case .json(let json): bytes += json
        case .day(let date): JSONWriter().write(.string(Self.text(ofDay: date)), to: &bytes)
        case .value(let value): JSONWriter().write(value, to: &bytes)
        }
    }

    private static func text(of value: PredicateValue) -> [UInt8] {
        switch value {
        case .null, .nullObject: return []
        // NaN is written as nil, as in JSON.
        case .double(let number) where number.isNaN: return []
        case .string(let text): return Array(text.utf8)
        case .bool, .integer, .double, .decimal, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            var bytes: [UInt8] = []
            JSONWriter().write(value, to: &bytes)
            return bytes.first == UInt8(ascii: "\"") ? text(ofJSON: bytes) : bytes
        }
    }

    private static func text(ofJSON json: [UInt8]) -> [UInt8] {
        let inner = json.dropFirst().dropLast()
        if json.first == Byte.quote, json.last == Byte.quote, json.count > 1,
            !inner.contains(where: { $0 == Byte.backslash || $0 == Byte.quote })
        {
            return Array(inner)
        }
        if json.first == UInt8(ascii: "\""), case .string(let text)? = try? JSONReader.parse(json) {
            return Array(text.utf8)
        }
        return json.elementsEqual("null".utf8) ? [] : JSONScanner.compact(json)
    }

    private static func text(ofDay date: Date) -> String {
        String(JSONWriter().text(of: .date(date)).dropFirst().prefix(10))
    }
}

extension PredicateValue {
    /// True if the value has the same bytes in CSV as in JSON, and needs no quotes.
    fileprivate var isWrittenAsInJSON: Bool {
        switch self {
        case .integer, .bool: true
        case .double(let number): number.isFinite
        case .null, .nullObject, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            false
        }
    }
}
