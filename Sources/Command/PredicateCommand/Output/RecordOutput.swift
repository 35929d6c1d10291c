import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSession
import PredicateSyntax

/// The output for matching records.
protocol FilterOutput: AnyObject {
    /// Prepares for the records of the next file.
    func begin(_ reader: RecordReader, file: String) throws(CommandFailure)
    /// Appends a match of the current file in the form in which it is held until it is written.
    func prepare(_ match: RecordMatch, to bytes: inout [UInt8])
    /// Writes a match, given its bytes in that form.
    func emit(_ record: UnsafeBufferPointer<UInt8>) throws(CommandFailure)
    /// A Boolean value that indicates whether several records can be written together, unchanged.
    var writesLines: Bool { get }
    func write(lines: UnsafeBufferPointer<UInt8>, count: Int) throws(CommandFailure)
    func flush() throws(DataError)
    /// Writes whatever is buffered. `isWhole` is false after an error that ended the reading of a file.
    func finish(isWhole: Bool) throws(CommandFailure)
    /// The keys of `--keys` that occur in no record.
    var missingKeys: [String] { get }
    /// The error of an expression in the record that was prepared last; nil if all expressions could be evaluated.
    var failure: EvaluationError? { get }
}

/// The position of a record, for `-n` and `-H`.
struct RecordPlace {
    let showsFile: Bool
    let showsLine: Bool

    var isShown: Bool { showsFile || showsLine }

    /// The names of the columns for the position.
    var columns: [String] { (showsFile ? ["file"] : []) + (showsLine ? ["line"] : []) }

    func cells(_ file: String, _ line: Int) -> [RowCell] {
        if !isShown { return [] }
        return (showsFile ? [.value(.string(file.displayName))] : [])
            + (showsLine ? [.value(.integer(Int64(line)))] : [])
    }

    /// `people.csv:12:`
    func prefix(_ file: String, _ line: Int) -> [UInt8] {
        Array(((showsFile ? file.displayName + ":" : "") + (showsLine ? "\(line):" : "")).utf8)
    }

    /// `"file":"people.csv","line":12`
    func members(_ file: String, _ line: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, cell) in zip(columns, cells(file, line)) {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            JSONWriter().write(.string(name), to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            cell.writeJSON(to: &bytes)
        }
        return bytes
    }
}

/// Writes matching records unchanged, or as JSON.
final class RecordOutput: FilterOutput {
    /// A conversion of the bytes of a record.
    private enum Conversion {
        case none
        /// The bytes from the input, instead of the JSON that was made from them.
        case original
        /// JSON of several lines becomes one line.
        case compact
        /// A line of text becomes a JSON string.
        case string
        /// The fields at these places of a row become a JSON object.
        case object(RowForm, RowFields, places: [Int])
        /// A row is written with the columns and the dialect of the first file.
        case reordered(columns: [Int?], from: DelimitedDialect, to: FieldFormat)
    }

    private let settings: FilterSettings
    private let sink: ByteSink
    private var writer: RecordWriter?
    /// The format that is written.
    private var target = DataFormat.jsonLines
    /// The header of the first file. `--keys` refers to its columns.
    private var firstHeader: RecordHeader?
    private var conversion = Conversion.none
    private var file = ""
    private var header: RecordHeader?

    /// True if JSON is indented, as on a terminal.
    private let isForReaders: Bool

    init(_ settings: FilterSettings, isForReaders: Bool, _ sink: @escaping ByteSink) {
        (self.settings, self.isForReaders) = (settings, isForReaders)
        self.sink = sink
    }

    func begin(_ reader: RecordReader, file: String) throws(CommandFailure) {
        if reader.format.isDelimited, reader.header == nil { return }
        (self.file, header) = (file, reader.header)
        if writer == nil {
            do throws(DataError) { try open(reader) } catch { throw failure(error, file, reader) }
        } else if let mismatch = mismatch(with: reader) {
            throw .message("\(file.displayName): \(mismatch)")
        }
        conversion = try conversion(of: reader, file)
    }

    /// True if output has the position as JSON members; other output has it as a prefix, like that of grep.
    private var hasMembers: Bool { settings.output?.json != nil }

    /// Appends the position, if it is shown, and the bytes to write.
    func prepare(_ match: RecordMatch, to bytes: inout [UInt8]) {
        let (place, line) = (settings.place, match.source.line)
        if place.isShown { bytes.append(part: hasMembers ? place.members(file, line) : place.prefix(file, line)) }
        append(match, to: &bytes)
    }

    func emit(_ record: UnsafeBufferPointer<UInt8>) throws(CommandFailure) {
        var (text, position) = (record, [UInt8]())
        if settings.place.isShown { position = text.removePart() }
        try CommandFailure.output { () throws(DataError) in
            try writer?.write(text, prefix: hasMembers ? [] : position, members: hasMembers ? position : [])
        }
    }

    var writesLines: Bool {
        guard case .none = conversion, !settings.place.isShown else { return false }
        return writer?.writesLines ?? false
    }

    func write(lines: UnsafeBufferPointer<UInt8>, count: Int) throws(CommandFailure) {
        try CommandFailure.output { () throws(DataError) in try writer?.write(lines: lines, count: count) }
    }

    func flush() throws(DataError) { try writer?.flush() }

    func finish(isWhole: Bool) throws(CommandFailure) {
        try CommandFailure.output { () throws(DataError) in
            if writer == nil, settings.output == .json { writer = try RecordWriter(format: .json, sink: sink) }
            try writer?.finish(isWhole: isWhole)
        }
    }

