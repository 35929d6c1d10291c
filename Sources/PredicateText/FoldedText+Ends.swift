/// Comparisons of two texts from their first or their last byte on, each in three steps.
///
/// One word of eight bytes decides most comparisons with a short needle; then come words while both texts are ASCII, and
/// cursors from where one of them needs the table. Texts with marks are folded as a whole.
extension FoldedText {
    /// True if the text begins with the needle: `name BEGINSWITH[cd] "jo"`.
    @inline(never)
    func begins(with needle: FoldedText) -> Bool {
        guard needle.count <= 8, count >= 8, needle.count > 0 else { return beginsByWords(with: needle) }
        let mask = Word.first(needle.count)
        guard let equal = equal(word(at: 0), needle, needle.word(at: 0), mask) else {
            return beginsSlowly(with: needle, from: 0)
        }
        return equal && (endsCharacter(needle.count) || beginsSlowly(with: needle, from: needle.count))
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
        guard position > 0 else { return TextSearch.emptyNeedleMatches }
        return endsCharacter(position) || beginsSlowly(with: needle, from: position)
    }

    /// True if no mark can follow the bytes before `position`, because the text ends or goes on with ASCII.
    @inline(__always)
    private func endsCharacter(_ position: Int) -> Bool {
        position == count || start[position] & UInt8(truncatingIfNeeded: tableBits) == 0
    }

    /// The rest of the text and of the needle from a position on; the bytes before it are equal and fold by themselves.
    @inline(never)
    private func beginsSlowly(with needle: FoldedText, from position: Int) -> Bool {
        needle.withFolded { folded in
            guard folded.count > 0 else { return TextSearch.emptyNeedleMatches }
            var text = FoldedCursor(self, from: position)
            var index = position
            while index < folded.count, text.next() == folded.start[index] { index &+= 1 }
            if text.needsNeighbours { return CharacterFold.fold(self).begins(with: folded) }
            return index == folded.count && text.isBetweenCharacters
        }
    }
}

extension FoldedText {
    /// True if the text ends with the needle: `name ENDSWITH[cd] "son"`.
    @inline(never)
    func ends(with needle: FoldedText) -> Bool {
        guard needle.count <= 8, count >= 8, needle.count > 0 else { return endsByWords(with: needle) }
        let (ours, theirs) = (word(before: count), needle.word(before: needle.count))
        return equal(ours, needle, theirs, Word.last(needle.count)) ?? endsSlowly(with: needle)
    }

    @inline(never)
    private func endsByWords(with needle: FoldedText) -> Bool {
        var done = 0
        while done < needle.count {
            let step = min(8, needle.count &- done)
            guard count &- done >= step else { return endsSlowly(with: needle) }
            let (ours, theirs) = (word(before: count &- done), needle.word(before: needle.count &- done))
            guard let equal = equal(ours, needle, theirs, Word.last(step)) else { return endsSlowly(with: needle) }
            if !equal { return false }
            done &+= step
        }
        return done > 0 || TextSearch.emptyNeedleMatches
    }

    @inline(never)
    private func endsSlowly(with needle: FoldedText) -> Bool {
        needle.withFolded { folded in
            guard folded.count > 0 else { return TextSearch.emptyNeedleMatches }
            if mode != .none, folded.beginsInsideCharacter { return CharacterFold.fold(self).ends(with: folded) }
            var text = ReverseFoldedCursor(self)
            var left = folded.count
            while left > 0, text.next() == folded.start[left &- 1] { left &-= 1 }
            if text.needsNeighbours { return CharacterFold.fold(self).ends(with: folded) }
            return left == 0 && text.isBetweenCodePoints
        }
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
        let (left, right) = (folded(ours), other.folded(theirs))
        let table = ours & tableBits | theirs & other.tableBits
        if table != 0 {
            return left.differs(from: right, before: table) ? order(left, right) : orderSlowly(other, from: 0)
        }
        return left == right ? orderByWords(other, from: 8) : order(left, right)
    }

    @inline(never)
    private func orderByWords(_ other: FoldedText, from start: Int) -> Int {
        var position = start
        while true {
            let (mine, its) = (min(8, count &- position), min(8, other.count &- position))
            let (ours, theirs) = (word(at: position), other.word(at: position))
            let (left, right) = (folded(ours), other.folded(theirs))
            let table = ours & tableBits | theirs & other.tableBits
            if table != 0, !left.differs(from: right, before: table) { return orderSlowly(other, from: position) }
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
            if left == right, left != nil { continue }
            if mine.needsNeighbours || its.needsNeighbours { return orderOfCharacters(other) }
            guard let left else { return right == nil ? 0 : -1 }
            guard let right else { return 1 }
            return left < right ? -1 : 1
        }
    }

    @inline(never)
    private func orderOfCharacters(_ other: FoldedText) -> Int {
        withFolded { mine in other.withFolded { mine.order($0) } }
    }

    /// The order of two words that differ: their first byte counts most.
    @inline(__always)
    private func order(_ left: Word, _ right: Word) -> Int {
        left.byteSwapped < right.byteSwapped ? -1 : 1
    }
}

extension Word {
    /// True if the words differ in a byte before the first one that `table` marks: both have ASCII there, which decides.
    @inline(__always)
    fileprivate func differs(from other: Word, before table: Word) -> Bool {
        (self ^ other).trailingZeroBitCount &>> 3 < table.trailingZeroBitCount &>> 3
    }
}
