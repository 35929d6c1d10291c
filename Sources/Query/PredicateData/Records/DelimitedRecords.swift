import PredicateJSON
import PredicateSyntax

/// CSV and TSV: a header, then rows with the same number of fields; or rows alone.
struct DelimitedRecords: RecordStream {
    private let dialect: DelimitedDialect
    private let limit: Int
    private let isRagged: Bool
    private let skipsEmptyRows: Bool
    private(set) var header: RecordHeader?
    private let isWanted: [Bool]
    /// True for the columns in which a cell that does not have the column's type is read as a string.
    private let isLenient: [Bool]
    private var readings: [ColumnReading] = []
    private let shape: ObjectShape?
    private var fields: [Field] = []

    /// Reads the header.
    init(_ window: ByteWindow, _ dialect: DelimitedDialect, _ options: RecordOptions) throws(DataError) {
        self.dialect = dialect
        (limit, isRagged) = (options.maximumRecordLength, options.isRagged)
        skipsEmptyRows = options.comment != nil
        guard try window.skipBlankLines() else {
            (isWanted, isLenient, shape) = ([], [], nil)
            return
        }
        let start = window.position
        let header: RecordHeader?
        do {
            header = try Self.readHeader(window, dialect, options)
        } catch {
            var error = error
            error.isRecoverable = false
            throw error
        }
        let columns = header?.columns ?? []
        if !options.mayLackTypedColumns, let name = options.types.keys.sorted().first(where: { !columns.contains($0) }),
            header != nil
        {
            throw start.error(.unknownColumn(name, nearMisses: NearMiss.candidates(for: name, among: columns)))
        }
        self.header = header
        isWanted = columns.map(options.reads)
        // Types are inferred from single lines, and a joined cell may have more than one.
        let joinsLines = if case .pattern(let pattern) = dialect.layout { pattern.unmatched == .join } else { false }
        isLenient = columns.map {
            options.types[$0] == nil && (joinsLines || options.readsOtherKeys && options.keys?.contains($0) == false)
        }
        shape = ObjectShape(keys: zip(columns, isWanted).filter(\.1).map(\.0))
        use(columns.map { options.reading($0, options.types[$0] ?? .automatic) })
    }

    /// Sets how the columns are read.
    mutating func use(_ readings: [ColumnReading]) {
        self.readings = readings
        header?.readings = readings
    }

    /// Sets the reasons why columns are string columns.
    mutating func use(_ exceptions: [String: ColumnException]) { header?.exceptions = exceptions }

    /// Reads the names of the columns. A first row without names is left in the window.
    private static func readHeader(
        _ window: ByteWindow, _ dialect: DelimitedDialect, _ options: RecordOptions
    ) throws(DataError) -> RecordHeader? {
        if let names = dialect.layout.columns { return RecordHeader(names: names, raw: nil, dialect: dialect) }
        var fields: [Field] = []
        let width = options.hasExtraFields ? DialectDetection(window, options).widestRow(dialect) : 0
        let further = { (names: [String]) in names + Array(repeating: "", count: max(0, width - names.count)) }
        let start = window.position
        let limit = options.maximumRecordLength
        guard let (row, length, _) = try window.cutRow(with: dialect.makeBoundary(), limit: limit, start: start) else {
            return nil
        }
        let hasNames = options.hasHeader ?? true
        defer { if hasNames { window.drop(length) } }
        do {
            try split(row, dialect, &fields)
            try checkLineEnd(of: row, fields)
            guard hasNames else {
                return RecordHeader(names: further(fields.map { _ in "" }), raw: nil, dialect: dialect)
            }
            let names = fields.map { String(decoding: row.content(of: $0), as: UTF8.self) }
            return RecordHeader(names: further(names), raw: Array(row), dialect: dialect)
        } catch {
            throw error.located(in: row, from: start)
        }
    }

    /// Throws for a carriage return in the header, because the whole file would be one line.
    private static func checkLineEnd(of row: UnsafeBufferPointer<UInt8>, _ fields: [Field]) throws(RecordFault) {
        for field in fields where !field.isQuoted {
            if let index = field.range.first(where: { row[$0] == Byte.carriageReturn }) {
                throw RecordFault(.carriageReturn, at: index)
            }
        }
    }

    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord? {
        guard let header else { return nil }
        while true {
            let start = window.position
            guard let (row, length, _) = try cutRow(window, start) else { return nil }
            defer { window.drop(length) }
            if row.isEmpty, header.columns.count != 1 || skipsEmptyRows { continue }
            do {
                fields.removeAll(keepingCapacity: true)
                try Self.split(row, dialect, &fields)
                let value = try value(of: row, index)
                return SourceRecord(value: value, raw: Array(row), line: start.line, index: index)
            } catch {
                if case .pattern(let pattern) = dialect.layout, pattern.unmatched == .skip,
                    error.code == .patternMismatch
                {
                    continue
                }
                throw error.located(in: row, from: start, isRecoverable: true)
            }
        }
    }

