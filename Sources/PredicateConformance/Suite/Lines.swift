extension String {
    /// The lines of a text, counted from 1, without their line feeds; a carriage return before one counts as a blank.
    var numberedLines: [(number: Int, line: Substring)] {
        // By scalar: a carriage return and a line feed are one `Character`.
        let lines = unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().map { ($0 + 1, Substring($1)) }
    }
}

extension StringProtocol {
    /// True if the line is empty.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// True if the line begins with `#`.
    var isComment: Bool { first { !$0.isWhitespace } == "#" }

    /// The text without blanks at its ends.
    var trimmed: String {
        let head = drop(while: \.isWhitespace)
        let end = head.lastIndex { !$0.isWhitespace }.map { head.index(after: $0) } ?? head.startIndex
        return String(head[..<end])
    }
}
