import PredicateEvaluation
import PredicateSyntax

/// The counts of every clause, beside the tree of clauses.
///
///     clause              alone  reached  passed
///     AND                     0      100       0
///     ├─ age > 5             80      100      80
///     └─ name == "jo"         0       80       0  ◀
struct ClauseTable {
    private static let gap = "  "

    let counts: ClauseCounts
    let width: Int
    let painter: Painter

    /// A line for each clause, under a heading.
    var lines: [String] {
        let rows = rows(counts.root, lead: "", continuation: "")
        let numbers = rows.map { row in
            let count = counts[row.clause]
            return [count.alone, count.reached, count.passed].map(Count.grouped)
        }
        let headings = ["alone", "reached", "passed"]
        let widths = headings.indices.map { column in
            numbers.map { DisplayWidth.of($0[column]) }.reduce(headings[column].count, max)
        }
        let room = max(12, width - widths.reduce(0) { $0 + $1 + Self.gap.count } - 2)
        let clauseWidth = min(room, rows.map { DisplayWidth.of($0.text) }.reduce(6, max))
        let head = line("clause", headings, clauseWidth, widths)
        return [painter.paint(head, .heading)]
            + zip(rows, numbers).map { row, numbers in
                paint(line(row.text, numbers, clauseWidth, widths), row.clause)
            }
    }

    private struct Row {
        let clause: Clause
        let text: String
    }

    private func line(_ text: String, _ cells: [String], _ clauseWidth: Int, _ widths: [Int]) -> String {
        let first = text.cut(toColumns: clauseWidth).padded(toColumns: clauseWidth)
        return zip(cells, widths).reduce(first) { $0 + Self.gap + $1.0.padded(toColumns: $1.1, alignsRight: true) }
    }

    private func paint(_ line: String, _ clause: Clause) -> String {
        if clause === counts.killer { return painter.paint(line + " ◀", .bad) }
        return counts[clause].reached == 0 ? painter.paint(line, .faint) : line
    }

    private func rows(_ clause: Clause, lead: String, continuation: String) -> [Row] {
        let children = clause.children.enumerated().flatMap { index, child -> [Row] in
            let isLast = index == clause.children.count - 1
            return rows(
                child, lead: continuation + (isLast ? "└─ " : "├─ "),
                continuation: continuation + (isLast ? "   " : "│  "))
        }
        return [Row(clause: clause, text: lead + clause.label)] + children
    }
}

extension Clause {
    /// `AND`, or the whole text of a comparison.
    var label: String {
        switch content {
        case .compound(let type, _): type.spelling
        case .comparison: node.predicateFormat.printable
        }
    }
}

/// The results of all clauses for one object, as a tree.
///
///     ✗ AND
///     ├─ ✓ age > 5  age = 30
///     └─ ✗ name == "jo"  name = "al"
struct ObjectTree {
    let explanation: ObjectExplanation
    let width: Int
    let painter: Painter

    var lines: [String] { lines(explanation, lead: "", continuation: "") }

    private func lines(_ part: ObjectExplanation, lead: String, continuation: String) -> [String] {
        let headText = lead + mark(part) + " " + part.clause.label
        let inline = inlineValues(part)
        let room = width - DisplayWidth.of(headText) - 2
        var head = lead + painter.paint(mark(part), role(part)) + " " + text(part)
        var below: [String] = []
        if !inline.isEmpty, DisplayWidth.of(inline) <= room {
            head += "  " + painter.paint(inline, .faint)
        } else if !inline.isEmpty {
            below = part.values.filter { $0.depth == 0 }.map { valueLine($0, continuation) }
        }
        let nested = part.values.filter { $0.depth > 0 }.map { valueLine($0, continuation) }
        return [head.isEmpty ? lead : head] + below + nested + failure(part, continuation)
            + children(part, continuation)
    }

    private func children(_ part: ObjectExplanation, _ continuation: String) -> [String] {
        part.children.enumerated().flatMap { index, child in
            let isLast = index == part.children.count - 1
            return lines(
                child, lead: continuation + (isLast ? "└─ " : "├─ "),
                continuation: continuation + (isLast ? "   " : "│  "))
        }
    }

    private func mark(_ part: ObjectExplanation) -> String {
        switch part.result {
        case .holds(true): "✓"
        case .holds(false): "✗"
        case .failed: "!"
        }
    }

    private func role(_ part: ObjectExplanation) -> Painter.Role {
        if !part.isReached { return .faint }
        return part.result.isTrue ? .good : .bad
    }

    private func text(_ part: ObjectExplanation) -> String {
        let label = part.clause.label
        return part.isReached ? painter.highlight(label) : painter.paint(label + " (not evaluated)", .faint)
    }

    private func inlineValues(_ part: ObjectExplanation) -> String {
        part.values.filter { $0.depth == 0 }.map(valueText).joined(separator: ", ")
    }

    private func valueText(_ seen: ObjectExplanation.SeenValue) -> String {
        "\(seen.expression.expressionFormat.printable) = \(ValueText.literal(seen.value).cut(toColumns: 200))"
    }

    private func valueLine(_ seen: ObjectExplanation.SeenValue, _ continuation: String) -> String {
        let indent = continuation + String(repeating: "  ", count: seen.depth + 2)
        return indent + painter.paint(valueText(seen).cut(toColumns: max(20, width - DisplayWidth.of(indent))), .faint)
    }

    private func failure(_ part: ObjectExplanation, _ continuation: String) -> [String] {
        guard case .failed(let error) = part.result, part.children.isEmpty else { return [] }
        let label = error.code.label.map { ": \($0)" } ?? ""
        return ["\(continuation)    " + painter.paint("error: \(error.code.title)\(label)", .bad)]
    }
}
