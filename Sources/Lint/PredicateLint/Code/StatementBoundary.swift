// A statement of Swift ends at the end of its line, unless the next line continues it.

extension Bytes {
    /// True if a token of Swift on a new line begins a statement: the token before it ends a value or a type, and the token
    /// itself is not an operator.
    func beginsStatement(_ token: CodeToken, after before: CodeToken) -> Bool {
        guard token.kind != .symbol || token.is("@"), before.kind != .symbol || mayEnd(before) else { return false }
        return hasLineBreak(in: before.end..<token.start)
    }

    /// True for a bracket, and for the end of a type: `[Dog]?`, `Results<Dog>`.
    private func mayEnd(_ token: CodeToken) -> Bool {
        if token.is(")") || token.is("]") { return true }
        return (token.is(">") || token.is("?") || token.is("!")) && !self[token.start - 1].isSpace
    }
}
