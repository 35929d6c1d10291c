/// The result of a production: parentheses may hold a predicate or an expression, and only what follows decides.
///
/// A term is moved from production to production and never copied: reference counting at every step would be a good part
/// of the work. Its levels are kept by the parser while it is the node finished last, and its start by the production
/// that called; so it is small enough to be returned in registers.
enum Term {
    case predicate(PredicateNode)
    case expression(ExpressionNode)

    enum Sort {
        case predicate
        case expression
    }

    var sort: Sort {
        switch self {
        case .predicate: .predicate
        case .expression: .expression
        }
    }
}

/// The word before a comparison: `ANY`, `ALL`, `NONE`.
enum Quantifier {
    case anyOf
    case allOf
    case noneOf

    var modifier: ComparisonModifier {
        switch self {
        case .anyOf, .noneOf: .any
        case .allOf: .all
        }
    }
}

/// An operator with its options: `==[cd]`.
struct ParsedOperator: ~Copyable {
    enum Kind {
        case comparison(ComparisonOperator)
        case string(StringOperator)
    }

    let kind: Kind
    let options: ComparisonOptions

    @inline(__always)
    consuming func predicate(
        _ left: consuming ExpressionNode, _ right: consuming ExpressionNode, _ modifier: ComparisonModifier
    ) -> PredicateNode {
        switch kind {
        case .comparison(let `operator`):
            .comparison(
                ComparisonPredicate(left, `operator`, right, modifier: modifier, options: options).spellingOutRange())
        case .string(let `operator`):
            .string(StringPredicate(left, `operator`, right, modifier: modifier, options: options))
        }
    }
}

/// The elements of a list with the levels of the deepest one.
///
/// Constants stay bare values until another element comes, since a list of constants in braces is one constant.
/// [NSP-112]
struct ElementList: ~Copyable {
    private var values: [PredicateValue] = []
    private var elements: [ExpressionNode] = []
    /// True if all elements are constants, and the list may become one.
    private(set) var isConstant: Bool
    /// The levels of the deepest element.
    private(set) var levels = 0

    private init(isConstant: Bool) {
        self.isConstant = isConstant
    }

    /// A list that may become one constant.
    static func aggregate() -> ElementList { ElementList(isConstant: true) }

    /// A list of arguments, which stay nodes.
    static func arguments() -> ElementList { ElementList(isConstant: false) }

    /// Reserves exactly `count`; exact blocks are freed faster.
    mutating func reserve(_ count: Int) {
        if isConstant { values.reserveCapacity(count) } else { elements.reserveCapacity(count) }
    }

    mutating func append(_ value: consuming PredicateValue) {
        levels = max(levels, 1)
        guard isConstant else { return elements.append(.constantValue(value)) }
        values.append(value)
    }

    mutating func append(_ element: consuming ExpressionNode, levels: Int) {
        self.levels = max(self.levels, levels)
        if isConstant, case .constantValue(let value) = copy element { values.append(value) } else { append(element) }
    }

    private mutating func append(_ node: consuming ExpressionNode) {
        if isConstant {
            elements = values.map(ExpressionNode.constantValue)
            isConstant = false
        }
        elements.append(node)
    }

    var count: Int { isConstant ? values.count : elements.count }

    /// `{18, 65}` is a constant, `{age, 65}` an aggregate.
    consuming func aggregateNode() -> ExpressionNode {
        isConstant ? .constantValue(.array(values)) : .aggregate(elements)
    }

    consuming func argumentNodes() -> [ExpressionNode] { elements }
}

extension ExpressionNode {
    /// `age`
    static func key(_ name: consuming String) -> ExpressionNode { .keyPath(KeyPathExpression(key: name)) }
}
