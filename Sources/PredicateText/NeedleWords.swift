/// The ends of a folded needle as integers, made once, so that comparing a short text with it is a few instructions.
///
///     name BEGINSWITH[cd] "jo"          the first eight bytes of the name, masked, against one integer
///
/// No text is folded for it: where the needle has a lowercase letter, the case bit is set. Bytes beyond ASCII are left to
/// the table.
package struct NeedleWords: Hashable, BitwiseCopyable, Sendable {
    /// Some bytes of the needle, a mask of their positions, and the case bits of its letters.
    @usableFromInline
    struct Part: Hashable, BitwiseCopyable, Sendable {
        @usableFromInline let bytes: Word
        @usableFromInline let mask: Word
        @usableFromInline let letters: Word

        init(_ bytes: Word, _ mask: Word, foldsCase: Bool) {
            self.bytes = bytes
            self.mask = mask
            letters = foldsCase ? bytes.smallLetters &>> 2 : 0
        }

        /// True if a word of ASCII has these bytes.
        @inlinable
        @inline(__always)
        func fits(_ word: Word) -> Bool {
            (word | letters) & mask == bytes
        }
    }

    /// The first eight bytes, and the eight after them.
    @usableFromInline let head: Part
    @usableFromInline let neck: Part
    /// The last eight bytes, in the high bits, and the eight before them.
    @usableFromInline let tail: Part
    @usableFromInline let rump: Part
    /// The first and the last byte, eight times.
    @usableFromInline let first: Part
    @usableFromInline let last: Part
    /// The bits that mark bytes which only the table can fold; 0 without folding.
    @usableFromInline let table: Word
    /// The same for as many bytes as the needle has, and one more under folding: a mark or a vowel of Hangul may follow it.
    @usableFromInline let tableOfStart: Word
    /// The longest needle for which these eight bytes decide whether a text begins with it.
    @usableFromInline let reach: Int

    /// Of folded bytes.
    package init(_ folded: UnsafeBufferPointer<UInt8>, _ mode: FoldMode) {
        self.init(FoldedText(folded, .none), mode)
    }

    init(_ needle: FoldedText, _ mode: FoldMode) {
        let (count, foldsCase) = (needle.count, mode.foldsCase)
        func part(_ word: Word, _ mask: Word) -> Part { Part(word & mask, mask, foldsCase: foldsCase) }
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

/// The first sixteen bytes of a text of no more than sixteen, zeros after its end.
///
/// Each half is read by itself: a string that is kept in two registers was just written as two halves, and a word
/// across both would have to wait for them.
@usableFromInline
struct ShortText {
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

    /// Eight bytes from an offset on, zeros after the sixteenth.
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
    /// Eight bytes.
    @inlinable
    @inline(__always)
    init(at bytes: UnsafePointer<UInt8>) {
        self = Word(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: Word.self))
    }

    /// Fewer than eight bytes, put together from parts that overlap; zeros stand for the rest.
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
