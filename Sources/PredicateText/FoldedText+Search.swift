/// The search for a folded needle: `name CONTAINS[cd] "oh"`.
extension FoldedText {
    /// True if the text contains the needle.
    @inline(never)
    func contains(_ needle: FoldedText) -> Bool {
        guard needle.count > 0 else { return TextSearch.emptyNeedleMatches }
        guard foldsByBytes else { return containsFolding(needle) }
        return needle.isFound(among: count, isEnd: { _ in true }) { folded(word(at: $0)) } ?? containsSlowly(needle)
    }

    /// True if a text with letters that only the table can fold contains the needle.
    @inline(never)
    func containsFolding(_ needle: FoldedText) -> Bool {
        guard needle.count > 0 else { return TextSearch.emptyNeedleMatches }
        return containsInPieces(needle) ?? containsSlowly(needle)
    }

    /// The search of a text that is folded piece by piece; the end of each is kept, where the needle may begin, and the byte
    /// after it, which may belong to a mark. Nil if another search is needed, also for a needle too long for a piece.
    @inline(__always)
    private func containsInPieces(_ needle: FoldedText) -> Bool? {
        guard needle.count <= 64, !needle.beginsInsideCharacter else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { memory in
            guard let bytes = memory.baseAddress else { return nil }
            var (pieces, kept) = (FoldedPieces(self), 0)
            while true {
                let count = pieces.fill(memory, after: kept)
                if pieces.isSpecial { return nil }
                let found = needle.isFound(
                    among: pieces.isAtEnd ? count : count &- Self.longestCodePoint,
                    isEnd: { !Self.extends(bytes + $0) },
                    { Word(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Word.self)) })
                guard found == false, !pieces.isAtEnd else { return found }
                kept = min(count, needle.count &- 1 &+ Self.longestCodePoint)
                bytes.copyMemory(from: bytes + (count &- kept), byteCount: kept)
            }
        }
    }

    private static let longestCodePoint = 4

    /// True for a needle that begins with a mark or a vowel of Hangul: it is found at the start of a text at most.
    var beginsInsideCharacter: Bool {
        start[0] >= 0xCC && CodePoint(at: start, before: start + count).extends
    }

    /// True if the text occurs in `length` bytes, of which `word` yields eight from an offset on: where its first and its
    /// last byte match, the rest is compared. Nil after too many such candidates, as in `aaaaaaaa CONTAINS "aaab"`, which
    /// would take quadratic time. `isEnd` says whether a match may end at an offset.
    @inline(__always)
    private func isFound(among length: Int, isEnd: (Int) -> Bool, _ word: (Int) -> Word) -> Bool? {
        let (starts, reach) = (length &- count &+ 1, count &- 1)
        let (first, last) = (Word(repeating: start[0]), Word(repeating: start[reach]))
        var patience = 64 &+ 8 &* length
        var position = 0
        while position < starts {
            var hits = ((word(position) ^ first) | (word(position &+ reach) ^ last)).zeroBytes
            while hits != 0 {
                let candidate = position &+ hits.trailingZeroBitCount &>> 3
                if candidate >= starts { return false }
                if count <= 2 || fits({ word(candidate &+ $0) }), isEnd(candidate &+ count) { return true }
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

    /// True if at `bytes`, of which eight can be read, a code point begins that extends the character before it.
    @inline(__always)
    private static func extends(_ bytes: UnsafeMutableRawPointer) -> Bool {
        bytes.load(as: UInt8.self) >= 0xCC && extendsSlowly(bytes)
    }

    @inline(never)
    private static func extendsSlowly(_ bytes: UnsafeMutableRawPointer) -> Bool {
        let start = UnsafePointer(bytes.assumingMemoryBound(to: UInt8.self))
        return CodePoint(at: start, before: start + 8).extends
    }

    /// The search of a text with marks, and of one in which too many places look like the needle.
    @inline(never)
    private func containsSlowly(_ needle: FoldedText) -> Bool {
        mode == .none ? needle.isFound(in: bytes) { _ in true } : CharacterFold.fold(self).contains(needle)
    }

    /// True if the text occurs in bytes, in a range that counts as a match; each byte is read once (Knuth, Morris, Pratt).
    func isFound(in bytes: UnsafeBufferPointer<UInt8>, _ isMatch: (Range<Int>) -> Bool) -> Bool {
        let borders = borders
        var matched = 0
        for (index, byte) in bytes.enumerated() {
            while matched > 0, matched == count || start[matched] != byte { matched = borders[matched &- 1] }
            if start[matched] == byte { matched &+= 1 }
            if matched == count, isMatch(index &+ 1 &- count..<index &+ 1) { return true }
        }
        return false
    }

    /// The failure function: for every prefix of a needle the length of its longest proper border.
    private var borders: [Int] {
        var borders = [Int](repeating: 0, count: count)
        var length = 0
        for index in 1..<max(count, 1) {
            while length > 0, start[length] != start[index] { length = borders[length &- 1] }
            if start[length] == start[index] { length &+= 1 }
            borders[index] = length
        }
        return borders
    }
}
