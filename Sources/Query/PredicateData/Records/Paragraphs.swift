import PredicateJSON
import PredicateSyntax

/// Paragraphs of fields, separated by blank lines (deb822): dpkg's status file, `apt-cache show`, `debian/control`.
///
/// `Package: bash`, `Installed-Size: 7163`; a line that begins with a blank continues the field above, ` .` is a blank line in
/// that field, and lines that begin with `#` are comments. An integer is a number, any other value a string.
struct Paragraphs: RecordStream {
    private let decoder: JSONRecordDecoder
    private let limit: Int
    /// The fields that `--types` makes strings.
    private let strings: Set<String>

    init(_ options: RecordOptions) {
        decoder = JSONRecordDecoder(options)
        limit = options.maximumRecordLength
        strings = Set(options.types.filter { $0.value == .string }.keys)
    }

    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord? {
        while true {
            guard let record = try paragraph(in: window, index: index) else { return nil }
            // A paragraph of comments has no fields and is not a record.
            if record.raw.count > 2 { return record }
        }
    }

    private mutating func paragraph(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord? {
        guard try window.skipBlankLines() else { return nil }
        let start = window.position
        guard let (text, length, _) = try window.cutRow(with: ParagraphBoundary(), limit: limit, start: start) else {
            return nil
        }
        defer { window.drop(length) }
        let paragraph = text.slice(0..<(text.lastIndex { !$0.isWhitespace } ?? -1) + 1)
        do throws(RecordFault) {
            var fields = FieldReader(paragraph, strings: strings)
            return try decoder.record(fields.json(), of: Array(paragraph) + [Byte.lineFeed], start.line, index)
        } catch {
            throw error.located(in: text, from: start, isRecoverable: true)
        }
    }

    /// Returns true for the first line of a paragraph about a package or a repository.
    static func isFirstLine(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        ["Package: ", "Source: ", "Types: ", "Format: "].contains { line.starts(with: $0.utf8) }
    }
}

extension JSONRecordDecoder {
    /// Returns the record whose JSON was made from some text of the input.
    func record(
        _ json: [UInt8], of original: [UInt8], _ line: Int, _ index: Int
    ) throws(RecordFault) -> SourceRecord {
        let decoded = json.withUnsafeBufferPointer { json in Result { () throws(RecordFault) in try decode(json) } }
        // A fault has no place in the text.
        let value = try decoded.mapError { RecordFault($0.code, at: 0) }.get()
        var record = SourceRecord(value: value, raw: json, line: line, index: index)
        record.original = original
        return record
    }
}

/// Finds the end of a paragraph, including the blank line.
private struct ParagraphBoundary: BoundaryScanner {
    /// True if the line has no text so far. The first line has some.
    private var isBlank = false

    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        for index in start..<bytes.count {
            if bytes[index] == Byte.lineFeed {
                if isBlank { return index + 1 }
                isBlank = true
            } else if !bytes[index].isWhitespace {
                isBlank = false
            }
        }
        return nil
    }
}

/// Reads the fields of a paragraph.
private struct FieldReader {
    private let paragraph: UnsafeBufferPointer<UInt8>
    private let strings: Set<String>
    private var index = 0

    private static let colon = UInt8(ascii: ":"), hash = UInt8(ascii: "#")

    init(_ paragraph: UnsafeBufferPointer<UInt8>, strings: Set<String>) {
        (self.paragraph, self.strings) = (paragraph, strings)
    }

    /// Returns the paragraph as a JSON object. Throws for a line without a colon and for bytes that are not UTF-8.
    mutating func json() throws(RecordFault) -> [UInt8] {
        if let fault = UTF8Validation.firstFault(in: paragraph, 0..<paragraph.count) {
            throw RecordFault(.invalidUTF8, at: fault)
        }
        var json = [Byte.openBrace]
        while let (key, value) = try field() {
            if json.count > 1 { json.append(Byte.comma) }
            JSONWriter.writeString(repairing: trimmed(key), to: &json)
            json.append(Byte.colon)
            if Self.isInteger(value), !strings.contains(String(decoding: trimmed(key), as: UTF8.self)) {
                json += value
            } else {
                value.withUnsafeBufferPointer { Self.write($0, to: &json) }
            }
        }
        return json + [Byte.closeBrace]
    }

    private static func write(_ text: UnsafeBufferPointer<UInt8>, to json: inout [UInt8]) {
        JSONWriter.writeString(repairing: text, to: &json)
    }

    /// Returns the next field with its continuation lines; nil at the end.
    private mutating func field() throws(RecordFault) -> (key: Range<Int>, value: [UInt8])? {
        while index < paragraph.count, paragraph[index] == Self.hash { _ = line() }
        guard index < paragraph.count else { return nil }
        let first = line()
        guard let colon = paragraph[first].firstIndex(of: Self.colon), colon > first.lowerBound else {
            throw RecordFault(.notAField, at: first.lowerBound)
        }
        var value = Array(trimmed(colon + 1..<first.upperBound))
        while index < paragraph.count, [Byte.space, Byte.tab, Self.hash].contains(paragraph[index]) {
            let isComment = paragraph[index] == Self.hash
            let next = trimmed(line())
            if isComment { continue }
            if !value.isEmpty || next.isEmpty { value.append(Byte.lineFeed) }
            if !next.elementsEqual([Byte.dot]) { value += next }
        }
        return (first.lowerBound..<colon, value)
    }

    /// Returns the range of the next line, without the line end.
    private mutating func line() -> Range<Int> {
        let start = index
        let end = paragraph.firstIndex(of: Byte.lineFeed, from: start) ?? paragraph.count
        index = min(end + 1, paragraph.count)
        return start..<end
    }

    private func trimmed(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        let text = paragraph[range]
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return paragraph.slice(range.lowerBound..<range.lowerBound) }
        return paragraph.slice(first..<last + 1)
    }

    /// Returns true for at most 18 digits without leading zeros.
    private static func isInteger(_ text: [UInt8]) -> Bool {
        guard let first = text.first, text.count < 19, text.allSatisfy(\.isDigit) else { return false }
        return text.count == 1 || first != UInt8(ascii: "0")
    }
}
