/// A unified diff, as written by `diff -u`. It suits edits that are small and far apart.
///
/// A diff is text, so a line that is not UTF-8 cannot be part of it: it ends the context, and a change of such a line is
/// left out.
enum LineDiff {
    private static let context = 3

    /// Empty if nothing changes. `edits` turn the old file into the new one. As in patches of Git, an absolute path
    /// loses its leading slash.
    static func text(path: String, old: [UInt8], edits: [LintEdit]) -> String {
        guard !edits.isEmpty else { return "" }
        let lines = LineTable(old)
        let name = path.drop { $0 == "/" }
        var text = ""
        var shift = 0
        for group in groups(edits, lines, old.count) where group.lines.allSatisfy({ isText(lines, $0, old) }) {
            let (first, last) = (group.lines.lowerBound, group.lines.upperBound)
            let start = first - (1...context).prefix { first > $0 && isText(lines, first - $0, old) }.count
            let most = min(context, lines.count(old.count) - last)
            let end = last + (0..<max(most, 0)).prefix { isText(lines, last + 1 + $0, old) }.count
            let changedRange = lines.range(ofLine: first).lowerBound..<lines.range(ofLine: last).upperBound
            let moved = group.edits.map {
                LintEdit(
                    range: $0.range.lowerBound - changedRange.lowerBound..<$0.range.upperBound
                        - changedRange.lowerBound,
                    replacement: $0.replacement)
            }
            let removed = split(old[changedRange])
            let added = split(LintEdit.apply(moved, to: Array(old[changedRange]))[...])
            let before = (start..<first).map { line(lines, $0, old) }
            let after = last < end ? (last + 1...end).map { line(lines, $0, old) } : []
            let count = before.count + after.count
            text += "@@ -\(start),\(count + removed.count) +\(start + shift),\(count + added.count) @@\n"
            text +=
                (before.map { " " + $0 } + removed.map { "-" + $0 } + added.map { "+" + $0 } + after.map { " " + $0 })
                .map { $0 + "\n" }.joined()
            shift += added.count - removed.count
        }
        return text.isEmpty ? "" : "--- a/\(name)\n+++ b/\(name)\n" + text
    }

    private struct Hunk {
        var lines: ClosedRange<Int>
        var edits: [LintEdit]
    }

    /// Groups edits on nearby lines.
    private static func groups(_ edits: [LintEdit], _ lines: LineTable, _ count: Int) -> [Hunk] {
        var groups: [Hunk] = []
        for edit in edits {
            let first = lines.place(of: edit.range.lowerBound).line
            let last = max(first, lines.place(of: edit.range.upperBound).line)
            if let group = groups.last, first <= group.lines.upperBound + 2 * context {
                groups[groups.count - 1].lines = group.lines.lowerBound...max(last, group.lines.upperBound)
                groups[groups.count - 1].edits.append(edit)
            } else {
                groups.append(Hunk(lines: first...last, edits: [edit]))
            }
        }
        return groups
    }

    private static func isText(_ lines: LineTable, _ number: Int, _ source: [UInt8]) -> Bool {
        String(validating: source[lines.range(ofLine: number).clamped(to: 0..<source.count)], as: UTF8.self) != nil
    }

    private static func line(_ lines: LineTable, _ number: Int, _ source: [UInt8]) -> String {
        split(source[lines.range(ofLine: number).clamped(to: 0..<source.count)]).first ?? ""
    }

    /// The lines of a file without line feeds.
    private static func split(_ bytes: ArraySlice<UInt8>) -> [String] {
        var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if bytes.last == UInt8(ascii: "\n") { parts.removeLast() }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }
}
