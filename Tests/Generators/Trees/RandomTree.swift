import PredicateSyntax

/// Trees at random: every shape that the parser can produce, and no other.
package struct RandomTree {
    private var values: RandomValue
    private var random: RandomSource {
        get { values.random }
        set { values.random = newValue }
    }

    package init(seed: UInt64) {
        values = RandomValue(random: RandomSource(seed: seed))
    }

    package init(random: RandomSource) {
        values = RandomValue(random: random)
    }

    // MARK: - Predicates

    package mutating func predicate(depth: Int) -> PredicateNode {
        switch random.below(depth > 0 ? 10 : 6) {
        case 0: .constant(random.oneIn(2))
        case 1, 2: string(depth: depth)
        case 3, 4, 5: comparison(depth: depth)
        case 6: .compound(CompoundPredicate(.not, [predicate(depth: depth - 1)]))
        case 7, 8: compound(.and, depth: depth)
        default: compound(.or, depth: depth)
        }
    }

    private mutating func compound(_ type: LogicalType, depth: Int) -> PredicateNode {
        var nodes: [PredicateNode] = []
        for _ in 0..<2 + random.below(3) { nodes.append(predicate(depth: depth - 1)) }
        return .compound(CompoundPredicate(type, nodes))
    }

    private mutating func comparison(depth: Int) -> PredicateNode {
        let plain: [ComparisonOperator] = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .between, .in,
        ]
        let isCustom = random.oneIn(10)
        let `operator` = isCustom ? .customSelector("isKindOfClass:") : random.one(of: plain)
        return .comparison(
            ComparisonPredicate(
                expression(depth: depth), `operator`, expression(depth: depth),
                modifier: modifier(), options: isCustom ? [] : options()))
    }

    private mutating func string(depth: Int) -> PredicateNode {
        .string(
            StringPredicate(
                expression(depth: depth), random.one(of: StringOperator.allCases), expression(depth: depth),
                modifier: modifier(), options: options()))
    }

    private mutating func modifier() -> ComparisonModifier {
        random.oneIn(3) ? random.one(of: ComparisonModifier.allCases) : .direct
    }

    private mutating func options() -> ComparisonOptions {
        ComparisonOptions(rawValue: random.oneIn(2) ? random.below(16) : 0)
    }

    // MARK: - Expressions

    package mutating func expression(depth: Int) -> ExpressionNode {
        guard depth > 0 else { return leaf() }
        let below = depth - 1
        switch random.below(20) {
        case 0...3: return leaf()
        case 4: return .keyPath(KeyPathExpression(base: base(depth: below), components()))
        case 5: return .index(IndexExpression(base: indexBase(depth: below), index: index(depth: below)))
        case 6, 7: return member(depth: below)
        case 8, 9: return call(depth: below)
        case 10, 11: return operation(depth: below)
        case 12: return unary(depth: below)
        case 13: return message(depth: below)
        case 14: return cast(depth: below)
        case 15: return .aggregate(of: expressions(below))
        case 16: return subquery(depth: below)
        case 17:
            return .conditional(
                ConditionalExpression(
                    predicate(depth: below), true: expression(depth: below), false: expression(depth: below)))
        case 18:
            return .assignment(AssignmentExpression(variable: values.name(), expression(depth: below)))
        default: return .fetch(expressions(below))
        }
    }

    private mutating func leaf() -> ExpressionNode {
        switch random.below(10) {
        case 0: .evaluatedObject
        case 1: .variable(values.name())
        case 2: .symbol(random.one(of: IndexExpression.SymbolicIndex.allCases))
        case 3: random.oneIn(4) ? .anyKey : .evaluatedObject
        case 4, 5, 6: .keyPath(KeyPathExpression([.key(values.key())] + (random.oneIn(2) ? components() : [])))
        default: .constantValue(values.constant())
        }
    }

    private mutating func components() -> [KeyPathExpression.Component] {
        var components: [KeyPathExpression.Component] = []
        for _ in 0...random.below(3) {
            components.append(random.oneIn(6) ? .variable(values.name()) : .key(values.key()))
        }
        return components
    }

    private mutating func expressions(_ depth: Int) -> [ExpressionNode] {
        var expressions: [ExpressionNode] = []
        for _ in 0..<random.below(4) { expressions.append(expression(depth: depth)) }
        return expressions
    }

    /// A base for a key path that is no path itself, since two paths would merge.
    private mutating func base(depth: Int) -> ExpressionNode {
        let base = expression(depth: depth)
        if case .keyPath = base { return .evaluatedObject }
        return base
    }

    private mutating func indexBase(depth: Int) -> ExpressionNode {
        expression(depth: depth)
    }

    private mutating func index(depth: Int) -> ExpressionNode {
        random.oneIn(3) ? .symbol(random.one(of: IndexExpression.SymbolicIndex.allCases)) : expression(depth: depth)
    }

    /// `a.d[0]`, `a.upper("x")`, `a.$key[0][1]`
    private mutating func member(depth: Int) -> ExpressionNode {
        let base = expression(depth: depth)
        if random.oneIn(3) { return .member(MemberExpression(base: base, member: call(depth: depth))) }
        let head: ExpressionNode =
            random.oneIn(4) ? call(depth: depth) : .keyPath(KeyPathExpression([components()[0]]))
        var member = ExpressionNode.index(IndexExpression(base: head, index: index(depth: depth)))
        if random.oneIn(4) { member = .index(IndexExpression(base: member, index: index(depth: depth))) }
        return .member(MemberExpression(base: base, member: member))
    }

    private mutating func call(depth: Int) -> ExpressionNode {
        let custom = ["mgl_round", "mgl_round:", "f", "a:b:", "a:b"].map(FunctionExpression.Name.custom)
        let predefined = FunctionExpression.Predefined.allCases.map(FunctionExpression.Name.predefined)
        return .function(FunctionExpression(random.one(of: random.oneIn(4) ? custom : predefined), expressions(depth)))
    }

    private mutating func operation(depth: Int) -> ExpressionNode {
        random.one(of: BinaryOperator.allCases).node(expression(depth: depth), expression(depth: depth))
    }

    private mutating func unary(depth: Int) -> ExpressionNode {
        let function: FunctionExpression.Predefined = random.oneIn(2) ? .negate : .onesComplement
        return .function(FunctionExpression(.predefined(function), [expression(depth: depth)]))
    }

    private mutating func message(depth: Int) -> ExpressionNode {
        .message(
            MessageExpression(
                target: expression(depth: depth), selector: values.text(), arguments: expressions(depth)))
    }

    /// A cast that does not read as a constant.
    private mutating func cast(depth: Int) -> ExpressionNode {
        let operand = expression(depth: depth)
        let type = random.one(of: ["NSDate", "NSString", "NSNumber", "NSURL", "x"])
        guard case .constantValue(let value) = operand, let constant = value.literal(castTo: type) else {
            return .cast(CastExpression(operand, type: type))
        }
        return .constantValue(constant)
    }

    private mutating func subquery(depth: Int) -> ExpressionNode {
        .subquery(
            SubqueryExpression(
                expression(depth: depth), variable: values.name(), predicate: predicate(depth: depth)))
    }
}
