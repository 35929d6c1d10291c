import PredicateData
import PredicateSession
import PredicateSyntax

/// Colours what `filter` writes on a terminal: the keys and values of JSON, the heading of rows, and the strings that
/// the predicate looks for.
final class OutputPainter {
    private enum Form {
        case plain
        case json
        case lines
        /// Rows of fields below a heading
        case rows
        /// A table, in which only the heading is coloured
        case table
    }

    private let sink: ByteSink
    private let painter: MatchPainter
    private let output: OutputFormat?
    private var form = Form.plain
    private var json = JSONColours()
    private var rows: RowColours
    private var isHeadingWritten = false

    init(_ settings: FilterSettings, _ predicate: FormatPredicate?, _ console: Console) {
        sink = console.output
        let sought = settings.isInverted ? nil : predicate.map(SoughtTexts.init)
        let colours = Painter(isColoured: console.terminal.isColoured(settings.colour))
        painter = MatchPainter(colours, sought ?? SoughtTexts())
        output = settings.output
        rows = RowColours(DelimitedDialect.csv)
    }

    /// Prepares for the records of a file.
    func begin(_ reader: RecordReader) {
        if let dialect = reader.header?.dialect, output == nil { rows = RowColours(dialect, names: rows.names) }
        begin(output ?? OutputFormat(recordsOf: reader))
    }

    /// Prepares for output in a format; `format` is nil for lines.
    func begin(_ format: OutputFormat?) {
        guard painter.painter.isColoured else { return }
        switch format {
        case .jsonl, .json: form = .json
        case .csv: form = .rows
        case .tsv:
            form = .rows
            if output == .tsv { rows = RowColours(DelimitedDialect.tsv, names: rows.names) }
        case .table: form = .table
        case .lines, nil: form = painter.sought.isEmpty ? .plain : .lines
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(DataError) {
        switch form {
        case .plain: try sink(bytes)
        case .json: try send(json.coloured(bytes, painter))
        case .lines: try send(painter.lines(bytes))
        case .rows: try send(rows.coloured(bytes, painter))
        case .table: try writeTable(bytes)
        }
    }

    private func writeTable(_ bytes: UnsafeRawBufferPointer) throws(DataError) {
        guard !isHeadingWritten, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return try sink(bytes) }
        isHeadingWritten = true
        let heading = painter.painter.paint(String(decoding: bytes[..<end], as: UTF8.self), .heading)
        try send(Array(heading.utf8) + bytes[end...])
    }

    private func send(_ bytes: [UInt8]) throws(DataError) {
        try bytes.withUnsafeBytes { bytes in Result { () throws(DataError) in try sink(bytes) } }.get()
    }
}

/// Colours the strings that a predicate looks for.
private struct MatchPainter {
    let painter: Painter
    let sought: SoughtTexts

    init(_ painter: Painter, _ sought: SoughtTexts) {
        (self.painter, self.sought) = (painter, sought)
    }

    /// Appends a value with its sought parts in colour. `opening` starts the colour of the text around these parts.
    func append(_ text: [UInt8], of key: String, in opening: String = "", to result: inout [UInt8]) {
        guard sought.contains(key), !text.isEmpty else { return result += text }
        let value = String(decoding: text, as: UTF8.self)
        let ranges = value.utf8.elementsEqual(text) ? sought.ranges(in: value, of: key) : []
        var end = value.startIndex
        for range in ranges {
            result += value[end..<range.lowerBound].utf8
            result += (painter.paint(String(value[range]), .match) + opening).utf8
            end = range.upperBound
        }
        result += value[end...].utf8
    }

    /// Returns lines of text with the sought parts of `SELF` in colour.
    func lines(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if index > 0 { result.append(UInt8(ascii: "\n")) }
            append(Array(line), of: SoughtTexts.line, to: &result)
        }
        return result
    }
}

/// Colours rows of CSV and TSV, written piece by piece: the heading, and the sought parts of fields.
private struct RowColours {
    private let delimiter: UInt8
    private let isQuoted: Bool
    /// The names of the heading; empty before it is written.
    private(set) var names: [String]
    private var isHeading: Bool
    private var isInQuotes = false
    private var column = 0
    private var field: [UInt8] = []

    init(_ dialect: DelimitedDialect, names: [String] = []) {
        (delimiter, isQuoted, self.names, isHeading) = (dialect.delimiter, dialect.isQuoted, names, names.isEmpty)
    }

