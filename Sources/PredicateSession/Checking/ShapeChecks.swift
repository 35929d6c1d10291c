import PredicateEvaluation
import PredicateSyntax

/// Right sides of the wrong shape, and unknown collection operators.
enum ShapeChecks {
    static func findings(in subject: CheckSubject) -> [Finding] {
        subject.comparisons.compactMap { shape(of: $0, subject) } + operators(subject)
    }

    private static func shape(of comparison: PlacedComparison, _ subject: CheckSubject) -> Finding? {
        guard !subject.isUnknown(comparison.right), let right = comparison.right.expression else { return nil }
        switch comparison.operator {
        case .comparison(.between): return between(right, comparison)
        case .comparison(.in): return membership(right, comparison)
        case .comparison(.equalTo), .comparison(.notEqualTo): return emptyCollection(right, comparison)
        case .comparison, .string: return nil
        }
    }

    /// `age BETWEEN 25`, `age BETWEEN {1, 2, 3}`
    private static func between(_ right: ExpressionNode, _ comparison: PlacedComparison) -> Finding? {
        let found: String
        switch right {
        case .aggregate(let elements) where elements.count != 2: found = Count.of(elements.count, "value")
        case .constantValue(let value):
            if let count = value.elementCount {
                if count == 2 { return nil }
                found = Count.of(count, "value")
            } else {
                found = ValueKind(value)?.noun ?? "nil"
            }
        default: return nil
        }
        return Finding(
            .betweenShape, comparison.right, "BETWEEN takes two bounds in braces, this is \(found)",
            "write \(comparison.left.text) BETWEEN {18, 65}")
    }

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

    /// `@K == 1`, `children.@average.age`
    private static func operators(_ subject: CheckSubject) -> [Finding] {
        subject.nodes.flatMap { node -> [Finding] in
            guard case .keyPath(let path)? = node.expression else { return [] }
            return path.components.compactMap { component in
                guard case .key(let key) = component, key.utf8.first == UInt8(ascii: "@"), key.utf8.count > 1,
                    CollectionOperator(rawValue: key) == nil, subject.data?[key] == nil
                else { return nil }
                return unknownOperator(key, node)
            }
        }
    }

    private static func unknownOperator(_ key: String, _ node: PlacedNode) -> Finding? {
        if key == "@K" || key == "@k" {
            return Finding(.unknownOperator, node, "\(key) is a key, and takes no argument", "write %K")
        }
        let meant = CollectionOperator.nearMisses(of: key)
        guard let first = meant.first else { return nil }
        return Finding(.unknownOperator, node, "there is no operator \(key)", "did you mean \(first)?")
    }
}

extension PredicateValue {
    /// The number of elements of a collection; nil for other values.
    var elementCount: Int? { KeyedValue.value(self).elementCount }

    var isDictionary: Bool {
        if case .dictionary = self { true } else { false }
    }

    /// The elements of an array or a set, the values of a dictionary; nil for other values.
    var elements: [PredicateValue]? { KeyedValue.value(self).elements?.compactMap(\.predicateValue) }
}
