#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif os(Windows)
    import ucrt
#elseif canImport(WASILibc)
    import WASILibc
#endif

/// Bytes by name.
///
/// Members that are `@inlinable` are public, because the compiler does not inline `package` functions into other modules.
public enum Byte {
    @inlinable public static var tab: UInt8 { 0x09 }
    @inlinable public static var lineFeed: UInt8 { 0x0A }
    @inlinable public static var carriageReturn: UInt8 { 0x0D }
    @inlinable public static var space: UInt8 { 0x20 }
    @inlinable public static var quote: UInt8 { 0x22 }
    @inlinable public static var openParenthesis: UInt8 { 0x28 }
    @inlinable public static var closeParenthesis: UInt8 { 0x29 }
    @inlinable public static var plus: UInt8 { 0x2B }
    @inlinable public static var comma: UInt8 { 0x2C }
    @inlinable public static var minus: UInt8 { 0x2D }
    @inlinable public static var dot: UInt8 { 0x2E }
    @inlinable public static var slash: UInt8 { 0x2F }
    @inlinable public static var zero: UInt8 { 0x30 }
    @inlinable public static var nine: UInt8 { 0x39 }
    @inlinable public static var colon: UInt8 { 0x3A }
    @inlinable public static var percent: UInt8 { 0x25 }
    @inlinable public static var apostrophe: UInt8 { 0x27 }
    @inlinable public static var semicolon: UInt8 { 0x3B }
    @inlinable public static var bar: UInt8 { 0x7C }
    @inlinable public static var openBracket: UInt8 { 0x5B }
    @inlinable public static var backslash: UInt8 { 0x5C }
    @inlinable public static var closeBracket: UInt8 { 0x5D }
    @inlinable public static var openBrace: UInt8 { 0x7B }
    @inlinable public static var closeBrace: UInt8 { 0x7D }
}

extension UInt8 {
    /// True for space, tab, line feed and carriage return, the white space of JSON.
    @inlinable public var isWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }

    @inlinable public var isDigit: Bool { self &- 0x30 < 10 }

    /// The value of an ASCII digit; undefined for other bytes.
    @inlinable public var digit: UInt64 { UInt64(self &- 0x30) }

    /// The value of a hexadecimal digit.
    package var hexadecimal: UInt32? {
        switch self {
        case 0x30...0x39: UInt32(self - 0x30)
        case 0x41...0x46: UInt32(self - 0x37)
        case 0x61...0x66: UInt32(self - 0x57)
        default: nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    @inlinable
    public func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[range])
    }

    /// Returns a string for bytes that are known to be valid UTF-8.
    @inlinable
    public func text(_ range: Range<Int>) -> String {
        String(decoding: slice(range), as: UTF8.self)
    }

    @inlinable
    public func equals(_ other: [UInt8], at range: Range<Int>) -> Bool {
        guard range.count == other.count else { return false }
        for index in 0..<other.count where self[range.lowerBound &+ index] != other[index] { return false }
        return true
    }

    /// Returns the first index of a byte at or after `start`.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// True if every byte is white space.
    @inlinable
    public var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

/// Strict UTF-8: no overlong forms, no encoded surrogates, nothing above U+10FFFF.
package enum UTF8Validation {
    /// Returns the index of the first sequence that is not UTF-8; nil if there is none.
    package static func firstFault(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] < 0x80 {
                index = skipASCII(bytes, from: index, to: range.upperBound)
                continue
            }
            let length = sequenceLength(bytes, at: index, to: range.upperBound)
            if length == 0 { return index }
            index += length
        }
        return nil
    }

    private static func skipASCII(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(bytes)
        while index + 32 <= end, highBits(raw, at: index) | highBits(raw, at: index + 16) == 0 { index += 32 }
        while index + 8 <= end, raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
            index += 8
        }
        while index < end, bytes[index] < 0x80 { index += 1 }
        return index
    }

    /// Returns the high bits of sixteen bytes.
    @inline(__always)
    private static func highBits(_ raw: UnsafeRawBufferPointer, at index: Int) -> UInt64 {
        let (low, high) = (
            raw.loadUnaligned(fromByteOffset: index, as: UInt64.self),
            raw.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self)
        )
        return (low | high) & 0x8080_8080_8080_8080
    }

    /// Returns the length of the well-formed sequence at an index; 0 if there is none.
    private static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, to end: Int) -> Int {
        guard let (length, second) = expectation(of: bytes[index]), index + length <= end else { return 0 }
        guard second.contains(bytes[index + 1]) else { return 0 }
        for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// Returns the length of the sequence that a byte begins, and the valid range of its second byte.
    private static func expectation(of first: UInt8) -> (Int, ClosedRange<UInt8>)? {
        switch first {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: nil
        }
    }
}
