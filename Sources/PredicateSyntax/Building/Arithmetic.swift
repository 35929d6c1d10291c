/// Arithmetic of keys and expressions: `PredicateKey("price") * 1.19 > 100` is `price * 1.19 > 100`.
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

    /// `a / b`: of two integers an integer
    public static func / (left: Self, right: any PredicateValueConvertible) -> FormatExpression {
        .call(.divide, left.expressionNode, right.operand)
    }

    /// `1 + a`
    public static func + (left: Int, right: Self) -> FormatExpression {
        .call(.add, left.operand, right.expressionNode)
    }

    /// `1 - a`
    public static func - (left: Int, right: Self) -> FormatExpression {
        .call(.subtract, left.operand, right.expressionNode)
    }

    /// `2 * a`
    public static func * (left: Int, right: Self) -> FormatExpression {
        .call(.multiply, left.operand, right.expressionNode)
    }

    /// `1 / a`
    public static func / (left: Int, right: Self) -> FormatExpression {
        .call(.divide, left.operand, right.expressionNode)
    }

    /// `1.5 + a`
    public static func + (left: Double, right: Self) -> FormatExpression {
        .call(.add, left.operand, right.expressionNode)
    }

    /// `1.5 - a`
    public static func - (left: Double, right: Self) -> FormatExpression {
        .call(.subtract, left.operand, right.expressionNode)
    }

    /// `1.5 * a`
    public static func * (left: Double, right: Self) -> FormatExpression {
        .call(.multiply, left.operand, right.expressionNode)
    }

    /// `1.5 / a`
    public static func / (left: Double, right: Self) -> FormatExpression {
        .call(.divide, left.operand, right.expressionNode)
    }
}

extension FormatExpression {
    /// `add:to:(a, b)`, which prints as `a + b`
    fileprivate static func call(
        _ function: FunctionExpression.Predefined, _ left: ExpressionNode, _ right: ExpressionNode
    ) -> FormatExpression {
        FormatExpression(.function(FunctionExpression(.predefined(function), [left, right])))
    }
}

extension PredicateKey {
    /// `a == b` of two keys: without it `==` would compare the two names.
    public static func == (left: PredicateKey, right: PredicateKey) -> FormatPredicate { left.isEqual(to: right) }

    /// `a != b` of two keys
    public static func != (left: PredicateKey, right: PredicateKey) -> FormatPredicate {
        left != (right as any PredicateValueConvertible)
    }

    /// True if the names are equal: where a Boolean value is expected, as in a set.
    @_disfavoredOverload
    public static func == (left: PredicateKey, right: PredicateKey) -> Bool { left.path == right.path }
}