    var missingKeys: [String] { writer?.missingKeys ?? [] }

    let failure: EvaluationError? = nil

    /// The key paths of `--keys`.
    private var keys: [String]? { settings.query.keys?.map(\.text) }

    private func open(_ reader: RecordReader) throws(DataError) {
        target = settings.output?.json ?? (settings.output == .lines ? .lines : reader.format)
        // The chosen keys of logfmt lines and of paragraphs are written as JSON.
        if settings.query.keys != nil, target == .logfmt || target == .deb822 { target = .jsonLines }
        // The elements of a JSON array cannot have prefixes.
        if settings.output == nil, settings.place.isShown, target == .json { target = .jsonLines }
        firstHeader = reader.header
        let keys = reader.format.isDelimited && !target.isDelimited ? nil : keys
        let header = target.isDelimited ? reader.header : nil
        writer = try RecordWriter(
            format: target, header: header, keys: keys, isIndented: isForReaders, sink: sink)
    }

    private func conversion(of reader: RecordReader, _ file: String) throws(CommandFailure) -> Conversion {
        switch reader.format {
        case .json: return target == .json ? .none : .compact
        case .jsonLines: return .none
        case .logfmt, .deb822: return target == reader.format || target == .lines ? .original : .none
        case .lines: return target == .lines ? .none : .string
        case .csv, .tsv, .log: break
        }
        guard let header = reader.header, target != .lines else { return .none }
        try ColumnMatch.checkKeys(settings.query.keys ?? [], header, file)
        guard target.isDelimited else {
            let all = Dictionary(zip(header.columns, header.columns.indices)) { first, _ in first }
            let columns = (keys ?? header.columns).filter { all[$0] != nil }
            let places = columns.compactMap { all[$0] }
            return .object(RowForm(.json, columns), RowFields(header, places), places: places)
        }
        guard let firstHeader else { return .none }
        if keys == nil { try ColumnMatch.check(firstHeader.columns, header, file) }
        if header.columns == firstHeader.columns, header.dialect == firstHeader.dialect { return .none }
        let columns = firstHeader.columns.map { header.columns.firstIndex(of: $0) }
        return .reordered(columns: columns, from: header.dialect, to: firstHeader.dialect.fields)
    }

    /// Returns why the records of this file cannot follow those of the first file; nil if they can.
    private func mismatch(with reader: RecordReader) -> String? {
        if target == .lines { return nil }
        if target.isDelimited { return reader.format.isDelimited ? nil : isOther(reader.format) }
        if reader.format.isDelimited != (firstHeader != nil) {
            if settings.output == nil { return isOther(reader.format) }
            if keys != nil { return "--keys cannot be used for JSON and columns in one run" }
        }
        return nil
    }

    private func isOther(_ format: DataFormat) -> String {
        "this is \(format.rawValue), but the first file is \(target.rawValue); --output jsonl can write both"
    }

    private func failure(_ error: DataError, _ file: String, _ reader: RecordReader) -> CommandFailure {
        if case .writeFailed = error.code { return .output(error) }
        guard case .unknownColumn(let name, _) = error.code else {
            return .message("\(file.displayName): \(error.message)")
        }
        let hints = ColumnMatch.hints(for: name, reader.header?.columns ?? [])
        return .message("\(file.displayName): \(error.message)", hints: hints)
    }
}

extension RecordOutput {
    private func append(_ match: RecordMatch, to bytes: inout [UInt8]) {
        switch (conversion, match.found) {
        case (.none, let found?): bytes.append(contentsOf: found.text)
        case (.none, nil): bytes += match.source.raw
        case (.original, _): bytes += match.source.original ?? match.raw
        case (.compact, _): bytes += JSONScanner.compact(match.raw)
        case (.string, _): RowCell.text(match.raw).writeJSON(to: &bytes)
        case (.object(let form, let fields, let places), let found):
            if let found { fields.divide(sifted: found.text) } else { fields.divide(match.source.raw) }
            form.write(to: &bytes) { column, format, bytes in fields.write(places[column], format, to: &bytes) }
        case (.reordered(let columns, let old, let new), _): Self.append(match.raw, columns, old, new, to: &bytes)
        }
    }

    /// Appends a row with its fields in the order of other columns.
    private static func append(
        _ row: [UInt8], _ columns: [Int?], _ old: DelimitedDialect, _ new: FieldFormat, to bytes: inout [UInt8]
    ) {
        let fields = old.fields(of: row)
        for (index, column) in columns.enumerated() {
            if index > 0 { bytes.append(new.delimiter) }
            if let column, column < fields.count { new.write(fields[column], to: &bytes) }
        }
    }
}

// MARK: - Parts of held records

extension [UInt8] {
    mutating func append(word: Int) { Swift.withUnsafeBytes(of: word) { append(contentsOf: $0) } }

    /// Appends the length of a part, then the part.
    mutating func append(part: [UInt8]) {
        append(word: part.count)
        self += part
    }
}

extension UnsafeBufferPointer<UInt8> {
    mutating func removeWord() -> Int {
        defer { self = slice(MemoryLayout<Int>.size..<count) }
        return UnsafeRawBufferPointer(self).loadUnaligned(as: Int.self)
    }

    mutating func removePart() -> [UInt8] {
        let length = removeWord()
        defer { self = slice(length..<count) }
        return Array(slice(0..<length))
    }
}
