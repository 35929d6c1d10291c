/// What a production found: parentheses may hold a predicate or an expression, and only what follows tells.
///
/// A term is moved from production to production and never copied: counting references to its tree at every step would
/// be a good part of the work.
struct Term: ~Copyable {
    enum Node: ~Copyable {
        case predicate(PredicateNode)
        case expression(ExpressionNode)
    }

    var node: Node
    private let levels: UInt32
    private var lowerBound: UInt32

    /// Four bytes each are enough, as in a ``Token``.
    init(_ node: consuming Node, depth: Int, start: Int) {
        self.node = node
        levels = UInt32(truncatingIfNeeded: depth)
        lowerBound = UInt32(truncatingIfNeeded: start)
    }

    init(_ node: consuming ExpressionNode, depth: Int, start: Int) {
        self.init(.expression(node), depth: depth, start: start)
    }

    init(_ node: consuming PredicateNode, depth: Int, start: Int) {
        self.init(.predicate(node), depth: depth, start: start)
    }

    /// How many levels the node has, itself included.
    var depth: Int { Int(levels) }

    /// Where its text begins, an opening parenthesis included.
    var start: Int {
        get { Int(lowerBound) }
        set { lowerBound = UInt32(truncatingIfNeeded: newValue) }
    }
}

/// An expression with the number of levels it has.
///
/// A tuple, since what is in it is taken out at once: a structure would hand out copies.
typealias ExpressionTerm = (node: ExpressionNode, depth: Int, start: Int)

extension Term {
    enum Sort {
        case predicate
        case expression
    }

    var sort: Sort {
        switch node {
        case .predicate: .predicate
        case .expression: .expression
        }
    }
}

/// The elements of a list with the levels of the deepest one.
///
/// Constants stay bare values for as long as nothing else comes, since a list of constants in braces is one constant.
/// [NSP-112]
struct ElementList: ~Copyable {
    private var values: [PredicateValue] = []
    private var elements: [ExpressionNode] = []
    /// Whether nothing but constants came, and the list may become one.
    private(set) var isConstant: Bool
    private(set) var depth = 0

    private init(isConstant: Bool) {
        self.isConstant = isConstant
    }

    /// A list that may become one constant.
    static func aggregate() -> ElementList { ElementList(isConstant: true) }

    /// A list of nodes, whatever they are.
    static func arguments() -> ElementList { ElementList(isConstant: false) }

    mutating func append(_ value: consuming PredicateValue) {
        depth = max(depth, 1)
        guard isConstant else { return elements.append(.constantValue(value)) }
        if values.isEmpty { values.reserveCapacity(4) }
        values.append(value)
    }

    mutating func append(_ element: consuming ExpressionNode, depth: Int) {
        self.depth = max(self.depth, depth)
        if isConstant, case .constantValue(let value) = element { values.append(value) } else { append(element) }
    }

    private mutating func append(_ node: consuming ExpressionNode) {
        if isConstant {
            elements = values.map(ExpressionNode.constantValue)
            isConstant = false
        }
        elements.append(node)
    }

    var count: Int { isConstant ? values.count : elements.count }

    /// `{18, 65}` is a constant, `{age, 65}` is none.
    consuming func aggregateNode() -> ExpressionNode {
        isConstant ? .constantValue(.array(values)) : .aggregate(elements)
    }

    consuming func argumentNodes() -> [ExpressionNode] { elements }
}

extension ExpressionNode {
    /// `age`
    static func key(_ name: consuming String) -> ExpressionNode { .keyPath(KeyPathExpression(key: name)) }
}
