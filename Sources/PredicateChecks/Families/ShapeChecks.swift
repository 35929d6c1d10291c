import PredicateSyntax

/// Right sides of the wrong shape: bounds, collections, empty collections.
enum ShapeChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { shape(of: $0, subject) }
    }

    private static func shape(of comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard let right = comparison.right.expression else { return nil }
        if subject.isUnknown(comparison.right) { return boundsInBraces(right, comparison, subject) }
        switch comparison.operator {
        case .comparison(.between): return between(right, comparison)
        case .comparison(.in): return membership(right, comparison, subject)
        case .comparison(.equalTo), .comparison(.notEqualTo): return emptyCollection(right, comparison)
        case .comparison, .string: return nil
        }
    }

    /// `age BETWEEN {%@}`: the argument would be an array of bounds, inside of another.
    private static func boundsInBraces(
        _ right: ExpressionNode, _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding? {
        guard comparison.operator == .comparison(.between), subject.source(of: comparison.right).first == "{",
            right.constant?.elementCount ?? 2 == 1
        else { return nil }
        return PredicateFinding(
            .betweenShape, comparison.right, "BETWEEN takes two bounds in braces, but this is 1 value",
            "write {%@, %@}, or %@ without braces for an array of two")
    }

    /// `age BETWEEN 25`, `age BETWEEN {1, 2, 3}`
    private static func between(_ right: ExpressionNode, _ comparison: CheckedComparison) -> PredicateFinding? {
        let found: String
        switch right {
        case .aggregate(let elements) where elements.count != 2: found = values(elements.count)
        case .constantValue(let value):
            if let count = value.elementCount {
                if count == 2 { return nil }
                found = values(count)
            } else {
                found = value.kind?.noun ?? "nil"
            }
        default: return nil
        }
        return PredicateFinding(
            .betweenShape, comparison.right, "BETWEEN takes two bounds in braces, but this is \(found)",
            "write \(comparison.left.text) BETWEEN {18, 65}")
    }

    /// `1 value`, `3 values`
    private static func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }

    /// `age IN 10`, `age IN {}`
    private static func membership(
        _ right: ExpressionNode, _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding? {
        if right == .aggregate([]) { return emptyMembership(comparison, subject) }
        guard case .constantValue(let value) = right else { return nil }
        if value.elementCount == 0 { return emptyMembership(comparison, subject) }
        switch value.kind {
        case .array, .dictionary, .string, .object, nil: return nil
        case .number, .boolean, .date, .data, .uuid, .url: break
        }
        return PredicateFinding(
            .inNoCollection, comparison.right,
            "IN takes a collection or a string, but this is \(value.kind?.noun ?? "")",
            "write \(comparison.left.text) == \(comparison.right.text), or put the values in braces")
    }

    /// `age IN {}`, `ALL ages IN {}`; under NOT, as NONE is one, it holds for everything.
    private static func emptyMembership(
        _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding {
        let outcome: String
        switch comparison.modifier {
        case .all: outcome = "with ALL this holds only where \(comparison.left.text) is empty or nil"
        case .direct, .any: outcome = isNegated(comparison, subject) ? "NOT of that always holds" : "this never holds"
        }
        return PredicateFinding(
            .emptyCollection, comparison.right, "nothing is in an empty collection: \(outcome)")
    }

    /// True directly below NOT, which `NONE` is printed as, too.
    private static func isNegated(_ comparison: CheckedComparison, _ subject: CheckSubject) -> Bool {
        subject.nodes.contains { $0.compound?.type == .not && $0.children.first === comparison.node }
    }

    /// `tags == {}`
    private static func emptyCollection(_ right: ExpressionNode, _ comparison: CheckedComparison) -> PredicateFinding? {
        let isEmpty = right == .aggregate([]) || right.constant?.elementCount == 0
        guard isEmpty, right.constant?.isDictionary != true else { return nil }
        let sign = comparison.operator == .comparison(.equalTo) ? "==" : ">"
        return PredicateFinding(
            .emptyCollection, comparison.right, "{} is an empty array; no set and no nil is equal to it",
            "write \(comparison.left.text).@count \(sign) 0")
    }
}

extension PredicateValue {
    /// The number of elements of a collection; nil for other values.
    package var elementCount: Int? { elements?.count }

    fileprivate var isDictionary: Bool { kind == .dictionary }
}
