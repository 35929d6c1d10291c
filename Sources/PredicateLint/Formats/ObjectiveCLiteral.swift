import PredicateSyntax

/// Reads the string literals of Objective-C and C.
///
/// `@"a\n\x41\101\u00e9"`
struct ObjectiveCLiteral {
    private let bytes: Bytes
    private let end: Int
    private var offset: Int
    private var text = FormatText()

    /// The text of a literal, from its `@` or quote to its last quote.
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
        case UInt8(ascii: "x"): text.appendByte(UInt8(truncatingIfNeeded: hex(most: 8)), source: start..<offset)
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
        text.appendByte(UInt8(truncatingIfNeeded: value), source: start..<offset)
    }

    /// The value of the hexadecimal digits at the offset, which moves beyond them.
    private mutating func hex(most: Int) -> UInt32 {
        var (value, count) = (UInt32(0), 0)
        while count < most, offset < end, let digit = bytes[offset].hexValue {
            value = value << 4 | digit
            offset += 1
            count += 1
        }
        return value
    }

    /// A code unit of UTF-16; two surrogates in a row are one character.
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

    /// Those of C, and `\e` of its compilers.
    private static func control(_ letter: UInt8) -> UInt8? {
        letter == UInt8(ascii: "e") ? 0x1B : StringLiteral.controlCharacter(letter)
    }
}

extension FormatText {
    /// Appends one byte, as `\x41` gives it.
    mutating func appendByte(_ byte: UInt8, source: Range<Int>) {
        appendEscape(CollectionOfOne(byte), source: source)
    }
}
