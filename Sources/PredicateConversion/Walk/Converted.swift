import PredicateSyntax

/// What a node of Swift's tree becomes.
enum Converted {
    /// A value of any type; nil where Swift's is nil. A property of type `Bool` is one, too.
    case value(ExpressionNode)
    /// A `Bool` that a predicate decides.
    case condition(PredicateNode)
    /// A `Bool?`: nil unless the first predicate holds, else what the second one says.
    case optionalCondition(present: PredicateNode, holds: PredicateNode)

    static func constant(_ value: PredicateValue) -> Converted {
        if case .bool(let value) = value { .condition(.constant(value)) } else { .value(.constantValue(value)) }
    }

    /// The expression: `TERNARY(age > 17, YES, NO)` of a condition.
    var expression: ExpressionNode {
        switch self {
        case .value(let node): node
        case .condition(.constant(let value)): .constantValue(.bool(value))
        case .condition(let node): .choice(node, .constantValue(.bool(true)), .constantValue(.bool(false)))
        case .optionalCondition(let present, let holds):
            .choice(present, Converted.condition(holds).expression, .constantValue(.null))
        }
    }

    /// The predicate: `isActive == YES` of a value. nil does not hold.
    var predicate: PredicateNode {
        switch self {
        case .value(.constantValue(.bool(let value))): .constant(value)
        case .value(let node): .comparing(node, .equalTo, .constantValue(.bool(true)))
        case .condition(let node): node
        case .optionalCondition(let present, let holds): .guarding(holds, by: present)
        }
    }

    /// The predicate that holds where a Boolean value is false: `isActive == NO`.
    var negated: PredicateNode {
        switch self {
        case .value(.constantValue(.bool(let value))): .constant(!value)
        case .value(let node): .comparing(node, .equalTo, .constantValue(.bool(false)))
        case .condition(let node): node.negated
        case .optionalCondition(let present, let holds): .guarding(holds.negated, by: present)
        }
    }

    /// The predicate that holds where the value is nil.
    var isNil: PredicateNode {
        switch self {
        case .value(.constantValue(let value)): .constant(value == .null)
        case .value(let node): .comparing(node, .equalTo, .constantValue(.null))
        case .condition: .constant(false)
        case .optionalCondition(let present, _): present.negated
        }
    }

    /// The predicate that holds where the value is not nil.
    var isPresent: PredicateNode {
        switch self {
        case .value(.constantValue(let value)): .constant(value != .null)
        case .value(let node): .comparing(node, .notEqualTo, .constantValue(.null))
        case .condition: .constant(true)
        case .optionalCondition(let present, _): present
        }
    }

    /// The Boolean constant that it is.
    var truth: Bool? {
        if case .condition(.constant(let value)) = self { value } else { nil }
    }
}

extension PredicateNode {
    /// `age > 21`
    static func comparing(
        _ left: ExpressionNode, _ operator: ComparisonOperator, _ right: ExpressionNode
    ) -> PredicateNode {
        .comparison(ComparisonPredicate(left, `operator`, right))
    }

    /// `name BEGINSWITH "jo"`
    static func matching(_ left: ExpressionNode, _ operator: StringOperator, _ right: ExpressionNode) -> PredicateNode {
        .string(StringPredicate(left, `operator`, right))
    }

    /// The conjunction, flat, without constants.
    static func all(_ nodes: [PredicateNode]) -> PredicateNode { joined(.and, nodes, neutral: true) }

    /// The disjunction, flat, without constants.
    static func any(_ nodes: [PredicateNode]) -> PredicateNode { joined(.or, nodes, neutral: false) }

    private static func joined(_ type: LogicalType, _ nodes: [PredicateNode], neutral: Bool) -> PredicateNode {
        var parts: [PredicateNode] = []
        for node in nodes {
            if case .constant(let value) = node {
                if value == neutral { continue }
                return .constant(value)
            }
            if case .compound(let compound) = node, compound.type == type {
                parts += compound.subpredicates
            } else {
                parts.append(node)
            }
        }
        guard parts.count > 1 else { return parts.first ?? .constant(neutral) }
        return .compound(CompoundPredicate(type, parts))
    }

    /// `NOT age > 21`; a double negation cancels.
    var negated: PredicateNode {
        switch self {
        case .constant(let value): return .constant(!value)
        case .compound(let compound):
            if compound.type == .not, let inner = compound.subpredicates.first { return inner }
        case .comparison, .string, .block: break
        }
        return .compound(CompoundPredicate(.not, [self]))
    }
}

extension ExpressionNode {
    /// `TERNARY(test, a, b)`, or the one that is certain.
    static func choice(_ test: PredicateNode, _ first: ExpressionNode, _ second: ExpressionNode) -> ExpressionNode {
        if case .constant(let value) = test { return value ? first : second }
        return .conditional(ConditionalExpression(test, true: first, false: second))
    }

    /// The path with further keys: `boss`, then `boss.name`.
    func appending(_ keys: [String]) -> ExpressionNode {
        let components = keys.map { KeyPathExpression.Component.key($0) }
        switch self {
        case .evaluatedObject: return .keyPath(KeyPathExpression(components))
        case .keyPath(let path): return .keyPath(KeyPathExpression(base: path.base, path.components + components))
        case .constantValue, .variable, .member, .function, .message, .cast, .aggregate, .index, .symbol, .subquery,
            .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return .keyPath(KeyPathExpression(base: self, components))
        }
    }

    /// `add:to:(a, b)`
    static func call(_ function: FunctionExpression.Predefined, _ arguments: ExpressionNode...) -> ExpressionNode {
        .function(FunctionExpression(.predefined(function), arguments))
    }
}
