import PredicateEvaluation
import PredicateSyntax

/// Comparisons with `!=` of keys that are nil in some objects, for which they hold.
enum NilChecks {
    static func findings(in subject: CheckSubject) -> [Finding] {
        guard subject.data != nil else { return [] }
        return visit(subject.root, subject, guards: [])
    }

    /// `guards` are the other clauses that must hold too.
    private static func visit(_ node: PlacedNode, _ subject: CheckSubject, guards: [PlacedNode]) -> [Finding] {
        guard let (type, parts) = node.compound else {
            return finding(node, subject, guards).map { [$0] } ?? []
        }
        return parts.flatMap { part in
            let others = type == .and ? parts.filter { $0 !== part } : []
            return visit(part, subject, guards: type == .not ? [] : guards + others)
        }
    }

    private static func finding(_ node: PlacedNode, _ subject: CheckSubject, _ guards: [PlacedNode]) -> Finding? {
        guard let comparison = PlacedComparison(node), comparison.operator == .comparison(.notEqualTo),
            comparison.modifier == .direct, let constant = subject.constant(comparison.right),
            ValueKind(constant) != nil, let keys = comparison.left.expression?.keys(in: node.scope),
            case .facts(let facts)? = subject.resolve(keys), facts.nils > 0, !facts.isToMany,
            !guards.contains(where: { rejectsNil($0, comparison.left) })
        else { return nil }
        let left = comparison.left.text
        return Finding(
            .keepsNil, node,
            "this also holds where \(left) is nil: \(Count.share(facts.nils, of: facts.total)) of the objects",
            "write \(left) != nil AND \(node.text), to exclude these")
    }

    /// Returns true if another clause about the same expression excludes nil.
    private static func rejectsNil(_ guardian: PlacedNode, _ expression: PlacedNode) -> Bool {
        guard let comparison = PlacedComparison(guardian), comparison.left.expression == expression.expression,
            comparison.modifier == .direct, comparison.right.expression?.constant != nil,
            let clause = Constraint(comparison)
        else { return false }
        return !clause.holds(.null)
    }
}
