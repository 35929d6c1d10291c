/// A text that is folded into memory code point by code point, all at once or piece by piece.
///
/// Eight bytes at a time where the table is not needed: a name with one accent takes three or four steps. A code point that
/// does not fold by itself ends the work: see ``FoldedCharacters``.
struct FoldedPieces {
    private let text: FoldedText
    private var position: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    /// True if a mark was met, whose fold depends on its neighbours, or a code point that becomes several letters.
    private(set) var isSpecial = false

    /// The most bytes that one step writes: eight bytes, sixteen of which a folded code point takes a part, and eight bytes
    /// of padding.
    static let step = 32

    @inline(__always)
    init(_ text: FoldedText) {
        self.text = text
        position = text.start
        end = text.start + text.count
    }

    /// True if all of the text has been folded.
    @inline(__always)
    var isAtEnd: Bool { position == end }

    /// Folds as much as fits after the first `count` bytes; returns the new count, after which eight more bytes may be
    /// read.
    @inline(__always)
    mutating func fill(_ memory: UnsafeMutableRawBufferPointer, after count: Int) -> Int {
        guard let start = memory.baseAddress else { return 0 }
        var count = count
        while position < end, count &+ Self.step <= memory.count, !isSpecial {
            count &+= foldASCII(into: start + count)
            if position < end, position.pointee >= 0x80 { count &+= foldCodePoint(into: start + count) }
        }
        (start + count).storeBytes(of: 0, as: Word.self)
        return count
    }

    /// Folds the bytes before the next one that needs the table, eight at most.
    @inline(__always)
    private mutating func foldASCII(into target: UnsafeMutableRawPointer) -> Int {
        let rest = end - position
        let word = rest >= 8 ? Word(at: position) : Word(position, rest)
        target.storeBytes(of: text.folded(word).littleEndian, as: Word.self)
        // Without such a byte the count of zeros is 64.
        let count = min(rest, (word & .highBits).trailingZeroBitCount &>> 3)
        position += count
        return count
    }

    @inline(__always)
    private mutating func foldCodePoint(into target: UnsafeMutableRawPointer) -> Int {
        let codePoint = CodePoint(at: position, before: end)
        let bytes = position
        let place = FoldTable.place(of: codePoint.value, text.mode.column)
        isSpecial = place.isSpecial
        position += codePoint.length
        guard place.length == FoldTable.Place.itself else {
            target.storeBytes(of: place.bytes.littleEndian, as: UInt128.self)
            return place.length
        }
        let replacement = Replacement(outsideTable: codePoint, bytes)
        target.storeBytes(of: replacement.bytes.littleEndian, as: UInt128.self)
        return replacement.count
    }
}
