/// Strict UTF-8: no overlong forms, no encoded surrogates, nothing above U+10FFFF.
enum UTF8Validation {
    /// Returns the index of the first sequence that is not UTF-8; nil if there is none.
    static func firstFault(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
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
        while index + 8 <= end, raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
            index += 8
        }
        while index < end, bytes[index] < 0x80 { index += 1 }
        return index
    }

    /// Returns the length of the well-formed sequence at an index; 0 if there is none.
    private static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, to end: Int) -> Int {
        guard let (length, second) = expectation(of: bytes[index]), index + length <= end else { return 0 }
        guard second.contains(bytes[index + 1]) else { return 0 }
        for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// Returns the length of a sequence by its first byte, and the range of its second byte.
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
