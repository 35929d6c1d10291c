extension PredicateNode {
    @inline(never)
    public static func == (left: PredicateNode, right: PredicateNode) -> Bool {
        switch left {
        case .constant(let left): if case .constant(let right) = right { return left == right }
        case .comparison(let left): if case .comparison(let right) = right { return left == right }
        case .string(let left): if case .string(let right) = right { return left == right }
        case .compound(let left): if case .compound(let right) = right { return left == right }
        }
        return false
    }
}

extension CompoundPredicate {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(count)
        for index in 0..<count { hasher.combine(self[index]) }
    }
}

extension ExpressionNode {
    @inline(never)
    public static func == (left: ExpressionNode, right: ExpressionNode) -> Bool {
        switch left {
        case .constantValue(let left): if case .constantValue(let right) = right { return left == right }
        case .evaluatedObject: if case .evaluatedObject = right { return true }
        case .variable(let left): if case .variable(let right) = right { return left.hasSameCodePoints(as: right) }
        case .keyPath(let left): if case .keyPath(let right) = right { return left == right }
        case .member(let left): if case .member(let right) = right { return left == right }
        case .function(let left): if case .function(let right) = right { return left == right }
        case .message(let left): if case .message(let right) = right { return left == right }
        case .cast(let left): if case .cast(let right) = right { return left == right }
        case .index(let left): if case .index(let right) = right { return left == right }
        case .symbol(let left): if case .symbol(let right) = right { return left == right }
        case .subquery(let left): if case .subquery(let right) = right { return left == right }
        case .conditional(let left): if case .conditional(let right) = right { return left == right }
        case .set(let left): if case .set(let right) = right { return left == right }
        case .assignment(let left): if case .assignment(let right) = right { return left == right }
        case .anyKey: if case .anyKey = right { return true }
        case .aggregate(let left): if case .aggregate(let right) = right { return left == right }
        case .fetch(let left): if case .fetch(let right) = right { return left == right }
        }
        return false
    }
}
