/// An iterator over the bytes of folded text. A copy is a mark to return to.
protocol ByteCursor {
    /// The next byte of the folded text, nil at the end.
    mutating func next() -> UInt8?

    /// True where one character ends and the next one begins, and at the end.
    var isBetweenCharacters: Bool { get }

    /// Passes the character that comes next; false at the end.
    mutating func skipCharacter() -> Bool
}

/// A cursor over a text in which every byte folds to one byte, or over one without folding, where every code point counts
/// as a character.
struct ByteFoldCursor: ByteCursor {
    private var position: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private let foldsCase: Bool

    init(_ text: FoldedText) {
        position = text.start
        end = text.start + text.count
        foldsCase = text.mode.foldsCase
    }

    @inline(__always)
    mutating func next() -> UInt8? {
        guard position < end else { return nil }
        let byte = position.pointee
        position += 1
        return foldsCase ? byte.smallLetter : byte
    }

    @inline(__always)
    var isBetweenCharacters: Bool { true }

    @inline(__always)
    mutating func skipCharacter() -> Bool {
        guard position < end else { return false }
        position += min(position.pointee.codePointLength, end - position)
        return true
    }
}

/// A cursor over a text without marks, code point by code point, through the table.
///
/// Where it meets a mark, it stops and ``needsNeighbours`` is true: what it yielded for the character before may be wrong.
struct FoldedCursor: ByteCursor {
    private var position: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private let mode: FoldMode
    /// The rest of the code point folded last: the next byte in the lowest bits, zeros after the last one.
    private var pending: UInt128 = 0

    /// The bytes before `start` must not need the table.
    init(_ text: FoldedText, from start: Int = 0) {
        position = text.start + start
        end = text.start + text.count
        mode = text.mode
    }

    @inline(__always)
    mutating func next() -> UInt8? {
        if pending == 0 {
            guard position < end else { return nil }
            let byte = position.pointee
            if byte < 0x80 || mode == .none {
                position += 1
                return mode.foldsCase ? byte.smallLetter : byte
            }
            take()
            // A mark was met: no other code point folds to nothing.
            if pending == 0 { return nil }
        }
        let byte = UInt8(truncatingIfNeeded: pending)
        pending = pending &>> 8
        return byte
    }

    @inline(__always)
    private mutating func take() {
        let codePoint = CodePoint(at: position, before: end)
        let place = FoldTable.place(of: codePoint.value, mode.column)
        guard !place.needsNeighbours else { return }
        pending = codePoint.replacement(place, position).bytes
        position += codePoint.length
    }

    /// True if a mark follows what was read, so that only ``FoldedCharacters`` knows the fold.
    @inline(__always)
    var needsNeighbours: Bool {
        guard mode != .none, position < end, position.pointee >= 0xCC else { return false }
        return CodePoint(at: position, before: end).needsNeighbours
    }

    @inline(__always)
    var isBetweenCharacters: Bool {
        guard pending == 0 else { return false }
        guard position < end, position.pointee >= 0xCC else { return true }
        return !CodePoint(at: position, before: end).extends
    }

    @inline(__always)
    mutating func skipCharacter() -> Bool {
        guard position < end else { return false }
        repeat { position += CodePoint(at: position, before: end).length } while !isBetweenCharacters
        return true
    }
}

/// A cursor from the end of a text to its start.
struct ReverseFoldedCursor {
    private let start: UnsafePointer<UInt8>
    private var position: UnsafePointer<UInt8>
    private let mode: FoldMode
    /// The rest of the code point folded last, its last byte in the lowest bits.
    private var pending: UInt128 = 0
    /// True if a mark was met, so that only ``FoldedCharacters`` knows the fold.
    private(set) var needsNeighbours = false

    /// The `skipped` bytes at the end must not need the table.
    init(_ text: FoldedText, skipping skipped: Int = 0) {
        start = text.start
        position = text.start + (text.count - skipped)
        mode = text.mode
    }

    @inline(__always)
    mutating func next() -> UInt8? {
        if pending == 0 {
            guard position > start else { return nil }
            let byte = position[-1]
            if byte < 0x80 || mode == .none {
                position -= 1
                return mode.foldsCase ? byte.smallLetter : byte
            }
            take()
            if needsNeighbours { return nil }
        }
        let byte = UInt8(truncatingIfNeeded: pending)
        pending = pending &>> 8
        return byte
    }

    /// True where a code point begins and at the start; vowels of Hangul count as characters.
    @inline(__always)
    var isBetweenCodePoints: Bool { pending == 0 }

    @inline(__always)
    private mutating func take() {
        let codePoint = CodePoint(endingAt: position, after: start)
        let place = FoldTable.place(of: codePoint.value, mode.column)
        guard !place.needsNeighbours else {
            needsNeighbours = true
            return
        }
        position -= codePoint.length
        let replacement = codePoint.replacement(place, position)
        pending = replacement.bytes.byteSwapped &>> UInt128(truncatingIfNeeded: 128 &- 8 &* replacement.count)
    }
}

extension CodePoint {
    /// The bytes of the folded code point, which stands at `bytes`.
    @inline(__always)
    fileprivate func replacement(_ place: FoldTable.Place, _ bytes: UnsafePointer<UInt8>) -> Replacement {
        place.length == FoldTable.Place.itself ? Replacement(outsideTable: self, bytes) : Replacement(place)
    }
}

extension UInt8 {
    /// `a` for `A`, any other byte as it is.
    @inline(__always)
    var smallLetter: UInt8 {
        self &- 0x41 < 26 ? self | 0x20 : self
    }

    /// True for a byte that continues a code point.
    @inline(__always)
    var isContinuation: Bool { self & 0xC0 == 0x80 }

    /// The length of the code point that begins with this byte.
    @inline(__always)
    var codePointLength: Int {
        self < 0xC0 ? 1 : self < 0xE0 ? 2 : self < 0xF0 ? 3 : 4
    }
}
