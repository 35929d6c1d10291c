/// A prepared needle as plain pointers, for loops without reference counting or copies.
///
///     name BEGINSWITH[cd] "jo"
///
/// It is a trivial value: whoever makes it must keep the bytes alive. It takes the UTF-8 of a haystack and gives the same
/// results as ``PreparedNeedle``.
package struct FlatNeedle: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let bytes: NeedleBytes
    @usableFromInline let wordsPointer: UnsafePointer<NeedleWords>

    /// Makes a needle from folded bytes, such as ``PreparedNeedle/foldedBytes``, and the words made from them. Both
    /// must outlive the needle.
    package init(_ folded: UnsafeBufferPointer<UInt8>, _ mode: FoldMode, _ words: UnsafePointer<NeedleWords>) {
        let needle = FoldedText(folded, .none)
        self.init(NeedleBytes(start: needle.start, count: needle.count, mode: mode), words)
    }

    @inline(__always)
    init(_ bytes: NeedleBytes, _ words: UnsafePointer<NeedleWords>) {
        self.bytes = bytes
        wordsPointer = words
    }

    /// Returns true if the string equals one of the needles, which share a mode: `name IN {"jo", "al"}`.
    @inlinable
    @inline(__always)
    package static func contain(
        _ needles: UnsafeBufferPointer<FlatNeedle>, _ text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard var needle = needles.baseAddress else { return false }
        guard let start = text.baseAddress, text.count <= 16 else { return isAny(of: needles, equalTo: text) }
        let short = ShortHaystack(start, text.count)
        if (short.low | short.high) & needle.pointee.words.table != 0 { return isAny(of: needles, equalTo: text) }
        let end = needle + needles.count
        while needle < end {
            if needle.pointee.isEqual(toASCII: short, text.count) { return true }
            needle += 1
        }
        return false
    }

    /// Returns true if a string that is long or needs the table equals one of the needles.
    @usableFromInline
    @inline(never)
    static func isAny(of needles: UnsafeBufferPointer<FlatNeedle>, equalTo text: UnsafeBufferPointer<UInt8>) -> Bool {
        needles.contains { $0.isEqual(to: text) }
    }

    /// Returns true if a string of at most sixteen bytes, none of which needs the table, equals the needle.
    @inlinable
    @inline(__always)
    func isEqual(toASCII text: ShortHaystack, _ length: Int) -> Bool {
        length == count && text.low | words.head.letters == words.head.bytes
            && text.high | words.neck.letters == words.neck.bytes
    }

    /// Returns true if a folded string equals the needle.
    package func isEqual(toFolded text: UnsafeBufferPointer<UInt8>) -> Bool {
        NeedleBytes(start: bytes.start, count: bytes.count, mode: .none).isEqual(to: text)
    }

    /// Returns -1, 0 or 1 if the string is ordered before, equal to or after the needle: `name <[cd] "john"`.
    @inlinable
    @inline(__always)
    package func order(of text: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.order(of: text)
    }

    @inlinable
    @inline(__always)
    var count: Int { bytes.count }

    @inlinable
    @inline(__always)
    var words: NeedleWords { wordsPointer.pointee }
}

/// Comparisons with short strings, inlined into loops. Long strings, and strings that need the table, are left to
/// ``NeedleBytes``.
extension FlatNeedle {
    /// `name BEGINSWITH[cd] "jo"`
    @inlinable
    @inline(__always)
    package func isPrefix(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, count > 0 else { return bytes.isPrefix(of: text) }
        let word = text.count >= 8 ? Word(at: start) : Word(start, text.count)
        if word & words.tableOfStart != 0 { return bytes.isPrefix(of: text) }
        guard words.head.fits(word) else { return false }
        return count <= words.reach ? text.count >= count : bytes.isPrefix(of: text)
    }

