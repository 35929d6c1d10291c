import PredicateText

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

    /// Returns the number of texts that begin with a small s.
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

/// The folding comparison that a programmer writes by hand when speed counts: ASCII bytes in a loop that the compiler
/// can inline, and the table of this package for everything else.
struct InlineNeedle {
    private let start: UnsafePointer<UInt8>
    private let count: Int
    private let whole: PreparedNeedle

    /// A needle of lower-case ASCII letters.
    init(_ needle: StaticString, _ mode: FoldMode = .caseAndDiacriticInsensitive) {
        start = needle.utf8Start
        count = needle.utf8CodeUnitCount
        whole = PreparedNeedle(needle.description, mode)
    }

    @inline(__always)
    func isPrefix(of text: String) -> Bool {
        text.withBytes { bytes in
            agrees(bytes, from: 0, whole) { $0.isPrefix(of: text) }
        }
    }

    @inline(__always)
    func isSuffix(of text: String) -> Bool {
        text.withBytes { bytes in
            guard let last = bytes.last, last < 0x80 else { return whole.isSuffix(of: text) }
            return agrees(bytes, from: bytes.count - count, whole) { $0.isSuffix(of: text) }
        }
    }

    @inline(__always)
    func isContained(in text: String) -> Bool {
        text.withBytes { bytes in
            if bytes.contains(where: { $0 >= 0x80 }) { return whole.isContained(in: text) }
            guard bytes.count >= count else { return false }
            for place in 0...(bytes.count - count) where matches(bytes, from: place) { return true }
            return false
        }
    }

    @inline(__always)
    func isEqual(to text: String) -> Bool {
        text.withBytes { bytes in
            if bytes.count == count, matches(bytes, from: 0) { return true }
            return bytes.contains { $0 >= 0x80 } && whole.isEqual(to: text)
        }
    }

    /// Compares byte by byte from an offset; a byte beyond ASCII leaves the comparison to the folding table.
    @inline(__always)
    private func agrees(
        _ bytes: UnsafeBufferPointer<UInt8>, from place: Int, _ whole: PreparedNeedle,
        otherwise: (PreparedNeedle) -> Bool
    ) -> Bool {
        var index = 0
        while index < count, place + index < bytes.count {
            if place + index < 0 { return bytes.contains { $0 >= 0x80 } && otherwise(whole) }
            let byte = bytes[place + index]
            if byte >= 0x80 { return otherwise(whole) }
            if byte.lowered != start[index] { return false }
            index += 1
        }
        return index == count
    }

    @inline(__always)
    private func matches(_ bytes: UnsafeBufferPointer<UInt8>, from place: Int) -> Bool {
        var index = 0
        while index < count, bytes[place + index].lowered == start[index] { index += 1 }
        return index == count
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var lowered: UInt8 {
        self &- 0x41 < 26 ? self | 0x20 : self
    }
}

extension String {
    /// Calls the body with the bytes of the string; false for a string without contiguous storage.
    @inline(__always)
    fileprivate func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable(body) ?? false
    }
}
