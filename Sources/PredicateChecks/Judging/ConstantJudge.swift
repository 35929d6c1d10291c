import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Knows comparisons with plain constants: nil, numbers, texts and dates, by `==`, order, BETWEEN, IN and BEGINSWITH, without
/// options.
///
/// It says what the evaluator does, or that it does not know.
package struct ConstantJudge: PredicateJudge {
    package init() {}

    package func failure(of predicate: FormatPredicate, variables: [String: PredicateValue]) -> PreparationFailure? {
        nil
    }

    package func test(_ predicate: PredicateNode) -> (@Sendable (PredicateValue) -> Bool)? {
        switch predicate {
        case .comparison(let node): Self.isPlain(node) ? node.rightExpression.constant.flatMap { test(node, $0) } : nil
        case .string(let node): Self.isPlain(node) ? node.rightExpression.constant.flatMap { test(node, $0) } : nil
        case .constant, .compound, .block: nil
        }
    }

    private static func isPlain<Operator>(_ node: OperatorComparison<Operator>) -> Bool {
        node.modifier == .direct && node.options.isEmpty && node.leftExpression == .evaluatedObject
    }

    private func test(
        _ node: ComparisonPredicate, _ constant: PredicateValue
    ) -> (@Sendable (PredicateValue) -> Bool)? {
        switch node.operator {
        case .in:
            guard let elements = constant.elements?.map(PlainValue.init), !elements.contains(nil) else { return nil }
            // nil is in no collection, not even in one that holds it.
            return { value in PlainValue(value).map { $0 != .null && elements.contains($0) } ?? false }
        case .between:
            guard let bounds = constant.elements?.compactMap(PlainValue.init), bounds.count == 2 else { return nil }
            return { value in
                guard let value = PlainValue(value), value != .null else { return false }
                return [.less, .equal].contains(bounds[0].order(value))
                    && [.less, .equal].contains(value.order(bounds[1]))
            }
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo:
            guard let right = PlainValue(constant) else { return nil }
            return { value in PlainValue(value).map { Self.holds($0, node.operator, right) } ?? false }
        case .customSelector: return nil
        }
    }

    private static func holds(_ left: PlainValue, _ operator: ComparisonOperator, _ right: PlainValue) -> Bool {
        let order = left.order(right)
        return switch `operator` {
        case .equalTo: left == right
        case .notEqualTo: left != right
        case .lessThan: order == .less
        case .lessThanOrEqualTo: order == .less || order == .equal
        case .greaterThan: order == .greater
        case .greaterThanOrEqualTo: order == .greater || order == .equal
        case .between, .in, .customSelector: false
        }
    }

    /// Letters in two code points have rules of their own, and so only ASCII is looked at.
    private func test(_ node: StringPredicate, _ constant: PredicateValue) -> (@Sendable (PredicateValue) -> Bool)? {
        guard node.operator == .beginsWith, case .string(let prefix) = constant, !prefix.isEmpty,
            prefix.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        return { value in
            guard case .string(let text) = value, text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
            return text.utf8.starts(with: prefix.utf8)
        }
    }
}

/// A value of which equality and order are plain.
private enum PlainValue: Equatable {
    case null
    case number(Double)
    case text(String)
    case date(Date)

    /// Nil for other values, and for numbers that are not exact as doubles.
    init?(_ value: PredicateValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .number(value ? 1 : 0)
        case .integer(let value):
            guard value.magnitude < 1 << 53 else { return nil }
            self = .number(Double(value))
        case .double(let value):
            guard value.isFinite else { return nil }
            self = .number(value)
        case .string(let value): self = .text(value)
        case .date(let value): self = .date(value)
        case .nullObject, .decimal, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object,
            .expression, .predicate:
            return nil
        }
    }

    static func == (left: PlainValue, right: PlainValue) -> Bool {
        left.kind == right.kind && left.order(right) ?? .equal == .equal
    }

    private var kind: Int {
        switch self {
        case .null: 0
        case .number: 1
        case .text: 2
        case .date: 3
        }
    }

    /// Nil for two kinds; nil is beside itself only.
    func order(_ other: PlainValue) -> NumberOrder? {
        switch (self, other) {
        case (.number(let left), .number(let right)): NumberOrder(left, right)
        case (.text(let left), .text(let right)): Self.order(left, right)
        case (.date(let left), .date(let right)): left < right ? .less : left == right ? .equal : .greater
        case (.null, .null): .equal
        case (.null, _), (.number, _), (.text, _), (.date, _): nil
        }
    }

    /// The order of code points is that of bytes of UTF-8.
    private static func order(_ left: String, _ right: String) -> NumberOrder {
        if left.utf8.elementsEqual(right.utf8) { return .equal }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : .greater
    }
}
