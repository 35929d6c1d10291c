/// Reads the string literals of Swift.
///
/// `"a\n\(b)"`, `#"raw \#(b)"#`, `"""` with its indentation taken off
struct SwiftLiteral {
    private let bytes: Bytes
    private let quote: SwiftQuote
    private let end: Int
    private var offset: Int
    private(set) var text = FormatText()
    private var holes: [Range<Int>] = []
    /// The white space before the closing quotes of a literal of several lines.
    private var indentation: Range<Int> = 0..<0
    private var lexer: CodeLexer

    /// The text of a literal, from its first hash or quote to its last one.
    static func text(of range: Range<Int>, _ bytes: Bytes) -> FormatText {
        var literal = SwiftLiteral(range, bytes)
        literal.read()
        return literal.text
    }

    /// The parts of a literal in which there is code.
    static func interpolations(in range: Range<Int>, _ bytes: Bytes) -> [Range<Int>] {
        var literal = SwiftLiteral(range, bytes)
        literal.read()
        return literal.holes
    }

    private init(_ range: Range<Int>, _ bytes: Bytes) {
        self.bytes = bytes
        quote = SwiftQuote(bytes, at: range.lowerBound)
        let closing = range.upperBound - quote.closingLength
        let isClosed = closing >= quote.end && quote.closes(bytes, at: closing)
        end = isClosed ? closing : range.upperBound
        offset = quote.end
        lexer = CodeLexer(bytes, .swift)
        text.literal = quote.quote..<range.upperBound
    }

    private mutating func read() {
        if quote.isMultiline { beginLines() }
        while offset < end {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\\"), quote.escapes(bytes, at: offset) {
                escape()
            } else if quote.isMultiline, byte.isNewline {
                lineBreak()
            } else {
                copy()
            }
        }
    }

    /// Bytes up to the next backslash or line break.
    private mutating func copy() {
        let start = offset
        repeat {
            offset += 1
        } while offset < end && bytes[offset] != UInt8(ascii: "\\")
            && !(quote.isMultiline && bytes[offset].isNewline)
        text.appendCopy(bytes[start..<offset], from: start)
    }

    private mutating func escape() {
        let start = offset
        let letter = offset + 1 + quote.hashes
        offset = min(letter + 1, end)
        switch bytes[letter] {
        case UInt8(ascii: "("): interpolation(from: start, after: letter + 1)
        case UInt8(ascii: "u") where bytes[letter + 1] == UInt8(ascii: "{"): unicode(from: start, after: letter + 2)
        case UInt8(ascii: "n"): text.appendEscape([0x0A], source: start..<offset)
        case UInt8(ascii: "r"): text.appendEscape([0x0D], source: start..<offset)
        case UInt8(ascii: "t"): text.appendEscape([0x09], source: start..<offset)
        case UInt8(ascii: "0"): text.appendEscape([0], source: start..<offset)
        case 0x20, 0x09, 0x0A, 0x0D: continuation(from: letter)
        default: text.appendEscape(bytes[min(letter, offset)..<offset], source: start..<offset)
        }
    }

    private mutating func interpolation(from start: Int, after open: Int) {
        let close = min(lexer.interpolationEnd(from: open, isMultiline: quote.isMultiline, depth: 0), end)
        let inner = open..<max(open, bytes[close - 1] == UInt8(ascii: ")") ? close - 1 : close)
        holes.append(inner)
        offset = max(close, open)
        text.appendHole(.init(expression: inner), shown: bytes[start..<offset], source: start..<offset)
    }

    /// `\u{e9}`
    private mutating func unicode(from start: Int, after open: Int) {
        var (value, digit) = (UInt32(0), open)
        while digit < open + 8, let next = bytes[digit].hexValue {
            value = value << 4 | next
            digit += 1
        }
        offset = min(bytes[digit] == UInt8(ascii: "}") ? digit + 1 : digit, end)
        text.appendScalar(value, source: start..<offset)
    }

    // MARK: Several lines

    /// The text begins on the line after the opening, and ends before the line of the closing.
    private mutating func beginLines() {
        let lineStart = bytes.lineStart(before: end, reach: end - quote.end + 1)
        if lineStart > quote.end, bytes.blankEnd(from: lineStart) == end { indentation = lineStart..<end }
        var start = bytes.blankEnd(from: offset)
        guard bytes[start].isNewline else { return }
        start += bytes.matches("\r\n", at: start) ? 2 : 1
        offset = min(start, end)
        skipIndentation()
    }

    private mutating func lineBreak() {
        let start = offset
        offset += bytes.matches("\r\n", at: offset) ? 2 : 1
        let isLast = !indentation.isEmpty && offset == indentation.lowerBound || offset >= end
        if isLast {
            offset = end
        } else {
            text.appendEscape([0x0A], source: start..<offset)
            skipIndentation()
        }
    }

    /// A backslash at the end of a line.
    private mutating func continuation(from start: Int) {
        let lineEnd = bytes.blankEnd(from: start)
        guard quote.isMultiline, bytes[lineEnd].isNewline else { return }
        offset = min(lineEnd + (bytes.matches("\r\n", at: lineEnd) ? 2 : 1), end)
        skipIndentation()
    }

    private mutating func skipIndentation() {
        var index = indentation.lowerBound
        while index < indentation.upperBound, offset < end, bytes[offset] == bytes[index] {
            index += 1
            offset += 1
        }
    }
}
