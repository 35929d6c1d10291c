/// An expression as a tree: what stands on either side of an operator.
///
/// `age + 1`, `friends.@count`, `{18, 65}`, `TERNARY(a == 1, b, c)`
///
/// Leaves lie in place, for most nodes are leaves; what has expressions of its own lies in a box.
@nonexhaustive
public enum ExpressionNode: Hashable, Sendable {
    /// `21`, `"jo"`, `nil`, `{1, 2}`, an argument for `%@`
    case constantValue(PredicateValue)
    /// `SELF`
    case evaluatedObject
    /// `$limit`
    case variable(String)
    /// `age`, `dept.name`, `$person.name`, `friends.@count`
    case keyPath(KeyPathExpression)
    /// `a.(d[0])`, written `a.d[0]`, and `a.upper('x')`: what stands after a dot and is not a key
    indirect case member(MemberExpression)
    /// `sum:(prices)`, `a + b`, `now()`
    indirect case function(FunctionExpression)
    /// `FUNCTION(name, "uppercaseString")`
    indirect case message(MessageExpression)
    /// `CAST(born, "NSString")`
    indirect case cast(CastExpression)
    /// `{age, 65}`: at least one element is no constant
    indirect case aggregate([ExpressionNode])
    /// `a[0]`, `a["key"]`, `a[FIRST]`
    indirect case index(IndexExpression)
    /// `FIRST`, `LAST`, `SIZE`: what an index may be
    case symbol(IndexSymbol)
    /// `SUBQUERY(friends, $f, $f.age > 21)`
    indirect case subquery(SubqueryExpression)
    /// `TERNARY(age > 17, "adult", "child")`
    indirect case conditional(ConditionalExpression)
    /// `a UNION b`, `a INTERSECT b`, `a MINUS b`
    indirect case set(SetExpression)
    /// `$a := 1 + 2`
    indirect case assignment(AssignmentExpression)
    /// `ANYKEY`: any attribute; Spotlight only, later stages refuse it
    case anyKey
    /// `FETCH(request, context, NO)`: Core Data only, later stages refuse it
    indirect case fetch([ExpressionNode])
}

/// `base.member` where the member is an index or a call.
public struct MemberExpression: Hashable, Sendable {
    public var base: ExpressionNode
    public var member: ExpressionNode

    public init(base: ExpressionNode, member: ExpressionNode) {
        self.base = base
        self.member = member
    }
}

/// A call of a function by name.
///
/// `sum:(prices)`, `modulus:by:(n, 2)`, `a + b`
public struct FunctionExpression: Hashable, Sendable {
    /// One operand or two lie in place, as most calls have them; all others in a list, never in either.
    package enum Operands: Hashable, Sendable {
        case one(ExpressionNode)
        case two(ExpressionNode, ExpressionNode)
        case list([ExpressionNode])
    }

    public var function: FunctionName
    package private(set) var operands: Operands

    public var arguments: [ExpressionNode] {
        get {
            switch operands {
            case .one(let operand): [operand]
            case .two(let left, let right): [left, right]
            case .list(let operands): operands
            }
        }
        _modify {
            var list = arguments
            // Nothing else may hold the list while it changes, or it would be copied.
            operands = .list([])
            defer { self = FunctionExpression(function, list) }
            yield &list
        }
    }

    /// How many arguments there are; with the subscript they are gone through without making a list.
    package var count: Int {
        switch operands {
        case .one: 1
        case .two: 2
        case .list(let operands): operands.count
        }
    }

    package subscript(_ index: Int) -> ExpressionNode {
        switch operands {
        case .one(let operand): operand
        case .two(let left, let right): index == 0 ? left : right
        case .list(let operands): operands[index]
        }
    }

    public init(_ function: FunctionName, _ arguments: [ExpressionNode]) {
        self.function = function
        operands =
            switch arguments.count {
            case 1: .one(arguments[0])
            case 2: .two(arguments[0], arguments[1])
            default: .list(arguments)
            }
    }

    /// `-a`
    @inline(__always)
    init(_ function: PredefinedFunction, _ operand: consuming ExpressionNode) {
        self.function = .predefined(function)
        operands = .one(operand)
    }

    /// `a + b`
    @inline(__always)
    init(_ function: PredefinedFunction, _ left: consuming ExpressionNode, _ right: consuming ExpressionNode) {
        self.function = .predefined(function)
        operands = .two(left, right)
    }
}

/// A message to a value, reaching only what is registered. [NSP-125]
///
/// `FUNCTION(name, "stringByAppendingString:", "!")`
public struct MessageExpression: Hashable, Sendable {
    public var target: ExpressionNode
    public var selector: String {
        get { exactSelector.text }
        set { exactSelector = ExactName(newValue) }
    }
    public var arguments: [ExpressionNode]
    private var exactSelector: ExactName

    public init(target: ExpressionNode, selector: String, arguments: [ExpressionNode] = []) {
        self.target = target
        exactSelector = ExactName(selector)
        self.arguments = arguments
    }
}

/// A value turned into another type.
///
/// `CAST("2016-03-02T00:00:00Z", "NSDate")`
public struct CastExpression: Hashable, Sendable {
    public var expression: ExpressionNode
    /// `NSDate`, `NSString`, `NSNumber`, …
    public var type: String {
        get { exactType.text }
        set { exactType = ExactName(newValue) }
    }
    private var exactType: ExactName

    public init(_ expression: ExpressionNode, type: String) {
        self.expression = expression
        exactType = ExactName(type)
    }
}

/// One element of a collection: `a[0]`, `a["key"]`, `a[LAST]`.
public struct IndexExpression: Hashable, Sendable {
    public var base: ExpressionNode
    public var index: ExpressionNode

    public init(base: ExpressionNode, index: ExpressionNode) {
        self.base = base
        self.index = index
    }
}

/// What stands for a position in an index.
public enum IndexSymbol: String, Hashable, Sendable, CaseIterable, Codable {
    /// `a[FIRST]`
    case first = "FIRST"
    /// `a[LAST]`
    case last = "LAST"
    /// `a[SIZE]`: the number of elements
    case size = "SIZE"
}

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

/// One of two values, as a predicate decides.
///
/// `TERNARY(age > 17, "adult", "child")`
public struct ConditionalExpression: Hashable, Sendable {
    public var predicate: PredicateNode
    public var trueExpression: ExpressionNode
    public var falseExpression: ExpressionNode

    public init(_ predicate: PredicateNode, true trueExpression: ExpressionNode, false falseExpression: ExpressionNode)
    {
        self.predicate = predicate
        self.trueExpression = trueExpression
        self.falseExpression = falseExpression
    }
}

/// Two collections combined into a set.
///
/// `a UNION {1, 2}`
public struct SetExpression: Hashable, Sendable {
    public var leftExpression: ExpressionNode
    public var `operator`: SetOperator
    public var rightExpression: ExpressionNode

    public init(_ leftExpression: ExpressionNode, _ operator: SetOperator, _ rightExpression: ExpressionNode) {
        self.leftExpression = leftExpression
        self.operator = `operator`
        self.rightExpression = rightExpression
    }
}

/// A variable that is given a value and stands for it.
///
/// `$a := 1 + 2`
public struct AssignmentExpression: Hashable, Sendable {
    public var variable: String {
        get { exactVariable.text }
        set { exactVariable = ExactName(newValue) }
    }
    public var expression: ExpressionNode
    private var exactVariable: ExactName

    public init(variable: String, _ expression: ExpressionNode) {
        exactVariable = ExactName(variable)
        self.expression = expression
    }
}
