/// The search for a folded needle: `name CONTAINS[cd] "oh"`.
extension FoldedText {
    /// True if the text contains the needle.
    @inline(never)
    func contains(_ needle: FoldedText) -> Bool {
        guard needle.count > 0 else { return TextSearch.emptyNeedleMatches }
        guard foldsByBytes else { return containsFolding(needle) }
        return needle.isFound(among: count) { folded(word(at: $0)) } ?? containsSlowly(needle)
    }

    /// True if a text with letters that only the table can fold contains the needle.
    @inline(never)
    func containsFolding(_ needle: FoldedText) -> Bool {
        guard needle.count > 0 else { return TextSearch.emptyNeedleMatches }
        return containsInPieces(needle) ?? containsSlowly(needle)
    }

    /// The search of a text that is folded piece by piece; the end of each is kept, where the needle may begin. Nil if
    /// another search is needed, also for a needle too long for a piece.
    @inline(__always)
    private func containsInPieces(_ needle: FoldedText) -> Bool? {
        guard needle.count <= 64 else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { memory in
            guard let bytes = memory.baseAddress else { return nil }
            var (pieces, kept) = (FoldedPieces(self), 0)
            while true {
                let count = pieces.fill(memory, after: kept)
                let found = needle.isFound(among: count) {
                    Word(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Word.self))
                }
                guard found == false, !pieces.isAtEnd else { return found }
                kept = min(count, needle.count &- 1)
                bytes.copyMemory(from: bytes + (count &- kept), byteCount: kept)
            }
        }
    }

    /// True if the text occurs in `length` bytes, of which `word` yields eight from an offset on: where its first and its
    /// last byte match, the rest is compared. Nil after too many such candidates, as in `aaaaaaaa CONTAINS "aaab"`, which
    /// would take quadratic time.
    @inline(__always)
    private func isFound(among length: Int, _ word: (Int) -> Word) -> Bool? {
        let (starts, reach) = (length &- count &+ 1, count &- 1)
        let (first, last) = (Word(repeating: start[0]), Word(repeating: start[reach]))
        var patience = 64 &+ 8 &* length
        var position = 0
        while position < starts {
            var hits = ((word(position) ^ first) | (word(position &+ reach) ^ last)).zeroBytes
            while hits != 0 {
                let candidate = position &+ hits.trailingZeroBitCount &>> 3
                if candidate >= starts { return false }
                if count <= 2 || fits({ word(candidate &+ $0) }) { return true }
                patience &-= count
                if patience < 0 { return nil }
                hits &= hits &- 1
            }
            position &+= 8
        }
        return false
    }

    /// True if the words equal those of the text.
    @inline(__always)
    private func fits(_ other: (Int) -> Word) -> Bool {
        var position = 0
        while position < count {
            let difference = other(position) ^ word(at: position)
            if difference & Word.first(min(8, count &- position)) != 0 { return false }
            position &+= 8
        }
        return true
    }

    /// The search that reads each byte of the folded text once (Knuth, Morris, Pratt).
    @inline(never)
    private func containsSlowly(_ needle: FoldedText) -> Bool {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: needle.count) { borders in
            needle.fillBorders(borders)
            var cursor = FoldedCursor(self)
            var matched = 0
            while let byte = cursor.next() {
                while matched > 0, needle.start[matched] != byte { matched = borders[matched &- 1] }
                if needle.start[matched] == byte { matched &+= 1 }
                if matched == needle.count { return true }
            }
            return false
        }
    }

    /// Fills the failure function: for every prefix of a needle the length of its longest proper border.
    @inline(__always)
    private func fillBorders(_ borders: UnsafeMutableBufferPointer<Int>) {
        borders[0] = 0
        var length = 0
        var index = 1
        while index < count {
            while length > 0, start[length] != start[index] { length = borders[length &- 1] }
            if start[length] == start[index] { length &+= 1 }
            borders[index] = length
            index &+= 1
        }
    }
}
