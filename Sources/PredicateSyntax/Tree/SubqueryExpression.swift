/// The elements of a collection for which a predicate holds.
///
/// `SUBQUERY(friends, $f, $f.age > 21)`: bare keys in the predicate belong to the outer object. [NSP-118]
public struct SubqueryExpression: Hashable, Sendable {
    public var collection: ExpressionNode
    public var variable: String {
        get { exactVariable.text }
        set { exactVariable = ExactName(newValue) }
    }
    public var predicate: PredicateNode
    private var exactVariable: ExactName

    public init(_ collection: ExpressionNode, variable: String, predicate: PredicateNode) {
        self.collection = collection
        exactVariable = ExactName(variable)
        self.predicate = predicate
    }
}
