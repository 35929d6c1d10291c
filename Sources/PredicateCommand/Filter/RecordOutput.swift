import PredicateData
import PredicateSyntax

/// Writes selected records, as they are in the input or as JSON.
final class RecordOutput {
    /// The conversion of a record's text.
    private enum Conversion {
        case none
        /// JSON on several lines becomes one line.
        case compact
        /// A row becomes an object with these columns.
        case object(columns: [String])
    }

    private let settings: FilterSettings
    private let sink: ByteSink
    private var writer: RecordWriter?
    /// The format that is written.
    private var target = DataFormat.jsonLines
    /// The header of the first file, which determines how chosen keys are found.
    private var firstHeader: RecordHeader?
    private var conversion = Conversion.none

    init(_ settings: FilterSettings, _ sink: @escaping ByteSink) {
        self.settings = settings
        self.sink = sink
    }

    /// Prepares for the records of another file. The first file determines the output format.
    func begin(_ reader: RecordReader, file: String) throws(CommandFailure) {
        if reader.format.isDelimited, reader.header == nil { return }
        if writer == nil {
            do throws(DataError) { try open(reader) } catch { throw failure(error, file, reader) }
        } else if let mismatch = mismatch(with: reader) {
            throw .message("\(file.displayName): \(mismatch)")
        }
        do throws(DataError) { conversion = try conversion(of: reader) } catch { throw failure(error, file, reader) }
    }

    /// Writes one record.
    func write(_ record: SourceRecord) throws(CommandFailure) {
        do throws(DataError) {
            try writer?.write(converted(record))
        } catch {
            throw .output(error)
        }
    }

    /// True if records are written as lines of the input, so that several can be written together.
    var writesLines: Bool { writer?.writesLines ?? false }

    /// Writes `count` records without conversion: lines of JSON, or rows; a single one if not ``writesLines``.
    func write(_ lines: UnsafeBufferPointer<UInt8>, count: Int) throws(CommandFailure) {
        do throws(DataError) {
            if writesLines { try writer?.write(lines: lines, count: count) } else { try writer?.write(lines) }
        } catch {
            throw .output(error)
        }
    }

    /// Flushes the buffer.
    func flush() throws(DataError) {
        try writer?.flush()
    }

    /// Writes the rest, and the end of a JSON array; without records the array is empty.
    func finish() throws(CommandFailure) {
        do throws(DataError) {
            if writer == nil, settings.output == .json { writer = try RecordWriter(format: .json, sink: sink) }
            try writer?.finish()
        } catch {
            throw .output(error)
        }
    }

    private func open(_ reader: RecordReader) throws(DataError) {
        target = settings.output ?? reader.format
        firstHeader = reader.header
        let keys = reader.format.isDelimited && !target.isDelimited ? nil : settings.keys
        let header = target.isDelimited ? reader.header : nil
        writer = try RecordWriter(format: target, header: header, keys: keys, sink: sink)
    }

    private func conversion(of reader: RecordReader) throws(DataError) -> Conversion {
        if let header = reader.header, !target.isDelimited {
            let columns = settings.keys ?? header.columns
            for name in columns where !header.columns.contains(name) { throw DataError(.unknownColumn(name)) }
            return .object(columns: columns)
        }
        return reader.format == .json && target == .jsonLines ? .compact : .none
    }

    /// Returns why the records of a file cannot follow those of the first file; nil if they can.
    private func mismatch(with reader: RecordReader) -> String? {
        if target.isDelimited {
            guard reader.format == target else { return isOther(reader.format) }
            let isSame = reader.header?.columns == firstHeader?.columns
            return isSame ? nil : "its columns differ from those of the first file; --output jsonl can write both"
        }
        if reader.format.isDelimited, settings.output == nil { return isOther(reader.format) }
        if settings.keys != nil, reader.format.isDelimited != (firstHeader != nil) {
            return "--keys cannot be used for JSON and columns in one run"
        }
        return nil
    }

    private func isOther(_ format: DataFormat) -> String {
        "this is \(format.rawValue), but the first file is \(target.rawValue); --output jsonl can write both"
    }

    private func failure(_ error: DataError, _ file: String, _ reader: RecordReader) -> CommandFailure {
        if case .writeFailed = error.code { return .output(error) }
        return .message("\(file.displayName): \(error.message)", hints: hints(for: error, reader.header?.columns ?? []))
    }

    private func hints(for error: DataError, _ columns: [String]) -> [String] {
        guard case .unknownColumn(let name) = error.code else { return [] }
        if columns.contains(name.trimmed) { return ["spaces are part of a name: write --keys name,age"] }
        return UsageError.suggestions(for: name, among: columns)
    }
}

extension RecordOutput {
    private func converted(_ record: SourceRecord) -> SourceRecord {
        var record = record
        switch conversion {
        case .none: break
        case .compact: record.raw = Self.withoutWhitespace(record.raw)
        case .object(let columns): record.raw = Self.object(columns, of: record.value)
        }
        return record
    }

    /// Returns JSON without white space between tokens.
    private static func withoutWhitespace(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        var isInString = false
        var isEscaped = false
        for byte in json {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                isInString = byte == UInt8(ascii: "\"")
                if byte <= UInt8(ascii: " ") { continue }
            }
            result.append(byte)
        }
        return result
    }

    /// Returns a JSON object with its members in the order of the columns.
    private static func object(_ columns: [String], of value: PredicateValue) -> [UInt8] {
        guard case .dictionary(let members) = value else { return Array("null".utf8) }
        var result = Array("{".utf8)
        for (index, column) in columns.enumerated() {
            if index > 0 { result.append(UInt8(ascii: ",")) }
            JSONWriter().write(.string(column), to: &result)
            result.append(UInt8(ascii: ":"))
            JSONWriter().write(members[column] ?? .null, to: &result)
        }
        result.append(UInt8(ascii: "}"))
        return result
    }
}

extension DataFormat {
    /// True if records are rows under a header.
    var isDelimited: Bool {
        switch self {
        case .json, .jsonLines: false
        case .csv, .tsv: true
        }
    }
}
