import PredicateSyntax

/// Comparisons that add nothing, since another one of the same compound says more.
///
///     age > 5 AND age > 3    age > 5 OR age > 3    age == 1 AND age != 2
enum ImpliedChecks {
    /// The comparisons of one expression that are compared with each other; what is longer was made by a program.
    private static let mostComparisons = 32

    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.nodes.flatMap { node -> [PredicateFinding] in
            guard let (type, parts) = node.compound, type != .not else { return [] }
            return groups(of: parts, subject).flatMap { implied($0, type) }
        }
    }

    /// The comparisons with constants, by their expressions. Those with nil are guards that are written on purpose.
    private static func groups(of parts: [CheckedNode], _ subject: CheckSubject) -> [[Constraint]] {
        let constraints = parts.compactMap { part -> Constraint? in
            guard !subject.isUnknown(part), let comparison = CheckedComparison(part),
                let constraint = Constraint(comparison), constraint.constant.kind != nil,
                constraint.boundaries != nil
            else { return nil }
            return constraint
        }
        var groups: [ExpressionNode: [Constraint]] = [:]
        for constraint in constraints { groups[constraint.expression, default: []].append(constraint) }
        return groups.values.filter { (2...mostComparisons).contains($0.count) }
    }

    private static func implied(_ group: [Constraint], _ type: LogicalType) -> [PredicateFinding] {
        guard let candidates = Candidates(group) else { return [] }
        let values = candidates.own + [candidates.foreign, .null]
        let sets = group.map { constraint in values.map(constraint.holds) }
        return group.indices.compactMap { index in
            let other = group.indices.first { other in
                guard other != index else { return false }
                let (stronger, weaker) = type == .and ? (other, index) : (index, other)
                return follows(sets[stronger], sets[weaker], isLater: other < index)
            }
            return other.map { finding(group[index], besides: group[$0], type) }
        }
    }

    /// True if the second holds for each value for which the first does. Two that hold for the same values imply each
    /// other: the later one is reported.
    private static func follows(_ stronger: [Bool], _ weaker: [Bool], isLater: Bool) -> Bool {
        guard stronger.contains(true), weaker.contains(false) else { return false }
        return zip(stronger, weaker).allSatisfy { !$0 || $1 } && (stronger != weaker || isLater)
    }

    private static func finding(
        _ implied: Constraint, besides other: Constraint, _ type: LogicalType
    ) -> PredicateFinding {
        let (own, text) = (implied.comparison.node.text, other.comparison.node.text)
        let reason =
            type == .and
            ? "it holds wherever \(text) does" : "\(text) holds wherever it does"
        return PredicateFinding(
            .impliedClause, implied.comparison.node, "\(own) adds nothing: \(reason)", "leave one out")
    }
}