    /// `name ENDSWITH[cd] "son"`
    @inlinable
    @inline(__always)
    package func isSuffix(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count >= 8, count > 0 else { return bytes.isSuffix(of: text) }
        let length = text.count
        let word = length < 16 ? ShortHaystack(start, length).word(at: length &- 8) : Word(at: start + (length &- 8))
        if word & words.table & words.tail.mask != 0 { return bytes.isSuffix(of: text) }
        guard words.tail.fits(word) else { return false }
        if count <= 8 { return true }
        guard count <= 16, length >= 16 else { return bytes.isSuffix(of: text) }
        let before = Word(at: start + (length &- 16))
        if before & words.table & words.rump.mask != 0 { return bytes.isSuffix(of: text) }
        return words.rump.fits(before)
    }

    /// False if a string of this length cannot equal the needle. Only a comparison without folding can exclude
    /// lengths.
    @inlinable
    @inline(__always)
    package func mayEqual(count length: Int) -> Bool {
        bytes.mode != .none || length == count
    }

    /// `name ==[cd] "john"`
    @inlinable
    @inline(__always)
    package func isEqual(to text: UnsafeBufferPointer<UInt8>) -> Bool {
        if bytes.mode == .none, text.count != count { return false }
        guard let start = text.baseAddress else { return bytes.isEqual(to: text) }
        let word = text.count >= 8 ? Word(at: start) : Word(start, text.count)
        if word & words.table == 0, word | words.head.letters != words.head.bytes { return false }
        guard text.count <= 16 else { return bytes.isEqual(to: text) }
        let high = ShortHaystack(start, text.count).high
        if (word | high) & words.table != 0 { return bytes.isEqual(to: text) }
        return text.count == count && high | words.neck.letters == words.neck.bytes
    }

    /// `name CONTAINS[cd] "oh"`
    @inlinable
    @inline(__always)
    package func isContained(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count <= 16, count > 0, count <= 8 else {
            return bytes.isContained(in: text)
        }
        let short = ShortHaystack(start, text.count)
        if (short.low | short.high) & words.table != 0 { return bytes.isContained(folding: text) }
        let starts = text.count &- count &+ 1
        return starts > 0 && isContained(in: short, starts)
    }

    /// Compares the rest of the needle at offsets where its first and last byte match.
    @inlinable
    @inline(__always)
    func isContained(in text: ShortHaystack, _ starts: Int) -> Bool {
        let reach = count &- 1
        let heads = (text.low | words.first.letters) ^ words.first.bytes
        let tails = (text.word(at: reach) | words.last.letters) ^ words.last.bytes
        if hits(heads | tails, in: text, from: 0, starts) { return true }
        guard starts > 8 else { return false }
        let laterHeads = (text.high | words.first.letters) ^ words.first.bytes
        let laterTails = (text.word(at: reach &+ 8) | words.last.letters) ^ words.last.bytes
        return hits(laterHeads | laterTails, in: text, from: 8, starts)
    }

    /// Returns true if the needle occurs at one of eight offsets; `ends` has zero bytes where both ends of the needle
    /// match.
    @inlinable
    @inline(__always)
    func hits(_ ends: Word, in text: ShortHaystack, from first: Int, _ starts: Int) -> Bool {
        var hits = ends.zeroBytes & .first(min(8, starts &- first))
        if count <= 2 { return hits != 0 }
        while hits != 0 {
            if words.head.fits(text.word(at: first &+ hits.trailingZeroBitCount &>> 3)) { return true }
            hits &= hits &- 1
        }
        return false
    }

    /// Returns true if the needle, read as the tokens of a pattern, matches the whole string: `name LIKE[c] "j?h*n"`.
    @inlinable
    @inline(__always)
    package func fits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count > 0, count > 0 else { return bytes.fits(text) }
        let (first, last) = (Word(start[0]), Word(start[text.count &- 1]))
        let (head, tail) = (words.head.bytes & 0xFF, words.last.bytes & 0xFF)
        if (first | head) < 0x80, first | words.first.letters & 0xFF != head { return false }
        if (last | tail) < 0x80, last | words.last.letters & 0xFF != tail { return false }
        return bytes.fits(text)
    }
}

