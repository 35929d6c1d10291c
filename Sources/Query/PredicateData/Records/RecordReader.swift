import PredicateJSON
import PredicateSyntax

/// Reads records one at a time, in memory that does not grow with the input.
///
/// `try RecordReader(source: FileSource(path: "people.csv"), options: RecordOptions(format: .csv))`
///
/// JSON Lines: one JSON document per line; blank lines are skipped. JSON: the elements of an array, or a sequence of values.
/// With ``RecordOptions/recordsPath``, the elements of the array at that path, or the single object there; the rest of the
/// document is then not checked. CSV and TSV: rows under a header, with the same number of fields, and a type for each column;
/// empty lines are skipped if there is more than one column. Logs: lines with named parts. Lines: each line is a string.
/// deb822: paragraphs of fields, each ended by a blank line. In all formats, a byte order mark at the beginning is skipped, a
/// line may end with CR LF, and gzip files, Zstandard files and zip archives of one file are unpacked.
///
/// A record that cannot be read throws a recoverable ``DataError``; the next call returns the next record. After any
/// other error there are no more records.
package final class RecordReader {
    /// The format: given by the options, or detected.
    package let format: DataFormat
    /// The options, and how dated keys are read.
    package let options: RecordOptions
    let window: ByteWindow
    private var stream: any RecordStream
    /// The number of records read, including records with errors.
    package internal(set) var count = 0
    private var isFinished = false

    /// Notes about the beginning of the input and the types of columns.
    package let notes: [ReadingNote]

    /// Reads the beginning of the input: enough for the format and the header and, for CSV and TSV, for the types of
    /// the columns. Throws a ``DataError`` that is not recoverable.
    ///
    /// A type is inferred from the whole column if the source can restart, otherwise from the first mebibyte. Types
    /// are not inferred for columns of ``RecordOptions/types`` or outside ``RecordOptions/keys``.
    package init(source: any ByteSource, options: RecordOptions = RecordOptions()) throws(DataError) {
        let decoded = try DecodedInput.open(source, encoding: options.encoding)
        let source = CommentSource.removing(options, from: decoded)
        let window = ByteWindow(source: source)
        try window.skipByteOrderMark()
        let given = options.format ?? (options.recordsPath != nil ? .json : nil)
        format = if let given { given } else { try DataFormat.sniff(window, options) }
        var options = options
        if !format.isDelimited { try options.examineDates(window, format) }
        self.options = options
        switch format {
        case .json: (stream, self.window, notes) = (DocumentRecords(options), window, [])
        case .jsonLines where options.recordsPath != nil:
            (stream, self.window, notes) = (DocumentRecords(options), window, [])
        case .jsonLines: (stream, self.window, notes) = (LineRecords(options), window, [])
        case .lines: (stream, self.window, notes) = (PlainLines(options), window, [])
        case .logfmt: (stream, self.window, notes) = (LineRecords(options, areLogfmt: true), window, [])
        case .deb822: (stream, self.window, notes) = (Paragraphs(options), window, [])
        case .csv, .tsv, .log:
            var opening = DelimitedOpening(format, options, source, window)
            stream = try opening.records()
            (self.window, notes) = (opening.window, opening.notes)
        }
    }

    /// The header of CSV and TSV; nil for other formats and for empty input.
    package var header: RecordHeader? { stream.header }

    /// Returns the next record, nil at the end. Throws a ``DataError``; if it is recoverable, the next call continues
    /// after the invalid record.
    package func next() throws(DataError) -> SourceRecord? {
        if isFinished { return nil }
        do {
            let record = try stream.next(in: window, index: count)
            isFinished = record == nil
            count += 1
            return record
        } catch {
            isFinished = !error.isRecoverable
            count += 1
            throw error
        }
    }
}

extension RecordReader {
    /// Returns the value of the next record without an error; nil at the end.
    fileprivate func nextReadable() -> PredicateValue? {
        while true {
            do throws(DataError) { return try next()?.value } catch { if !error.isRecoverable { return nil } }
        }
    }
}

/// A stream of records in one format.
protocol RecordStream {
    var header: RecordHeader? { get }
    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord?
}

extension RecordStream {
    var header: RecordHeader? { nil }
}

/// JSON Lines and logfmt: every line that is not blank is one record.
struct LineRecords: RecordStream {
    private let decoder: JSONRecordDecoder
    private let limit: Int
    private let areLogfmt: Bool

    init(_ options: RecordOptions, areLogfmt: Bool = false) {
        decoder = JSONRecordDecoder(options)
        limit = options.maximumRecordLength
        self.areLogfmt = areLogfmt
    }

    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord? {
        try window.nextLine(limit: limit) { (line, start) throws(RecordFault) in
            if areLogfmt { return try decoder.record(LogfmtLine.json(of: line), of: Array(line), start.line, index) }
            return SourceRecord(value: try decoder.decode(line), raw: Array(line), line: start.line, index: index)
        }
    }
}

