import PredicateSyntax

/// Quantifiers and collections that say something else than they seem to.
///
///     ANY tags != "a"    tags CONTAINS {"a", "b"}    SUBQUERY(friends, $f, age > 21).@count > 0
enum CollectionChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        anyDiffers(subject.root, isNegated: false, subject)
            + subject.comparisons.compactMap { containsCollection($0, subject) ?? listInText($0, subject) }
            + subject.nodes.compactMap(unusedVariable)
    }

    /// `ANY tags != "a"`: holds as soon as one tag differs. Below NOT it says that all are equal, which is meant.
    private static func anyDiffers(
        _ node: CheckedNode, isNegated: Bool, _ subject: CheckSubject
    ) -> [PredicateFinding] {
        if let (type, parts) = node.compound {
            return parts.flatMap { anyDiffers($0, isNegated: isNegated != (type == .not), subject) }
        }
        let own = isNegated ? nil : anyDiffers(node, subject)
        return (own.map { [$0] } ?? []) + node.children.flatMap { anyDiffers($0, isNegated: false, subject) }
    }

    private static func anyDiffers(_ node: CheckedNode, _ subject: CheckSubject) -> PredicateFinding? {
        guard let comparison = CheckedComparison(node), comparison.modifier == .any,
            comparison.operator == .comparison(.notEqualTo), !isNil(comparison.right, subject)
        else { return nil }
        let (left, right) = (subject.source(of: comparison.left), subject.source(of: comparison.right))
        return PredicateFinding(
            .anyDiffers, node, "this holds as soon as one element differs from \(right)",
            "write NONE \(left) ==\(comparison.options.spelling) \(right), if no element may be equal",
            fix: node.range.map { PredicateFinding.Fix($0, "NONE \(left) ==\(comparison.options.spelling) \(right)") })
    }

    private static func isNil(_ node: CheckedNode, _ subject: CheckSubject) -> Bool {
        guard let constant = subject.constant(node) else { return false }
        return constant.kind == nil
    }

    /// `tags CONTAINS {"a", "b"}`
    private static func containsCollection(
        _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding? {
        guard comparison.operator == .string(.contains), comparison.modifier == .direct,
            subject.source(of: comparison.right).first == "{"
        else { return nil }
        let right = subject.source(of: comparison.right)
        return PredicateFinding(
            .containsCollection, comparison.right, "CONTAINS looks for one element, and this is a collection",
            "write ANY \(subject.source(of: comparison.left)) IN \(right)")
    }

    /// `name IN "a,b"`
    private static func listInText(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard comparison.operator == .comparison(.in), case .string(let text)? = subject.constant(comparison.right),
            text.contains(",") || text.contains("|")
        else { return nil }
        let words = text.split { $0 == "," || $0 == "|" }.map { String($0.drop(while: \.isWhitespace)) }
        let isOfNumbers = comparison.left.type.kinds == [.number] && words.allSatisfy { Double($0) != nil }
        let list = words.map { isOfNumbers ? $0 : $0.quotedLiteral }.joined(separator: ", ")
        return PredicateFinding(
            .inNoCollection, comparison.right, "to IN this is one string, in which the left side is searched for",
            "write IN {\(list)}")
    }

    /// `SUBQUERY(friends, $f, age > 21)`: a key without `$f` belongs to the outer object.
    private static func unusedVariable(_ node: CheckedNode) -> PredicateFinding? {
        guard case .subquery(let query)? = node.expression, let predicate = node.children.last, !isConstant(predicate),
            !predicate.all.contains(where: { $0.expression == .variable(query.variable) })
        else { return nil }
        return PredicateFinding(
            .unusedVariable, predicate, "$\(query.variable) is not used, so either all elements are kept or none",
            "write $\(query.variable).KEY; a key by itself belongs to the outer object")
    }

    /// `SUBQUERY(friends, $f, TRUEPREDICATE)`
    private static func isConstant(_ node: CheckedNode) -> Bool {
        if case .constant? = node.predicate { true } else { false }
    }
}
