/// An iterator over the bytes of a folded string. A copy of it marks a position to return to.
protocol ByteCursor {
    /// Returns the next byte of the folded string; nil at the end.
    mutating func next() -> UInt8?

    /// True between two characters and at the end.
    var isBetweenCharacters: Bool { get }

    /// Skips the next character; returns false at the end.
    mutating func skipCharacter() -> Bool
}

/// A cursor over a string whose bytes all fold to one byte each, or over any string without folding. Each code point
/// counts as a character.
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

/// A cursor over a string without marks. It folds code point by code point, using the table.
///
/// At a mark it stops and ``needsNeighbours`` becomes true; the bytes it returned for the preceding character may
/// then be wrong.
struct FoldedCursor: ByteCursor {
    private var position: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private let mode: FoldMode
    /// The remaining bytes of the current code point: the next byte in the lowest bits, padded with zeros.
    private var pending: UInt128 = 0

    /// Makes a cursor that starts at a byte offset; the bytes before it must not need the table.
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
            // This is a mark: no other code point folds to nothing.
            if pending == 0 { return nil }
        }
        let byte = UInt8(truncatingIfNeeded: pending)
        pending = pending &>> 8
        return byte
    }

    @inline(__always)
    private mutating func take() {
        let codePoint = CodePoint(at: position, before: end)
        let place = FoldTable.packedReplacement(of: codePoint.value, mode.column)
        guard !place.needsNeighbours else { return }
        pending = codePoint.replacement(place, position).bytes
        position += codePoint.length
    }

    /// True if a mark follows, so that only ``FoldedCharacters`` can fold the string.
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

/// A cursor from the end of a string to its start.
struct ReverseFoldedCursor {
    private let start: UnsafePointer<UInt8>
    private var position: UnsafePointer<UInt8>
    private let mode: FoldMode
    /// The remaining bytes of the current code point, its last byte in the lowest bits.
    private var pending: UInt128 = 0
    /// True after a mark, so that only ``FoldedCharacters`` can fold the string.
    private(set) var needsNeighbours = false

    init(_ text: FoldedText) {
        start = text.start
        position = text.start + text.count
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

    /// True at the start of the string and of each code point. Hangul vowels count as characters here.
    @inline(__always)
    var isBetweenCodePoints: Bool { pending == 0 }

    @inline(__always)
    private mutating func take() {
        let codePoint = CodePoint(endingAt: position, after: start)
        let place = FoldTable.packedReplacement(of: codePoint.value, mode.column)
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
    /// Returns the bytes of the folded code point at `bytes`.
    @inline(__always)
    fileprivate func replacement(_ place: FoldTable.PackedReplacement, _ bytes: UnsafePointer<UInt8>) -> Replacement {
        place.length == FoldTable.PackedReplacement.itself ? Replacement(outsideTable: self, bytes) : Replacement(place)
    }
}

extension UInt8 {
    /// The small letter for `A` to `Z`; any other byte unchanged.
    @inline(__always)
    var smallLetter: UInt8 {
        self &- 0x41 < 26 ? self | 0x20 : self
    }

    /// True for a continuation byte.
    @inline(__always)
    var isContinuation: Bool { self & 0xC0 == 0x80 }

    /// The length of the code point that begins with this byte.
    @inline(__always)
    var codePointLength: Int {
        self < 0xC0 ? 1 : self < 0xE0 ? 2 : self < 0xF0 ? 3 : 4
    }
}

/// Folds a string into memory, all at once or in pieces.
///
/// Eight bytes are folded at a time where the table is not needed: a name with one accent takes three or four steps.
/// Folding stops at a code point whose fold depends on its neighbours; see ``FoldedCharacters``.
struct FoldedPieces {
    private let text: FoldedText
    private var position: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    /// True after a mark, whose fold depends on its neighbours, or a code point that folds to several letters.
    private(set) var isSpecial = false

    /// The maximum number of bytes written by one step: eight bytes, a folded code point of up to sixteen bytes, and
    /// eight bytes of padding.
    static let step = 32

    @inline(__always)
    init(_ text: FoldedText) {
        self.text = text
        position = text.start
        end = text.start + text.count
    }

    /// True once the whole string has been folded.
    @inline(__always)
    var isAtEnd: Bool { position == end }

    /// Folds as much as fits after the first `count` bytes of memory. Returns the new count; eight bytes after it may
    /// be read.
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

    /// Folds up to eight bytes, ending before the next byte that needs the table.
    @inline(__always)
    private mutating func foldASCII(into target: UnsafeMutableRawPointer) -> Int {
        let rest = end - position
        let word = rest >= 8 ? Word(at: position) : Word(position, rest)
        target.storeBytes(of: text.folded(word).littleEndian, as: Word.self)
        // The count of zeros is 64 if no such byte exists.
        let count = min(rest, (word & .highBits).trailingZeroBitCount &>> 3)
        position += count
        return count
    }

    @inline(__always)
    private mutating func foldCodePoint(into target: UnsafeMutableRawPointer) -> Int {
        let codePoint = CodePoint(at: position, before: end)
        let bytes = position
        let place = FoldTable.packedReplacement(of: codePoint.value, text.mode.column)
        isSpecial = place.isSpecial
        position += codePoint.length
        guard place.length == FoldTable.PackedReplacement.itself else {
            target.storeBytes(of: place.bytes.littleEndian, as: UInt128.self)
            return place.length
        }
        let replacement = Replacement(outsideTable: codePoint, bytes)
        target.storeBytes(of: replacement.bytes.littleEndian, as: UInt128.self)
        return replacement.count
    }
}
