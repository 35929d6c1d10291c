/// A text against the tokens of a pattern: `name LIKE[c] "j?h*n"`.
extension FoldedText {
    @inline(never)
    func fits(_ tokens: UnsafeBufferPointer<UInt8>) -> Bool {
        if foldsByBytes { return ByteFoldCursor(self).fits(tokens) }
        if hasMarks || startsWithExtender { return CharacterFold.fold(self).fits(tokens) }
        return FoldedCursor(self).fits(tokens)
    }

    /// True for a text that starts with what elsewhere continues a character: here it begins one.
    private var startsWithExtender: Bool { count > 0 && beginsInsideCharacter }

    /// True if a code point folds as its neighbours say. None before U+0300 does, which a look at eight bytes shows.
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
            // A code point that begins before the offset is looked at from its second byte on: none of these is a lead byte.
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
    /// True if the tokens match the rest of the text.
    ///
    /// A star first takes nothing, and one character more each time the rest does not fit. Only the last star is ever
    /// tried again: what the stars before it took can stay, so the work is the length of the text times the pattern's.
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
