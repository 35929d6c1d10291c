import PredicateSyntax

// What follows from a value being nil: `name CONTAINS "a"` needs no `name != nil` before it.

extension ExpressionNode {
    /// True if the expression is certainly nil where the other one is: `boss.name` where `boss` is.
    func isNil(where other: ExpressionNode) -> Bool {
        if self == other { return true }
        switch self {
        case .keyPath(let path):
            if let base = path.base, base.isNil(where: other) { return true }
            guard case .keyPath(let prefix) = other else { return false }
            return prefix.base == path.base && prefix.components.count < path.components.count
                && path.components.starts(with: prefix.components)
        case .function(let call): return call.isNilForNil && call.arguments.allSatisfy { $0.isNil(where: other) }
        case .index(let index): return index.base.isNil(where: other)
        case .subquery(let subquery): return subquery.collection.isNil(where: other)
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .symbol, .conditional,
            .set, .assignment, .anyKey, .block, .fetch:
            return false
        }
    }

    /// True if evaluating the expression is never an error: a key, not an element that may be missing, nor a sum.
    fileprivate var isHarmless: Bool {
        switch self {
        case .constantValue, .evaluatedObject, .variable: true
        case .keyPath(let path): path.base?.isHarmless ?? true
        case .function(let call): call.isNilForNil && call.arguments.allSatisfy(\.isHarmless)
        case .aggregate(let elements): elements.allSatisfy(\.isHarmless)
        case .member, .message, .cast, .index, .symbol, .subquery, .conditional, .set, .assignment, .anyKey, .block,
            .fetch:
            false
        }
    }

    /// The constant nil.
    fileprivate var isNil: Bool { self == .constantValue(.null) }

    /// A constant that is not nil.
    fileprivate var isConstant: Bool {
        if case .constantValue(let value) = self { value != .null } else { false }
    }
}

extension FunctionExpression {
    fileprivate var isNilForNil: Bool { function == .predefined(.length) }
}

extension PredicateNode {
    /// `nick != nil AND length:(nick) != 3`, or the second alone where it says the first.
    static func guarding(_ holds: PredicateNode, by present: PredicateNode) -> PredicateNode {
        if case .comparison(let test) = present, test.operator == .notEqualTo, test.rightExpression.isNil,
            holds.isFalse(whereNil: test.leftExpression)
        {
            return holds
        }
        return .all([present, holds])
    }

    /// True if the predicate is certainly false where the expression is nil, and evaluating it is no error there.
    func isFalse(whereNil other: ExpressionNode) -> Bool {
        switch self {
        case .constant(let value): return !value
        case .string(let node):
            return node.isHarmless
                && (node.leftExpression.isNil(where: other) || node.rightExpression.isNil(where: other))
        case .comparison(let node): return node.isHarmless && node.isFalse(whereNil: other)
        case .compound(let compound):
            let parts = compound.subpredicates
            switch compound.type {
            case .and: return parts.allSatisfy(\.isHarmless) && parts.contains { $0.isFalse(whereNil: other) }
            case .or: return parts.allSatisfy { $0.isFalse(whereNil: other) }
            case .not: return false
            }
        case .block: return false
        }
    }

    /// True if evaluating the predicate is never an error: keys beside constants.
    fileprivate var isHarmless: Bool {
        switch self {
        case .constant: true
        case .comparison(let node): node.isHarmless
        case .string(let node): node.isHarmless
        case .compound(let compound): compound.subpredicates.allSatisfy(\.isHarmless)
        case .block: false
        }
    }
}

extension OperatorComparison {
    fileprivate var isHarmless: Bool {
        modifier == .direct && leftExpression.isHarmless && rightExpression.isHarmless
    }
}

extension ComparisonPredicate {
    fileprivate func isFalse(whereNil other: ExpressionNode) -> Bool {
        let (left, right) = (leftExpression.isNil(where: other), rightExpression.isNil(where: other))
        switch `operator` {
        case .lessThan, .greaterThan: return left || right
        case .equalTo, .lessThanOrEqualTo, .greaterThanOrEqualTo:
            return left && rightExpression.isConstant || right && leftExpression.isConstant
        case .in: return left || right
        case .between: return left
        case .notEqualTo, .customSelector: return false
        }
    }
}
