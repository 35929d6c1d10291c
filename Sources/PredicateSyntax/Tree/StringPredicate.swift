/// A comparison of texts: a piece at either end or inside, a pattern, a type identifier.
///
/// `name BEGINSWITH[cd] "jo"`, `name LIKE "j*n"`, `tags CONTAINS "swift"`
///
/// `CONTAINS` also looks for an element in a collection.
public struct StringPredicate: Hashable, Sendable {
    public var leftExpression: ExpressionNode
    public var `operator`: StringOperator
    public var rightExpression: ExpressionNode
    public var modifier: ComparisonModifier
    public var options: ComparisonOptions

    public init(
        _ leftExpression: consuming ExpressionNode, _ operator: StringOperator,
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
