/// Lookup in the generated table: a three-stage trie from code points to their replacements.
///
/// `blocks` maps a code point to a block, `entries` maps an index in the block to a record, and the columns of
/// `records` refer to ranges of `pool`. Records leave out columns that repeat others. All of these are constants in the
/// program; nothing is built at run time.
enum FoldTable {
    /// A column of a record: the fold of a mode, or canonical decomposition.
    enum FoldColumn: Int {
        case caseInsensitive
        case diacriticInsensitive
        case caseAndDiacriticInsensitive
        case decomposition
    }

    /// Returns the entry of a column for `scalar`, which must not be a Hangul syllable. Without folding, no column is
    /// read.
    @inline(__always)
    static func packedReplacement(of scalar: UInt32, _ column: FoldColumn) -> PackedReplacement {
        let digits = FoldData.records.utf8Start + place(of: column, record(of: scalar))
        return PackedReplacement(number: number(digits) &<< 12 &+ number(digits + 2))
    }

    /// Returns the combining class and the kind of `scalar`.
    @inline(__always)
    static func mark(of scalar: UInt32) -> Mark {
        let record = record(of: scalar)
        guard record < FoldData.fullRecords else { return Mark(number: 0) }
        return Mark(number: number(FoldData.records.utf8Start + (recordWidth &* record &+ 16)))
    }

    /// Returns the canonical composition of a base and a mark; nil if they do not compose. Covers only bases from
    /// U+0510 on.
    static func composition(_ base: UInt32, _ mark: UInt32) -> UInt32? {
        var (low, high) = (0, FoldData.compositionCount)
        while low < high {
            let middle = (low &+ high) &>> 1
            let digits = FoldData.compositions.utf8Start + 9 &* middle
            let (first, second) = (codePoint(digits), codePoint(digits + 3))
            if (first, second) == (base, mark) { return codePoint(digits + 6) }
            if (first, second) < (base, mark) { low = middle &+ 1 } else { high = middle }
        }
        return nil
    }

    /// All compositions, in the order of the table.
    static var compositions: [(base: Unicode.Scalar, mark: Unicode.Scalar, result: Unicode.Scalar)] {
        (0..<FoldData.compositionCount).compactMap { number in
            let digits = FoldData.compositions.utf8Start + 9 &* number
            let codes = [0, 3, 6].compactMap { Unicode.Scalar(codePoint(digits + $0)) }
            return codes.count == 3 ? (codes[0], codes[1], codes[2]) : nil
        }
    }

    /// The code points that fold, decompose or are marks, in order. All others share the record of U+0000.
    static let members: [UInt32] = {
        let plain = record(of: 0)
        return ([0..<FoldData.limit] + FoldData.outliers).joined().filter { record(of: $0) != plain || $0 &- 0x41 < 26 }
    }()

    private static let recordWidth = 18

    /// Returns the offset of a column in `records`.
    @inline(__always)
    private static func place(of column: FoldColumn, _ record: Int) -> Int {
        if record < FoldData.fullRecords { return recordWidth &* record &+ 4 &* column.rawValue }
        let pair = record &- FoldData.fullRecords
        let pairs = recordWidth &* FoldData.fullRecords
        if pair < FoldData.pairRecords { return pairs &+ 8 &* pair &+ 4 &* (column.rawValue & 1) }
        return pairs &+ 4 &* FoldData.pairRecords &+ 4 &* pair
    }

    @inline(__always)
    private static func record(of scalar: UInt32) -> Int {
        let place = scalar < FoldData.limit ? scalar : placeOfOutlier(scalar)
        let block = number(FoldData.blocks.utf8Start + 2 &* Int(place &>> FoldData.blockBits))
        let offset = Int(scalar & (1 &<< FoldData.blockBits &- 1))
        return number(FoldData.entries.utf8Start + 2 &* (block &<< FoldData.blockBits &+ offset))
    }

