// Each kind is compared in a function of its own, so that a level of a deep tree takes little of the stack. The functions
// are no instances of a generic one: those take several times the code.

extension PredicateNode {
    public static func == (left: PredicateNode, right: PredicateNode) -> Bool {
        switch left {
        case .constant(let left): if case .constant(let right) = right { left == right } else { false }
        case .comparison: areComparisons(left, right)
        case .string: areStrings(left, right)
        case .compound: areCompounds(left, right)
        case .block: areBlocks(left, right)
        }
    }

    @inline(never)
    private static func areComparisons(_ left: PredicateNode, _ right: PredicateNode) -> Bool {
        if case .comparison(let left) = left, case .comparison(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areStrings(_ left: PredicateNode, _ right: PredicateNode) -> Bool {
        if case .string(let left) = left, case .string(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areBlocks(_ left: PredicateNode, _ right: PredicateNode) -> Bool {
        if case .block(let left) = left, case .block(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areCompounds(_ left: PredicateNode, _ right: PredicateNode) -> Bool {
        if case .compound(let left) = left, case .compound(let right) = right { left == right } else { false }
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
    public static func == (left: ExpressionNode, right: ExpressionNode) -> Bool {
        switch left {
        case .evaluatedObject: if case .evaluatedObject = right { true } else { false }
        case .variable(let left):
            if case .variable(let right) = right { left.hasSameCodePoints(as: right) } else { false }
        case .symbol(let left): if case .symbol(let right) = right { left == right } else { false }
        case .anyKey: if case .anyKey = right { true } else { false }
        case .constantValue: areConstants(left, right)
        case .keyPath: areKeyPaths(left, right)
        case .member: areMembers(left, right)
        case .function: areFunctions(left, right)
        case .message: areMessages(left, right)
        case .cast: areCasts(left, right)
        case .aggregate: areAggregates(left, right)
        case .index: areIndexes(left, right)
        case .subquery: areSubqueries(left, right)
        case .conditional: areConditionals(left, right)
        case .set: areSets(left, right)
        case .assignment: areAssignments(left, right)
        case .block: areBlocks(left, right)
        case .fetch: areFetches(left, right)
        }
    }

    @inline(never)
    private static func areConstants(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .constantValue(let left) = left, case .constantValue(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areKeyPaths(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .keyPath(let left) = left, case .keyPath(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areMembers(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .member(let left) = left, case .member(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areFunctions(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .function(let left) = left, case .function(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areMessages(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .message(let left) = left, case .message(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areCasts(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .cast(let left) = left, case .cast(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areAggregates(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .aggregate(let left) = left, case .aggregate(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areIndexes(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .index(let left) = left, case .index(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areSubqueries(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .subquery(let left) = left, case .subquery(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areConditionals(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .conditional(let left) = left, case .conditional(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areSets(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .set(let left) = left, case .set(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areAssignments(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .assignment(let left) = left, case .assignment(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areBlocks(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .block(let left) = left, case .block(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areFetches(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .fetch(let left) = left, case .fetch(let right) = right { left == right } else { false }
    }
}
