/// Old findings that are not reported: a line for each, with its rule, its path and a hash of its message and format.
///
/// Lines of the source are not part of it, so that a finding stays old when code around it moves.
package struct LintBaseline: Sendable {
    private var counts: [String: Int] = [:]

    package init() {}

    /// Reads the text of a baseline file.
    package init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            counts[String(line), default: 0] += 1
        }
    }

    /// Removes the rows that are old; each line of the baseline covers one.
    package mutating func removeOld(from rows: [LintRow]) -> [LintRow] {
        rows.filter { row in
            guard let line = Self.line(row), let count = counts[line], count > 0 else { return true }
            counts[line] = count - 1
            return false
        }
    }

    /// The text of a file that makes these rows old.
    package static func text(of rows: [LintRow]) -> String {
        "# Findings of predicate lint that are not reported. Delete a line to see its finding again.\n"
            + rows.compactMap(line).sorted().map { $0 + "\n" }.joined()
    }

    private static func line(_ row: LintRow) -> String? {
        guard let rule = row.rule else { return nil }
        let content = (row.message ?? "") + "\u{0}" + (row.format ?? row.line)
        return "\(rule.rawValue)\t\(row.path)\t\(String(content.stableHash, radix: 16))"
    }
}
