/// A code point read from UTF-8. Bytes that are not UTF-8 are read one by one, as something that folds to itself.
struct CodePoint {
    let value: UInt32
    let length: Int

    private static let malformed: UInt32 = .max

    /// The code point that begins at `bytes`, where a byte is.
    @inline(__always)
    init(at bytes: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) {
        let lead = bytes.pointee
        if lead & 0xE0 == 0xC0, end - bytes >= 2, bytes[1].isContinuation {
            (value, length) = (UInt32(lead & 0x1F) &<< 6 | UInt32(bytes[1] & 0x3F), 2)
            return
        }
        let length = lead.codePointLength
        guard length <= end - bytes, let value = Self.decode(bytes, length) else {
            (self.value, self.length) = (Self.malformed, 1)
            return
        }
        (self.value, self.length) = (value, length)
    }

    /// The code point that ends before `end`, where a byte is.
    @inline(__always)
    init(endingAt end: UnsafePointer<UInt8>, after start: UnsafePointer<UInt8>) {
        var lead = end - 1
        while lead > start, lead.pointee.isContinuation, end - lead < 4 { lead -= 1 }
        let whole = CodePoint(at: lead, before: end)
        self = whole.length == end - lead ? whole : CodePoint(at: end - 1, before: end)
    }

    /// Nil unless the bytes after the first are continuations.
    @inline(__always)
    private static func decode(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> UInt32? {
        let lead = UInt32(bytes[0])
        guard length > 1 else { return bytes[0] < 0x80 ? lead : nil }
        var value = lead & (0x7F &>> UInt32(truncatingIfNeeded: length))
        for index in 1..<length {
            guard bytes[index].isContinuation else { return nil }
            value = value &<< 6 | UInt32(bytes[index] & 0x3F)
        }
        return value
    }

    /// False for a byte that is not UTF-8.
    var isUnicode: Bool { value != Self.malformed }

    /// True for a mark and for a vowel or final consonant of Hangul: it belongs to the character before it.
    @inline(__always)
    var extends: Bool { value >= 0x300 && FoldTable.mark(of: value).extends }

    /// True if the fold depends on the code points around: a mark.
    @inline(__always)
    var needsNeighbours: Bool { value >= 0x300 && FoldTable.place(of: value, .decomposition).needsNeighbours }
}

/// The bytes that a code point folds to, the first one in the lowest bits; zeros after them.
struct Replacement {
    var bytes: UInt128
    var count: Int

    /// The bytes of a code point as they stand.
    @inline(__always)
    init(itself bytes: UnsafePointer<UInt8>, _ length: Int) {
        var word: UInt32 = 0
        for index in 0..<length { word |= UInt32(bytes[index]) &<< UInt32(truncatingIfNeeded: 8 &* index) }
        (self.bytes, count) = (UInt128(word), length)
    }

    @inline(__always)
    init(_ place: FoldTable.Place) {
        count = place.length
        bytes = place.bytes & (1 &<< UInt128(truncatingIfNeeded: 8 &* count) &- 1)
    }

    /// The bytes of a code point that the table leaves as it is: only Hangul syllables change.
    @inline(never)
    init(outsideTable codePoint: CodePoint, _ bytes: UnsafePointer<UInt8>) {
        self = HangulSyllable(codePoint.value).map { Replacement($0) } ?? Replacement(itself: bytes, codePoint.length)
    }

    /// The two or three jamo of a Hangul syllable.
    @inline(never)
    init(_ syllable: HangulSyllable) {
        (bytes, count) = (0, 0)
        append(syllable.leading)
        append(syllable.vowel)
        if let trailing = syllable.trailing { append(trailing) }
    }

    private mutating func append(_ jamo: UInt32) {
        let word = 0xE0 | jamo &>> 12 | (0x80 | jamo &>> 6 & 0x3F) &<< 8 | (0x80 | jamo & 0x3F) &<< 16
        bytes |= UInt128(word) &<< UInt128(truncatingIfNeeded: 8 &* count)
        count &+= 3
    }
}

/// A precomposed Hangul syllable, whose decomposition is arithmetic.
struct HangulSyllable {
    private let index: UInt32

    /// Nil for any other code point.
    @inline(__always)
    init?(_ value: UInt32) {
        guard value &- 0xAC00 < 11_172 else { return nil }
        index = value &- 0xAC00
    }

    var leading: UInt32 { 0x1100 &+ index / 588 }
    var vowel: UInt32 { 0x1161 &+ index % 588 / 28 }
    var trailing: UInt32? { index % 28 == 0 ? nil : 0x11A7 &+ index % 28 }

    /// The syllable of a leading consonant and a vowel, or of such a syllable and a final consonant.
    static func composition(_ base: UInt32, _ jamo: UInt32) -> UInt32? {
        if base &- 0x1100 < 19, jamo &- 0x1161 < 21 {
            return 0xAC00 &+ ((base &- 0x1100) &* 21 &+ jamo &- 0x1161) &* 28
        }
        guard base &- 0xAC00 < 11_172, (base &- 0xAC00) % 28 == 0, jamo &- 0x11A8 < 27 else { return nil }
        return base &+ jamo &- 0x11A7
    }
}
