import PredicateJSON

/// A line of pairs: `level=info msg="it works" took=2.5 cached`.
///
/// A value is read as in JSON: a number, `true`, `false`, `null`, or a string, which may be quoted. A key without a
/// value is true.
enum LogfmtLine {
    /// Returns the line as a JSON object. Throws for an unclosed quote and for bytes that are not UTF-8.
    static func json(of line: UnsafeBufferPointer<UInt8>) throws(RecordFault) -> [UInt8] {
        if let fault = UTF8Validation.firstFault(in: line, 0..<line.count) {
            throw RecordFault(.invalidUTF8, at: fault)
        }
        var json = [Byte.openBrace]
        var reader = PairReader(line)
        while let pair = try reader.next() {
            if json.count > 1 { json.append(Byte.comma) }
            JSONWriter.writeString(repairing: line.slice(pair.key), to: &json)
            json.append(Byte.colon)
            append(pair, of: line, to: &json)
        }
        return json + [Byte.closeBrace]
    }

    private static func append(_ pair: PairReader.Pair, of line: UnsafeBufferPointer<UInt8>, to json: inout [UInt8]) {
        guard let range = pair.value else { return json.append(contentsOf: "true".utf8) }
        let text = line.slice(range)
        if pair.isQuoted {
            var parser = JSONParser(line)
            parser.index = range.lowerBound - 1
            if let span = try? parser.scanString() {
                return JSONWriter.writeString(parser.makeString(span), to: &json)
            }
        } else if isPlain(text) {
            return json.append(contentsOf: text)
        }
        JSONWriter.writeString(repairing: text, to: &json)
    }

    /// True for a number, `true`, `false` and `null`.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if text.isEmpty { return false }
        var parser = JSONParser(text, isStrict: true)
        return text[0] != Byte.quote && text[0] != Byte.openBrace && text[0] != Byte.openBracket
            && (try? parser.parseDocument()) != nil
    }

    /// Returns true for a line with at least two pairs; it begins with one, and keys without a value may follow.
    static func isLine(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        var reader = PairReader(line.last == Byte.carriageReturn ? line.slice(0..<line.count - 1) : line)
        var count = 0
        while let pair = try? reader.next() {
            guard !pair.key.isEmpty, line[pair.key].allSatisfy(\.isKeyByte), count > 0 || pair.value != nil else {
                return false
            }
            guard let value = pair.value else { continue }
            let marks = [Byte.comma, Byte.semicolon, Byte.tab, Byte.bar]
            if !pair.isQuoted, line[value].contains(where: marks.contains) { return false }
            count += 1
        }
        return count > 1 && reader.isAtEnd
    }
}

extension UInt8 {
    /// True for letters, digits, `_`, `.` and `-`.
    fileprivate var isKeyByte: Bool {
        isDigit || (self | 0x20) &- 0x61 < 26 || self == 0x5F || self == Byte.dot || self == Byte.minus
    }
}

/// Reads the pairs of a line.
private struct PairReader {
    struct Pair {
        let key: Range<Int>
        /// Nil for a key without an equals sign.
        let value: Range<Int>?
        let isQuoted: Bool
    }

    private let line: UnsafeBufferPointer<UInt8>
    private var index = 0

    private static let equals = UInt8(ascii: "=")

    init(_ line: UnsafeBufferPointer<UInt8>) {
        self.line = line
    }

    var isAtEnd: Bool { index == line.count }

    /// Returns the next pair; nil at the end. Throws for a quote that is not closed.
    mutating func next() throws(RecordFault) -> Pair? {
        while index < line.count, line[index] <= Byte.space { index += 1 }
        if isAtEnd { return nil }
        let key = word { $0 == Self.equals }
        guard index < line.count, line[index] == Self.equals else { return Pair(key: key, value: nil, isQuoted: false) }
        index += 1
        guard index < line.count, line[index] == Byte.quote else {
            return Pair(key: key, value: word { _ in false }, isQuoted: false)
        }
        return Pair(key: key, value: try quoted(), isQuoted: true)
    }

    private mutating func word(until isEnd: (UInt8) -> Bool) -> Range<Int> {
        let start = index
        while index < line.count, line[index] > Byte.space, !isEnd(line[index]) { index += 1 }
        return start..<index
    }

    private mutating func quoted() throws(RecordFault) -> Range<Int> {
        let start = index + 1
        index = start
        while index < line.count, line[index] != Byte.quote { index += line[index] == Byte.backslash ? 2 : 1 }
        guard index < line.count else {
            index = line.count
            throw RecordFault(.json(.unterminatedString), at: start - 1)
        }
        index += 1
        return start..<index - 1
    }
}
