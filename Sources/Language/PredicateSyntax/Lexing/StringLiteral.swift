/// Decodes the contents of a quoted string.
///
/// Escapes: `\\`, `\"`, `\'`, `\n` and the other letters of C, `\101` in octal, `\x41`, `\u00e9`. Any other character
/// after a backslash is literal. [NSP-021]
package struct StringLiteral {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset: Int
    private let end: Int
    private var result: [UInt8] = []

    /// Returns the contents of a string token; `range` is the range between its quotes.
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

    /// Returns the control character of a C escape such as `\n`; nil for other letters.
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

    /// Reads exactly this number of digits after `\x` or `\u`; otherwise the letter is literal.
    private mutating func appendHexadecimal(digits: Int) {
        guard let value = hexadecimal(at: offset + 1, digits: digits) else {
            result.append(bytes[offset])
            offset += 1
            return
        }
        append(value)
        offset += 1 + digits
    }

    /// Reads a UTF-16 code unit; two consecutive surrogates form one character.
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
    /// Decodes a part of a format that begins and ends between code points.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        self.init(unsafeUninitializedCapacity: range.count) { buffer in
            guard let source = bytes.baseAddress, let target = buffer.baseAddress else { return 0 }
            ByteRow.copy(source + range.lowerBound, to: target, count: range.count)
            return range.count
        }
    }
}

// MARK: - Eight bytes at once

/// Eight bytes of a format in one integer, to test all of them at once (SWAR).
struct ByteRow {
    static let count = 8

    /// The first byte is the least significant.
    let word: UInt64

    init(repeating byte: UInt8) {
        word = UInt64(byte) &* 0x0101_0101_0101_0101
    }

    /// Loads the eight bytes at an offset; nil if fewer are left.
    @inline(__always)
    init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard start &+ Self.count <= bytes.count, let base = bytes.baseAddress else { return nil }
        word = UInt64(littleEndian: UnsafeRawPointer(base + start).loadUnaligned(as: UInt64.self))
    }

    /// Returns the index of the first byte that equals one of two repeated bytes; ``count`` if no byte does.
    @inline(__always)
    func first(of one: ByteRow, _ other: ByteRow) -> Int {
        (zeros(word ^ one.word) | zeros(word ^ other.word)).trailingZeroBitCount / 8
    }

    /// Returns a word with the highest bit set in each zero byte; above the first zero byte, other bits may be set
    /// too.
    @inline(__always)
    private func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// Copies up to sixteen bytes as two pieces that may overlap, which is faster than calling `memcpy`.
    @inline(__always)
    static func copy(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int) {
        let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
        switch count {
        case 8...16: copyEnds(UInt64.self, from, to, count)
        case 4..<8: copyEnds(UInt32.self, from, to, count)
        case 2..<4: copyEnds(UInt16.self, from, to, count)
        default: target.initialize(from: source, count: count)
        }
    }

    @inline(__always)
    private static func copyEnds<Piece: FixedWidthInteger & BitwiseCopyable>(
        _ piece: Piece.Type, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
    ) {
        let last = count &- MemoryLayout<Piece>.size
        let end = source.loadUnaligned(fromByteOffset: last, as: Piece.self)
        target.storeBytes(of: source.loadUnaligned(as: Piece.self), as: Piece.self)
        target.storeBytes(of: end, toByteOffset: last, as: Piece.self)
    }
}
