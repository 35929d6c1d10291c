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

    /// Breaks the lines of a text that are too long and do not begin with a blank, as excerpts of a format do. What
    /// is left over is indented.
    package static func wrapped(_ text: String, width: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.map { $0.first == " " || DisplayWidth.of($0) <= width ? $0 : folded($0, width) }
            .joined(separator: "\n")
    }

    private static func folded(_ line: String, _ width: Int) -> String {
        lines(of: line, width: width - indent.count).joined(separator: "\n" + indent)
    }

    private static let indent = "  "
}
