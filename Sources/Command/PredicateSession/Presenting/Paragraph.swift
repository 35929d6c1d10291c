import PredicateSyntax

/// Wraps prose to lines.
package enum Paragraph {
    /// Returns the lines of a paragraph, each of at most `width` columns. A longer word gets a line of its own.
    package static func lines(of paragraph: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }

    /// Returns the lines of rows with two columns. If the left cell has more than `widest` columns, the right one begins on the next
    /// line. A row without cells is a blank line.
    package static func rows(_ rows: [(String, String)], widest: Int, width: Int) -> [String] {
        let fitting = rows.map { DisplayWidth.of($0.0) }.filter { $0 <= widest }
        let column = (fitting.max() ?? 0) + 2 * indent.count
        return rows.flatMap { left, right in
            if left.isEmpty { return [""] }
            let (head, text) = (indent + left, lines(of: right, width: max(20, width - column)))
            let isTooLong = DisplayWidth.of(head) + indent.count > column
            let first = isTooLong ? [head] : [head.padded(toColumns: column) + text[0]]
            return first + text.dropFirst(isTooLong ? 0 : 1).map { String(repeating: " ", count: column) + $0 }
        }
    }

    /// Wraps the long lines of a string. Continuation lines are indented. Excerpts of a format, which begin with a space, are
    /// left as they are.
    package static func wrapped(_ text: String, width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.first == " " || DisplayWidth.of(line) <= width { return String(line) }
            return lines(of: String(line), width: width - indent.count).joined(separator: "\n" + indent)
        }.joined(separator: "\n")
    }

    private static let indent = "  "
}
