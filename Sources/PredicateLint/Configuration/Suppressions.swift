/// Comments that turn rules off.
///
///     // predicate:disable:next predicate-syntax
///     // predicate:disable:this
///     // predicate:disable predicate-check predicate-interpolation
///     // predicate:enable
///
/// Without the name of a rule, a comment applies to all rules.
struct Suppressions {
    private struct Directive {
        var offset: Int
        /// The range of lines to which it applies, as offsets.
        var range: Range<Int>
        var rules: Set<LintRule>
    }

    private var commands: [Directive] = []

    private static let mark: StaticString = "predicate:"

    init(_ bytes: Bytes) {
        guard bytes.firstOffset(of: "predicate:disable") != nil else { return }
        var offset = 0
        var open: [Directive] = []
        while let found = bytes.firstOffset(of: Self.mark, from: offset) {
            offset = found + Self.mark.utf8CodeUnitCount
            guard Self.isComment(bytes, before: found) else { continue }
            read(bytes, at: offset, &open)
        }
        commands += open
    }

    /// True if a comment begins before an offset on the same line.
    private static func isComment(_ bytes: Bytes, before offset: Int) -> Bool {
        let line = bytes.lineStart(before: offset)..<offset
        return bytes.firstOffset(of: "//", in: line) != nil || bytes.firstOffset(of: "/*", in: line) != nil
            || bytes.firstOffset(of: "#", in: line) != nil || bytes.firstOffset(of: "<!--", in: line) != nil
    }

    private mutating func read(_ bytes: Bytes, at offset: Int, _ open: inout [Directive]) {
        let lineEnd = bytes.lineEnd(from: offset)
        let words = bytes.text(offset..<lineEnd).split { $0 == " " || $0 == "," || $0 == "*" || $0 == "\t" }
        guard let verb = words.first else { return }
        let names = words.dropFirst().compactMap { LintRule(name: String($0)) }
        let rules = Set(names.isEmpty ? LintRule.allCases : names)
        let lineStart = bytes.lineStart(before: offset)
        switch verb {
        case "disable:next":
            let next = bytes.nextLine(after: lineEnd)
            commands.append(Directive(offset: offset, range: next..<bytes.lineEnd(from: next) + 1, rules: rules))
        case "disable:this": commands.append(Directive(offset: offset, range: lineStart..<lineEnd + 1, rules: rules))
        case "disable:previous":
            let before = bytes.lineStart(before: max(bytes.previousLineEnd(before: lineStart), 0))
            commands.append(Directive(offset: offset, range: before..<lineStart, rules: rules))
        case "disable": open.append(Directive(offset: offset, range: offset..<Int.max, rules: rules))
        case "enable": close(rules, at: offset, &open)
        default: break
        }
    }

    private mutating func close(_ rules: Set<LintRule>, at offset: Int, _ open: inout [Directive]) {
        for index in open.indices where !open[index].rules.isDisjoint(with: rules) {
            commands.append(
                Directive(
                    offset: open[index].offset,
                    range: open[index].range.lowerBound..<max(offset, open[index].range.lowerBound),
                    rules: open[index].rules.intersection(rules)))
            open[index].rules.subtract(rules)
        }
        open.removeAll { $0.rules.isEmpty }
    }

    /// True if a comment turns the rule off on the line where the finding or its literal begins.
    func cover(_ finding: LintFinding) -> Bool {
        commands.contains { command in
            command.rules.contains(finding.rule)
                && (command.range.contains(finding.range.lowerBound)
                    || !finding.literal.isEmpty && command.range.contains(finding.literal.lowerBound))
        }
    }
}

extension Bytes {
    /// The offset at which the next line begins.
    fileprivate func nextLine(after lineEnd: Int) -> Int {
        matches("\r\n", at: lineEnd) ? lineEnd + 2 : min(lineEnd + 1, count)
    }

    /// The offset at which the previous line ends.
    fileprivate func previousLineEnd(before lineStart: Int) -> Int {
        lineStart >= 2 && matches("\r\n", at: lineStart - 2) ? lineStart - 2 : lineStart - 1
    }
}

/// Known findings that are not reported again. Each line holds a rule, a path, and a hash of message and format.
///
/// Line numbers are left out, so a finding remains known when the code around it moves.
package struct LintBaseline: Sendable {
    private var counts: [String: Int] = [:]

    package init() {}

    /// Reads a baseline file.
    package init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            counts[String(line), default: 0] += 1
        }
    }

    /// Removes the rows of known findings. Each line of the baseline covers one row.
    package mutating func removeOld(from rows: [LintRow]) -> [LintRow] {
        rows.filter { row in
            guard let line = Self.line(row), let count = counts[line], count > 0 else { return true }
            counts[line] = count - 1
            return false
        }
    }

    /// Returns a baseline file for these rows.
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
