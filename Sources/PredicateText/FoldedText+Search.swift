/// A text searched for a needle that is folded already: `name CONTAINS[cd] "oh"`.
extension FoldedText {
    /// Whether the needle is somewhere in the text.
    @inline(never)
    func contains(_ needle: FoldedText) -> Bool {
        guard needle.count > 0 else { return TextSearch.emptyNeedleMatches }
        if isPlain, let answer = containsPlainly(needle) { return answer }
        return containsSlowly(needle)
    }

    /// The search of plain text, eight places at a time: where the first and the last byte of the needle fit, the rest
    /// is looked at. Nil when that has been too often, as in `aaaaaaaa CONTAINS "aaab"`, for then it would take long.
    @inline(__always)
    private func containsPlainly(_ needle: FoldedText) -> Bool? {
        let (places, reach) = (count &- needle.count &+ 1, needle.count &- 1)
        let (first, last) = (Word(repeating: needle.start[0]), Word(repeating: needle.start[reach]))
        var patience = 64 &+ 8 &* count
        var position = 0
        while position < places {
            let heads = folded(word(at: position)) ^ first
            let tails = folded(word(at: position &+ reach)) ^ last
            var hits = (heads | tails).zeroBytes
            while hits != 0 {
                let place = position &+ hits.trailingZeroBitCount &>> 3
                if place >= places { return false }
                if fits(needle, at: place) { return true }
                patience &-= needle.count
                if patience < 0 { return nil }
                hits &= hits &- 1
            }
            position &+= 8
        }
        return false
    }

    /// Whether the needle stands at a place of plain text, from which the text is no shorter than the needle.
    @inline(__always)
    private func fits(_ needle: FoldedText, at place: Int) -> Bool {
        var position = 0
        while position < needle.count {
            let difference = folded(word(at: place &+ position)) ^ needle.word(at: position)
            if difference & Word.first(min(8, needle.count &- position)) != 0 { return false }
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

    /// Notes for every prefix of a needle the length of the longest shorter prefix it ends with.
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
