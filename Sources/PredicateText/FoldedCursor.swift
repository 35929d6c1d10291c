/// An iterator over the bytes of folded text. A copy is a mark to return to.
protocol ByteCursor {
    /// The next byte of the folded text, nil at the end.
    mutating func next() -> UInt8?
}

/// A cursor over a text in which every byte folds to one byte.
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
}

/// A cursor over any text, code point by code point, through the table.
struct FoldedCursor: ByteCursor {
    private var position: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private let mode: FoldMode
    /// The rest of the code point folded last.
    private var run: UnsafePointer<UInt8>
    private var runEnd: UnsafePointer<UInt8>

    /// The bytes before `start` must not need the table.
    init(_ text: FoldedText, from start: Int = 0) {
        position = text.start + start
        end = text.start + text.count
        mode = text.mode
        run = position
        runEnd = position
    }

    @inline(__always)
    mutating func next() -> UInt8? {
        while run == runEnd {
            guard position < end else { return nil }
            let byte = position.pointee
            if byte < 0x80 || mode == .none {
                position += 1
                return mode.foldsCase ? byte.smallLetter : byte
            }
            take(CodePoint(at: position, before: end))
        }
        let byte = run.pointee
        run += 1
        return byte
    }

    @inline(__always)
    private mutating func take(_ codePoint: CodePoint) {
        let replacement = codePoint.replacement(at: position, mode)
        position += codePoint.length
        run = replacement.start
        runEnd = replacement.end
    }
}

/// A cursor from the end of a text to its start.
struct ReverseFoldedCursor: ByteCursor {
    private let start: UnsafePointer<UInt8>
    private var position: UnsafePointer<UInt8>
    private let mode: FoldMode
    private var run: UnsafePointer<UInt8>
    private var runEnd: UnsafePointer<UInt8>

    /// The `skipped` bytes at the end must not need the table.
    init(_ text: FoldedText, skipping skipped: Int = 0) {
        start = text.start
        position = text.start + (text.count - skipped)
        mode = text.mode
        run = position
        runEnd = position
    }

    @inline(__always)
    mutating func next() -> UInt8? {
        while run == runEnd {
            guard position > start else { return nil }
            let byte = position[-1]
            if byte < 0x80 || mode == .none {
                position -= 1
                return mode.foldsCase ? byte.smallLetter : byte
            }
            take(CodePoint(endingAt: position, after: start))
        }
        runEnd -= 1
        return runEnd.pointee
    }

    @inline(__always)
    private mutating func take(_ codePoint: CodePoint) {
        position -= codePoint.length
        let replacement = codePoint.replacement(at: position, mode)
        run = replacement.start
        runEnd = replacement.end
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
