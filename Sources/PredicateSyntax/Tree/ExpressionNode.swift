/// An expression as a tree: either side of an operator.
///
/// `age + 1`, `friends.@count`, `{18, 65}`, `TERNARY(a == 1, b, c)`
///
/// Most nodes are leaves and are stored inline; nodes with children are boxed.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ExpressionNode: Hashable, Sendable {
    /// `21`, `"jo"`, `nil`, `{1, 2}`, an argument for `%@`
    case constantValue(PredicateValue)
    /// `SELF`
    case evaluatedObject
    /// `$limit`
    case variable(String)
    /// `age`, `dept.name`, `$person.name`, `friends.@count`
    case keyPath(KeyPathExpression)
    /// `a.(d[0])`, written `a.d[0]`, and `a.upper('x')`: a member after a dot that is not a key
    indirect case member(MemberExpression)
    /// `sum:(prices)`, `a + b`, `now()`
    case function(FunctionExpression)
    /// `FUNCTION(name, "uppercaseString")`
    indirect case message(MessageExpression)
    /// `CAST(born, "NSString")`
    indirect case cast(CastExpression)
    /// `{age, 65}`: at least one element is no constant
    indirect case aggregate([ExpressionNode])
    /// `a[0]`, `a["key"]`, `a[FIRST]`
    indirect case index(IndexExpression)
    /// `FIRST`, `LAST`, `SIZE`: a word in an index
    case symbol(IndexExpression.Symbol)
    /// `SUBQUERY(friends, $f, $f.age > 21)`
    indirect case subquery(SubqueryExpression)
    /// `TERNARY(age > 17, "adult", "child")`
    indirect case conditional(ConditionalExpression)
    /// `a UNION b`, `a INTERSECT b`, `a MINUS b`
    indirect case set(SetExpression)
    /// `$a := 1 + 2`
    indirect case assignment(AssignmentExpression)
    /// `ANYKEY`: each attribute of the object in turn, as one side of a comparison [NSP-179]
    case anyKey
    /// `FormatExpression(name: "tax", arguments: [price]) { … }`: a closure of the host; no format makes one
    indirect case block(BlockExpression)
    /// `FETCH(request, context, NO)`: the objects that a request selects, or their number [NSP-182]
    indirect case fetch([ExpressionNode])
}

extension ExpressionNode {
    /// True for `ANYKEY`.
    package var isAnyKey: Bool {
        if case .anyKey = self { true } else { false }
    }
}

/// `base.member` where the member is an index or a call.
public struct MemberExpression: Hashable, Sendable {
    /// The operand before the dot.
    public var base: ExpressionNode
    /// The index or call after the dot, which belongs to the operand's value.
    public var member: ExpressionNode

    /// `base.member`
    public init(base: ExpressionNode, member: ExpressionNode) {
        self.base = base
        self.member = member
    }
}

/// A call of a function by name.
///
/// `sum:(prices)`, `modulus:by:(n, 2)`, `a + b`
public struct FunctionExpression: Hashable, Sendable {
    /// An immutable call in one allocation, so that operands can be read without a copy, which those of an indirect case
    /// would need. Two operands are stored inline; calls seldom have more.
    package final class Call: Sendable {
        package let function: FunctionExpression.Name
        package let first: ExpressionNode?
        package let second: ExpressionNode?
        /// The arguments after the second; nil if there are none.
        package let rest: [ExpressionNode]?

        @inline(__always)
        fileprivate init(
            _ function: FunctionExpression.Name, _ first: consuming ExpressionNode?,
            _ second: consuming ExpressionNode?,
            _ rest: [ExpressionNode]? = nil
        ) {
            self.function = function
            self.first = first
            self.second = second
            self.rest = rest
        }
    }

    package private(set) var call: Call

    /// The function: one of the language, or one that the application registers.
    public var function: FunctionExpression.Name {
        get { call.function }
        set { call = Call(newValue, call.first, call.second, call.rest) }
    }

    /// The operands, in the order of the call.
    public var arguments: [ExpressionNode] {
        get { (0..<count).map { self[$0] } }
        _modify {
            var list = arguments
            let function = function
            // Nothing else may hold the list while it changes, or it would be copied.
            call = Call(function, nil, nil)
            defer { self = FunctionExpression(function, list) }
            yield &list
        }
    }

    /// The number of arguments; with the subscript they are iterated without making a list.
    package var count: Int {
        if call.first == nil { return 0 }
        return call.second == nil ? 1 : 2 + (call.rest?.count ?? 0)
    }

    package subscript(_ index: Int) -> ExpressionNode {
        if index == 0, let first = call.first { return first }
        if index == 1, let second = call.second { return second }
        return (call.rest ?? [])[index - 2]
    }

