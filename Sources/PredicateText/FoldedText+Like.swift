/// A text against the tokens of a pattern: `name LIKE[c] "j?h*n"`.
extension FoldedText {
    @inline(never)
    func fits(_ tokens: UnsafeBufferPointer<UInt8>) -> Bool {
        foldsByBytes ? ByteFoldCursor(self).fits(tokens) : FoldedCursor(self).fits(tokens)
    }
}

extension ByteCursor {
    /// True if the tokens match the rest of the text.
    ///
    /// A star first takes nothing, and one code point more each time the rest does not fit. Only the last star is ever
    /// tried again: what the stars before it took can stay, so the work is the length of the text times the pattern's.
    @inline(__always)
    func fits(_ tokens: UnsafeBufferPointer<UInt8>) -> Bool {
        var (text, token) = (self, 0)
        var (resumed, resumedToken) = (self, -1)
        while true {
            if token < tokens.count, tokens[token] == LikeToken.star {
                token &+= 1
                if token == tokens.count { return true }
                (resumed, resumedToken) = (text, token)
            }
            guard let byte = text.next() else { return token == tokens.count }
            if token < tokens.count, tokens[token] == byte || tokens[token] == LikeToken.any {
                if tokens[token] == LikeToken.any { text.skipContinuations(of: byte) }
                token &+= 1
            } else {
                guard resumedToken >= 0, let skipped = resumed.next() else { return false }
                resumed.skipContinuations(of: skipped)
                (text, token) = (resumed, resumedToken)
            }
        }
    }

    /// Reads the other bytes of a code point of which the first byte was read.
    @inline(__always)
    private mutating func skipContinuations(of lead: UInt8) {
        for _ in 1..<lead.codePointLength { _ = next() }
    }
}