    /// Cuts one row, with the lines after it that belong to it.
    private func cutRow(
        _ window: ByteWindow, _ start: InputPosition
    ) throws(DataError) -> (line: UnsafeBufferPointer<UInt8>, length: Int, start: InputPosition)? {
        let row = try window.cutRow(with: dialect.makeBoundary(), limit: limit, start: start)
        guard case .pattern(let pattern) = dialect.layout, pattern.unmatched == .join, var length = row?.length,
            row.map({ !pattern.continues($0.line) }) ?? false
        else { return row }
        while let line = try window.line(from: length, limit: limit),
            pattern.continues(window.bytes.slice(line).withoutLineEnd)
        {
            length = line.upperBound
            guard length > limit else { continue }
            window.drop(length)
            throw start.error(.recordTooLong(limit: limit), isRecoverable: true)
        }
        return (window.bytes.slice(0..<length).withoutLineEnd, length, start)
    }

    private static func split(
        _ row: UnsafeBufferPointer<UInt8>, _ dialect: DelimitedDialect, _ fields: inout [Field]
    ) throws(RecordFault) {
        if let offset = UTF8Validation.firstFault(in: row, 0..<row.count) {
            throw RecordFault(.invalidUTF8, at: offset)
        }
        try dialect.split(row, into: &fields)
    }

    private func value(of row: UnsafeBufferPointer<UInt8>, _ index: Int) throws(RecordFault) -> PredicateValue {
        let isWhole = fields.count == readings.count || isRagged && fields.count < readings.count
        guard isWhole, let shape else {
            let isComment = row.first == UInt8(ascii: "#")
            throw RecordFault(
                isComment
                    ? .commentLine : .fieldCount(expected: readings.count, found: fields.count), at: 0)
        }
        var values: [PredicateValue] = []
        values.reserveCapacity(readings.count)
        for column in readings.indices where isWanted[column] {
            guard column < fields.count else {
                values.append(.null)
                continue
            }
            let (field, reading) = (fields[column], readings[column])
            let value =
                field.hasDoubledQuotes
                ? row.content(of: field).withUnsafeBufferPointer { reading.value(of: $0, isQuoted: true) }
                : reading.value(of: row.slice(field.range), isQuoted: field.isQuoted)
            guard let value = value ?? lenient(column, in: row) else { throw mismatch(column, in: row, index) }
            values.append(value)
        }
        return .dictionary(shape.dictionary(values))
    }

    /// Returns a cell as a string, if its column may have such cells.
    private func lenient(_ column: Int, in row: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        isLenient[column] ? .string(String(decoding: row.content(of: fields[column]), as: UTF8.self)) : nil
    }

    private func mismatch(_ column: Int, in row: UnsafeBufferPointer<UInt8>, _ index: Int) -> RecordFault {
        let (field, reading) = (fields[column], readings[column])
        let found = String(decoding: row.content(of: field), as: UTF8.self).excerpt
        let name = header.map { $0.columns[column] } ?? ""
        let code: DataError.Code =
            switch reading.origin {
            case .declared: .typeMismatch(column: name, type: reading.type, found: found)
            case .inferred, .sampled:
                .inferredTypeMismatch(column: name, type: reading.type, found: found, row: index + 1)
            }
        return RecordFault(code, at: field.range.lowerBound)
    }
}

/// Opens separated values: detects the encoding, the dialect and the header, and infers the types of the columns.
struct DelimitedOpening {
    let format: DataFormat
    private(set) var options: RecordOptions
    let source: any ByteSource
    private(set) var window: ByteWindow
    private(set) var notes: [ReadingNote] = []

