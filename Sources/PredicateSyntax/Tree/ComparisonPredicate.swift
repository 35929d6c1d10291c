/// A comparison of two expressions by value: equality, order, range or membership.
///
/// `ANY scores >= 21`, `age BETWEEN {18, 65}`, `name ==[c] "jo"`, `self isKindOfClass: %@`
public struct ComparisonPredicate: Hashable, Sendable {
    public var leftExpression: ExpressionNode
    public var `operator`: ComparisonOperator
    public var rightExpression: ExpressionNode
    public var modifier: ComparisonModifier
    public var options: ComparisonOptions

    public init(
        _ leftExpression: consuming ExpressionNode, _ operator: ComparisonOperator,
        _ rightExpression: consuming ExpressionNode, modifier: ComparisonModifier = .direct,
        options: ComparisonOptions = []
    ) {
        self.leftExpression = leftExpression
        self.operator = `operator`
        self.rightExpression = rightExpression
        self.modifier = modifier
        self.options = options
    }
}