    /// Returns rows with colours.
    mutating func coloured(_ bytes: UnsafeRawBufferPointer, _ painter: MatchPainter) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            if isQuoted, byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
            let isEnd = byte == UInt8(ascii: "\n") && !isInQuotes
            guard isEnd || byte == delimiter && !isInQuotes else {
                field.append(byte)
                continue
            }
            close(painter, to: &result)
            result.append(byte)
            column = isEnd ? 0 : column + 1
            if isEnd { isHeading = false }
        }
        // This field continues in the next piece.
        result += field
        field.removeAll(keepingCapacity: true)
        return result
    }

    private mutating func close(_ painter: MatchPainter, to result: inout [UInt8]) {
        if isHeading {
            let name = String(decoding: field, as: UTF8.self)
            names.append(String(name.trimmingPrefix("\"").prefix { $0 != "\"" && $0 != "\r" }))
            result += painter.painter.paint(name, .heading).utf8
        } else {
            let quote = UInt8(ascii: "\"")
            let hasQuotes = isQuoted && field.count > 1 && field.first == quote && field.last == quote
            let content = hasQuotes ? Array(field.dropFirst().dropLast()) : field
            if hasQuotes { result.append(quote) }
            painter.append(content, of: column < names.count ? names[column] : "", to: &result)
            if hasQuotes { result.append(quote) }
        }
        field.removeAll(keepingCapacity: true)
    }
}

extension OutputFormat {
    /// The format in which records of a file are written unchanged; nil for lines, and for rows without a heading.
    init?(recordsOf reader: RecordReader) {
        switch reader.format {
        case .json: self = .json
        case .jsonLines: self = .jsonl
        case .csv where reader.header?.raw != nil: self = .csv
        case .tsv where reader.header?.raw != nil: self = .tsv
        case .csv, .tsv, .lines, .log, .logfmt, .deb822: return nil
        }
    }
}

/// Colours JSON, written piece by piece.
private struct JSONColours {
    private enum State {
        case between
        case string
        case escape
        /// A number, `true`, `false` or `null`
        case word
    }

    private var state = State.between
    /// True for each open object, false for each open array.
    private var containers: [Bool] = []
    private var expectsKey = false
    /// The key of the current value, and the contents of an unclosed string.
    private var key: [UInt8] = []
    private var text: [UInt8] = []

    /// Returns JSON with colours.
    mutating func coloured(_ bytes: UnsafeRawBufferPointer, _ painter: MatchPainter) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(2 * bytes.count)
        for byte in bytes { append(byte, painter, to: &result) }
        // This string continues in the next piece.
        result += text
        text.removeAll(keepingCapacity: true)
        return result
    }

    private mutating func append(_ byte: UInt8, _ painter: MatchPainter, to result: inout [UInt8]) {
        switch state {
        case .string:
            if byte == UInt8(ascii: "\"") { return closeString(painter, to: &result) }
            if byte == UInt8(ascii: "\\") { state = .escape }
            text.append(byte)
        case .escape:
            text.append(byte)
            state = .string
        case .word:
            if !Self.isWord(byte) { close(painter.painter, to: &result) }
            state == .word ? result.append(byte) : appendBetween(byte, painter.painter, to: &result)
        case .between: appendBetween(byte, painter.painter, to: &result)
        }
    }

    private mutating func appendBetween(_ byte: UInt8, _ painter: Painter, to result: inout [UInt8]) {
        if byte == UInt8(ascii: "\"") {
            result += painter.opening(expectsKey ? .keyword : .string).utf8
            state = .string
        } else if Self.isWord(byte) {
            result += painter.opening(Self.role(of: byte)).utf8
            state = .word
        }
        result.append(byte)
        note(byte)
    }

    private mutating func closeString(_ painter: MatchPainter, to result: inout [UInt8]) {
        if expectsKey {
            key = text
            result += text
        } else if text.contains(UInt8(ascii: "\\")) {
            // A match could end inside an escape.
            result += text
        } else {
            painter.append(
                text, of: String(decoding: key, as: UTF8.self), in: painter.painter.opening(.string), to: &result)
        }
        text.removeAll(keepingCapacity: true)
        result.append(UInt8(ascii: "\""))
        close(painter.painter, to: &result)
    }

    private mutating func close(_ painter: Painter, to result: inout [UInt8]) {
        result += painter.closing.utf8
        state = .between
    }

    /// Takes note of a bracket, a comma or a colon.
    private mutating func note(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): containers.append(true)
        case UInt8(ascii: "["): containers.append(false)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = containers.popLast()
        case UInt8(ascii: ","), UInt8(ascii: ":"): break
        default: return
        }
        expectsKey = containers.last == true && (byte == UInt8(ascii: "{") || byte == UInt8(ascii: ","))
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "+-.".utf8.contains(byte)
    }

    private static func role(of byte: UInt8) -> Painter.Role {
        switch byte {
        case UInt8(ascii: "n"): .faint
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .function
        default: .number
        }
    }
}
