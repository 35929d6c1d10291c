/// Lays out help: headings, indented paragraphs, two aligned columns; no line is longer than 79 columns.
struct HelpLayout {
    private static let width = 79
    private static let indent = "  "

    private(set) var text: String

    init(usage: [String], purpose: String) {
        let lead = "Usage: "
        text = usage.enumerated().map { $0.offset == 0 ? lead + $0.element : "       " + $0.element }
            .map { $0 + "\n" }.joined()
        add(paragraph: purpose)
    }

    /// Adds a paragraph, broken into lines.
    mutating func add(paragraph: String) {
        text += "\n" + Self.lines(of: paragraph, width: Self.width).map { $0 + "\n" }.joined()
    }

    /// Adds a heading and lines, which are kept as they are.
    mutating func add(_ heading: String, lines: [String]) {
        text += "\n\(heading):\n" + lines.map { Self.indent + $0 + "\n" }.joined()
    }

    /// Adds a heading and rows of two columns. A left side that is too long is on a line of its own.
    mutating func add(_ heading: String, rows: [(String, String)]) {
        let fitting = rows.map(\.0.count).filter { $0 <= 25 }
        let column = Self.indent.count + (fitting.max() ?? 0) + 2
        text += "\n\(heading):\n"
        for (left, right) in rows {
            let lines = Self.lines(of: right, width: Self.width - column)
            let space = String(repeating: " ", count: column)
            let head = Self.indent + left
            let isTooLong = head.count + 2 > column
            text += isTooLong ? head + "\n" : head + String(repeating: " ", count: column - head.count)
            text += lines.enumerated().map { ($0.offset > 0 || isTooLong ? space : "") + $0.element + "\n" }.joined()
        }
    }

    /// Returns the lines of a paragraph, of at most `width` columns.
    private static func lines(of paragraph: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
