/// Columns under each other: the first ones to the left, numbers to the right.
public struct TextTable {
    private var rows: [[String]]
    private let leftColumns: Int
    private let lastIsText: Bool

    /// Makes a table with a header. The first `leftColumns` columns are text, with `lastIsText` the last one too.
    public init(header: [String], leftColumns: Int = 1, lastIsText: Bool = false) {
        self.rows = [header]
        self.leftColumns = leftColumns
        self.lastIsText = lastIsText
    }

    public mutating func append(_ row: [String]) {
        rows.append(row)
    }

    /// The lines, each with its end.
    public var text: String {
        let widths = columnWidths
        return rows.map { line($0, widths) + "\n" }.joined()
    }

    private var columnWidths: [Int] {
        rows.reduce(into: []) { widths, row in
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in row.enumerated() {
            let padding = String(repeating: " ", count: widths[column] - cell.count)
            line += (column == 0 ? "" : "  ") + (isText(column, of: row) ? cell + padding : padding + cell)
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    private func isText(_ column: Int, of row: [String]) -> Bool {
        column < leftColumns || lastIsText && column == row.count - 1
    }
}
