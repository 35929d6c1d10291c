import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// The tree of clauses with the counts of each clause.
///
///     clause              alone  reached  passed
///     AND                     0      100       0
///     ├─ age > 5             80      100      80
///     └─ name == "jo"         0       80       0  ◀
struct ClauseTable {
    let counts: ClauseCounts
    let width: Int
    let painter: Painter

    /// The heading, and a line for each clause.
    var lines: [String] {
        let rows = rows(counts.root, TreeLead())
        let counted: [(name: String, count: KeyPath<ClauseCount, Int>)] = [
            ("alone", \.alone), ("reached", \.reached), ("passed", \.passed),
        ]
        let numbers = counted.map { name, count in
            let cells = rows.map { Count.grouped(counts[$0.clause][keyPath: count]) }
            return TextTable.Column(name, cells, alignsRight: true, isFixed: true)
        }
        let columns = [TextTable.Column("clause", rows.map(\.text))] + numbers
        // The mark of a line needs room as well. On a narrow terminal, clauses are shortened, but not left out.
        let least = numbers.reduce(TextTable.narrowest) { $0 + $1.width + TextTable.gap }
        let lines = TextTable(columns, width: max(least, width - 2)).lines(painter)
        return [lines[0]] + zip(lines.dropFirst(), rows).map { paint($0, $1.clause) }
    }

    private func paint(_ line: String, _ clause: Clause) -> String {
        if clause === counts.killer { return painter.paint(line + " ◀", .bad) }
        return counts[clause].reached == 0 ? painter.paint(line, .faint) : line
    }

    private func rows(_ clause: Clause, _ lead: TreeLead) -> [(clause: Clause, text: String)] {
        [(clause, lead.text + clause.label)]
            + zip(clause.children, lead.children(clause.children.count)).flatMap { rows($0, $1) }
    }
}

/// The branches that are drawn in front of a node of a tree.
private struct TreeLead {
    /// The text on the line of the node, and on the lines below it.
    private(set) var text = ""
    private(set) var continuation = ""

    /// Returns the leads of the children.
    func children(_ count: Int) -> [TreeLead] {
        (0..<count).map { index in
            let isLast = index == count - 1
            return TreeLead(
                text: continuation + (isLast ? "└─ " : "├─ "), continuation: continuation + (isLast ? "   " : "│  "))
        }
    }
}

extension Clause {
    /// `AND`, or the format of a comparison.
    var label: String {
        switch structure {
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
    /// The zone of dates; nil for UTC.
    let zone: LocalZone?

    var lines: [String] { lines(explanation, TreeLead()) }

    private func lines(_ part: ObjectExplanation, _ lead: TreeLead) -> [String] {
        let continuation = lead.continuation
        let headText = lead.text + mark(part) + " " + part.clause.label
        let inline = part.values.filter { $0.depth == 0 }.map(valueText).joined(separator: ", ")
        let room = width - DisplayWidth.of(headText) - 2
        var head = lead.text + painter.paint(mark(part), role(part)) + " " + text(part)
        var below: [String] = []
        if !inline.isEmpty, DisplayWidth.of(inline) <= room {
            head += "  " + painter.paint(inline, .faint)
        } else if !inline.isEmpty {
            below = part.values.filter { $0.depth == 0 }.map { valueLine($0, continuation) }
        }
        let nested = part.values.filter { $0.depth > 0 }.map { valueLine($0, continuation) }
        return [head] + below + nested + failure(part, continuation)
            + zip(part.children, lead.children(part.children.count)).flatMap { lines($0, $1) }
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

    private func valueText(_ seen: ObjectExplanation.SeenValue) -> String {
        "\(seen.expression.expressionFormat.printable) = \(ValueText.literal(seen.value, in: zone).cut(toColumns: 200))"
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

/// The values of a clause's left side in the objects that reach it, most frequent first.
struct SeenValues {
    private static let objects = 2_000
    private static let shown = 4

    private var counts: [String: Int] = [:]
    /// The number of objects that were examined.
    private(set) var total = 0
    /// True if all objects that reach the clause were examined.
    private(set) var isComplete = true

    /// Examines objects; nil if the clause is not a comparison, or if its left side cannot be evaluated.
    init?(_ clause: Clause, in root: Clause, _ table: ObjectTable, _ context: PredicateContext) {
        guard let left = clause.node.leftExpression,
            let evaluator = try? ExpressionEvaluator(FormatExpression(left), context: context)
        else { return nil }
        var (counts, clauses) = (counts, ClauseCounts(root))
        var reached = 0
        let pass = ObjectPass(root.all.map(\.evaluator), context) { outcomes, position in
            var isReached = false
            clauses.add(outcomes, position) { isReached = isReached || $0 == clause.id }
            guard isReached else { return }
            reached += 1
            guard reached <= Self.objects, let object = table.object(at: position),
                let value = try? evaluator.value(object)
            else { return }
            counts[ValueText.literal(value, in: context.zone).cut(toColumns: 40), default: 0] += 1
        }
        _ = table.run(pass, SessionEnvironment(), "")
        (self.counts, isComplete) = (counts, reached <= Self.objects)
        total = counts.values.reduce(0, +)
        if total == 0 { return nil }
    }

    /// `18 (3 times), 20 and 7 others`
    var text: String {
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = sorted.prefix(Self.shown).map { $0.value > 1 ? "\($0.key) (\($0.value) times)" : $0.key }
        let others = sorted.count - shown.count
        return shown.joined(separator: ", ") + (others > 0 ? " and \(Count.of(others, "other value"))" : "")
    }
}

extension PredicateNode {
    /// The left side of a comparison; nil for compounds and constants.
    var leftExpression: ExpressionNode? {
        switch self {
        case .comparison(let node): node.leftExpression
        case .string(let node): node.leftExpression
        case .compound, .constant, .block: nil
        }
    }
}
