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
            let excerpt = Excerpt(source: source, range: range)
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
    /// True where the line goes on.
    private let isCutBefore: Bool
    private let isCutAfter: Bool

    /// The bytes that are looked at before, in and after the range: far more than are shown of a line, however long.
    private static let reach = 10 * ErrorRenderer.excerptWidth

    init(source: String, range: Range<Int>) {
        let utf8 = source.utf8
        let lower = min(max(range.lowerBound, 0), utf8.count)
        let upper = min(max(range.upperBound, lower), utf8.count)
        let first = max(0, lower - Self.reach), end = min(utf8.count, min(upper, lower + Self.reach) + Self.reach)
        let start = utf8.index(utf8.startIndex, offsetBy: first)
        let window = Array(utf8[start..<utf8.index(start, offsetBy: end - first)])
        self.init(window, range: lower - first..<min(upper, lower + Self.reach) - first, first > 0, end < utf8.count)
    }

    private init(_ window: [UInt8], range: Range<Int>, _ isCutBefore: Bool, _ isCutAfter: Bool) {
        let lineFeed = UInt8(ascii: "\n")
        let lineStart = window[..<range.lowerBound].lastIndex(of: lineFeed)
        let lineEnd = window[range.lowerBound...].firstIndex(of: lineFeed)
        self.isCutBefore = isCutBefore && lineStart == nil
        self.isCutAfter = isCutAfter && lineEnd == nil
        // A window may begin inside of a character.
        let character = window.firstIndex { $0 & 0xC0 != 0x80 } ?? 0
        let first = lineStart.map { $0 + 1 } ?? character
        let markedEnd = max(min(range.upperBound, lineEnd ?? window.count), range.lowerBound)
        before = Self.printable(window[min(first, range.lowerBound)..<range.lowerBound])
        marked = Self.printable(window[range.lowerBound..<markedEnd])
        after = Self.printable(window[markedEnd..<max(lineEnd ?? window.count, markedEnd)])
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
        let opening = isCutBefore || head.count < before.count ? "…" : ""
        let closing = isMarkCut || isCutAfter || tail.count < after.count ? "…" : ""
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