/// Lines of text, each of which is a string. A line that is mostly not UTF-8 is read as Windows-1252, unless the options
/// require UTF-8; other lines that are not UTF-8 are errors.
struct PlainLines: RecordStream {
    private let limit: Int
    private let isStrict: Bool

    init(_ options: RecordOptions) {
        limit = options.maximumRecordLength
        isStrict = options.encoding == .utf8
    }

    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord? {
        guard let (line, length, start) = try window.cutLine(limit: limit) else { return nil }
        defer { window.dropLine(length) }
        var raw = Array(line)
        if let fault = UTF8Validation.firstFault(in: line, 0..<line.count) {
            if isStrict || !TextEncoding.isMostlyInvalid(line) {
                throw RecordFault(.invalidUTF8, at: fault).located(in: line, from: start, isRecoverable: true)
            }
            raw = try TranscodingSource.windows1252(MemorySource(raw)).all()
        }
        let text = String(decoding: raw, as: UTF8.self)
        return SourceRecord(value: .string(text), raw: raw, line: start.line, index: index)
    }
}

extension ByteWindow {
    /// Reads the next line that is not blank; nil at the end of the input. A fault of the line is recoverable.
    @inline(__always)
    func nextLine(
        limit: Int,
        _ read: (_ line: UnsafeBufferPointer<UInt8>, _ start: InputPosition) throws(RecordFault) -> SourceRecord
    ) throws(DataError) -> SourceRecord? {
        while let (line, length, start) = try cutLine(limit: limit) {
            defer { dropLine(length) }
            if line.isBlank { continue }
            do throws(RecordFault) {
                return try read(line, start)
            } catch {
                throw error.located(in: line, from: start, isRecoverable: true)
            }
        }
        return nil
    }

    /// Cuts one line; returns it without the line end, its length including the line end, and its position; nil at
    /// the end of the input.
    func cutLine(
        limit: Int
    ) throws(DataError) -> (line: UnsafeBufferPointer<UInt8>, length: Int, start: InputPosition)? {
        try cutRow(with: LineBoundary(), limit: limit, start: position)
    }

    /// Reads a line that begins after the bytes of others; returns its range with its line end, or nil at the end of the input.
    /// Of a line that ends after `limit`, only a part may be read.
    func line(from first: Int, limit: Int) throws(DataError) -> Range<Int>? {
        var scanned = first
        while true {
            if let lineFeed = bytes.firstIndex(of: Byte.lineFeed, from: scanned) { return first..<lineFeed + 1 }
            scanned = bytes.count
            if scanned <= limit, try refill() { continue }
            return scanned > first ? first..<scanned : nil
        }
    }

    /// Cuts one record that ends with a line end.
    func cutRow(
        with boundary: some BoundaryScanner, limit: Int, start: InputPosition
    ) throws(DataError) -> (line: UnsafeBufferPointer<UInt8>, length: Int, start: InputPosition)? {
        var boundary = boundary
        switch try cut(with: &boundary, limit: min(limit, .max - 2) + 2) {
        case .tooLong:
            throw start.error(.recordTooLong(limit: limit), isRecoverable: true)
        case .whole(0):
            return nil
        case .whole(let length):
            let row = bytes.slice(0..<length).withoutLineEnd
            if row.count <= limit { return (row, length, start) }
            drop(length)
            throw start.error(.recordTooLong(limit: limit), isRecoverable: true)
        }
    }
}

/// A record of the input: its value and its source.
///
/// `{"name": "jo"}` on the third line of a JSON Lines file has `line` 3 and `index` 2.
package struct SourceRecord: Sendable {
    /// The value: a dictionary in CSV, TSV and logs, any value in JSON.
    package var value: PredicateValue
    /// The bytes of the record, without the line end; for logfmt, the JSON made from the record.
    package var raw: [UInt8]
    /// The bytes of the record in the input, if they differ from ``raw``.
    package var original: [UInt8]?
    /// The line on which the record begins, from 1.
    package var line: Int
    /// The number of records before it, including records with errors.
    package var index: Int

    package init(value: PredicateValue, raw: [UInt8], line: Int, index: Int) {
        self.value = value
        self.raw = raw
        self.line = line
        self.index = index
    }

    /// The record as a string.
    package var text: String { String(decoding: raw, as: UTF8.self) }
}