    /// Opens the records whose first bytes are in the window.
    init(
        _ format: DataFormat, _ options: RecordOptions, _ source: any ByteSource, _ window: ByteWindow
    ) {
        (self.format, self.options, self.source, self.window) = (format, options, source, window)
        if options.hasExtraFields || format == .log { self.options.isRagged = true }
        if format == .log, options.linePattern == nil {
            self.options.types.merge(AccessLog.types) { given, _ in given }
            self.options.mayLackTypedColumns = true
        }
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
        if options.skippedLines == nil, sampled, format != .log, options.hasHeader == nil, !options.hasExtraFields,
            let preface = DialectDetection(window, options).preface(dialect)
        {
            if preface.hasComments {
                options.comment = "#"
                notes.append(.skippedComments)
                source = CommentSource.removing(options, from: PeekedSource(Array(window.bytes), source))
                window = ByteWindow(source: source)
                try fillSample()
            } else {
                options.skippedLines = preface.lines
                notes.append(.skippedTitle(preface.lines))
                _ = try beginTable()
            }
        }
        if options.hasHeader == nil, sampled, format != .log, try window.skipBlankLines(),
            options.known.hasHeader.map({ !$0 }) ?? HeaderDetection(window, dialect, options).isData
        {
            options.hasHeader = false
            notes.append(.noHeader)
        }
        var records = try DelimitedRecords(window, dialect, options)
        guard let header = records.header else { return records }
        if !header.renamed.isEmpty { notes.append(.renamedColumns(header.renamed)) }
        if header.raw != nil, let line = laterHeader(header) { notes.append(.laterHeader(line)) }
        let wanted = header.columns.map { name in
            options.types[name] == nil && options.known.columns[name] == nil && options.keys?.contains(name) ?? true
        }
        guard sampled || source.canRestart else {
            let inference = ColumnInference(dialect, wanted: wanted, isRagged: options.isRagged)
            records.use(inference.readings(header.columns, options, .sampled))
            return records
        }
        try infer(&records, header, wanted, source, dialect)
        return records
    }

    private static let delimiters = [Byte.comma, Byte.semicolon, Byte.tab, Byte.bar, Byte.carriageReturn]

    /// Returns the number of a line near the beginning that contains every requested name that the header lacks.
    /// Titles may precede the true header.
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

    /// True if the types of some columns, or the notation of their numbers, must be inferred from a sample.
    private var samplesInput: Bool {
        source.canRestart || options.keys.map { !$0.allSatisfy { options.types[$0] != nil } } ?? true
    }

    /// Drops the lines before the header; returns the delimiter if Excel's line `sep=;` declares one.
    private func beginTable() throws(DataError) -> UInt8? {
        for _ in 0..<(options.skippedLines ?? 0) {
            guard let (_, length, _) = try window.cutLine(limit: options.maximumRecordLength) else { return nil }
            window.dropLine(length)
        }
        return try window.dropSeparatorLine()
    }

    /// Reads the sample from which types are inferred.
    private func fillSample() throws(DataError) {
        while window.bytes.count < firstPiece, try window.refill() {}
    }

    /// The number of bytes to read first: enough to detect the encoding and the dialect. More is read while types are
    /// undecided.
    private var firstPiece: Int { source.canRestart ? ColumnInference.sampleLength : 64 << 10 }

    private func dialect(_ separator: UInt8?) throws(DataError) -> DelimitedDialect {
        let detection = DialectDetection(window, options)
        var dialect = DelimitedDialect.csv
        (dialect.hasLazyQuotes, dialect.nilTexts) = (options.hasLazyQuotes, options.nilTexts)
        switch format {
        case .tsv:
            dialect.delimiter = options.delimiter ?? separator ?? Byte.tab
            dialect.isQuoted = options.hasQuotes && detection.hasQuotedFields(dialect.delimiter)
        case .log:
            (dialect.delimiter, dialect.isQuoted) = (Byte.tab, false)
            dialect.layout = options.linePattern.map(RowLayout.pattern) ?? .accessLog
        case .csv, .json, .jsonLines, .lines, .logfmt, .deb822:
            dialect.delimiter = options.delimiter ?? separator ?? detection.delimiter() ?? Byte.comma
            dialect.isQuoted = options.hasQuotes
        }
        return dialect
    }

