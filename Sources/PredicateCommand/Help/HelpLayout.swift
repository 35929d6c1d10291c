import PredicateSession

/// A page of help: paragraphs, examples and two aligned columns.
///
/// ``text`` is for a terminal, with no line longer than 79 columns; ``ManualPage`` makes a page for man of the same blocks.
struct HelpLayout {
    enum Block {
        case paragraph(String)
        /// A heading and lines, which are kept as they are.
        case lines(String, [String])
        /// A heading and rows of two columns.
        case rows(String, [(String, String)])
    }

    private static let width = 79
    private static let indent = "  "

    let usage: [String]
    private(set) var blocks: [Block]

    init(usage: [String], purpose: String) {
        self.usage = usage
        blocks = [.paragraph(purpose)]
    }

    /// Adds a paragraph, broken into lines.
    mutating func add(paragraph: String) { blocks.append(.paragraph(paragraph)) }

    /// Adds a heading and lines, which are kept as they are.
    mutating func add(_ heading: String, lines: [String]) { blocks.append(.lines(heading, lines)) }

    /// Adds a heading and rows of two columns. A left side that is too long is on a line of its own.
    mutating func add(_ heading: String, rows: [(String, String)]) { blocks.append(.rows(heading, rows)) }

    /// The page for a terminal.
    var text: String {
        let lead = "Usage: "
        let lines = usage.enumerated().map { ($0.offset == 0 ? lead : "       ") + $0.element + "\n" }
        return lines.joined() + blocks.map(Self.text).joined()
    }

    private static func text(of block: Block) -> String {
        switch block {
        case .paragraph(let text): "\n" + Paragraph.lines(of: text, width: width).map { $0 + "\n" }.joined()
        case .lines(let heading, let lines): "\n\(heading):\n" + lines.map { indent + $0 + "\n" }.joined()
        case .rows(let heading, let rows): "\n\(heading):\n" + text(of: rows)
        }
    }

    private static func text(of rows: [(String, String)]) -> String {
        let fitting = rows.map(\.0.count).filter { $0 <= 25 }
        let column = indent.count + (fitting.max() ?? 0) + 2
        let space = String(repeating: " ", count: column)
        var text = ""
        for (left, right) in rows {
            let lines = Paragraph.lines(of: right, width: width - column)
            let head = indent + left
            let isTooLong = head.count + 2 > column
            text += isTooLong ? head + "\n" : head + String(repeating: " ", count: column - head.count)
            text += lines.enumerated().map { ($0.offset > 0 || isTooLong ? space : "") + $0.element + "\n" }.joined()
        }
        return text
    }
}
