// Statements of Swift end where a line ends, if the next one cannot continue them.

extension Bytes {
    /// True if a token of Swift begins a statement because it is on a new line: after a value or a type, which a token
    /// that is no operator cannot continue.
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
