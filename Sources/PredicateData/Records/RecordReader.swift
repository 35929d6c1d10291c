/// Reads records one by one, in memory that does not grow with the input.
///
/// `try RecordReader(source: FileSource(path: "people.csv"), options: RecordOptions(format: .csv))`
///
/// JSON Lines: one JSON text on each line; blank lines are skipped. JSON: the elements of one array, or a sequence of
/// values; with ``RecordOptions/recordsPath`` the elements of the array there (or the one object), and then the rest of
/// the document is not checked. CSV and TSV: rows under a header, with the same number of fields, and a type for each
/// column; empty lines are skipped if there is more than one column. Lines: each is a string. In all formats a byte order
/// mark at the beginning is skipped, a line may end with CR LF, and gzip and Zstandard are unpacked.
///
/// A record that cannot be read throws a recoverable ``DataError``; the next call returns the next record. After any
/// other error there are no more records.
package final class RecordReader {
    /// The format: given by the options, or detected.
    package let format: DataFormat
    let window: ByteWindow
    private var stream: any RecordStream
    /// The number of records read, including records with errors.
    var count = 0
    private var isFinished = false

    /// Notes about the beginning of the input and the types of columns.
    package let notes: [ReadingNote]

    /// Reads the beginning of the input: enough for the format and the header, and in CSV and TSV for the types of the
    /// columns. Throws a ``DataError`` that is not recoverable.
    ///
    /// A type is inferred from the whole column if the source can restart, or else from the first mebibyte; it is not
    /// inferred for columns of ``RecordOptions/types`` or outside ``RecordOptions/keys``.
    package init(source: any ByteSource, options: RecordOptions = RecordOptions()) throws(DataError) {
        let source = try DecodedInput.open(source, encoding: options.encoding)
        let window = ByteWindow(source: source)
        try window.skipByteOrderMark()
        let given = options.format ?? (options.recordsPath != nil ? .json : nil)
        format = if let given { given } else { try DataFormat.sniff(window) }
        switch format {
        case .json: (stream, self.window, notes) = (DocumentRecords(options), window, [])
        case .jsonLines: (stream, self.window, notes) = (LineRecords(options), window, [])
        case .lines: (stream, self.window, notes) = (PlainLines(options), window, [])
        case .csv, .tsv:
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

/// A stream of records in one format.
protocol RecordStream {
    var header: RecordHeader? { get }
    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord?
}

extension RecordStream {
    var header: RecordHeader? { nil }
}

/// JSON Lines: every line that is not blank is one record.
struct LineRecords: RecordStream {
    private var decoder: JSONRecordDecoder
    private let limit: Int

    init(_ options: RecordOptions) {
        decoder = JSONRecordDecoder(options)
        limit = options.maximumRecordLength
    }

    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord? {
        while let (line, length, start) = try window.cutLine(limit: limit) {
            defer { window.dropLine(length) }
            if line.isBlank { continue }
            do {
                return SourceRecord(value: try decoder.decode(line), raw: Array(line), line: start.line, index: index)
            } catch {
                throw error.located(in: line, from: start, isRecoverable: true)
            }
        }
        return nil
    }
}

/// Lines of any text, each of them a string. One that is not UTF-8 is read as Windows-1252, unless the options say UTF-8.
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
            if isStrict { throw Fault(.invalidUTF8, at: fault).located(in: line, from: start, isRecoverable: true) }
            raw = try TranscodingSource.windows1252(MemorySource(raw)).all()
        }
        let text = String(decoding: raw, as: UTF8.self)
        return SourceRecord(value: .string(text), raw: raw, line: start.line, index: index)
    }
}

extension ByteWindow {
    /// Cuts one line; returns its text without the line end, its length with it, and its position; nil at the end of
    /// the input.
    func cutLine(
        limit: Int
    ) throws(DataError) -> (line: UnsafeBufferPointer<UInt8>, length: Int, start: Position)? {
        try cutRow(with: LineBoundary(), limit: limit, start: position)
    }

    /// Cuts one record that ends with a line end.
    func cutRow(
        with boundary: some BoundaryScanner, limit: Int, start: Position
    ) throws(DataError) -> (line: UnsafeBufferPointer<UInt8>, length: Int, start: Position)? {
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
