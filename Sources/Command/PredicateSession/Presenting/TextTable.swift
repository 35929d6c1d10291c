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
    }

    private static let gap = 2
    private static let narrowest = 12
    private let columns: [Column]
    private let width: Int

    package init(_ columns: [Column], width: Int) {
        self.columns = columns
        self.width = max(20, width)
    }

    /// Returns true if all columns fit.
    package static func fits(_ columns: [Column], width: Int) -> Bool {
        columns.reduce(-gap) { $0 + $1.width + gap } <= width
    }

    /// Returns the lines of the table. If columns were left out, the last line names them.
    package func lines(_ painter: Painter) -> [String] {
        let (shown, widths) = layout()
        let head = line(shown, widths, nil).map { painter.paint($0, .heading) }
        let rows = (0..<(columns.first?.cells.count ?? 0)).compactMap { line(shown, widths, $0) }
        let hidden = columns.indices.filter { !shown.contains($0) }.map { columns[$0].heading }
        let note = hidden.isEmpty ? [] : [painter.paint(hiddenNote(hidden), .faint)]
        return [head].compactMap(\.self) + rows + note
    }

    private func hiddenNote(_ names: [String]) -> String {
        "+ \(Count.of(names.count, "column")): \(names.joined(separator: ", "))".cut(toColumns: width)
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

/// Counts the terminal columns that text takes.
///
/// `DisplayWidth.of("東京")` is 4. An `é` of two code points takes one column.
package enum DisplayWidth {
    /// Returns the columns of a string without line ends and control characters.
    package static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// Returns the columns of one character: 0, 1 or 2.
    package static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.isASCII { return character.unicodeScalars.contains("\u{FE0F}") ? 2 : 1 }
        if isWide(first.value) || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return character.unicodeScalars.allSatisfy(takesNoColumn) ? 0 : 1
    }

    private static func takesNoColumn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: scalar.value != 0xAD
        default: false
        }
    }

    /// Returns true for a code point that is wide by Unicode's East Asian Width, or an emoji.
    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        let index = wideRanges.partitioningIndex { $0.upperBound >= value }
        return index < wideRanges.count && wideRanges[index].contains(value)
    }

    /// The wide ranges, sorted for binary search.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
        0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
        0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
        0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
        0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F004...0x1F004,
        0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F1E6...0x1F202, 0x1F210...0x1F23B,
        0x1F240...0x1F248, 0x1F250...0x1F251, 0x1F260...0x1F265, 0x1F300...0x1F320, 0x1F32D...0x1F335,
        0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0,
        0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D,
        0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4,
        0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7,
        0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0,
        0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
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

    /// Returns the string padded with spaces to a number of columns.
    package func padded(toColumns width: Int, alignsRight: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(self)))
        return alignsRight ? blanks + self : self + blanks
    }
}