/// The first row of CSV and TSV, and how the rows under it are read.
///
/// `name,age`
package struct RecordHeader: Hashable, Sendable {
    /// The column names, in order. A repeated name gets a number, `name_2`; a column without a name is named by its
    /// position, `column3`.
    package let columns: [String]
    /// The columns that were renamed because an earlier column has the same name.
    package let renamed: [Renaming]
    /// The bytes of the row, without the line end; nil if the columns have no names in the file.
    package let raw: [UInt8]?
    package let dialect: DelimitedDialect
    /// The readings of the columns.
    package internal(set) var readings: [ColumnReading] = []
    /// The columns that are string columns because of one cell.
    package internal(set) var exceptions: [String: ColumnException] = [:]

    package struct Renaming: Hashable, Sendable {
        package let old: String
        package let new: String
    }

    /// Creates a header with the names in the file.
    package init(names: [String], raw: [UInt8]?, dialect: DelimitedDialect = .csv) {
        var (columns, renamed): ([String], [Renaming]) = ([], [])
        var taken = Set(names)
        var seen: Set<String> = []
        for (index, name) in names.enumerated() {
            if !name.isEmpty, seen.insert(name).inserted {
                columns.append(name)
                continue
            }
            let new = name.isEmpty ? Self.free("column", index + 1, taken) : Self.free(name + "_", 2, taken)
            taken.insert(new)
            columns.append(new)
            if !name.isEmpty { renamed.append(Renaming(old: name, new: new)) }
        }
        (self.columns, self.renamed, self.raw, self.dialect) = (columns, renamed, raw, dialect)
    }

    /// Returns the first numbered name that no column has.
    private static func free(_ stem: String, _ first: Int, _ taken: Set<String>) -> String {
        var number = first
        while taken.contains(stem + String(number)) { number += 1 }
        return stem + String(number)
    }

    /// Returns how a column is read.
    package func reading(of column: String) -> ColumnReading? {
        columns.firstIndex(of: column).flatMap { $0 < readings.count ? readings[$0] : nil }
    }
}

/// The options of a ``RecordReader``.
///
/// `RecordOptions(format: .csv, types: ["born": .date])`
package struct RecordOptions: Hashable, Sendable {
    /// The format; nil to detect it from the first bytes.
    package var format: DataFormat?
    /// The path to the array of records in a JSON document: keys separated by dots, `result.items`. A dot in a key is
    /// escaped, `v1\.0.items`. For JSON and JSON Lines only; if `format` is nil, it implies JSON.
    package var recordsPath: String?
    /// The key under which each record at the path has the object around it, without the records; nil for none.
    package var parentKey: String?
    /// The types of columns. In JSON, members with these names are converted: strings to any type, numbers to doubles
    /// or exact decimal numbers.
    package var types: [String: ColumnType]
    /// True if a CSV or TSV file may lack a column that has a declared type.
    package var mayLackTypedColumns = false
    /// The keys to read, nil for all. Other keys are checked but left out of ``SourceRecord/value``, which saves most
    /// of the time if a predicate uses few keys of wide records.
    package var keys: Set<String>?
    /// True if the other keys are read, too, as far as is possible without reading the input twice: the types of such columns
    /// are inferred from the first mebibyte, and a cell of another type is a string.
    package var readsOtherKeys = false
    /// What is known from an earlier pass over the same input.
    package var known = KnownTable()
    /// The maximum length of a record in bytes, 64 MiB. A longer record is an error, and reading continues with the
    /// next one.
    package var maximumRecordLength: Int
    /// The delimiter of CSV and TSV; nil to detect it in the first rows.
    package var delimiter: UInt8?
    /// The number of lines before the header of CSV and TSV; nil to detect titles.
    package var skippedLines: Int?
    /// The beginning of lines of CSV and TSV that are comments.
    package var comment: String?
    /// The unquoted fields of CSV and TSV that are nil.
    package var nilTexts = NilTexts.standard
    /// True if a row of CSV and TSV may have more fields than the header; they are `column4` and so on. Implies
    /// ``isRagged``.
    package var hasExtraFields = false
    /// False if quotes in CSV are ordinary characters everywhere.
    package var hasQuotes = true
    /// The pattern that divides lines of ``DataFormat/log``; nil for the log formats of web servers.
    package var linePattern: LinePattern?
    /// True if a row of CSV and TSV may have fewer fields than the header: the missing ones are nil.
    package var isRagged = false
    /// True if quotes inside fields of CSV and TSV are ordinary characters: `55" wide`
    package var hasLazyQuotes = false
    /// Whether the first row of CSV and TSV has the names of the columns; nil to detect it. Without names the columns
    /// are `column1` and so on.
    package var hasHeader: Bool?
    /// The encoding; nil for UTF-8, UTF-16 with a byte order mark, or Windows-1252 in CSV, TSV and lines.
    package var encoding: TextEncoding?
    /// The notations of dates that are not in ISO 8601; in CSV and TSV, the cells of a column may decide their order.
    package var dates = DateNotations() {
        didSet { for name in dates.columns.keys { types[name] = .date } }
    }
    /// The keys of records without a header that are compared with dates. Their strings are read as dates if all strings in the
    /// first records are dates. A dot separates the keys of a path.
    package var datedKeys: Set<String> = []
    /// How the dated keys are read, once the first records are known.
    fileprivate(set) var datedReadings: [String: ColumnReading] = [:]
    /// The zone of dates without an offset; nil for UTC.
    package var zone: LocalZone?
    /// True for `1.234,5` in CSV and TSV, false for `1,234.5`; nil to detect it in the columns.
    package var hasDecimalComma: Bool?

    package init(
        format: DataFormat? = nil, recordsPath: String? = nil, types: [String: ColumnType] = [:],
        keys: Set<String>? = nil, maximumRecordLength: Int = PredicateLimits.standard.recordLength
    ) {
        self.format = format
        self.recordsPath = recordsPath
        self.types = types
        self.keys = keys
        self.maximumRecordLength = maximumRecordLength
    }
}

