import PredicateSyntax

/// A table of text with headings, which fits the width of a terminal.
///
///     #  name  age
///     1  jo     30
package struct TextTable {
    package struct Column {
        package var heading: String
        package var cells: [String]
        /// True for numbers.
        package var alignsRight: Bool
        /// True if the column is always shown at full width.
        package var isFixed: Bool

        package init(_ heading: String, _ cells: [String], alignsRight: Bool = false, isFixed: Bool = false) {
            self.heading = heading.printable
            self.cells = cells
            self.alignsRight = alignsRight
            self.isFixed = isFixed
        }

        var width: Int {
            cells.reduce(DisplayWidth.of(heading)) { max($0, DisplayWidth.of($1)) }
        }

        /// The width of the longest bar, and the least width that is worth a bar.
        private static let barWidths = (longest: 40, shortest: 8)
        private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

        /// Creates a column of bars in proportion to numbers, in the room that other columns leave; nil if there is too little.
        init?(barsOf numbers: [Double], beside columns: [Column], width: Int) {
            let room = min(Self.barWidths.longest, width - columns.reduce(0) { $0 + $1.width + gap })
            guard room >= Self.barWidths.shortest, let greatest = numbers.max(), greatest > 0 else { return nil }
            let bars = numbers.map { number in
                let length = max(number > 0 ? 1 : 0, Int(max(0, number) / greatest * Double(8 * room)))
                return String(repeating: "█", count: length / 8) + Self.eighths[length % 8]
            }
            self.init("", bars)
        }
    }

    static let gap = 2
    /// The width to which a column may be shortened.
    static let narrowest = 12
    private let columns: [Column]
    private let width: Int

    package init(_ columns: [Column], width: Int) {
        self.columns = columns
        self.width = max(20, width)
    }

    package static func fits(_ columns: [Column], width: Int) -> Bool {
        columns.reduce(-gap) { $0 + $1.width + gap } <= width
    }

    /// Returns the lines of the table. If columns were left out, the last line names them.
    package func lines(_ painter: Painter) -> [String] {
        let (shown, widths) = layout()
        let head = line(shown, widths, nil).map { painter.paint($0, .heading) }
        let rows = (0..<(columns.first?.cells.count ?? 0)).compactMap { line(shown, widths, $0) }
        let hidden = columns.indices.filter { !shown.contains($0) }.map { columns[$0].heading }
        let note = "+ \(Count.of(hidden.count, "column")): \(hidden.joined(separator: ", "))".cut(toColumns: width)
        return [head].compactMap(\.self) + rows + (hidden.isEmpty ? [] : [painter.paint(note, .faint)])
    }

    private func line(_ shown: [Int], _ widths: [Int], _ row: Int?) -> String? {
        let cells = zip(shown, widths).map { index, width in
            let column = columns[index]
            let text = row.map { column.cells[$0] } ?? column.heading
            return text.cut(toColumns: width).padded(toColumns: width, alignsRight: column.alignsRight)
        }
        let line = cells.joined(separator: String(repeating: " ", count: Self.gap))
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    /// Chooses the columns and their widths: wide columns are shortened first, then the last columns are left out.
    private func layout() -> (shown: [Int], widths: [Int]) {
        var shown = Array(columns.indices)
        while true {
            let room = width - Self.gap * max(0, shown.count - 1)
            let natural = shown.map { columns[$0].width }
            let least = zip(shown, natural).map { columns[$0].isFixed ? $1 : min($1, Self.narrowest) }
            if least.reduce(0, +) <= room || shown.count <= 1 { return (shown, Self.shrunk(natural, least, to: room)) }
            guard let last = shown.lastIndex(where: { !columns[$0].isFixed }) else { return (shown, natural) }
            shown.remove(at: last)
        }
    }

    /// Shortens the widest columns until all fit.
    private static func shrunk(_ natural: [Int], _ least: [Int], to room: Int) -> [Int] {
        var widths = natural
        var excess = widths.reduce(0, +) - room
        while excess > 0 {
            let candidates = widths.indices.filter { widths[$0] > least[$0] }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            let next = candidates.map { widths[$0] }.filter { $0 < widths[widest] }.max() ?? least[widest]
            let step = min(excess, max(1, widths[widest] - max(next, least[widest])))
            widths[widest] -= step
            excess -= step
        }
        return widths
    }
}

extension String {
    /// Returns the string shortened to a number of columns, with an ellipsis if it was cut.
    package func cut(toColumns width: Int) -> String {
        if DisplayWidth.of(self) <= width { return self }
        guard width > 0 else { return "" }
        var result = ""
        var used = 0
        for character in self {
            let columns = DisplayWidth.of(character)
            if used + columns > width - 1 { break }
            result.append(character)
            used += columns
        }
        return result + "…"
    }

    package func padded(toColumns width: Int, alignsRight: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(self)))
        return alignsRight ? blanks + self : self + blanks
    }
}
