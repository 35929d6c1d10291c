/// The bytes at which reading a string has to stop and look: a quote, a backslash, a control character.
enum StringStops {
    /// Eight bytes as one word, the first one lowest: the high bit of a byte is set where such a byte stands. Bytes
    /// after the first one set may be set by mistake, so only the first counts.
    @inline(__always)
    static func stops(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* UInt64(Byte.quote))
        let backslashes = word ^ (ones &* UInt64(Byte.backslash))
        let found = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return (found | ((word &- ones &* UInt64(Byte.space)) & ~word)) & (ones &* 0x80)
    }

    /// Past bytes without a stop, as far as eight at a time go.
    @inline(__always)
    static func skipPlain(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
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