extension RecordOptions {
    /// Returns true if a key of records is read.
    func reads(_ key: String) -> Bool { readsOtherKeys || keys?.contains(key) ?? true }

    /// The keys that are read; nil for all.
    var keysToRead: Set<String>? { readsOtherKeys ? nil : keys }

    /// The readings of the columns and keys that have a type.
    package var readings: [String: ColumnReading] {
        var readings = datedReadings
        for (name, type) in types { readings[name] = reading(name, type) }
        return readings
    }

    /// Returns how a column of a declared type is read.
    func reading(_ name: String, _ type: ColumnType) -> ColumnReading {
        var reading = ColumnReading(type, .declared, in: zone)
        reading.dateNotation = dates[name]
        return reading
    }

    /// Determines how the dated keys are read, from the records at the beginning of the input.
    fileprivate mutating func examineDates(_ window: ByteWindow, _ format: DataFormat) throws(DataError) {
        if datedKeys.isEmpty { return }
        if window.isEmpty { _ = try window.refill() }
        var sample = self
        (sample.datedKeys, sample.format) = ([], format)
        let paths = datedKeys.map { (name: $0, keys: RecordsPath.keys($0)) }
        sample.keys = Set(paths.map { $0.keys[0] })
        let reader = try RecordReader(source: MemorySource(Array(window.bytes)), options: sample)
        var profiles: [String: ColumnProfile] = [:]
        while let value = reader.nextReadable() {
            for path in paths {
                for var text in value.texts(at: path.keys[...]) {
                    text.withUTF8 { profiles[path.name, default: ColumnProfile()].note($0, isQuoted: true) }
                }
            }
        }
        for (name, profile) in profiles {
            var reading = profile.reading(NumberNotation([], .csv, given: nil), dates.others)
            (reading.origin, reading.zone) = (.sampled, zone)
            if reading.type == .date || !reading.possibleDates.isEmpty { datedReadings[name] = reading }
        }
    }
}

extension [String: ColumnReading] {
    /// Returns how the values at a key path are read. A single key may be listed with or without escapes.
    package func reading(at keys: [String]) -> ColumnReading? {
        (keys.count == 1 ? self[keys[0]] : nil) ?? self[RecordsPath.text(of: keys)]
    }
}

extension PredicateValue {
    /// Returns the strings at a key path, also in the elements of arrays.
    fileprivate func texts(at path: ArraySlice<String>) -> [String] {
        switch self {
        case .string(let text): path.isEmpty ? [text] : []
        case .array(let elements): elements.flatMap { $0.texts(at: path) }
        case .dictionary(let members):
            path.first.flatMap { members[$0] }.map { $0.texts(at: path.dropFirst()) } ?? []
        case .null, .nullObject, .bool, .integer, .double, .decimal, .date, .data, .uuid, .url, .type, .set,
            .orderedSet,
            .object, .expression, .predicate:
            []
        }
    }
}

/// Finds the end of a line, including the line feed.
struct LineBoundary: BoundaryScanner {
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        bytes.firstIndex(of: Byte.lineFeed, from: start).map { $0 + 1 }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes without the line feed at the end, and without the carriage return before it.
    var withoutLineEnd: UnsafeBufferPointer<UInt8> {
        var count = count
        guard count > 0, self[count - 1] == Byte.lineFeed else { return self }
        count -= 1
        if count > 0, self[count - 1] == Byte.carriageReturn { count -= 1 }
        return slice(0..<count)
    }
}
