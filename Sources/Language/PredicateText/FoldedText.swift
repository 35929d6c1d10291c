/// A string with a fold mode; bytes are folded as they are read.
///
/// A needle that is already folded is read with the mode `.none`.
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

    /// The bits that mark bytes that need the table; 0 without folding.
    @inline(__always)
    var tableBits: Word { mode == .none ? 0 : .highBits }

    /// Returns the word with its capitals made small if the mode folds case. Correct only if no table bit is set.
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
    /// Returns eight bytes from `position`, which must not be past the end; zeros follow the end.
    @inline(__always)
    func word(at position: Int) -> Word {
        if position &+ 8 <= count { return Word(at: start + position) }
        let rest = count &- position
        if count >= 8 { return Word(at: start + (count &- 8)) >> Word(truncatingIfNeeded: 64 &- 8 &* rest) }
        return Word(start + position, rest)
    }

    /// Returns the eight bytes before `end`; zeros precede the start.
    @inline(__always)
    func word(before end: Int) -> Word {
        if end >= 8 { return Word(at: start + (end &- 8)) }
        let prefix = count >= 8 ? Word(at: start) : Word(start, end)
        return prefix << Word(truncatingIfNeeded: 64 &- 8 &* end)
    }
}

extension String {
    /// Calls `body` with the UTF-8 of the string, which is copied only if it is not contiguous.
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

/// Comparisons of two strings from their first or last byte on, each in three steps.
///
/// One word of eight bytes decides most comparisons with a short needle. Whole words follow while both strings are
/// ASCII, and cursors take over where one of them needs the table. Strings with marks are folded as a whole.
extension FoldedText {
    /// Returns true if the string begins with the needle: `name BEGINSWITH[cd] "jo"`.
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

    /// True if no mark can follow the bytes before `position`: the string ends there or continues with ASCII.
    @inline(__always)
    private func endsCharacter(_ position: Int) -> Bool {
        position == count || start[position] & UInt8(truncatingIfNeeded: tableBits) == 0
    }

    /// Compares the rest of the string with the rest of the needle. The bytes before the position are equal and fold
    /// independently of their neighbours.
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
    /// Returns true if the string ends with the needle: `name ENDSWITH[cd] "son"`.
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

    /// Compares a word of the string with one of the needle under a mask; nil if the table is needed.
    @inline(__always)
    private func equal(_ ours: Word, _ needle: FoldedText, _ theirs: Word, _ mask: Word) -> Bool? {
        if (ours & tableBits | theirs & needle.tableBits) & mask != 0 { return nil }
        return (folded(ours) ^ needle.folded(theirs)) & mask == 0
    }
}

extension FoldedText {
    /// Returns -1, 0 or 1 if the string is ordered before, equal to or after the other, byte by byte: `name <[cd]
    /// "jones"`.
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
            // Either one string has ended and the zeros after it equalled zeros in the other, or both have ended.
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

    /// Orders two words that differ: earlier bytes are more significant.
    @inline(__always)
    private func order(_ left: Word, _ right: Word) -> Int {
        left.byteSwapped < right.byteSwapped ? -1 : 1
    }
}

extension Word {
    /// True if the words differ before the first byte that `table` marks. Both are ASCII up to there, so that byte
    /// decides.
    @inline(__always)
    fileprivate func differs(from other: Word, before table: Word) -> Bool {
        (self ^ other).trailingZeroBitCount &>> 3 < table.trailingZeroBitCount &>> 3
    }
}

/// The search for a folded needle: `name CONTAINS[cd] "oh"`.
extension FoldedText {
    /// Returns true if the string contains the needle.
    @inline(never)
    func contains(_ needle: FoldedText) -> Bool {
        guard needle.count > 0 else { return TextSearch.emptyNeedleMatches }
        guard foldsByBytes else { return containsFolding(needle) }
        return needle.isFound(among: count, isEnd: { _ in true }) { folded(word(at: $0)) } ?? containsSlowly(needle)
    }

    /// Returns true if a string that needs the table contains the needle.
    @inline(never)
    func containsFolding(_ needle: FoldedText) -> Bool {
        guard needle.count > 0 else { return TextSearch.emptyNeedleMatches }
        return containsInPieces(needle) ?? containsSlowly(needle)
    }

    /// Searches a string that is folded in pieces. Keeps the end of each piece, where the needle may begin, and the byte after
    /// it, which may belong to a mark. Returns nil if another search is needed, as for a needle that is too long for a piece.
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

