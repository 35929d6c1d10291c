import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// The values of a clause's left side in the objects that reach it, the most frequent first.
struct SeenValues {
    private static let chunks = 64
    private static let objects = 2_000
    private static let shown = 4

    private var counts: [String: Int] = [:]
    /// The number of objects that were looked at.
    private(set) var total = 0
    /// True if these are all objects that reach the clause.
    private(set) var isComplete = true

    /// Nil if the clause is not a comparison, or if its left side cannot be evaluated.
    init?(_ clause: Clause, in root: Clause, _ table: ObjectTable, _ variables: [String: PredicateValue]) {
        guard let left = clause.node.leftExpression,
            let evaluator = try? ExpressionEvaluator(FormatExpression(left), variables: variables)
        else { return nil }
        let scans = ClauseScans(root, table)
        let chunks = ChunkedWork.chunks(of: table)
        isComplete = chunks.count <= Self.chunks
        for chunk in chunks.prefix(Self.chunks) {
            for row in ChunkResults(chunk, scans).reached[clause.id] {
                guard total < Self.objects else {
                    isComplete = false
                    return
                }
                guard let value = try? evaluator.value(table[row]) else { continue }
                counts[ValueText.literal(value).cut(toColumns: 40), default: 0] += 1
                total += 1
            }
        }
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
    /// The left side of a comparison.
    var leftExpression: ExpressionNode? { sides?.left }

    /// Both sides of a comparison; nil for compounds and constants.
    var sides: (left: ExpressionNode, right: ExpressionNode)? {
        switch self {
        case .comparison(let node): (node.leftExpression, node.rightExpression)
        case .string(let node): (node.leftExpression, node.rightExpression)
        case .compound, .constant, .block: nil
        }
    }
}
