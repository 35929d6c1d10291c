import PredicateSyntax

/// Clauses that do not ask the object, and clauses that are the opposite of each other.
///
///     TRUEPREDICATE OR age > 5    "name" == "jo"    %@ == %@    a < b AND a >= b
enum ConstantChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.nodes.flatMap { node in deciding(node, subject) + opposites(node, subject) }
            + subject.comparisons.compactMap { bothConstant($0, subject) }
    }

    /// `TRUEPREDICATE OR age > 5`, `1 == 2 AND age > 5`
    private static func deciding(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        guard let (type, parts) = node.compound, type != .not else { return [] }
        return parts.compactMap { part in
            guard let result = result(of: part, subject), result == (type == .or) else { return nil }
            return result
                ? PredicateFinding(
                    .alwaysHolds, part, "this holds for every object, and so does the whole OR", "leave it out")
                : PredicateFinding(
                    .neverHolds, part, "this holds for no object, and nor does the whole AND", "leave it out")
        }
    }

    /// The result of a clause that does not ask the object; nil for others.
    private static func result(of node: CheckedNode, _ subject: CheckSubject) -> Bool? {
        if case .constant(let value)? = node.predicate { return value }
        guard let comparison = CheckedComparison(node), comparison.modifier == .direct,
            let left = subject.constant(comparison.left), let right = subject.constant(comparison.right)
        else { return nil }
        return Constraint.result(left, comparison, right)
    }

    /// `%@ == %@`: two arguments are compared with each other, and the object is not asked.
    private static func bothConstant(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard comparison.left.expression?.constant != nil, comparison.right.expression?.constant != nil,
            subject.source(of: comparison.left) == "%@"
        else { return nil }
        // Whether a type conforms to another one is asked of arguments, too.
        if case .string(let own) = comparison.operator, own.rightSide == .typeIdentifier { return nil }
        let isPair = subject.source(of: comparison.right) == "%@"
        let finding = PredicateFinding(
            .bothConstant, comparison.node,
            "this compares \(isPair ? "two arguments" : "an argument with a constant"), and asks no key of the object",
            "write %K for a key")
        return isPair ? finding.at(.warning) : finding
    }

    /// `a < b AND a >= b`, `a == b OR a != b`; those with constants are found by trying values.
    private static func opposites(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        guard let (type, parts) = node.compound, type != .not else { return [] }
        var seen: Set<ComparisonPredicate> = []
        return parts.compactMap { part in
            guard case .comparison(let comparison)? = part.predicate, comparison.modifier == .direct,
                !subject.isUnknown(part), comparison.rightExpression.constant == nil,
                comparison.leftExpression.constant == nil
            else { return nil }
            seen.insert(comparison)
            guard let opposite = comparison.opposite, seen.contains(opposite) else { return nil }
            let other = PredicateNode.comparison(opposite).predicateFormat
            return type == .and
                ? PredicateFinding(.neverHolds, part, "this contradicts \(other)")
                : PredicateFinding(.alwaysHolds, part, "together with \(other) this always holds")
        }
    }
}

extension ComparisonPredicate {
    /// `a >= b` for `a < b`; nil for operators without an opposite.
    fileprivate var opposite: ComparisonPredicate? {
        let meant: ComparisonOperator
        switch self.operator {
        case .lessThan: meant = .greaterThanOrEqualTo
        case .lessThanOrEqualTo: meant = .greaterThan
        case .greaterThan: meant = .lessThanOrEqualTo
        case .greaterThanOrEqualTo: meant = .lessThan
        case .equalTo: meant = .notEqualTo
        case .notEqualTo: meant = .equalTo
        case .between, .in, .customSelector: return nil
        }
        return ComparisonPredicate(leftExpression, meant, rightExpression, options: options)
    }
}
