/// A folded text and the places in it where characters begin: a base with its marks, or all that one code point becomes.
///
/// No match begins or ends inside a character: `"e\u{301}" CONTAINS[c] "e"` and `"ß" CONTAINS[c] "s"` are false.
struct FoldedCharacters {
    /// The folded UTF-8.
    private(set) var bytes: [UInt8] = []
    /// For each byte, and for the end, whether a character begins there.
    private var isStart: [Bool] = []
    private var begins = false

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
        isStart.reserveCapacity(capacity + 1)
    }

    mutating func beginCharacter() {
        begins = true
    }

    mutating func append(_ piece: UTF8Bytes) {
        var rest = piece.bytes
        for _ in 0..<piece.count {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            isStart.append(begins)
            begins = false
            rest >>= 8
        }
    }

    mutating func finish() {
        isStart.append(true)
    }
}

/// Comparisons with a folded needle that is not empty.
extension FoldedCharacters {
    /// `name BEGINSWITH[cd] "jo"`
    func begins(with needle: FoldedText) -> Bool {
        bytes.starts(with: needle.bytes) && isStart[needle.count]
    }

    /// `name ENDSWITH[cd] "son"`
    func ends(with needle: FoldedText) -> Bool {
        let start = bytes.count - needle.count
        return start >= 0 && isStart[start] && bytes[start...].elementsEqual(needle.bytes)
    }

    /// `name CONTAINS[cd] "oh"`
    func contains(_ needle: FoldedText) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            needle.isFound(in: bytes) { isStart[$0.lowerBound] && isStart[$0.upperBound] }
        }
    }

    /// `name LIKE[c] "j?h*n"`
    func fits(_ tokens: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            isStart.withUnsafeBufferPointer { CharacterCursor($0, bytes).fits(tokens) }
        }
    }
}

/// A cursor over folded characters.
private struct CharacterCursor: ByteCursor {
    private let isStart: UnsafeBufferPointer<Bool>
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ isStart: UnsafeBufferPointer<Bool>, _ bytes: UnsafeBufferPointer<UInt8>) {
        self.isStart = isStart
        self.bytes = bytes
    }

    mutating func next() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    var isBetweenCharacters: Bool { isStart[position] }

    mutating func skipCharacter() -> Bool {
        guard position < bytes.count else { return false }
        repeat { position += 1 } while !isStart[position]
        return true
    }
}