    /// Every other code point from the limit on folds to itself, like U+0000.
    @inline(never)
    private static func placeOfOutlier(_ scalar: UInt32) -> UInt32 {
        var place = FoldData.limit
        for range in FoldData.outliers {
            if range.contains(scalar) { return place &+ scalar &- range.lowerBound }
            place &+= UInt32(range.count)
        }
        return 0
    }

    /// Two digits of base 64.
    @inline(__always)
    private static func number(_ digits: UnsafePointer<UInt8>) -> Int {
        Int(digits[0]) &<< 6 &+ Int(digits[1]) &- (48 &<< 6 &+ 48)
    }

    /// Three digits of base 64.
    private static func codePoint(_ digits: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: number(digits) &<< 6 &+ Int(digits[2]) &- 48)
    }
}

extension FoldTable {
    /// A range of the pool with flags, packed into one number of a record.
    struct PackedReplacement {
        let number: Int

        /// The length that marks a code point that folds to itself.
        static let itself = 15
        /// The greatest number of bytes that a code point folds to.
        static let longest = itself - 1

        /// The length of the replacement, or ``itself``.
        @inline(__always)
        var length: Int { number & 15 }
        /// True for a mark, whose fold depends on its neighbours.
        @inline(__always)
        var needsNeighbours: Bool { number & 16 != 0 }
        /// True for a mark, and for a code point such as `ß` that folds to several letters but is still one
        /// character.
        @inline(__always)
        var isSpecial: Bool { number & 48 != 0 }

        /// The bytes of the replacement, followed by bytes that do not belong to it.
        @inline(__always)
        var bytes: UInt128 {
            UInt128(
                littleEndian: UnsafeRawPointer(FoldData.pool.utf8Start + number &>> 6).loadUnaligned(as: UInt128.self))
        }
    }

    /// The role of a code point within a character.
    struct Mark {
        let number: Int

        /// The canonical combining class. Marks of different classes have no significant order.
        var combiningClass: Int { number &>> 2 }
        /// True if the code point continues the preceding character: a mark, or a conjoining Hangul vowel or final
        /// consonant.
        @inline(__always)
        var extends: Bool { number & 1 != 0 }
        /// True for a mark that `[d]` drops.
        var isDropped: Bool { number & 2 != 0 }
    }
}

extension FoldMode {
    /// The column of the fold; arbitrary for the mode without folding.
    @inline(__always)
    var column: FoldTable.FoldColumn {
        switch self {
        case .none, .caseInsensitive: .caseInsensitive
        case .diacriticInsensitive: .diacriticInsensitive
        case .caseAndDiacriticInsensitive: .caseAndDiacriticInsensitive
        }
    }
}

// MARK: - Code points

/// A code point read from UTF-8. Each byte that is not valid UTF-8 is read as a code point that folds to itself.
struct CodePoint {
    let value: UInt32
    let length: Int

    private static let malformed: UInt32 = .max

    /// Reads the code point that begins at `bytes`, which must point to a byte of the string.
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

    /// Reads the code point that ends before `end`; at least one byte must precede it.
    @inline(__always)
    init(endingAt end: UnsafePointer<UInt8>, after start: UnsafePointer<UInt8>) {
        var lead = end - 1
        while lead > start, lead.pointee.isContinuation, end - lead < 4 { lead -= 1 }
        let whole = CodePoint(at: lead, before: end)
        self = whole.length == end - lead ? whole : CodePoint(at: end - 1, before: end)
    }

    /// Returns nil unless all bytes after the first are continuation bytes.
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

    /// False for a byte that is not valid UTF-8.
    var isUnicode: Bool { value != Self.malformed }

    /// True for a mark and for a Hangul vowel or final consonant, which belong to the preceding character.
    @inline(__always)
    var extends: Bool { value >= 0x300 && FoldTable.mark(of: value).extends }

    /// True for a mark, whose fold depends on its neighbours.
    @inline(__always)
    var needsNeighbours: Bool {
        value >= 0x300 && FoldTable.packedReplacement(of: value, .decomposition).needsNeighbours
    }
}

