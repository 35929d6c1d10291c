/// Patterns of the workload as byte loops.
enum HandMatching {
    /// `MATCHES "J.*n S.*"`
    @inline(__always)
    static func johnLike(_ text: String) -> Bool {
        withBytes(text) { bytes in
            guard bytes.count >= 4, bytes[0] == UInt8(ascii: "J") else { return false }
            for place in 1..<(bytes.count - 2)
            where bytes[place] == UInt8(ascii: "n") && bytes[place + 1] == UInt8(ascii: " ")
                && bytes[place + 2] == UInt8(ascii: "S")
            {
                return true
            }
            return false
        }
    }

    /// `LIKE[c] "j*n s?ith"`, where no name has another letter than `m` in the place of the question mark that would
    /// take more than one byte.
    @inline(__always)
    static func johnSmithLike(_ text: String) -> Bool {
        withBytes(text) { bytes in
            guard bytes.count >= 8, bytes[0] | 0x20 == UInt8(ascii: "j") else { return false }
            let tail = bytes.count - 7
            return bytes[tail] | 0x20 == UInt8(ascii: "n") && bytes[tail + 1] == UInt8(ascii: " ")
                && bytes[tail + 2] | 0x20 == UInt8(ascii: "s") && bytes[tail + 4] | 0x20 == UInt8(ascii: "i")
                && bytes[tail + 5] | 0x20 == UInt8(ascii: "t") && bytes[tail + 6] | 0x20 == UInt8(ascii: "h")
        }
    }

    /// How many texts begin with a small s.
    @inline(__always)
    static func beginWithS(_ texts: [String]) -> Int {
        var count = 0
        for text in texts where text.utf8.first == UInt8(ascii: "s") { count += 1 }
        return count
    }

    @inline(__always)
    static func endsWith(_ text: String, _ suffix: StaticString) -> Bool {
        withBytes(text) { bytes in
            let start = bytes.count - suffix.utf8CodeUnitCount
            guard start >= 0 else { return false }
            for index in 0..<suffix.utf8CodeUnitCount where bytes[start + index] != suffix.utf8Start[index] {
                return false
            }
            return true
        }
    }

    @inline(__always)
    private static func withBytes(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        text.utf8.withContiguousStorageIfAvailable(body) ?? false
    }
}
