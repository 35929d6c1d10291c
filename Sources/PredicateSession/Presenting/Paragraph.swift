/// Prose in lines between words.
package enum Paragraph {
    /// Returns the lines of a paragraph, each of at most `width` columns; a longer word is a line of its own.
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

    /// Breaks the lines of a text that are too long: sentences between words, what is left over being indented; excerpts
    /// of a format, which begin with a blank, are cut around their marks.
    package static func wrapped(_ text: String, width: Int) -> String {
        var rest = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
        var lines: [String] = []
        while let line = rest.popFirst() {
            if let below = rest.first, let marked = MarkedLine(line, below: below) {
                lines += marked.lines(width: width)
                rest.removeFirst()
            } else {
                lines.append(line.first == " " || DisplayWidth.of(line) <= width ? line : folded(line, width))
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func folded(_ line: String, _ width: Int) -> String {
        lines(of: line, width: width - indent.count).joined(separator: "\n" + indent)
    }

    private static let indent = "  "
}
