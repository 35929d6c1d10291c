import PredicateSyntax

/// Right sides of the wrong shape: bounds, collections, empty collections.
enum ShapeChecks {
    static func findings(in subject: CheckSubject) -> [Finding] {
        subject.comparisons.compactMap { shape(of: $0, subject) }
    }

    private static func shape(of comparison: PlacedComparison, _ subject: CheckSubject) -> Finding? {
        guard let right = comparison.right.expression else { return nil }
        if subject.isUnknown(comparison.right) { return boundsInBraces(right, comparison, subject) }
        switch comparison.operator {
        case .comparison(.between): return between(right, comparison)
        case .comparison(.in): return membership(right, comparison)
        case .comparison(.equalTo), .comparison(.notEqualTo): return emptyCollection(right, comparison)
        case .comparison, .string: return nil
        }
    }

    /// `age BETWEEN {%@}`: the argument would be an array of bounds, inside of another.
    private static func boundsInBraces(
        _ right: ExpressionNode, _ comparison: PlacedComparison, _ subject: CheckSubject
    ) -> Finding? {
        guard comparison.operator == .comparison(.between), subject.source(of: comparison.right).first == "{",
            right.constant?.elementCount ?? 2 == 1
        else { return nil }
        return Finding(
            .betweenShape, comparison.right, "BETWEEN takes two bounds in braces, this is 1 value",
            "write {%@, %@}, or %@ without braces for an array of two")
    }

    /// `age BETWEEN 25`, `age BETWEEN {1, 2, 3}`
    private static func between(_ right: ExpressionNode, _ comparison: PlacedComparison) -> Finding? {
        let found: String
        switch right {
        case .aggregate(let elements) where elements.count != 2: found = values(elements.count)
        case .constantValue(let value):
            if let count = value.elementCount {
                if count == 2 { return nil }
                found = values(count)
            } else {
                found = ValueKind(value)?.noun ?? "nil"
            }
        default: return nil
        }
        return Finding(
            .betweenShape, comparison.right, "BETWEEN takes two bounds in braces, this is \(found)",
            "write \(comparison.left.text) BETWEEN {18, 65}")
    }

    /// `1 value`, `3 values`
    private static func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }

    /// `age IN 10`, `age IN {}`
    private static func membership(_ right: ExpressionNode, _ comparison: PlacedComparison) -> Finding? {
        if right == .aggregate([]) { return emptyMembership(comparison) }
        guard case .constantValue(let value) = right else { return nil }
        if value.elementCount == 0 { return emptyMembership(comparison) }
        switch ValueKind(value) {
        case .array, .dictionary, .string, .other, nil: return nil
        case .number, .boolean, .date, .data, .uuid, .url: break
        }
        return Finding(
            .inNoCollection, comparison.right,
            "IN takes a collection or a text, this is \(ValueKind(value)?.noun ?? "")",
            "write \(comparison.left.text) == \(comparison.right.text), or put the values in braces")
    }

    private static func emptyMembership(_ comparison: PlacedComparison) -> Finding {
        Finding(.emptyCollection, comparison.right, "nothing is in an empty collection: this never holds")
    }

    /// `tags == {}`
    private static func emptyCollection(_ right: ExpressionNode, _ comparison: PlacedComparison) -> Finding? {
        let isEmpty = right == .aggregate([]) || right.constant?.elementCount == 0
        guard isEmpty, right.constant?.isDictionary != true else { return nil }
        let sign = comparison.operator == .comparison(.equalTo) ? "==" : ">"
        return Finding(
            .emptyCollection, comparison.right, "{} is an empty array; no set and no nil is equal to it",
            "write \(comparison.left.text).@count \(sign) 0")
    }
}

extension PredicateValue {
    /// The number of elements of a collection; nil for other values.
    package var elementCount: Int? { elements?.count }

    package var isDictionary: Bool {
        if case .dictionary = self { true } else { false }
    }

    /// The elements of an array or a set, the values of a dictionary; nil for other values.
    package var elements: [PredicateValue]? {
        switch self {
        case .array(let values), .orderedSet(let values): values
        case .set(let values): Array(values)
        case .dictionary(let members): members.sorted { $0.key < $1.key }.map(\.value)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object, .expression, .predicate:
            nil
        }
    }
}
