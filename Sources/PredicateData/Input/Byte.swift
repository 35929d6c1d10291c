#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Bytes by name.
enum Byte {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let openParenthesis: UInt8 = 0x28
    static let closeParenthesis: UInt8 = 0x29
    static let plus: UInt8 = 0x2B
    static let comma: UInt8 = 0x2C
    static let minus: UInt8 = 0x2D
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let nine: UInt8 = 0x39
    static let colon: UInt8 = 0x3A
    static let percent: UInt8 = 0x25
    static let apostrophe: UInt8 = 0x27
    static let semicolon: UInt8 = 0x3B
    static let bar: UInt8 = 0x7C
    static let openBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closeBracket: UInt8 = 0x5D
    static let openBrace: UInt8 = 0x7B
    static let closeBrace: UInt8 = 0x7D
}

extension UInt8 {
    /// True for space, tab, line feed and carriage return, the white space of JSON.
    var isWhitespace: Bool {
        self == Byte.space || self == Byte.lineFeed || self == Byte.carriageReturn || self == Byte.tab
    }

    var isDigit: Bool { self &- Byte.zero < 10 }

    /// The value of an ASCII digit; undefined for other bytes.
    var digit: UInt64 { UInt64(self &- Byte.zero) }

    /// The value of a hexadecimal digit.
    var hexadecimal: UInt32? {
        switch self {
        case 0x30...0x39: UInt32(self - 0x30)
        case 0x41...0x46: UInt32(self - 0x37)
        case 0x61...0x66: UInt32(self - 0x57)
        default: nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[range])
    }

    /// Returns the text of bytes that were checked to be UTF-8.
    func text(_ range: Range<Int>) -> String {
        String(decoding: slice(range), as: UTF8.self)
    }

    func equals(_ other: [UInt8], at range: Range<Int>) -> Bool {
        guard range.count == other.count else { return false }
        for index in 0..<other.count where self[range.lowerBound &+ index] != other[index] { return false }
        return true
    }

    /// Returns the first index of a byte at or after `start`.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// True if every byte is white space.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
