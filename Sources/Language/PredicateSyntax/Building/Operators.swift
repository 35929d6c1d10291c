extension FormatPredicate {
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    public static func constant(_ value: Bool) -> FormatPredicate {
        FormatPredicate(.constant(value))
    }

    /// `a == 1 AND b == 2 AND c == 3`; without predicates: `TRUEPREDICATE`
    public static func and(_ predicates: [FormatPredicate]) -> FormatPredicate {
        joined(.and, predicates.map(\.node))
    }

    /// `a == 1 OR b == 2 OR c == 3`; without predicates: `FALSEPREDICATE`
    public static func or(_ predicates: [FormatPredicate]) -> FormatPredicate {
        joined(.or, predicates.map(\.node))
    }

    /// `a == 1 AND b == 2`; a chain of `&&` becomes one compound.
    public static func && (left: FormatPredicate, right: FormatPredicate) -> FormatPredicate {
        chained(.and, left, right)
    }

    /// `a == 1 OR b == 2`; a chain of `||` becomes one compound.
    public static func || (left: FormatPredicate, right: FormatPredicate) -> FormatPredicate {
        chained(.or, left, right)
    }

    /// `NOT a == 1`. The source map of the predicate is kept.
    public static prefix func ! (predicate: FormatPredicate) -> FormatPredicate {
        let node = PredicateNode.compound(CompoundPredicate(.not, [predicate.node]))
        guard let source = predicate.source else { return FormatPredicate(node) }
        let ranges = source.ranges + [0..<source.text.utf8.count]
        return FormatPredicate(node, source: PredicateSourceMap(text: source.text, ranges: ranges))
    }

    /// Makes equalities of keys and values, joined by AND or OR in the given order.
    ///
    /// `FormatPredicate(matching: ["publisher": "BookCo", "salesRank": 482769], combinedWith: .or)` is `publisher ==
    /// "BookCo" OR salesRank == 482769`. With `.not`, none of the equalities may hold: `NOT (publisher == "BookCo" OR
    /// salesRank == 482769)`. An absent value is written `nil`.
    public init(
        matching values: KeyValuePairs<String, (any PredicateValueConvertible)?>,
        combinedWith type: LogicalType = .and
    ) {
        let nodes = values.map { (PredicateKey($0.key) == $0.value).node }
        self = type == .not ? !Self.joined(.or, nodes) : Self.joined(type, nodes)
    }

    /// Joins two or more predicates. A single predicate is returned unchanged. An empty list becomes `TRUEPREDICATE`
    /// for AND and `FALSEPREDICATE` for OR.
    private static func joined(_ type: LogicalType, _ nodes: [PredicateNode]) -> FormatPredicate {
        switch nodes.count {
        case 0: .constant(type == .and)
        case 1: FormatPredicate(nodes[0])
        default: FormatPredicate(.compound(CompoundPredicate(type, nodes)))
        }
    }

    private static func chained(_ type: LogicalType, _ left: FormatPredicate, _ right: FormatPredicate)
        -> FormatPredicate
    {
        guard case .compound(var compound) = left.node, compound.type == type else {
            return joined(type, [left.node, right.node])
        }
        compound.subpredicates.append(right.node)
        return FormatPredicate(.compound(compound))
    }
}

/// Arithmetic with keys and expressions: `PredicateKey("price") * 1.19 > 100` is `price * 1.19 > 100`.
extension ExpressionConvertible {
    /// `a + b`
    public static func + (left: Self, right: any PredicateValueConvertible) -> FormatExpression {
        .call(.add, left.expressionNode, right.operand)
    }

    /// `a - b`
    public static func - (left: Self, right: any PredicateValueConvertible) -> FormatExpression {
        .call(.subtract, left.expressionNode, right.operand)
    }

    /// `a * b`
    public static func * (left: Self, right: any PredicateValueConvertible) -> FormatExpression {
        .call(.multiply, left.expressionNode, right.operand)
    }

    /// `a / b`: an integer if both operands are integers
    public static func / (left: Self, right: any PredicateValueConvertible) -> FormatExpression {
        .call(.divide, left.expressionNode, right.operand)
    }

    /// `1 + a`
    @_disfavoredOverload
    public static func + (left: any PredicateValueConvertible, right: Self) -> FormatExpression {
        .call(.add, left.operand, right.expressionNode)
    }

    /// `1 - a`
    @_disfavoredOverload
    public static func - (left: any PredicateValueConvertible, right: Self) -> FormatExpression {
        .call(.subtract, left.operand, right.expressionNode)
    }

    /// `2 * a`
    @_disfavoredOverload
    public static func * (left: any PredicateValueConvertible, right: Self) -> FormatExpression {
        .call(.multiply, left.operand, right.expressionNode)
    }

    /// `1 / a`
    @_disfavoredOverload
    public static func / (left: any PredicateValueConvertible, right: Self) -> FormatExpression {
        .call(.divide, left.operand, right.expressionNode)
    }
}

extension FormatExpression {
    /// `add:to:(a, b)`, which is printed as `a + b`
    fileprivate static func call(
        _ function: FunctionExpression.Predefined, _ left: ExpressionNode, _ right: ExpressionNode
    ) -> FormatExpression {
        FormatExpression(.function(FunctionExpression(.predefined(function), [left, right])))
    }
}

extension PredicateKey {
    /// `a == b` for two keys. Without this overload, `==` would compare the names.
    public static func == (left: PredicateKey, right: PredicateKey) -> FormatPredicate { left.isEqual(to: right) }

    /// `a != b` of two keys
    public static func != (left: PredicateKey, right: PredicateKey) -> FormatPredicate {
        left != (right as any PredicateValueConvertible)
    }

    /// Compares the names. This overload is chosen where a Boolean value is expected, such as in a set.
    @_disfavoredOverload
    public static func == (left: PredicateKey, right: PredicateKey) -> Bool { left.path == right.path }
}

/// Enums with raw values as arguments: `enum Status: String, PredicateValueConvertible` needs no further code.
extension PredicateValueConvertible where Self: RawRepresentable, RawValue: PredicateValueConvertible {
    public var predicateValue: PredicateValue { rawValue.predicateValue }
}
