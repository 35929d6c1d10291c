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

    /// Wraps the long lines of a string. Continuation lines are indented. Excerpts of a format begin with a space and
    /// are cut around their marks.
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

/// A line of a format with the marks and the label below it, as in an error:
///
///     age NOT IN %@
///         ^~~~~~ NOT goes before the whole comparison
struct MarkedLine {
    private static let indent = "  "
    private let line: [Character]
    /// The column at which the marks begin.
    private let column: Int
    private let marks: String
    private let label: String

    /// Creates the marked line; nil if `below` does not mark a part of the line.
    init?(_ line: String, below: String) {
        let text = below.drop { $0 == " " }
        guard line.hasPrefix(Self.indent), below.hasPrefix(Self.indent), text.first == "^" else { return nil }
        self.line = Array(line.dropFirst(Self.indent.count))
        column = below.count - text.count - Self.indent.count
        marks = String(text.prefix { $0 == "^" || $0 == "~" })
        label = String(text.dropFirst(marks.count)).trimmed
    }

    /// Returns the lines, cut around the marks to a number of columns. A label for which there is no room is on the lines
    /// below.
    func lines(width: Int) -> [String] {
        let (start, text) = cut(to: max(10, width - Self.indent.count))
        let shown = marks.prefix(max(1, width - Self.indent.count - (column - start)))
        let below = Self.indent + String(repeating: " ", count: column - start) + shown
        let head = Self.indent + text
        if label.isEmpty { return [head, below] }
        if below.count + 1 + DisplayWidth.of(label) <= width { return [head, below + " " + label] }
        return [head, below] + Paragraph.lines(of: label, width: width - Self.indent.count).map { Self.indent + $0 }
    }

    /// Returns the part of the line around the marks, with an ellipsis at each cut, and the column at which it begins.
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
        // The ellipsis replaces a character, which may be wide.
        guard start > 0, let hidden = rest.first else { return (start, rest.cut(toColumns: width)) }
        let ellipsis = "…".padded(toColumns: DisplayWidth.of(hidden))
        return (start, (ellipsis + rest.dropFirst()).cut(toColumns: width))
    }
}
