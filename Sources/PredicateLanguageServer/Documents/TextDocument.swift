/// A place in a document: a line from 0, and a character of it that counts UTF-16 code units, as the protocol does.
struct TextPosition: Hashable, Comparable {
    var line: Int
    var character: Int

    static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.character) < (right.line, right.character)
    }
}

/// The text of an open document as UTF-8, with its lines. A line ends at LF, at CR LF or at a CR alone.
struct TextDocument {
    private(set) var bytes: [UInt8]
    /// The offsets at which lines begin.
    private(set) var lineStarts: [Int] = [0]

    init(_ text: String) {
        bytes = Array(text.utf8)
        findLines()
    }

    /// Replaces a part of the text.
    mutating func replace(_ range: Range<TextPosition>, with text: String) {
        let lower = offset(of: range.lowerBound)
        let upper = max(lower, offset(of: range.upperBound))
        bytes.replaceSubrange(lower..<upper, with: text.utf8)
        findLines()
    }

    private mutating func findLines() {
        lineStarts = [0]
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == 0x0A || (byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)) {
                lineStarts.append(index + 1)
            }
        }
    }

    /// The offset of a place. One past the end of its line is the line's end, one past the last line the end of the text;
    /// one between the halves of a surrogate pair is where the pair begins.
    func offset(of position: TextPosition) -> Int {
        guard position.line >= 0 else { return 0 }
        guard position.line < lineStarts.count else { return bytes.count }
        var offset = lineStarts[position.line]
        let end = contentEnd(ofLine: position.line)
        var left = position.character
        while offset < end {
            let units = Self.units(bytes[offset])
            guard left >= units else { break }
            left -= units
            offset += Self.length(bytes[offset])
        }
        return min(offset, end)
    }

    /// The place of an offset; one inside of a character is where that begins.
    func position(of offset: Int) -> TextPosition {
        let offset = min(max(offset, 0), bytes.count)
        let line = line(of: offset)
        var character = 0
        var index = lineStarts[line]
        while index < offset {
            let length = Self.length(bytes[index])
            guard index + length <= offset else { break }
            character += Self.units(bytes[index])
            index += length
        }
        return TextPosition(line: line, character: character)
    }

    /// The index of the line that holds an offset, by binary search.
    private func line(of offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The end of a line without its line break.
    func contentEnd(ofLine line: Int) -> Int {
        guard line + 1 < lineStarts.count else { return bytes.count }
        var end = lineStarts[line + 1] - 1
        if end > lineStarts[line], bytes[end] == 0x0A, bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }

    /// The bytes of the character that begins with a byte.
    private static func length(_ byte: UInt8) -> Int {
        byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    }

    /// Its UTF-16 code units.
    private static func units(_ byte: UInt8) -> Int { byte < 0xF0 ? 1 : 2 }
}
