/// Opens separated values: finds the encoding, the dialect and the header, and infers the types of the columns.
struct DelimitedOpening {
    let format: DataFormat
    let options: RecordOptions
    let source: any ByteSource
    private(set) var window: ByteWindow
    private(set) var notes: [ReadingNote] = []

    /// Opens the records whose first bytes are in the window.
    init(
        _ format: DataFormat, _ options: RecordOptions, _ source: any ByteSource, _ window: ByteWindow
    ) {
        (self.format, self.options, self.source, self.window) = (format, options, source, window)
    }

    /// Returns the records.
    mutating func records() throws(DataError) -> DelimitedRecords {
        let sampled = samplesInput
        if sampled { try fillSample() } else if window.isEmpty { _ = try window.refill() }
        var source = source
        let beginning = window.bytes.slice(0..<min(window.bytes.count, firstPiece))
        if options.encoding == nil, TextEncoding.looksLikeWindows1252(beginning) {
            notes.append(.guessedEncoding(.windows1252))
            source = TranscodingSource.windows1252(PeekedSource(Array(window.bytes), source))
            window = ByteWindow(source: source)
            if sampled { try fillSample() }
        }
        if LineEndSource.isNeeded(window.bytes.slice(0..<min(window.bytes.count, firstPiece))) {
            source = LineEndSource(PeekedSource(Array(window.bytes), source))
            window = ByteWindow(source: source)
            if sampled { try fillSample() } else { _ = try window.refill() }
        }
        let separator = try beginTable()
        let dialect = try dialect(separator)
        var records = try DelimitedRecords(window, dialect, options)
        guard let header = records.header else { return records }
        notes += header.renamed.map { .renamedColumn($0.old, $0.new) }
        if let line = laterHeader(header) { notes.append(.laterHeader(line)) }
        let wanted = header.columns.map { options.types[$0] == nil && options.keys?.contains($0) ?? true }
        guard sampled || source.canRestart else {
            records.use(ColumnInference(dialect, wanted: wanted).readings(header.columns, options, .sampled))
            return records
        }
        try infer(&records, header, wanted, source, dialect)
        return records
    }

    private static let delimiters = [Byte.comma, Byte.semicolon, Byte.tab, Byte.bar, Byte.carriageReturn]

    /// Returns the number of a line among the first ones that has all wanted names which the header lacks: titles may stand
    /// before the true header.
    private func laterHeader(_ header: RecordHeader) -> Int? {
        let missing = (options.keys ?? []).subtracting(header.columns).map { Array($0.utf8) }
        guard !missing.isEmpty, missing.count == options.keys?.count else { return nil }
        let lines = window.bytes.prefix(16 << 10).split(separator: Byte.lineFeed, omittingEmptySubsequences: false)
        let found = lines.prefix(30).firstIndex { line in
            let fields = line.split { Self.delimiters.contains($0) }
            return missing.allSatisfy { name in fields.contains { $0.filter { $0 != Byte.quote } == name } }
        }
        return found.map { window.position.line + $0 }
    }

    /// True if the types of some columns must be inferred, or the notation of their numbers from a file.
    private var samplesInput: Bool {
        source.canRestart || options.keys.map { !$0.allSatisfy { options.types[$0] != nil } } ?? true
    }

    /// Drops what stands before the header; returns the delimiter that Excel's first line names.
    private func beginTable() throws(DataError) -> UInt8? {
        for _ in 0..<options.skippedLines {
            guard let (_, length, _) = try window.cutLine(limit: options.maximumRecordLength) else { return nil }
            window.dropLine(length)
        }
        return try window.dropSeparatorLine()
    }

    /// Reads as much as types are inferred from.
    private func fillSample() throws(DataError) {
        while window.bytes.count < firstPiece, try window.refill() {}
    }

    /// Enough for the encoding and the dialect; more is read while types are open.
    private var firstPiece: Int { source.canRestart ? ColumnInference.sampleLength : 64 << 10 }

    private func dialect(_ separator: UInt8?) throws(DataError) -> DelimitedDialect {
        let detection = DialectDetection(window)
        switch format {
        case .tsv:
            let delimiter = options.delimiter ?? separator ?? Byte.tab
            return DelimitedDialect(delimiter: delimiter, isQuoted: detection.hasQuotedFields(delimiter))
        case .csv, .json, .jsonLines, .lines:
            let delimiter = options.delimiter ?? separator ?? detection.delimiter() ?? Byte.comma
            return DelimitedDialect(delimiter: delimiter, isQuoted: true)
        }
    }

