/// A key path in Swift source: the left side of a predicate built without a format string.
///
/// `PredicateKey("age") >= 21 && PredicateKey("name").beginsWith("jo", [.caseInsensitive, .diacriticInsensitive])`
public struct PredicateKey: Hashable, Sendable {
    /// `dept.name`, `friends.@sum.age`: keys separated by dots
    public let path: String

    /// Makes a key, or a path of keys separated by dots.
    public init(_ path: String) {
        self.path = path
    }
}

/// An operand in Swift source: a key or an expression.
public protocol ExpressionConvertible {
    /// The operand as a node of a tree.
    var expressionNode: ExpressionNode { get }
}

extension PredicateKey: ExpressionConvertible, PredicateValueConvertible {
    /// The key path as a node: `dept.name`
    public var expressionNode: ExpressionNode { .keyPath(KeyPathExpression(keys: path)) }
    /// The key as an argument is an expression: `%@` inserts it into the tree, `%K` takes its path.
    public var predicateValue: PredicateValue { .expression(expressionNode) }
}

extension ExpressionNode: ExpressionConvertible, PredicateValueConvertible {
    /// The node itself.
    public var expressionNode: ExpressionNode { self }
    /// The expression as an argument, which is inserted into the tree.
    public var predicateValue: PredicateValue { .expression(self) }
}

extension FormatExpression: ExpressionConvertible, PredicateValueConvertible {
    /// The root of the expression's tree.
    public var expressionNode: ExpressionNode { node }
    /// The expression as an argument, which is inserted into the tree.
    public var predicateValue: PredicateValue { .expression(node) }
}

extension FormatPredicate: PredicateValueConvertible {
    /// The predicate as an argument, which is a constant and never part of another predicate. [NSP-039]
    public var predicateValue: PredicateValue { .predicate(node) }
}

extension PredicateValueConvertible {
    /// The value as a node: an expression unchanged, any other value as a constant.
    var operand: ExpressionNode {
        let value = predicateValue
        return if case .expression(let node) = value { node } else { .constantValue(value) }
    }
}

// MARK: - Comparisons

extension ExpressionConvertible {
    /// `age == 21`, `name ==[cd] "jo"`
    public func isEqual(to value: (any PredicateValueConvertible)?, _ options: ComparisonOptions = [])
        -> FormatPredicate
    {
        comparison(.equalTo, value, options)
    }

    /// `age BETWEEN {18, 65}`
    public func between(_ low: any PredicateValueConvertible, _ high: any PredicateValueConvertible) -> FormatPredicate
    {
        let bounds = ExpressionNode.aggregate(of: [low.operand, high.operand])
        return FormatPredicate(.comparison(ComparisonPredicate(expressionNode, .between, bounds)))
    }

    /// `name IN {"jo", "al"}`, `name IN[c] names`
    public func isIn(_ collection: any PredicateValueConvertible, _ options: ComparisonOptions = []) -> FormatPredicate
    {
        comparison(.in, collection, options)
    }

    /// `name BEGINSWITH[cd] "jo"`
    public func beginsWith(_ text: any PredicateValueConvertible, _ options: ComparisonOptions = []) -> FormatPredicate
    {
        string(.beginsWith, text, options)
    }

    /// `name ENDSWITH[cd] "jo"`
    public func endsWith(_ text: any PredicateValueConvertible, _ options: ComparisonOptions = []) -> FormatPredicate {
        string(.endsWith, text, options)
    }

    /// `name CONTAINS[cd] "jo"`, `tags CONTAINS "swift"`
    public func contains(_ value: any PredicateValueConvertible, _ options: ComparisonOptions = []) -> FormatPredicate {
        string(.contains, value, options)
    }

    /// `name LIKE[c] "j*n"`
    public func like(_ pattern: any PredicateValueConvertible, _ options: ComparisonOptions = []) -> FormatPredicate {
        string(.like, pattern, options)
    }

    /// `name MATCHES "j.*n"`
    public func matches(_ pattern: any PredicateValueConvertible, _ options: ComparisonOptions = []) -> FormatPredicate
    {
        string(.matches, pattern, options)
    }

    private func comparison(
        _ operator: ComparisonOperator, _ value: (any PredicateValueConvertible)?, _ options: ComparisonOptions = []
    ) -> FormatPredicate {
        let right = value?.operand ?? .constantValue(.null)
        let node = ComparisonPredicate(expressionNode, `operator`, right, options: options)
        return FormatPredicate(.comparison(node.spellingOutRange()))
    }

    private func string(
        _ operator: StringOperator, _ value: any PredicateValueConvertible, _ options: ComparisonOptions
    ) -> FormatPredicate {
        FormatPredicate(.string(StringPredicate(expressionNode, `operator`, value.operand, options: options)))
    }

    /// `age == 21`. nil is a value: `name == nil`
    public static func == (left: Self, right: (any PredicateValueConvertible)?) -> FormatPredicate {
        left.comparison(.equalTo, right)
    }

    /// `age != 21`
    public static func != (left: Self, right: (any PredicateValueConvertible)?) -> FormatPredicate {
        left.comparison(.notEqualTo, right)
    }

    /// `age < 21`
    public static func < (left: Self, right: any PredicateValueConvertible) -> FormatPredicate {
        left.comparison(.lessThan, right)
    }

    /// `age <= 21`
    public static func <= (left: Self, right: any PredicateValueConvertible) -> FormatPredicate {
        left.comparison(.lessThanOrEqualTo, right)
    }

    /// `age > 21`
    public static func > (left: Self, right: any PredicateValueConvertible) -> FormatPredicate {
        left.comparison(.greaterThan, right)
    }

    /// `age >= 21`
    public static func >= (left: Self, right: any PredicateValueConvertible) -> FormatPredicate {
        left.comparison(.greaterThanOrEqualTo, right)
    }
}

extension PredicateKey {
    /// Applies ANY to the comparison that a closure makes with the key.
    ///
    /// `PredicateKey("names").any { $0.beginsWith("jo") }` is `ANY names BEGINSWITH "jo"`.
    public func any(_ comparison: (PredicateKey) -> FormatPredicate) -> FormatPredicate {
        Self.quantified(comparison(self), .any)
    }

    /// Applies ALL to the comparison that a closure makes with the key: `ALL scores >= 21`.
    public func all(_ comparison: (PredicateKey) -> FormatPredicate) -> FormatPredicate {
        Self.quantified(comparison(self), .all)
    }

    private static func quantified(_ predicate: FormatPredicate, _ modifier: ComparisonModifier) -> FormatPredicate {
        switch predicate.node {
        case .comparison(var node):
            node.modifier = modifier
            return FormatPredicate(.comparison(node))
        case .string(var node):
            node.modifier = modifier
            return FormatPredicate(.string(node))
        case .constant, .compound, .block: return predicate
        }
    }

    /// `friends.@count`
    public var count: PredicateKey { PredicateKey(path + ".@count") }
}
