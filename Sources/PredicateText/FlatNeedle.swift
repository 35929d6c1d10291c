/// A prepared needle by pointer, for loops without reference counting and copies.
///
///     name BEGINSWITH[cd] "jo"
///
/// A trivial value: its maker keeps the bytes alive. The results are those of ``PreparedNeedle``, for the UTF-8 of a
/// text.
package struct FlatNeedle: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let bytes: NeedleBytes
    @usableFromInline let wordsPointer: UnsafePointer<NeedleWords>

    /// A needle of folded bytes, such as ``PreparedNeedle/foldedBytes``, and the words made of them; both live as long as
    /// it is used.
    package init(_ folded: UnsafeBufferPointer<UInt8>, _ mode: FoldMode, _ words: UnsafePointer<NeedleWords>) {
        let needle = FoldedText(folded, .none)
        self.init(NeedleBytes(start: needle.start, count: needle.count, mode: mode), words)
    }

    @inline(__always)
    init(_ bytes: NeedleBytes, _ words: UnsafePointer<NeedleWords>) {
        self.bytes = bytes
        wordsPointer = words
    }

    /// True if the text is equal to one of the needles, which share a mode: `name IN {"jo", "al"}`.
    @inlinable
    @inline(__always)
    package static func contain(
        _ needles: UnsafeBufferPointer<FlatNeedle>, _ text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard var needle = needles.baseAddress else { return false }
        guard let start = text.baseAddress, text.count <= 16 else { return isAny(of: needles, equalTo: text) }
        let short = ShortText(start, text.count)
        if (short.low | short.high) & needle.pointee.words.table != 0 { return isAny(of: needles, equalTo: text) }
        let end = needle + needles.count
        while needle < end {
            if needle.pointee.isEqual(toASCII: short, text.count) { return true }
            needle += 1
        }
        return false
    }

    /// True if a text that is long or needs the table is equal to one of the needles.
    @usableFromInline
    @inline(never)
    static func isAny(of needles: UnsafeBufferPointer<FlatNeedle>, equalTo text: UnsafeBufferPointer<UInt8>) -> Bool {
        needles.contains { $0.isEqual(to: text) }
    }

    /// True if a text of at most sixteen bytes, none of which needs the table, is equal to the needle.
    @inlinable
    @inline(__always)
    func isEqual(toASCII text: ShortText, _ length: Int) -> Bool {
        length == count && text.low | words.head.letters == words.head.bytes
            && text.high | words.neck.letters == words.neck.bytes
    }

    /// True if a text that is folded already is the needle.
    package func isEqual(toFolded text: UnsafeBufferPointer<UInt8>) -> Bool {
        NeedleBytes(start: bytes.start, count: bytes.count, mode: .none).isEqual(to: text)
    }

    /// -1, 0 or 1 as the text comes before, with or after the needle: `name <[cd] "john"`.
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

/// Comparisons with short texts, inlined into loops; long ones and those that need the table are left to ``NeedleBytes``.
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
        let word = length < 16 ? ShortText(start, length).word(at: length &- 8) : Word(at: start + (length &- 8))
        if word & words.table & words.tail.mask != 0 { return bytes.isSuffix(of: text) }
        guard words.tail.fits(word) else { return false }
        if count <= 8 { return true }
        guard count <= 16, length >= 16 else { return bytes.isSuffix(of: text) }
        let before = Word(at: start + (length &- 16))
        if before & words.table & words.rump.mask != 0 { return bytes.isSuffix(of: text) }
        return words.rump.fits(before)
    }

    /// False if a text of this length cannot be equal, which only an unfolded comparison can tell.
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
        let high = ShortText(start, text.count).high
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
        let short = ShortText(start, text.count)
        if (short.low | short.high) & words.table != 0 { return bytes.isContained(folding: text) }
        let starts = text.count &- count &+ 1
        return starts > 0 && isContained(in: short, starts)
    }

    /// Compares the rest of the needle where its first and its last byte match.
    @inlinable
    @inline(__always)
    func isContained(in text: ShortText, _ starts: Int) -> Bool {
        let reach = count &- 1
        let heads = (text.low | words.first.letters) ^ words.first.bytes
        let tails = (text.word(at: reach) | words.last.letters) ^ words.last.bytes
        if hits(heads | tails, in: text, from: 0, starts) { return true }
        guard starts > 8 else { return false }
        let laterHeads = (text.high | words.first.letters) ^ words.first.bytes
        let laterTails = (text.word(at: reach &+ 8) | words.last.letters) ^ words.last.bytes
        return hits(laterHeads | laterTails, in: text, from: 8, starts)
    }

    /// True if the needle is at one of eight offsets; `ends` has zero bytes where both of its ends match.
    @inlinable
    @inline(__always)
    func hits(_ ends: Word, in text: ShortText, from first: Int, _ starts: Int) -> Bool {
        var hits = ends.zeroBytes & .first(min(8, starts &- first))
        if count <= 2 { return hits != 0 }
        while hits != 0 {
            if words.head.fits(text.word(at: first &+ hits.trailingZeroBitCount &>> 3)) { return true }
            hits &= hits &- 1
        }
        return false
    }

    /// True if the needle, read as the tokens of a pattern, matches the whole text: `name LIKE[c] "j?h*n"`.
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

/// The bytes of a needle, for texts of any length and with any letters.
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

    /// True if a text that needs the table contains the needle.
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
    /// True if both texts have the same bytes.
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
