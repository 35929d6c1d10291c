import PredicateSyntax

extension TreeNode {
    /// The number of expressions that a visitor for Apple's classes sees.
    ///
    /// Every expression counts as one. Some nodes of this package are several expressions there: `$v.key` is a function with an operand and
    /// a key path for its argument; a call of a function of the language has the class of functions for its operand;
    /// a constant array stands for a literal one, whose elements are expressions.
    var expressionCount: Int {
        switch self {
        case .predicate(let node): node.children.expressionCount
        case .expression(let node): node.ownCount + node.children.expressionCount
        }
    }
}

extension [TreeNode] {
    fileprivate var expressionCount: Int {
        reduce(0) { $0 + $1.expressionCount }
    }
}

extension ExpressionNode {
    /// The node itself, and the parts without a node of their own.
    fileprivate var ownCount: Int {
        switch self {
        case .constantValue(.array(let elements)): 1 + elements.count
        case .keyPath(let path): path.base == nil ? 1 : 2
        // The operand; for a cast the type as well.
        case .function, .index: 2
        case .cast: 3
        // The argument is a key path that holds the member.
        case .member: 1
        case .constantValue, .evaluatedObject, .variable, .message, .aggregate, .symbol, .subquery, .conditional, .set,
            .assignment, .anyKey, .block, .fetch:
            1
        }
    }
}
