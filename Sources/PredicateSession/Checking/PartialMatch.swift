import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// Patterns that match no whole text of the data, but a part of some text.
///
///     name MATCHES "o+"
enum PartialMatch {
    private static let sample = 2_000

    static func findings(in subject: DataSubject) -> [PredicateFinding] {
        subject.predicate.comparisons.compactMap { comparison in
            guard comparison.operator == .string(.matches), !subject.predicate.isUnknown(comparison.right),
                let pattern = comparison.pattern, PatternTree(pattern).hasWildcard,
                exists(pattern, comparison, subject)
            else { return nil }
            return TextChecks.wholeText(
                PatternTree(pattern), comparison, "in the data this pattern matches only parts of strings")
        }
    }

    private static func exists(_ pattern: String, _ comparison: CheckedComparison, _ subject: DataSubject) -> Bool {
        guard case .string(var inner)? = comparison.node.predicate,
            comparison.left.keys != nil,
            let whole = evaluator(.string(inner), subject)
        else { return false }
        inner.rightExpression = .constantValue(.string("(?s).*(?:\(pattern)).*"))
        guard let part = evaluator(.string(inner), subject) else { return false }
        let objects = subject.table.spread(sample).map { subject.table[$0] }
        func anyHolds(_ evaluator: PredicateEvaluator) -> Bool {
            objects.contains { (try? evaluator.evaluate($0)) == true }
        }
        return !anyHolds(whole) && anyHolds(part)
    }

    private static func evaluator(_ node: PredicateNode, _ subject: DataSubject) -> PredicateEvaluator? {
        try? PredicateEvaluator(FormatPredicate(node), variables: subject.predicate.variables)
    }
}
