/// How records are written.
///
/// `DataFormat(fileName: "people.jsonl")` is `jsonLines`.
package enum DataFormat: String, Hashable, Sendable, CaseIterable {
    /// One JSON text: an array of records, or one record after another.
    case json
    /// One JSON text on each line.
    case jsonLines = "jsonl"
    /// Fields divided by commas, with a header (RFC 4180).
    case csv
    /// Fields divided by tabs, with a header. There is no quoting: a field holds neither tab nor line end.
    case tsv

    /// The format that a file name announces by its ending, in upper or lower case; nil when it announces none.
    package init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[fileName.index(after: dot)...].lowercased() {
        case "json", "geojson": self = .json
        case "jsonl", "ndjson", "jsonlines": self = .jsonLines
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        default: return nil
        }
    }
}

extension DataFormat {
    /// How much of the input is looked at to find out its format.
    private static let sniffLength = 64 << 10

    /// The format that the first line looks like: complete JSON is JSON Lines, unless it is an array and all there is;
    /// an opening bracket without that is JSON, unless it is a broken line before others; a tab is TSV; everything else
    /// is CSV.
    static func sniff(_ window: ByteWindow) throws(DataError) -> DataFormat {
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
        if first != Byte.quote, line.isWhole, isJSON(line.text) { return .jsonLines }
        return line.text.contains(Byte.tab) ? .tsv : .csv
    }

    /// The bytes up to the first line end, as far as one window goes, and whether that is all of the line.
    private static func firstLine(
        _ window: ByteWindow
    ) throws(DataError) -> (text: UnsafeBufferPointer<UInt8>, isWhole: Bool) {
        let lineEnd = try window.lineEnd(from: 0, limit: sniffLength)
        return (window.bytes.slice(0..<(lineEnd ?? window.bytes.count)), lineEnd != nil || window.isAtEnd)
    }

    /// Whether the text, whose first line is not JSON, is no document either but lines: it goes wrong within that line,
    /// or only because the next one is an object of its own.
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

    /// Where the beginning of a JSON document goes wrong, values one after another; nil where it only breaks off.
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
        (try? JSONReader.parse(line)) != nil
    }
}

extension ByteWindow {
    /// Drops lines that hold nothing but white space; false when the input ends with them. White space before the first
    /// text of a line stays: it may be an empty field.
    func skipBlankLines() throws(DataError) -> Bool {
        while true {
            let text = bytes.firstIndex { !$0.isWhitespace }
            let lineEnd = bytes.slice(0..<(text ?? bytes.count)).lastIndex(of: Byte.lineFeed)
            drop(lineEnd.map { $0 + 1 } ?? 0)
            if text != nil { return true }
            if bytes.count >= Self.standardCapacity { return true }
            if try !refill() { return false }
        }
    }

    /// The first line end at or behind `start`, reading on for it up to `limit` bytes.
    fileprivate func lineEnd(from start: Int, limit: Int) throws(DataError) -> Int? {
        while true {
            if let found = bytes.firstIndex(of: Byte.lineFeed, from: min(start, bytes.count)) { return found }
            if bytes.count >= limit { return nil }
            if try !refill() { return nil }
        }
    }

    /// Whether anything but white space stands after the first bytes, as far as one window goes.
    fileprivate func hasText(after count: Int) throws(DataError) -> Bool {
        while true {
            if bytes[count...].contains(where: { !$0.isWhitespace }) { return true }
            if bytes.count >= Self.standardCapacity { return false }
            if try !refill() { return false }
        }
    }
}
