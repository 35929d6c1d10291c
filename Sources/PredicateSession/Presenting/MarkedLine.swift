/// A line of a format with the marks and the label under it, as the text of an error shows them.
///
///     age NOT IN %@
///         ^~~~~~ NOT stands before the whole comparison
struct MarkedLine {
    private static let indent = "  "
    private let line: [Character]
    /// The column at which the marks begin.
    private let column: Int
    private let marks: String
    private let label: String

    /// Nil if `below` does not mark a part of the line.
    init?(_ line: String, below: String) {
        let text = below.drop { $0 == " " }
        guard line.hasPrefix(Self.indent), below.hasPrefix(Self.indent), text.first == "^" else { return nil }
        self.line = Array(line.dropFirst(Self.indent.count))
        column = below.count - text.count - Self.indent.count
        marks = String(text.prefix { $0 == "^" || $0 == "~" })
        label = String(text.dropFirst(marks.count)).trimmed
    }

    /// The lines, cut around the marks to a number of columns; a label that does not fit stands below.
    func lines(width: Int) -> [String] {
        let (start, text) = cut(to: max(10, width - Self.indent.count))
        let shown = marks.prefix(max(1, width - Self.indent.count - (column - start)))
        let below = Self.indent + String(repeating: " ", count: column - start) + shown
        let head = Self.indent + text
        if label.isEmpty { return [head, below] }
        if below.count + 1 + DisplayWidth.of(label) <= width { return [head, below + " " + label] }
        return [head, below] + Paragraph.lines(of: label, width: width - Self.indent.count).map { Self.indent + $0 }
    }

    /// The part of the line around the marks, with an ellipsis at each cut, and the column at which it begins.
    private func cut(to width: Int) -> (start: Int, text: String) {
        let total = DisplayWidth.of(String(line))
        guard total > width else { return (0, String(line)) }
        let target = max(0, min(column - width / 3, total - width))
        var (first, start) = (0, 0)
        while start < target, first < line.count {
            start += DisplayWidth.of(line[first])
            first += 1
        }
        let rest = String(line[first...])
        // The ellipsis takes the place of a character, which may be wide.
        guard start > 0, let hidden = rest.first else { return (start, rest.cut(toColumns: width)) }
        let ellipsis = "…".padded(toColumns: DisplayWidth.of(hidden))
        return (start, (ellipsis + rest.dropFirst()).cut(toColumns: width))
    }
}
