import PredicateText

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

    /// Byte by byte from a place on; the answer of the table as soon as there is a byte beyond ASCII.
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
    /// The bytes of the string where they lie; false for a string that has none in one piece.
    @inline(__always)
    fileprivate func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable(body) ?? false
    }
}