/// The bytes of a needle, for strings of any length and with any letters.
@usableFromInline
struct NeedleBytes: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let start: UnsafePointer<UInt8>
    @usableFromInline let count: Int
    @usableFromInline let mode: FoldMode

    init(start: UnsafePointer<UInt8>, count: Int, mode: FoldMode) {
        self.start = start
        self.count = count
        self.mode = mode
    }

    var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
    private var needle: FoldedText { FoldedText(buffer, .none) }

    @usableFromInline
    @inline(never)
    func isPrefix(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        FoldedText(text, mode).begins(with: needle)
    }

    @usableFromInline
    @inline(never)
    func isSuffix(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        FoldedText(text, mode).ends(with: needle)
    }

    @usableFromInline
    @inline(never)
    func isEqual(to text: UnsafeBufferPointer<UInt8>) -> Bool {
        if mode == .none { return FoldedText(text, .none).hasSameBytes(as: needle) }
        return FoldedText(text, mode).order(needle) == 0
    }

    @usableFromInline
    @inline(never)
    func isContained(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        FoldedText(text, mode).contains(needle)
    }

    /// Returns true if a string that needs the table contains the needle.
    @usableFromInline
    @inline(never)
    func isContained(folding text: UnsafeBufferPointer<UInt8>) -> Bool {
        FoldedText(text, mode).containsFolding(needle)
    }

    @usableFromInline
    @inline(never)
    func fits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        FoldedText(text, mode).fits(buffer)
    }

    @usableFromInline
    @inline(never)
    func order(of text: UnsafeBufferPointer<UInt8>) -> Int {
        FoldedText(text, mode).order(needle)
    }
}

extension FoldedText {
    /// Returns true if both strings have the same bytes.
    @inline(__always)
    fileprivate func hasSameBytes(as other: FoldedText) -> Bool {
        guard count == other.count else { return false }
        var position = 0
        while position < count {
            if word(at: position) != other.word(at: position) { return false }
            position &+= 8
        }
        return true
    }
}

// MARK: - Words

