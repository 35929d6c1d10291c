/// Comments that turn rules off.
///
///     // predicate:disable:next predicate-syntax
///     // predicate:disable:this
///     // predicate:disable predicate-check predicate-interpolation
///     // predicate:enable
///
/// Without the name of a rule a comment means all of them.
struct Suppressions {
    private struct Command {
        var offset: Int
        /// The lines of the source, as offsets, for which it holds.
        var range: Range<Int>
        var rules: Set<LintRule>
    }

    private var commands: [Command] = []

    private static let mark: StaticString = "predicate:"

    init(_ bytes: Bytes) {
        guard bytes.firstOffset(of: "predicate:disable") != nil else { return }
        var offset = 0
        var open: [Command] = []
        while let found = bytes.firstOffset(of: Self.mark, from: offset) {
            offset = found + Self.mark.utf8CodeUnitCount
            guard Self.isComment(bytes, before: found) else { continue }
            read(bytes, at: offset, &open)
        }
        commands += open
    }

    /// True if a comment begins before an offset in its line.
    private static func isComment(_ bytes: Bytes, before offset: Int) -> Bool {
        let line = bytes.lineStart(before: offset)..<offset
        return bytes.firstOffset(of: "//", in: line) != nil || bytes.firstOffset(of: "/*", in: line) != nil
            || bytes.firstOffset(of: "#", in: line) != nil || bytes.firstOffset(of: "<!--", in: line) != nil
    }

    private mutating func read(_ bytes: Bytes, at offset: Int, _ open: inout [Command]) {
        let lineEnd = bytes.lineEnd(from: offset)
        let words = bytes.text(offset..<lineEnd).split { $0 == " " || $0 == "," || $0 == "*" || $0 == "\t" }
        guard let verb = words.first else { return }
        let names = words.dropFirst().compactMap { LintRule(name: String($0)) }
        let rules = Set(names.isEmpty ? LintRule.allCases : names)
        let lineStart = bytes.lineStart(before: offset)
        switch verb {
        case "disable:next":
            let next = bytes.nextLine(after: lineEnd)
            commands.append(Command(offset: offset, range: next..<bytes.lineEnd(from: next) + 1, rules: rules))
        case "disable:this": commands.append(Command(offset: offset, range: lineStart..<lineEnd + 1, rules: rules))
        case "disable:previous":
            let before = bytes.lineStart(before: max(bytes.previousLineEnd(before: lineStart), 0))
            commands.append(Command(offset: offset, range: before..<lineStart, rules: rules))
        case "disable": open.append(Command(offset: offset, range: offset..<Int.max, rules: rules))
        case "enable": close(rules, at: offset, &open)
        default: break
        }
    }

    private mutating func close(_ rules: Set<LintRule>, at offset: Int, _ open: inout [Command]) {
        for index in open.indices where !open[index].rules.isDisjoint(with: rules) {
            commands.append(
                Command(
                    offset: open[index].offset,
                    range: open[index].range.lowerBound..<max(offset, open[index].range.lowerBound),
                    rules: open[index].rules.intersection(rules)))
            open[index].rules.subtract(rules)
        }
        open.removeAll { $0.rules.isEmpty }
    }

    /// True if a finding, or the literal that it is about, begins in a line for which a comment turns its rule off.
    func cover(_ finding: LintFinding) -> Bool {
        commands.contains { command in
            command.rules.contains(finding.rule)
                && (command.range.contains(finding.range.lowerBound)
                    || !finding.literal.isEmpty && command.range.contains(finding.literal.lowerBound))
        }
    }
}

extension Bytes {
    /// The offset at which the line after a line's end begins.
    fileprivate func nextLine(after lineEnd: Int) -> Int {
        matches("\r\n", at: lineEnd) ? lineEnd + 2 : min(lineEnd + 1, count)
    }

    /// The offset at which the line before a line's beginning ends.
    fileprivate func previousLineEnd(before lineStart: Int) -> Int {
        lineStart >= 2 && matches("\r\n", at: lineStart - 2) ? lineStart - 2 : lineStart - 1
    }
}
