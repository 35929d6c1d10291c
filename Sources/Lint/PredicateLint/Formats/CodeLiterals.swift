import PredicateSyntax

/// Reads string literals of Swift.
///
/// `"a\n\(b)"`, `#"raw \#(b)"#`, and `"""` literals without their indentation
struct SwiftLiteral {
    private let bytes: Bytes
    private let quote: SwiftQuote
    private let end: Int
    private var offset: Int
    private(set) var text = FormatText()
    /// The indentation of a multi-line literal: the white space before its closing quotes.
    private var indentation: Range<Int> = 0..<0
    private var lexer: CodeLexer

    /// The string of a literal, whose range includes its hashes and quotes.
    static func text(of range: Range<Int>, _ bytes: Bytes) -> FormatText {
        var literal = SwiftLiteral(range, bytes)
        literal.read()
        return literal.text
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

    /// Copies the bytes up to the next backslash or line break.
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

    /// Finds the indentation of a multi-line literal, and moves to its first line, which follows the opening quotes.
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

    /// Handles a backslash at the end of a line.
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

/// Reads string literals of Objective-C and C.
///
/// `@"a\n\x41\101\u00e9"`
struct ObjectiveCLiteral {
    private let bytes: Bytes
    private let end: Int
    private var offset: Int
    private var text = FormatText()

    /// The string of a literal, whose range includes its `@` and quotes.
    static func text(of range: Range<Int>, _ bytes: Bytes) -> FormatText {
        var literal = ObjectiveCLiteral(range, bytes)
        literal.read()
        return literal.text
    }

    private init(_ range: Range<Int>, _ bytes: Bytes) {
        self.bytes = bytes
        let quote = bytes[range.lowerBound] == UInt8(ascii: "@") ? range.lowerBound + 1 : range.lowerBound
        offset = quote + 1
        let isClosed = range.upperBound > offset && bytes[range.upperBound - 1] == UInt8(ascii: "\"")
        end = isClosed ? range.upperBound - 1 : range.upperBound
        text.literal = quote..<range.upperBound
    }

    private mutating func read() {
        while offset < end {
            let start = offset
            while offset < end, bytes[offset] != UInt8(ascii: "\\") { offset += 1 }
            text.appendCopy(bytes[start..<offset], from: start)
            if offset < end { escape() }
        }
    }

    private mutating func escape() {
        let start = offset
        let letter = bytes[offset + 1]
        offset = min(offset + 2, end)
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "7"): octal(from: start)
        case UInt8(ascii: "x"): byte(hex(most: 8), from: start)
        case UInt8(ascii: "u"): unicode(hex(most: 4), from: start)
        case UInt8(ascii: "U"): text.appendScalar(hex(most: 8), source: start..<offset)
        case 0x0A, 0x0D: if letter == 0x0D, bytes[offset] == 0x0A { offset = min(offset + 1, end) }
        default:
            text.appendEscape(CollectionOfOne(Self.control(letter) ?? letter), source: start..<offset)
        }
    }

    private mutating func octal(from start: Int) {
        var value = UInt32(0)
        offset = start + 1
        while offset < min(start + 4, end), (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(bytes[offset]) {
            value = value << 3 | UInt32(bytes[offset] - UInt8(ascii: "0"))
            offset += 1
        }
        byte(value, from: start)
    }

    private mutating func byte(_ value: UInt32, from start: Int) {
        text.appendEscape(CollectionOfOne(UInt8(truncatingIfNeeded: value)), source: start..<offset)
    }

    /// Reads up to `most` hexadecimal digits, and moves past them.
    private mutating func hex(most: Int) -> UInt32 {
        var (value, count) = (UInt32(0), 0)
        while count < most, offset < end, let digit = bytes[offset].hexValue {
            value = value << 4 | digit
            offset += 1
            count += 1
        }
        return value
    }

    /// Appends a UTF-16 code unit; two surrogates in a row are one character.
    private mutating func unicode(_ unit: UInt32, from start: Int) {
        guard (0xD800..<0xDC00).contains(unit), bytes.matches("\\u", at: offset), offset + 6 <= end else {
            return text.appendScalar(unit, source: start..<offset)
        }
        let resume = offset
        offset += 2
        let low = hex(most: 4)
        guard (0xDC00..<0xE000).contains(low) else {
            offset = resume
            return text.appendScalar(unit, source: start..<offset)
        }
        text.appendScalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), source: start..<offset)
    }

    /// Escapes of C, and `\e`, which C compilers accept.
    private static func control(_ letter: UInt8) -> UInt8? {
        letter == UInt8(ascii: "e") ? 0x1B : StringLiteral.controlCharacter(letter)
    }
}