    /// Infers the types from the sample, and from the whole input if it can be read again.
    private mutating func infer(
        _ records: inout DelimitedRecords, _ header: RecordHeader, _ wanted: [Bool], _ source: any ByteSource,
        _ dialect: DelimitedDialect
    ) throws(DataError) {
        var inference = ColumnInference(dialect, wanted: wanted, isRagged: options.isRagged)
        var noted = 0
        while true {
            noted += inference.note(window.bytes.slice(noted..<window.bytes.count))
            if inference.isSettled || window.isAtEnd || window.bytes.count >= ColumnInference.sampleLength { break }
            _ = try window.refill()
        }
        if window.isAtEnd { inference.note(last: window.bytes.slice(noted..<window.bytes.count)) }
        var origin = ColumnReading.TypeOrigin.inferred
        if !inference.isSettled, !window.isAtEnd {
            if source.canRestart {
                try inferFromAll(&inference, noted)
                try source.restart()
                window = ByteWindow(source: source)
                try window.skipByteOrderMark()
                _ = try beginTable()
                try fillSample()
                records = try DelimitedRecords(window, dialect, options)
            } else {
                origin = .sampled
            }
        }
        let readings = inference.readings(header.columns, options, origin)
        records.use(readings)
        let known = options.known.columns.compactMapValues(\.exception)
        records.use(inference.exceptions(header.columns, readings).merging(known) { $1 })
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
            // An incomplete row is examined again when twice as many bytes are available. A quote that is never
            // closed turns the rest of the file into one row; the record reader reports the error in such a row.
            wanted = length == 0 ? 2 * window.bytes.count : 0
            if window.bytes.count > options.maximumRecordLength { return }
        }
        if window.isAtEnd { inference.note(last: window.bytes) }
    }

    /// Notes columns that the caller uses and that may be read in an unexpected way.
    private mutating func note(_ inference: ColumnInference, _ columns: [String], _ readings: [ColumnReading]) {
        for (name, reading) in zip(columns, readings) where options.reads(name) {
            if !reading.possibleDates.isEmpty { notes.append(.possibleDates(name, reading.possibleDates)) }
            if reading.hasPercentages { notes.append(.percentages(name)) }
            if reading.hasParentheses { notes.append(.parentheses(name)) }
        }
    }
}

/// A note about the input for the user.
package enum ReadingNote: Hashable, Sendable {
    /// `a,b,a` as a header
    case renamedColumns([RecordHeader.Renaming])
    /// `1,Jo` as the first row, and `2,Al` below it
    case noHeader
    /// `Report 2024` as the first line, and the header on another
    case laterHeader(_ line: Int)
    /// `Report 2024` as the first line, with one field, above a table with more
    case skippedTitle(_ lines: Int)
    /// `# made by hand` as the first line, and other such lines among the rows
    case skippedComments
    /// Bytes that are not UTF-8
    case guessedEncoding(TextEncoding)
    /// `01.02.2024` in a string column
    case possibleDates(String, [DateNotation])
    /// `12%` in a column
    case percentages(String)
    /// `(99.90)` in a column
    case parentheses(String)

    /// The column; nil for a note about the whole input.
    package var column: String? {
        switch self {
        case .renamedColumns, .guessedEncoding, .laterHeader, .skippedTitle, .skippedComments, .noHeader: nil
        case .possibleDates(let name, _), .percentages(let name), .parentheses(let name): name
        }
    }

    private static let namedColumns = 3

    private static func renamed(_ columns: [RecordHeader.Renaming]) -> String {
        let named = columns.prefix(namedColumns).map { "'\($0.old)' is read as '\($0.new)'" }
        let rest = columns.count - named.count
        return "the header repeats names: the next " + named.joined(separator: ", the next ")
            + (rest > 0 ? ", and \(rest) more" : "")
    }

    package var message: String {
        switch self {
        case .renamedColumns(let columns): Self.renamed(columns)
        case .noHeader: "the first row is data, so the keys are column1 and so on; --header yes reads it as their names"
        case .laterHeader(let line): "line \(line) looks like the header; --skip \(line - 1) starts there"
        case .skippedTitle(1): "line 1 is a title, so the table begins below it; --skip 0 reads it as the header"
        case .skippedTitle(let lines):
            "lines 1 to \(lines) are titles, so the table begins below them; --skip 0 reads line 1 as the header"
        case .skippedComments: "lines that begin with # are comments and are skipped; --skip 0 reads them"
        case .guessedEncoding(let encoding): "not UTF-8, read as \(encoding.rawValue); --encoding names another"
        case .possibleDates(let name, let orders):
            "column '\(name)' has strings that look like dates; \(DateNotation.options(name, orders)) reads them"
        case .percentages(let name): "column '\(name)' has percentages: 12% is 0.12"
        case .parentheses(let name): "column '\(name)' has numbers in parentheses: (99.90) is -99.9"
        }
    }
}
