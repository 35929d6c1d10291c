/// A text and a fold mode; bytes are folded when they are read.
///
/// A needle that was folded beforehand is read with the mode `.none`.
struct FoldedText {
    let start: UnsafePointer<UInt8>
    let count: Int
    let mode: FoldMode

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ mode: FoldMode) {
        start = bytes.baseAddress ?? FoldData.pool.utf8Start
        count = bytes.count
        self.mode = mode
    }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// The bits that mark bytes which only the table can fold; 0 without folding.
    @inline(__always)
    var tableBits: Word { mode == .none ? 0 : .highBits }

    /// The word with capitals made small, if the mode says so. Right where no table bit is set.
    @inline(__always)
    func folded(_ word: Word) -> Word {
        word | (mode.foldsCase ? word.capitals &>> 2 : 0)
    }

    /// True if every byte folds to one byte without the table.
    @inline(__always)
    var foldsByBytes: Bool {
        guard mode != .none else { return true }
        var position = 0
        var seen: Word = 0
        while position < count {
            seen |= word(at: position)
            position &+= 8
        }
        return seen & .highBits == 0
    }
}

extension FoldedText {
    /// Eight bytes from `position`, which is not past the end; zeros after the end.
    @inline(__always)
    func word(at position: Int) -> Word {
        if position &+ 8 <= count { return load(position) }
        let rest = count &- position
        if count >= 8 { return load(count &- 8) >> Word(truncatingIfNeeded: 64 &- 8 &* rest) }
        return short(position, rest)
    }

    /// Eight bytes before `end`; zeros before the start.
    @inline(__always)
    func word(before end: Int) -> Word {
        if end >= 8 { return load(end &- 8) }
        let prefix = count >= 8 ? load(0) : short(0, end)
        return prefix << Word(truncatingIfNeeded: 64 &- 8 &* end)
    }

    @inline(__always)
    private func load(_ position: Int) -> Word {
        Word(at: start + position)
    }

    /// Fewer than eight bytes.
    @inline(__always)
    private func short(_ position: Int, _ length: Int) -> Word {
        Word(start + position, length)
    }
}

extension String {
    /// Calls `body` with the UTF-8 of the string, which is copied only where it is not one run of bytes.
    @inline(__always)
    func withText<Result>(_ mode: FoldMode, _ body: (FoldedText) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ body(FoldedText($0, mode)) }) { return result }
        return withCopiedText(mode, body)
    }

    @inline(never)
    private func withCopiedText<Result>(_ mode: FoldMode, _ body: (FoldedText) -> Result) -> Result {
        Array(utf8).withUnsafeBufferPointer { body(FoldedText($0, mode)) }
    }
}
