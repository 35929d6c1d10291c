/// How records are written.
///
/// `DataFormat(fileName: "people.jsonl")` is `jsonLines`.
public enum DataFormat: String, Hashable, Sendable, CaseIterable {
    /// One JSON text: an array of records, or one record after another.
    case json
    /// One JSON text on each line.
    case jsonLines = "jsonl"
    /// Fields divided by commas, with a header (RFC 4180).
    case csv
    /// Fields divided by tabs, with a header. There is no quoting: a field holds neither tab nor line end.
    case tsv

    /// The format that a file name announces by its ending, in upper or lower case; nil when it announces none.
    public init?(fileName: String) {
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
    /// an opening bracket without that is JSON; a tab is TSV; everything else is CSV.
    static func sniff(_ window: ByteWindow) throws(DataError) -> DataFormat {
        guard try window.skipBlankLines() else { return .jsonLines }
        var lineEnd = window.bytes.firstIndex(of: Byte.lineFeed)
        while lineEnd == nil, window.bytes.count < sniffLength, try window.refill() {
            lineEnd = window.bytes.firstIndex(of: Byte.lineFeed)
        }
        let line = window.bytes.slice(0..<(lineEnd ?? window.bytes.count))
        let isWhole = lineEnd != nil || window.isAtEnd
        guard let first = line.first(where: { !$0.isWhitespace }) else { return .jsonLines }
        if first == Byte.openBracket || first == Byte.openBrace {
            guard isWhole, isJSON(line) else { return .json }
            if first == Byte.openBrace { return .jsonLines }
            return try window.hasText(after: line.count) ? .jsonLines : .json
        }
        if first != Byte.quote, isWhole, isJSON(line) { return .jsonLines }
        return line.contains(Byte.tab) ? .tsv : .csv
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

    /// Whether anything but white space stands after the first bytes, as far as one window goes.
    fileprivate func hasText(after count: Int) throws(DataError) -> Bool {
        while true {
            if bytes[count...].contains(where: { !$0.isWhitespace }) { return true }
            if bytes.count >= Self.standardCapacity { return false }
            if try !refill() { return false }
        }
    }
}
