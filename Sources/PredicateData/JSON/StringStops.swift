/// The bytes that end a run of ordinary characters in a string: quotes, backslashes and control characters.
enum StringStops {
    /// Returns the high bits of such bytes among eight bytes in a little-endian word. Bits after the first may be
    /// wrong, so only the first counts.
    @inline(__always)
    static func stops(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* UInt64(Byte.quote))
        let backslashes = word ^ (ones &* UInt64(Byte.backslash))
        let found = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return (found | ((word &- ones &* UInt64(Byte.space)) & ~word)) & (ones &* 0x80)
    }

    /// Skips bytes without a stop, eight at a time.
    @inline(__always)
    static func skip(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index + 8 <= bytes.count {
            let stops = stops(in: UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            if stops != 0 { return index + stops.trailingZeroBitCount >> 3 }
            index += 8
        }
        return index
    }
}