    /// True for a needle that begins with a mark or a Hangul vowel. It can match only at the start of a string.
    var beginsInsideCharacter: Bool {
        start[0] >= 0xCC && CodePoint(at: start, before: start + count).extends
    }

    /// Searches for this string in `length` bytes; `word` returns eight of them from an offset on. Where the first
    /// and the last byte match, the rest is compared. `isEnd` returns true if a match may end at an offset.
    ///
    /// Returns nil after too many such candidates, as in `aaaaaaaa CONTAINS "aaab"`, which would take quadratic time.
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

    /// Returns true if the words equal the words of this string.
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

    /// Returns true if the code point at `bytes` extends the preceding character. Eight bytes must be readable.
    @inline(__always)
    private static func extends(_ bytes: UnsafeMutableRawPointer) -> Bool {
        bytes.load(as: UInt8.self) >= 0xCC && extendsSlowly(bytes)
    }

    @inline(never)
    private static func extendsSlowly(_ bytes: UnsafeMutableRawPointer) -> Bool {
        let start = UnsafePointer(bytes.assumingMemoryBound(to: UInt8.self))
        return CodePoint(at: start, before: start + 8).extends
    }

    /// Searches a string that has marks, or in which too many positions look like the needle.
    @inline(never)
    private func containsSlowly(_ needle: FoldedText) -> Bool {
        mode == .none ? needle.isFound(in: bytes) { _ in true } : CharacterFold.fold(self).contains(needle)
    }

    /// Searches for this string in bytes; `isMatch` decides whether a range counts. Each byte is read once
    /// (Knuth-Morris-Pratt).
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

    /// The failure function: the length of the longest proper border of each prefix.
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

/// Matching a string against the tokens of a pattern: `name LIKE[c] "j?h*n"`.
extension FoldedText {
    @inline(never)
    func fits(_ tokens: UnsafeBufferPointer<UInt8>) -> Bool {
        if foldsByBytes { return ByteFoldCursor(self).fits(tokens) }
        if hasMarks || startsWithExtender { return CharacterFold.fold(self).fits(tokens) }
        return FoldedCursor(self).fits(tokens)
    }

    /// True if the string starts with a code point that would otherwise continue a character; here it begins one.
    private var startsWithExtender: Bool { count > 0 && beginsInsideCharacter }

    /// True if the fold of a code point depends on its neighbours. No code point before U+0300 has such a fold, so most strings
    /// need only a test of eight bytes at a time.
    private var hasMarks: Bool {
        var position = 0
        while position < count {
            let word = word(at: position)
            if word & ((word & .lowBits) &+ Word(repeating: 0x80 - 0x4C)) & .highBits != 0 {
                return hasMarks(from: position)
            }
            position &+= 8
        }
        return false
    }

    @inline(never)
    private func hasMarks(from offset: Int) -> Bool {
        let end = start + count
        var position = start + offset
        while position < end {
            // The offset may be inside a code point; its continuation bytes are below 0xCC and are skipped one by one.
            if position.pointee >= 0xCC {
                let codePoint = CodePoint(at: position, before: end)
                if codePoint.needsNeighbours { return true }
                position += codePoint.length
            } else {
                position += 1
            }
        }
        return false
    }
}

extension ByteCursor {
    /// Returns true if the tokens match the rest of the string.
    ///
    /// A star first matches nothing, and one character more each time the rest does not match. Only the last star is
    /// retried, since what earlier stars matched can stay. The work is therefore bounded by the length of the string
    /// times the length of the pattern.
    @inline(__always)
    func fits(_ tokens: UnsafeBufferPointer<UInt8>) -> Bool {
        var (text, token) = (self, 0)
        var (resumed, resumedToken) = (self, -1)
        while true {
            if token < tokens.count, tokens[token] == LikeToken.star {
                if text.isBetweenCharacters {
                    token &+= 1
                    if token == tokens.count { return true }
                    (resumed, resumedToken) = (text, token)
                    continue
                }
            } else if token == tokens.count {
                if text.isAtEnd { return true }
            } else if tokens[token] == LikeToken.any {
                if text.isBetweenCharacters, text.skipCharacter() {
                    token &+= 1
                    continue
                }
            } else if text.next() == tokens[token] {
                token &+= 1
                continue
            }
            guard resumedToken >= 0, resumed.skipCharacter() else { return false }
            (text, token) = (resumed, resumedToken)
        }
    }

    @inline(__always)
    private var isAtEnd: Bool {
        var copy = self
        return copy.next() == nil
    }
}
