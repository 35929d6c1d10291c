import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// Comparisons with `!=` of keys that are nil in some objects, for which they hold.
enum NilChecks {
    static func findings(in subject: DataSubject) -> [PredicateFinding] {
        visit(subject.predicate.root, subject, guards: [])
    }

    /// `guards` are the expressions that clauses which must hold too keep from being nil, for each AND around.
    private static func visit(
        _ node: CheckedNode, _ subject: DataSubject, guards: [Set<ExpressionNode>]
    ) -> [PredicateFinding] {
        guard let (type, parts) = node.compound else {
            return finding(node, subject, guards).map { [$0] } ?? []
        }
        // A clause that is reported holds for nil, so it is none of those that guard itself.
        let inner =
            type == .and ? guards + [Set(parts.compactMap { guarded(by: $0, subject) })] : type == .not ? [] : guards
        return parts.flatMap { visit($0, subject, guards: inner) }
    }

    private static func finding(
        _ node: CheckedNode, _ subject: DataSubject, _ guards: [Set<ExpressionNode>]
    ) -> PredicateFinding? {
        guard let comparison = CheckedComparison(node), comparison.operator == .comparison(.notEqualTo),
            comparison.modifier == .direct, let constant = subject.predicate.constant(comparison.right),
            constant.kind != nil, let expression = comparison.left.expression,
            let facts = subject.facts(of: comparison.left), facts.nils > 0, !facts.isToMany,
            !guards.contains(where: { $0.contains(expression) })
        else { return nil }
        let left = comparison.left.text
        return PredicateFinding(
            .keepsNil, node,
            "this also holds where \(left) is nil: \(Count.share(facts.nils, of: facts.total)) of the objects",
            "write \(left) != nil AND \(node.text), to exclude these")
    }

    /// Returns the expression of a clause that excludes nil.
    private static func guarded(by clause: CheckedNode, _ subject: DataSubject) -> ExpressionNode? {
        guard let comparison = CheckedComparison(clause), comparison.modifier == .direct,
            comparison.right.expression?.constant != nil,
            let constraint = Constraint(comparison),
            !constraint.holds(.null)
        else { return nil }
        return comparison.left.expression
    }
}
