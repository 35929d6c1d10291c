/// Comparisons of two texts from their first or their last byte on, each in three steps.
///
/// One word of eight bytes decides most comparisons with a short needle; then come words while both texts are ASCII, and
/// cursors from where one of them needs the table.
extension FoldedText {
    /// True if the text begins with the needle: `name BEGINSWITH[cd] "jo"`.
    @inline(never)
    func begins(with needle: FoldedText) -> Bool {
        guard needle.count <= 8, count >= 8, needle.count > 0 else { return beginsByWords(with: needle) }
        let mask = Word.first(needle.count)
        return equal(word(at: 0), needle, needle.word(at: 0), mask) ?? beginsSlowly(with: needle, from: 0)
    }

    @inline(never)
    private func beginsByWords(with needle: FoldedText) -> Bool {
        var position = 0
        while position < needle.count {
            let step = min(8, needle.count &- position)
            guard count &- position >= step,
                let equal = equal(word(at: position), needle, needle.word(at: position), Word.first(step))
            else { return beginsSlowly(with: needle, from: position) }
            if !equal { return false }
            position &+= step
        }
        return position > 0 || TextSearch.emptyNeedleMatches
    }

    @inline(never)
    private func beginsSlowly(with needle: FoldedText, from position: Int) -> Bool {
        var text = FoldedCursor(self, from: position)
        var wanted = FoldedCursor(needle, from: position)
        return text.follows(&wanted, matched: position > 0)
    }
}

extension FoldedText {
    /// True if the text ends with the needle: `name ENDSWITH[cd] "son"`.
    @inline(never)
    func ends(with needle: FoldedText) -> Bool {
        guard needle.count <= 8, count >= 8, needle.count > 0 else { return endsByWords(with: needle) }
        let (ours, theirs) = (word(before: count), needle.word(before: needle.count))
        return equal(ours, needle, theirs, Word.last(needle.count)) ?? endsSlowly(with: needle, skipping: 0)
    }

    @inline(never)
    private func endsByWords(with needle: FoldedText) -> Bool {
        var done = 0
        while done < needle.count {
            let step = min(8, needle.count &- done)
            guard count &- done >= step else { return endsSlowly(with: needle, skipping: done) }
            let (ours, theirs) = (word(before: count &- done), needle.word(before: needle.count &- done))
            guard let equal = equal(ours, needle, theirs, Word.last(step)) else {
                return endsSlowly(with: needle, skipping: done)
            }
            if !equal { return false }
            done &+= step
        }
        return done > 0 || TextSearch.emptyNeedleMatches
    }

    @inline(never)
    private func endsSlowly(with needle: FoldedText, skipping done: Int) -> Bool {
        var text = ReverseFoldedCursor(self, skipping: done)
        var wanted = ReverseFoldedCursor(needle, skipping: done)
        return text.follows(&wanted, matched: done > 0)
    }

    /// True if a word of the text equals one of the needle where the mask has ones; nil if the table is needed.
    @inline(__always)
    private func equal(_ ours: Word, _ needle: FoldedText, _ theirs: Word, _ mask: Word) -> Bool? {
        if (ours & tableBits | theirs & needle.tableBits) & mask != 0 { return nil }
        return (folded(ours) ^ needle.folded(theirs)) & mask == 0
    }
}

extension FoldedText {
    /// -1, 0 or 1 as the text comes before, with or after the other, byte by byte: `name <[cd] "jones"`.
    @inline(never)
    func order(_ other: FoldedText) -> Int {
        guard count >= 8, other.count >= 8 else { return orderByWords(other, from: 0) }
        let (ours, theirs) = (word(at: 0), other.word(at: 0))
        if ours & tableBits | theirs & other.tableBits != 0 { return orderSlowly(other, from: 0) }
        let (left, right) = (folded(ours), other.folded(theirs))
        return left == right ? orderByWords(other, from: 8) : order(left, right)
    }

    @inline(never)
    private func orderByWords(_ other: FoldedText, from start: Int) -> Int {
        var position = start
        while true {
            let (mine, its) = (min(8, count &- position), min(8, other.count &- position))
            let (ours, theirs) = (word(at: position), other.word(at: position))
            if ours & tableBits | theirs & other.tableBits != 0 { return orderSlowly(other, from: position) }
            let (left, right) = (folded(ours), other.folded(theirs))
            if left != right { return order(left, right) }
            // The zeros after the end of a text compared equal to zeros of the other, or both ended.
            if mine < 8 || its < 8 { return (mine &- its).signum() }
            position &+= 8
        }
    }

    @inline(never)
    private func orderSlowly(_ other: FoldedText, from position: Int) -> Int {
        var (mine, its) = (FoldedCursor(self, from: position), FoldedCursor(other, from: position))
        while true {
            let (left, right) = (mine.next(), its.next())
            guard let left else { return right == nil ? 0 : -1 }
            guard let right else { return 1 }
            if left != right { return left < right ? -1 : 1 }
        }
    }

    /// The order of two words that differ: their first byte counts most.
    @inline(__always)
    private func order(_ left: Word, _ right: Word) -> Int {
        left.byteSwapped < right.byteSwapped ? -1 : 1
    }
}

extension ByteCursor {
    /// True if this cursor yields every byte of the other one; an empty other one counts only if some bytes `matched` before.
    @inline(__always)
    fileprivate mutating func follows(_ other: inout Self, matched: Bool) -> Bool {
        var matched = matched
        while let wanted = other.next() {
            guard next() == wanted else { return false }
            matched = true
        }
        return matched || TextSearch.emptyNeedleMatches
    }
}