    /// A call of a function.
    public init(_ function: FunctionExpression.Name, _ arguments: [ExpressionNode]) {
        let rest = arguments.count > 2 ? Array(arguments[2...]) : nil
        let second = arguments.count > 1 ? arguments[1] : nil
        call = Call(function, arguments.first, second, rest)
    }

    /// `-a`
    @inline(__always)
    init(_ function: FunctionExpression.Predefined, _ operand: consuming ExpressionNode) {
        call = Call(.predefined(function), operand, nil)
    }

    /// `a + b`
    @inline(__always)
    init(_ function: FunctionExpression.Predefined, _ left: consuming ExpressionNode, _ right: consuming ExpressionNode)
    {
        call = Call(.predefined(function), left, right)
    }

    public static func == (left: FunctionExpression, right: FunctionExpression) -> Bool {
        let (left, right) = (left.call, right.call)
        if left === right { return true }
        return left.function == right.function && left.first == right.first && left.second == right.second
            && left.rest == right.rest
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(call.function)
        hasher.combine(call.first)
        hasher.combine(call.second)
        hasher.combine(call.rest)
    }
}

/// A message to a value, reaching only what is registered. [NSP-125]
///
/// `FUNCTION(name, "stringByAppendingString:", "!")`
public struct MessageExpression: Hashable, Sendable {
    /// The value that receives the message.
    public var target: ExpressionNode
    /// The name of the message: `stringByAppendingString:`
    public var selector: String {
        get { exactSelector.text }
        set { exactSelector = ExactName(newValue) }
    }
    /// The arguments of the message, in order.
    public var arguments: [ExpressionNode]
    private var exactSelector: ExactName

    /// A message to a value.
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
    /// The value to convert.
    public var expression: ExpressionNode
    /// `NSDate`, `NSString`, `NSNumber`, …
    public var type: String {
        get { exactType.text }
        set { exactType = ExactName(newValue) }
    }
    private var exactType: ExactName

    /// A value turned into a named type.
    public init(_ expression: ExpressionNode, type: String) {
        self.expression = expression
        exactType = ExactName(type)
    }
}

/// One element of a collection: `a[0]`, `a["key"]`, `a[LAST]`.
public struct IndexExpression: Hashable, Sendable {
    /// The collection.
    public var base: ExpressionNode
    /// The position, the key or a word such as `FIRST`.
    public var index: ExpressionNode

    /// One element of a collection.
    public init(base: ExpressionNode, index: ExpressionNode) {
        self.base = base
        self.index = index
    }
}

extension IndexExpression {
    /// A word for a position in an index.
    public enum Symbol: String, Hashable, Sendable, CaseIterable, Codable {
        /// `a[FIRST]`
        case first = "FIRST"
        /// `a[LAST]`
        case last = "LAST"
        /// `a[SIZE]`: the number of elements
        case size = "SIZE"
    }
}

/// The elements of a collection for which a predicate holds.
///
/// `SUBQUERY(friends, $f, $f.age > 21)`: bare keys in the predicate belong to the outer object. [NSP-118]
public struct SubqueryExpression: Hashable, Sendable {
    /// The collection whose elements are tested.
    public var collection: ExpressionNode
    /// The name of the variable that stands for an element, without `$`.
    public var variable: String {
        get { exactVariable.text }
        set { exactVariable = ExactName(newValue) }
    }
    /// The test of an element.
    public var predicate: PredicateNode
    private var exactVariable: ExactName

    /// The elements of a collection for which a predicate holds.
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
    /// The test.
    public var predicate: PredicateNode
    /// The value where the predicate holds.
    public var trueExpression: ExpressionNode
    /// The value where it does not hold.
    public var falseExpression: ExpressionNode

    /// One of two values, as a predicate decides.
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
    /// The left collection.
    public var leftExpression: ExpressionNode
    /// `UNION`, `INTERSECT` or `MINUS`.
    public var `operator`: SetExpression.Operator
    /// The right collection.
    public var rightExpression: ExpressionNode

    /// Two collections combined into a set.
    public init(_ leftExpression: ExpressionNode, _ operator: SetExpression.Operator, _ rightExpression: ExpressionNode)
    {
        self.leftExpression = leftExpression
        self.operator = `operator`
        self.rightExpression = rightExpression
    }
}

/// A variable that is given a value and stands for it.
///
/// `$a := 1 + 2`
public struct AssignmentExpression: Hashable, Sendable {
    /// The name of the variable, without `$`.
    public var variable: String {
        get { exactVariable.text }
        set { exactVariable = ExactName(newValue) }
    }
    /// The value of the variable.
    public var expression: ExpressionNode
    private var exactVariable: ExactName

    /// A variable that is given a value.
    public init(variable: String, _ expression: ExpressionNode) {
        exactVariable = ExactName(variable)
        self.expression = expression
    }
}