    /// Infers the types from the sample, and from the whole input if it can be read again.
    private mutating func infer(
        _ records: inout DelimitedRecords, _ header: RecordHeader, _ wanted: [Bool], _ source: any ByteSource,
        _ dialect: DelimitedDialect
    ) throws(DataError) {
        var inference = ColumnInference(dialect, wanted: wanted)
        var noted = 0
        while true {
            noted += inference.note(window.bytes.slice(noted..<window.bytes.count))
            if inference.isSettled || window.isAtEnd || window.bytes.count >= ColumnInference.sampleLength { break }
            _ = try window.refill()
        }
        if window.isAtEnd { inference.note(last: window.bytes.slice(noted..<window.bytes.count)) }
        var origin = ColumnReading.Origin.inferred
        if !inference.isSettled, !window.isAtEnd {
            if source.canRestart {
                try inferFromAll(&inference, noted)
                try source.restart()
                window = ByteWindow(source: source)
                try window.skipByteOrderMark()
                _ = try beginTable()
                records = try DelimitedRecords(window, dialect, options)
            } else {
                origin = .sampled
            }
        }
        let readings = inference.readings(header.columns, options, origin)
        records.use(readings)
        records.use(inference.exceptions(header.columns, readings))
        note(inference, header.columns, readings)
    }

    private func inferFromAll(_ inference: inout ColumnInference, _ noted: Int) throws(DataError) {
        inference.looksAtAll = false
        window.discard(noted)
        var wanted = 0
        while !inference.isSettled, try window.refill() {
            if window.bytes.count < wanted, !window.isAtEnd { continue }
            let length = inference.note(window.bytes)
            window.discard(length)
            // A row that is not whole is looked at again when twice as much of it is there. A quote that is never closed
            // makes one row of the rest, which is an error of its own.
            wanted = length == 0 ? 2 * window.bytes.count : 0
            if window.bytes.count > options.maximumRecordLength { return }
        }
        if window.isAtEnd { inference.note(last: window.bytes) }
    }

    /// Notes the columns that the caller looks at and may read otherwise than expected.
    private mutating func note(_ inference: ColumnInference, _ columns: [String], _ readings: [ColumnReading]) {
        let isWanted = { [options] (name: String) in options.keys?.contains(name) ?? true }
        if options.dateOrder == nil {
            notes += inference.slashedDates(columns, readings).filter(isWanted).map { .slashedDates($0) }
        }
        for (name, reading) in zip(columns, readings) where isWanted(name) {
            if reading.hasPercentages { notes.append(.percentages(name)) }
            if reading.hasParentheses { notes.append(.parentheses(name)) }
        }
    }
}

/// Something about the input that the user should know.
package enum ReadingNote: Hashable, Sendable {
    /// `a,b,a` as a header
    case renamedColumn(_ old: String, _ new: String)
    /// `Report 2024` as the first line, and the header on another
    case laterHeader(_ line: Int)
    /// Bytes that are not UTF-8
    case guessedEncoding(TextEncoding)
    /// `25.12.2024` in a column that is read as text
    case slashedDates(String)
    /// `12%` in a column
    case percentages(String)
    /// `(99.90)` in a column
    case parentheses(String)

    /// The column; nil if the whole input is meant.
    package var column: String? {
        switch self {
        case .renamedColumn, .guessedEncoding, .laterHeader: nil
        case .slashedDates(let name), .percentages(let name), .parentheses(let name): name
        }
    }

    package var message: String {
        switch self {
        case .renamedColumn(let old, let new): "the header has '\(old)' more than once; this one is '\(new)'"
        case .laterHeader(let line): "line \(line) looks like the header; --skip \(line - 1) begins with it"
        case .guessedEncoding(let encoding): "not UTF-8, read as \(encoding.rawValue); --encoding names another"
        case .slashedDates(let name):
            "column '\(name)' is text that looks like dates; --day-first or --month-first reads it as dates"
        case .percentages(let name): "column '\(name)' has percentages: 12% is 0.12"
        case .parentheses(let name): "column '\(name)' has numbers in parentheses: (99.90) is -99.9"
        }
    }
}
