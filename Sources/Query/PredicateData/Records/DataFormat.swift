import PredicateJSON

/// The file formats.
///
/// `DataFormat(fileName: "people.jsonl")` is `jsonLines`.
package enum DataFormat: String, Hashable, Sendable, CaseIterable {
    /// A JSON document: an array of records, or one record after another.
    case json
    /// One JSON document per line.
    case jsonLines = "jsonl"
    /// Fields separated by commas, semicolons, tabs or bars, with a header (RFC 4180).
    case csv
    /// Fields separated by tabs, with a header. Quotes are special only if every field that begins with one is
    /// quoted.
    case tsv
    /// Lines of text, each of which is a string.
    case lines
    /// Lines with named parts: the common and combined log formats of Apache and nginx, or a pattern's groups.
    case log
    /// Lines of pairs: `level=info msg="it works" took=2.5`
    case logfmt
    /// Paragraphs of fields, as in dpkg's status file: `Package: bash`
    case deb822

    /// Creates the format for the extension of a file name, ignoring case and the extension of a compression format:
    /// `people.csv.gz`; nil for other names
    package init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        let fileExtension = fileName[fileName.index(after: dot)...].lowercased()
        if CompressionFormat.fileExtensions.contains(fileExtension) {
            self.init(fileName: String(fileName[..<dot]))
            return
        }
        switch fileExtension {
        case "json", "geojson": self = .json
        case "jsonl", "ndjson", "jsonlines": self = .jsonLines
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        default: return nil
        }
    }
}

extension DataFormat {
    /// True if records are rows below a header.
    package var isDelimited: Bool {
        switch self {
        case .csv, .tsv, .log: true
        case .json, .jsonLines, .lines, .logfmt, .deb822: false
        }
    }

    /// The number of bytes that are examined to detect the format.
    private static let sniffLength = 64 << 10

    /// Returns the format of the first lines of a regular file; nil if it cannot be detected.
    package static func shown(by path: String) -> DataFormat? {
        guard FileSource.isRegular(path), let source = try? FileSource(path: path),
            let decoded = try? DecodedInput.open(source, encoding: RecordOptions().encoding)
        else { return nil }
        let window = ByteWindow(source: decoded)
        guard (try? window.skipByteOrderMark()) != nil else { return nil }
        return try? sniff(window, RecordOptions())
    }

    /// Detects the format from the first line.
    ///
    /// A complete line of valid JSON means JSON Lines, with two exceptions: an array that is the whole input is JSON, and a
    /// string with more text on later lines may be a column name. Any other line that begins with a bracket or a brace means
    /// JSON, or JSON Lines if only that line is invalid. Rows with the same number of fields mean TSV or CSV. Throws for plain
    /// text.
    static func sniff(_ window: ByteWindow, _ options: RecordOptions) throws(DataError) -> DataFormat {
        guard try window.skipBlankLines() else { return .jsonLines }
        let line = try firstLine(window)
        guard let first = line.text.first(where: { !$0.isWhitespace }) else { return .jsonLines }
        if first == Byte.openBracket || first == Byte.openBrace {
            guard line.isWhole, isJSON(line.text) else {
                if first == Byte.openBrace, try hasBrokenLine(window) { return .jsonLines }
                return .json
            }
            if first == Byte.openBrace { return .jsonLines }
            return try window.hasText(after: line.text.count) ? .jsonLines : .json
        }
        if AccessLog.isLine(line.text) { return .log }
        if LogfmtLine.isLine(line.text) { return .logfmt }
        if Paragraphs.isFirstLine(line.text) { return .deb822 }
        // A quoted string may be a column name, unless nothing follows it.
        if line.isWhole, isJSON(line.text) {
            if first != Byte.quote { return .jsonLines }
            if try !window.hasText(after: line.text.count) { return .jsonLines }
        }
        return try delimited(window, line.text, options)
    }

    /// Returns the format of separated values.
    private static func delimited(
        _ window: ByteWindow, _ line: UnsafeBufferPointer<UInt8>, _ options: RecordOptions
    ) throws(DataError) -> DataFormat {
        if line.starts(with: "sep=".utf8) { return .csv }
        if ["<?xml", "<!DOCTYPE", "<html"].contains(where: { line.starts(with: $0.utf8) }) {
            throw DataError(.foreignFile(.xml))
        }
        if let delimiter = delimiter(ofHeader: line, options.types.keys) {
            return delimiter == Byte.tab ? .tsv : .csv
        }
        let hasDelimiter = line.contains { [Byte.comma, Byte.semicolon, Byte.tab, Byte.bar].contains($0) }
        if hasDelimiter { while window.bytes.count < sniffLength, try window.refill() {} }
        guard hasDelimiter, let delimiter = DialectDetection(window, options).delimiter() else {
            if isMarkup(line) { throw DataError(.foreignFile(.xml)) }
            let isBinary = line.contains { $0 < Byte.tab || $0 > Byte.carriageReturn && $0 < 0x1B }
            throw DataError(isBinary ? .foreignFile(.binary) : .plainText)
        }
        return delimiter == Byte.tab ? .tsv : .csv
    }

