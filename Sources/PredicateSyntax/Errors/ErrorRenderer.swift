/// Renders an error as text: the title, the offending line with a caret, and hints.
///
///     error: expected a value, a key path or a function
///       age >= AND name == 'A'
///              ^~~
///     hint: a comparison has a value on both sides: age >= 21
package enum ErrorRenderer {
    /// The longest excerpt, in characters; a longer line is cut around the caret, with an ellipsis at the cut.
    static let excerptWidth = 100

    /// Renders an error. `range` counts UTF-8 offsets into `source` and is clamped to it.
    package static func render(
        title: String, source: String, range: Range<Int>, label: String?, hints: [String]
    ) -> String {
        var lines = ["error: \(title.printable)"]
        if !source.isEmpty {
            let excerpt = Excerpt(source: Array(source.utf8), range: range)
            let (text, marks) = excerpt.cut(to: excerptWidth)
            lines.append("  \(text)")
            lines.append(["  \(marks)", label?.printable].compactMap(\.self).joined(separator: " "))
        }
        lines += hints.map { "hint: \($0.printable)" }
        return lines.joined(separator: "\n")
    }
}

/// The line that holds a source range, divided into the text before, in and after the range.
private struct Excerpt {
    private let before: [Character]
    private let marked: [Character]
    private let after: [Character]

    init(source: [UInt8], range: Range<Int>) {
        let lower = min(max(range.lowerBound, 0), source.count)
        let upper = min(max(range.upperBound, lower), source.count)
        let lineStart = source[..<lower].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let lineEnd = source[lower...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
        let markedEnd = min(upper, lineEnd)
        before = Self.printable(source[lineStart..<lower])
        marked = Self.printable(source[lower..<max(markedEnd, lower)])
        after = Self.printable(source[max(markedEnd, lower)..<max(lineEnd, lower)])
    }

    /// Text with every control character as one space, so that columns line up.
    private static func printable(_ bytes: ArraySlice<UInt8>) -> [Character] {
        String(decoding: bytes, as: UTF8.self).map { character in
            character.unicodeScalars.contains(where: \.movesCursor) ? " " : character
        }
    }

    /// The line and the marks under it, both cut to a width around the range.
    func cut(to width: Int) -> (text: String, marks: String) {
        let shownMarks = marked.prefix(width / 2)
        let isMarkCut = shownMarks.count < marked.count
        let room = max(width - shownMarks.count, 0)
        let head = before.suffix(max(room / 2, room - after.count))
        let tail = isMarkCut ? [] : after.prefix(room - head.count)
        let opening = head.count < before.count ? "…" : ""
        let closing = isMarkCut || tail.count < after.count ? "…" : ""
        let text = opening + String(head) + String(shownMarks) + String(tail) + closing
        let indent = String(repeating: " ", count: displayWidth(opening + String(head)))
        let length = max(displayWidth(String(shownMarks)), 1)
        return (text, indent + "^" + String(repeating: "~", count: length - 1))
    }

    /// Columns of a terminal: wide characters of East Asia and pictures take two.
    private func displayWidth(_ text: String) -> Int {
        text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
    }

    private func isWide(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
