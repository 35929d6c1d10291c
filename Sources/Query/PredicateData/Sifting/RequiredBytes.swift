import PredicateJSON

/// Bytes that every matching line contains: the bytes of `error` for `SELF CONTAINS "error"`.
///
/// The search looks for their rarest byte.
struct RequiredBytes {
    private let bytes: [UInt8]
    /// The index of the byte that is probably the rarest in text.
    private let rarest: Int

    /// Creates the bytes of a string; nil if it is empty or contains a line end.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, !bytes.contains(Byte.lineFeed), !bytes.contains(Byte.carriageReturn) else { return nil }
        self.bytes = bytes
        rarest = bytes.indices.min { Self.frequency(bytes[$0]) < Self.frequency(bytes[$1]) } ?? 0
    }

    /// Returns the first line that contains the bytes, with its line feed; nil if there is none. The line at `start`
    /// is the first, and the last line ends with a line feed.
    func line(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        var index = start + rarest
        while let place = text.firstIndex(of: bytes[rarest], from: min(index, text.count)) {
            let first = place - rarest
            if first + bytes.count <= text.count, text.equals(bytes, at: first..<first + bytes.count) {
                let lineStart = text[start..<first].lastIndex(of: Byte.lineFeed).map { $0 + 1 } ?? start
                let lineFeed = text.firstIndex(of: Byte.lineFeed, from: first) ?? text.count - 1
                return lineStart..<lineFeed + 1
            }
            index = place + 1
        }
        return nil
    }

    /// Returns about how often a byte occurs in text and tables, from 0 to 3.
    private static func frequency(_ byte: UInt8) -> Int {
        if "etaoinsr ,012".utf8.contains(byte) { return 3 }
        if byte &- 0x61 < 26 || byte.isDigit { return 2 }
        // Half of the letters that are not ASCII have the same first byte.
        return byte >= 0xC0 ? 2 : byte >= 0x80 ? 1 : 0
    }
}
