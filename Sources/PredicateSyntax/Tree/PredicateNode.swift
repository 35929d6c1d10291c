/// A predicate as a tree, without source ranges and without the spelling of a format string.
///
/// `age >= 21 AND name BEGINSWITH[cd] "jo"`
///
/// A value: equal trees are equal predicates. Trees deeper than ``PredicateLimits/nesting`` are refused by every later stage.
///
/// A node takes one word, and one piece of memory: a box, or the list of more than two subpredicates.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PredicateNode: Hashable, Sendable {
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    case constant(Bool)
    /// `age >= 21`
    indirect case comparison(ComparisonPredicate)
    /// `name BEGINSWITH[cd] "jo"`
    indirect case string(StringPredicate)
    /// `a == 1 AND b == 2`, `NOT a == 1`
    case compound(CompoundPredicate)
    /// `FormatPredicate(name: "adult") { … }`: a closure of the host; no format makes one
    indirect case block(BlockPredicate)
}

/// Two expressions with an operator between them: a ``ComparisonPredicate`` or a ``StringPredicate``.
///
/// `ANY scores >= 21`, `name BEGINSWITH[cd] "jo"`
public struct OperatorComparison<Operator: Hashable & Sendable>: Hashable, Sendable {
    /// The left side.
    public var leftExpression: ExpressionNode
    /// The operator: `==`, `BEGINSWITH`, `IN`, …
    public var `operator`: Operator
    /// The right side.
    public var rightExpression: ExpressionNode
    /// `ANY` or `ALL` of the left side's elements, or the left side itself.
    public var modifier: ComparisonModifier
    /// `[c]`, `[d]`, `[l]`, `[n]`.
    public var options: ComparisonOptions

    /// A comparison of two expressions.
    public init(
        _ leftExpression: ExpressionNode, _ operator: Operator, _ rightExpression: ExpressionNode,
        modifier: ComparisonModifier = .direct, options: ComparisonOptions = []
    ) {
        self.leftExpression = leftExpression
        self.operator = `operator`
        self.rightExpression = rightExpression
        self.modifier = modifier
        self.options = options
    }
}

/// A comparison of two expressions by value: equality, order, range or membership.
///
/// `ANY scores >= 21`, `age BETWEEN {18, 65}`, `name ==[c] "jo"`, `self isKindOfClass: %@`
public typealias ComparisonPredicate = OperatorComparison<ComparisonOperator>

/// A comparison of texts: a piece at either end or inside, a pattern, a type identifier.
///
/// `name BEGINSWITH[cd] "jo"`, `name LIKE "j*n"`, `tags CONTAINS "swift"`
///
/// `CONTAINS` also looks for an element in a collection.
public typealias StringPredicate = OperatorComparison<StringOperator>

/// Predicates joined by a logical operator.
///
/// `a == 1 AND b == 2 AND c == 3` is one compound of three. No subpredicates: AND holds, OR does not. [NSP-090]
public struct CompoundPredicate: Hashable, Sendable {
    /// Two subpredicates lie in a box, as most compounds have them; all others in a list, never in either. The operator of
    /// a list lies in the list's own word, so that a compound fits where a reference does.
    package enum Parts: Hashable, Sendable {
        indirect case two(LogicalType, PredicateNode, PredicateNode)
        case not([PredicateNode])
        case and([PredicateNode])
        case or([PredicateNode])
    }

    package private(set) var parts: Parts

    /// AND, OR or NOT.
    public var type: LogicalType {
        get {
            switch parts {
            case .two(let type, _, _): type
            case .not: .not
            case .and: .and
            case .or: .or
            }
        }
        set { self = CompoundPredicate(newValue, subpredicates) }
    }

    /// Any number for AND and OR, exactly one for NOT.
    public var subpredicates: [PredicateNode] {
        get {
            switch parts {
            case .two(_, let first, let second): [first, second]
            case .not(let nodes), .and(let nodes), .or(let nodes): nodes
            }
        }
        _modify {
            let type = type
            var nodes = subpredicates
            // Nothing else may hold the list while it changes, or it would be copied.
            parts = .and([])
            defer { self = CompoundPredicate(type, nodes) }
            yield &nodes
        }
    }

    /// The number of subpredicates; with the subscript they are iterated without making a list.
    package var count: Int {
        switch parts {
        case .two: 2
        case .not(let nodes), .and(let nodes), .or(let nodes): nodes.count
        }
    }

    package subscript(_ index: Int) -> PredicateNode {
        switch parts {
        case .two(_, let first, let second): index == 0 ? first : second
        case .not(let nodes), .and(let nodes), .or(let nodes): nodes[index]
        }
    }

    /// Predicates joined by AND or OR, or the negation of one.
    public init(_ type: LogicalType, _ subpredicates: [PredicateNode]) {
        parts =
            switch type {
            case _ where subpredicates.count == 2: .two(type, subpredicates[0], subpredicates[1])
            case .not: .not(subpredicates)
            case .and: .and(subpredicates)
            case .or: .or(subpredicates)
            }
    }

    @inline(__always)
    init(_ type: LogicalType, _ first: consuming PredicateNode, _ second: consuming PredicateNode) {
        parts = .two(type, first, second)
    }
}
