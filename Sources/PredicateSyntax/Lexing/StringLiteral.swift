/// The decoder of the text between two quotes.
///
/// Escapes: `\\`, `\"`, `\'`, `\n` and the other letters of C, `\101` in octal, `\x41`, `\u00e9`; any other character
/// after a backslash stands for itself. [NSP-021]
package struct StringLiteral {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset: Int
    private let end: Int
    private var result: [UInt8] = []

    /// The text of a string token; `range` is the range between its quotes.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, hasEscapes: Bool)
        throws(LexicalError) -> String
    {
        guard hasEscapes else { return String(bytes, range) }
        var literal = StringLiteral(bytes: bytes, offset: range.lowerBound, end: range.upperBound)
        return try literal.decode()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, offset: Int, end: Int) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
    }

    private mutating func decode() throws(LexicalError) -> String {
        result.reserveCapacity(end - offset)
        while offset < end {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\\"), offset < end { try escape() } else { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func escape() throws(LexicalError) {
        let start = offset - 1
        let letter = bytes[offset]
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "7"): appendOctal()
        case UInt8(ascii: "x"), UInt8(ascii: "X"): appendHexadecimal(digits: 2)
        case UInt8(ascii: "u"), UInt8(ascii: "U"): try appendUnicode(from: start)
        default:
            result.append(Self.controlCharacter(letter) ?? letter)
            offset += 1
        }
    }

    /// The character of an escape such as `\n`, which C has as well; nil for other letters.
    package static func controlCharacter(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "a"): 0x07
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "v"): 0x0B
        default: nil
        }
    }

    private mutating func appendOctal() {
        var value: UInt32 = 0
        var count = 0
        while count < 3, offset < end, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(bytes[offset]) {
            value = value << 3 | UInt32(bytes[offset] - UInt8(ascii: "0"))
            offset += 1
            count += 1
        }
        append(value)
    }

    /// After `\x` or `\u`: exactly that number of digits; otherwise the letter stands for itself.
    private mutating func appendHexadecimal(digits: Int) {
        guard let value = hexadecimal(at: offset + 1, digits: digits) else {
            result.append(bytes[offset])
            offset += 1
            return
        }
        append(value)
        offset += 1 + digits
    }

    /// A code unit of UTF-16; two surrogates in a row are one character.
    private mutating func appendUnicode(from start: Int) throws(LexicalError) {
        guard let unit = hexadecimal(at: offset + 1, digits: 4), (0xD800..<0xE000).contains(unit) else {
            return appendHexadecimal(digits: 4)
        }
        guard unit < 0xDC00, offset + 7 <= end, bytes[offset + 5] == UInt8(ascii: "\\"),
            bytes[offset + 6] | 0x20 == UInt8(ascii: "u"),
            let low = hexadecimal(at: offset + 7, digits: 4), (0xDC00..<0xE000).contains(low)
        else { throw LexicalError(.loneSurrogate, start..<offset + 5) }
        append(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        offset += 11
    }

    private func hexadecimal(at start: Int, digits: Int) -> UInt32? {
        guard start + digits <= end else { return nil }
        var value: UInt32 = 0
        for index in start..<start + digits {
            guard let digit = ByteClass.hexValue(bytes[index]) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private mutating func append(_ value: UInt32) {
        guard let scalar = Unicode.Scalar(value) else { return }
        result.append(contentsOf: UTF8.encode(scalar) ?? .init())
    }
}

extension String {
    /// A part of a format, which begins and ends between code points.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        self.init(unsafeUninitializedCapacity: range.count) { buffer in
            guard let source = bytes.baseAddress, let target = buffer.baseAddress else { return 0 }
            ByteRow.copy(source + range.lowerBound, to: target, count: range.count)
            return range.count
        }
    }
}