/// The bytes that a code point folds to, the first byte in the lowest bits, padded with zeros.
struct Replacement {
    var bytes: UInt128
    var count: Int

    /// Takes the bytes of a code point unchanged.
    @inline(__always)
    init(itself bytes: UnsafePointer<UInt8>, _ length: Int) {
        var word: UInt32 = 0
        for index in 0..<length { word |= UInt32(bytes[index]) &<< UInt32(truncatingIfNeeded: 8 &* index) }
        (self.bytes, count) = (UInt128(word), length)
    }

    @inline(__always)
    init(_ place: FoldTable.PackedReplacement) {
        count = place.length
        bytes = place.bytes & (1 &<< UInt128(truncatingIfNeeded: 8 &* count) &- 1)
    }

    /// Takes the bytes of a code point that the table does not change; only Hangul syllables are decomposed.
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

    /// Nil unless the code point is a precomposed Hangul syllable.
    @inline(__always)
    init?(_ value: UInt32) {
        guard value &- 0xAC00 < 11_172 else { return nil }
        index = value &- 0xAC00
    }

    var leading: UInt32 { 0x1100 &+ index / 588 }
    var vowel: UInt32 { 0x1161 &+ index % 588 / 28 }
    var trailing: UInt32? { index % 28 == 0 ? nil : 0x11A7 &+ index % 28 }

    /// Composes a leading consonant and a vowel, or such a syllable and a final consonant.
    static func composition(_ base: UInt32, _ jamo: UInt32) -> UInt32? {
        if base &- 0x1100 < 19, jamo &- 0x1161 < 21 {
            return 0xAC00 &+ ((base &- 0x1100) &* 21 &+ jamo &- 0x1161) &* 28
        }
        guard base &- 0xAC00 < 11_172, (base &- 0xAC00) % 28 == 0, jamo &- 0x11A8 < 27 else { return nil }
        return base &+ jamo &- 0x11A7
    }
}

// MARK: - Words

/// Eight bytes of a string in one integer, the first byte in the lowest bits.
@usableFromInline
typealias Word = UInt64

extension Word {
    @inlinable static var highBits: Word { 0x8080_8080_8080_8080 }
    @inlinable static var lowBits: Word { 0x7F7F_7F7F_7F7F_7F7F }

    /// Repeats a byte eight times.
    @inlinable
    @inline(__always)
    init(repeating byte: UInt8) {
        self = Word(byte) &* 0x0101_0101_0101_0101
    }

    /// A mask of the first `count` bytes; `count` is 1 to 8.
    @inlinable
    @inline(__always)
    static func first(_ count: Int) -> Word {
        ~0 &>> Word(truncatingIfNeeded: 64 &- 8 &* count)
    }

    /// A mask of the last `count` bytes; `count` is 1 to 8.
    @inlinable
    @inline(__always)
    static func last(_ count: Int) -> Word {
        ~0 &<< Word(truncatingIfNeeded: 64 &- 8 &* count)
    }

    /// The high bit of every zero byte.
    @inlinable
    @inline(__always)
    var zeroBytes: Word {
        ~(((self & .lowBits) &+ .lowBits) | self | .lowBits)
    }

    /// The high bit of every byte in `A` to `Z`.
    @inlinable
    @inline(__always)
    var capitals: Word {
        let low = self & .lowBits
        let fromA = low &+ Word(repeating: 0x80 - 0x41)
        let afterZ = low &+ Word(repeating: 0x80 - 0x5B)
        return fromA & ~afterZ & ~self & .highBits
    }

    /// The high bit of every byte in `a` to `z`.
    var smallLetters: Word {
        let low = self & .lowBits
        let fromA = low &+ Word(repeating: 0x80 - 0x61)
        let afterZ = low &+ Word(repeating: 0x80 - 0x7B)
        return fromA & ~afterZ & ~self & .highBits
    }
}