    /// True for the beginning of XML and HTML: `<a>`, `<?xml`, `<!DOCTYPE`; false for `<134>`, the beginning of a syslog line.
    private static func isMarkup(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = line.drop { $0.isWhitespace }.prefix(2)
        guard start.count == 2, start.first == UInt8(ascii: "<"), let next = start.last else { return false }
        return !next.isDigit && !next.isWhitespace
    }

    /// Returns the delimiter that divides a header into fields with all these names, so that no further rows are needed; nil if
    /// there is none.
    private static func delimiter(
        ofHeader line: UnsafeBufferPointer<UInt8>, _ names: some Collection<String>
    ) -> UInt8? {
        if names.isEmpty { return nil }
        let line = Array(line.last == Byte.carriageReturn ? line.slice(0..<line.count - 1) : line)
        return [Byte.tab, Byte.semicolon, Byte.bar, Byte.comma].first { delimiter in
            let dialect = DelimitedDialect(delimiter: delimiter, isQuoted: true)
            let fields = dialect.fields(of: line).map { String(decoding: $0, as: UTF8.self) }
            return fields.count > 1 && names.allSatisfy(fields.contains)
        }
    }

    /// Returns the first line, limited to one window, and whether it is complete.
    private static func firstLine(
        _ window: ByteWindow
    ) throws(DataError) -> (text: UnsafeBufferPointer<UInt8>, isWhole: Bool) {
        let lineEnd = try window.lineEnd(from: 0, limit: sniffLength)
        return (window.bytes.slice(0..<(lineEnd ?? window.bytes.count)), lineEnd != nil || window.isAtEnd)
    }

    /// Returns true if input whose first line is not valid JSON is JSON Lines rather than a document: its first error
    /// is in that line, or another object begins on the next line.
    ///
    /// `{"a": 1 "b": 2}`, then `{"a": 3}`
    private static func hasBrokenLine(_ window: ByteWindow) throws(DataError) -> Bool {
        guard let firstEnd = try window.lineEnd(from: 0, limit: sniffLength) else { return false }
        if let fault = documentFault(window.bytes.slice(0..<firstEnd)) { return fault < firstEnd }
        let secondEnd = try window.lineEnd(from: firstEnd + 1, limit: sniffLength) ?? window.bytes.count
        guard let fault = documentFault(window.bytes.slice(0..<secondEnd)), fault > firstEnd else { return false }
        let line = window.bytes.slice(firstEnd + 1..<secondEnd)
        return line.first { !$0.isWhitespace } == Byte.openBrace && isJSON(line)
    }

    /// Returns the offset of the first error in the beginning of a JSON document; nil if it is only incomplete.
    private static func documentFault(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var parser = JSONParser(bytes)
        do {
            while true {
                parser.skipWhitespace()
                if parser.index == bytes.count { return nil }
                try parser.skipValue(depth: 0)
            }
        } catch {
            if case .unexpectedEnd = error.code { return nil }
            return error.offset
        }
    }

    private static func isJSON(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        var parser = JSONParser(line)
        return (try? parser.parseDocument()) != nil
    }
}

extension ByteWindow {
    /// Drops blank lines; returns false if nothing else follows. White space at the beginning of a line with text
    /// stays, because it may be an empty field.
    func skipBlankLines() throws(DataError) -> Bool {
        while true {
            let text = bytes.firstIndex { !$0.isWhitespace }
            let lineEnd = bytes.slice(0..<(text ?? bytes.count)).lastIndex(of: Byte.lineFeed)
            drop(lineEnd.map { $0 + 1 } ?? 0)
            if text != nil { return true }
            if bytes.count >= Self.beginningLength { return true }
            if try !refill() { return false }
        }
    }

    /// Returns the first line end at or after `start`, reading more input up to `limit` bytes.
    fileprivate func lineEnd(from start: Int, limit: Int) throws(DataError) -> Int? {
        while true {
            if let found = bytes.firstIndex(of: Byte.lineFeed, from: min(start, bytes.count)) { return found }
            if bytes.count >= limit { return nil }
            if try !refill() { return nil }
        }
    }

    /// Returns true if there is text after the first bytes, within one window.
    fileprivate func hasText(after count: Int) throws(DataError) -> Bool {
        while true {
            if bytes[count...].contains(where: { !$0.isWhitespace }) { return true }
            if bytes.count >= Self.beginningLength { return false }
            if try !refill() { return false }
        }
    }
}