/// Both ends of a folded needle as integers, computed once, so that comparing a short string with it takes a few
/// instructions.
///
///     name BEGINSWITH[cd] "jo"          the first eight bytes of the name, masked, against one integer
///
/// The string itself is not folded: where the needle has a lowercase letter, the comparison sets the case bit.
/// Strings with bytes beyond ASCII are left to the table.
package struct NeedleWords: Hashable, BitwiseCopyable, Sendable {
    /// Some bytes of the needle, a mask of their positions, and the case bits of its letters.
    @usableFromInline
    struct MaskedWord: Hashable, BitwiseCopyable, Sendable {
        @usableFromInline let bytes: Word
        @usableFromInline let mask: Word
        @usableFromInline let letters: Word

        init(_ bytes: Word, _ mask: Word, foldsCase: Bool) {
            self.bytes = bytes
            self.mask = mask
            letters = foldsCase ? bytes.smallLetters &>> 2 : 0
        }

        /// Returns true if an ASCII word has these bytes.
        @inlinable
        @inline(__always)
        func fits(_ word: Word) -> Bool {
            (word | letters) & mask == bytes
        }
    }

    /// The first eight bytes, and the eight after them.
    @usableFromInline let head: MaskedWord
    @usableFromInline let neck: MaskedWord
    /// The last eight bytes, in the high bits, and the eight before them.
    @usableFromInline let tail: MaskedWord
    @usableFromInline let rump: MaskedWord
    /// The first and the last byte, each repeated eight times.
    @usableFromInline let first: MaskedWord
    @usableFromInline let last: MaskedWord
    /// The bits that mark bytes that need the table; 0 without folding.
    @usableFromInline let table: Word
    /// The same bits for as many bytes as the needle has. Under folding one byte more is included, since a mark or a
    /// Hangul vowel may follow.
    @usableFromInline let tableOfStart: Word
    /// One word decides whether a string begins with a needle of at most this length.
    @usableFromInline let reach: Int

    package init(_ folded: UnsafeBufferPointer<UInt8>, _ mode: FoldMode) {
        self.init(FoldedText(folded, .none), mode)
    }

    init(_ needle: FoldedText, _ mode: FoldMode) {
        let (count, foldsCase) = (needle.count, mode.foldsCase)
        func part(_ word: Word, _ mask: Word) -> MaskedWord { MaskedWord(word & mask, mask, foldsCase: foldsCase) }
        let (heads, necks) = (min(count, 8), min(max(count - 8, 0), 8))
        head = part(needle.word(at: 0), heads > 0 ? .first(heads) : 0)
        neck = part(count > 8 ? needle.word(at: 8) : 0, necks > 0 ? .first(necks) : 0)
        tail = part(needle.word(before: count), heads > 0 ? .last(heads) : 0)
        rump = part(count > 8 ? needle.word(before: count - 8) : 0, necks > 0 ? .last(necks) : 0)
        first = part(count > 0 ? Word(repeating: needle.start[0]) : 0, ~0)
        last = part(count > 0 ? Word(repeating: needle.start[count - 1]) : 0, ~0)
        table = mode == .none ? 0 : .highBits
        let seesMark = mode != .none
        tableOfStart = table & (heads > 0 ? .first(min(seesMark ? heads + 1 : heads, 8)) : 0)
        reach = seesMark ? 7 : 8
    }
}

/// A string of at most sixteen bytes as two words, padded with zeros.
///
/// Each half is loaded separately. A string held in two registers has just been stored as two halves, and a load that
/// spans both would stall.
@usableFromInline
struct ShortHaystack {
    @usableFromInline let low: Word
    @usableFromInline let high: Word

    @inlinable
    @inline(__always)
    init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        if count >= 8 {
            low = Word(at: start)
            high = count == 16 ? Word(at: start + 8) : Word(start + 8, count &- 8)
        } else {
            low = Word(start, count)
            high = 0
        }
    }

    /// Returns eight bytes from an offset on; zeros follow the sixteenth byte.
    @inlinable
    @inline(__always)
    func word(at offset: Int) -> Word {
        // Shifts by 64 and more give zero.
        offset < 8
            ? low >> Word(truncatingIfNeeded: 8 &* offset) | high << Word(truncatingIfNeeded: 64 &- 8 &* offset)
            : high >> Word(truncatingIfNeeded: 8 &* (offset &- 8))
    }
}

extension Word {
    /// Loads eight bytes.
    @inlinable
    @inline(__always)
    init(at bytes: UnsafePointer<UInt8>) {
        self = Word(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: Word.self))
    }

    /// Loads fewer than eight bytes by overlapping loads; the remaining bytes are zero.
    @inlinable
    @inline(__always)
    init(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        if count >= 4 {
            let (front, back) = (UnsafeRawPointer(bytes), UnsafeRawPointer(bytes + (count &- 4)))
            self =
                Word(UInt32(littleEndian: front.loadUnaligned(as: UInt32.self)))
                | Word(UInt32(littleEndian: back.loadUnaligned(as: UInt32.self)))
                &<< Word(truncatingIfNeeded: 8 &* (count &- 4))
        } else if count > 0 {
            let middle = count &>> 1
            self =
                Word(bytes[0]) | Word(bytes[middle]) &<< Word(truncatingIfNeeded: 8 &* middle)
                | Word(bytes[count &- 1]) &<< Word(truncatingIfNeeded: 8 &* (count &- 1))
        } else {
            self = 0
        }
    }
}
