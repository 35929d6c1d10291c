#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An expression as a tree: either operand of an operator.
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
    /// `{age, 65}`: at least one element is not a constant
    indirect case aggregate([ExpressionNode])
    /// `a[0]`, `a["key"]`, `a[FIRST]`
    indirect case index(IndexExpression)
    /// `FIRST`, `LAST`, `SIZE`: a symbolic index
    case symbol(IndexExpression.SymbolicIndex)
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
    /// `FormatExpression(name: "tax", arguments: [price]) { … }`: a closure of the host; no format produces one
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

/// `base.member`, where the member is an index or a call.
public struct MemberExpression: Hashable, Sendable {
    /// The operand before the dot.
    public var base: ExpressionNode
    /// The index or call after the dot, which is applied to the value of the base.
    public var member: ExpressionNode

    /// Makes `base.member`.
    public init(base: ExpressionNode, member: ExpressionNode) {
        self.base = base
        self.member = member
    }
}

/// A call of a function by name.
///
/// `sum:(prices)`, `modulus:by:(n, 2)`, `a + b`
public struct FunctionExpression: Hashable, Sendable {
    /// An immutable call in one allocation, so that operands can be read without a copy; reading the payload of an
    /// indirect case would copy it. Two operands are stored inline, since calls seldom have more.
    package final class Storage: Sendable {
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

    package private(set) var call: Storage

    /// The function: one of the language, or one that the application registers.
    public var function: FunctionExpression.Name {
        get { call.function }
        set { call = Storage(newValue, call.first, call.second, call.rest) }
    }

    /// The arguments, in order.
    public var arguments: [ExpressionNode] {
        get { (0..<count).map { self[$0] } }
        _modify {
            var list = arguments
            let function = function
            // Nothing else may hold the list while it changes; otherwise it would be copied.
            call = Storage(function, nil, nil)
            defer { self = FunctionExpression(function, list) }
            yield &list
        }
    }

    /// The number of arguments. Together with the subscript, it allows iteration without making an array.
    package var count: Int {
        if call.first == nil { return 0 }
        return call.second == nil ? 1 : 2 + (call.rest?.count ?? 0)
    }

    package subscript(_ index: Int) -> ExpressionNode {
        if index == 0, let first = call.first { return first }
        if index == 1, let second = call.second { return second }
        return (call.rest ?? [])[index - 2]
    }

    /// Makes a call of a function.
    public init(_ function: FunctionExpression.Name, _ arguments: [ExpressionNode]) {
        let rest = arguments.count > 2 ? Array(arguments[2...]) : nil
        let second = arguments.count > 1 ? arguments[1] : nil
        call = Storage(function, arguments.first, second, rest)
    }

    /// `-a`
    @inline(__always)
    init(_ function: FunctionExpression.Predefined, _ operand: consuming ExpressionNode) {
        call = Storage(.predefined(function), operand, nil)
    }

    /// `a + b`
    @inline(__always)
    init(_ function: FunctionExpression.Predefined, _ left: consuming ExpressionNode, _ right: consuming ExpressionNode)
    {
        call = Storage(.predefined(function), left, right)
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

/// A message to a value; only registered messages can be sent. [NSP-125]
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

    /// Makes a message to a value.
    public init(target: ExpressionNode, selector: String, arguments: [ExpressionNode] = []) {
        self.target = target
        exactSelector = ExactName(selector)
        self.arguments = arguments
    }
}

/// A conversion of a value to another type.
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

    /// Makes a conversion of a value to a named type.
    public init(_ expression: ExpressionNode, type: String) {
        self.expression = expression
        exactType = ExactName(type)
    }
}

/// One element of a collection: `a[0]`, `a["key"]`, `a[LAST]`.
public struct IndexExpression: Hashable, Sendable {
    /// The collection.
    public var base: ExpressionNode
    /// The position, the key, or a symbolic index such as `FIRST`.
    public var index: ExpressionNode

    /// Makes an index into a collection.
    public init(base: ExpressionNode, index: ExpressionNode) {
        self.base = base
        self.index = index
    }
}

extension IndexExpression {
    /// A symbolic index.
    public enum SymbolicIndex: String, Hashable, Sendable, CaseIterable {
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
/// `SUBQUERY(friends, $f, $f.age > 21)`: keys without a variable in the predicate belong to the outer object.
/// [NSP-118]
public struct SubqueryExpression: Hashable, Sendable {
    /// The collection whose elements are tested.
    public var collection: ExpressionNode
    /// The name of the variable that represents an element, without `$`.
    public var variable: String {
        get { exactVariable.text }
        set { exactVariable = ExactName(newValue) }
    }
    /// The condition for an element.
    public var predicate: PredicateNode
    private var exactVariable: ExactName

    /// Makes a subquery over a collection.
    public init(_ collection: ExpressionNode, variable: String, predicate: PredicateNode) {
        self.collection = collection
        exactVariable = ExactName(variable)
        self.predicate = predicate
    }
}

/// One of two values, chosen by a predicate.
///
/// `TERNARY(age > 17, "adult", "child")`
public struct ConditionalExpression: Hashable, Sendable {
    /// The condition.
    public var predicate: PredicateNode
    /// The value if the predicate holds.
    public var trueExpression: ExpressionNode
    /// The value if the predicate does not hold.
    public var falseExpression: ExpressionNode

    /// Makes a choice between two values.
    public init(_ predicate: PredicateNode, true trueExpression: ExpressionNode, false falseExpression: ExpressionNode)
    {
        self.predicate = predicate
        self.trueExpression = trueExpression
        self.falseExpression = falseExpression
    }
}

/// A set operation on two collections.
///
/// `a UNION {1, 2}`
public struct SetExpression: Hashable, Sendable {
    /// The left collection.
    public var leftExpression: ExpressionNode
    /// `UNION`, `INTERSECT` or `MINUS`.
    public var `operator`: SetExpression.Operator
    /// The right collection.
    public var rightExpression: ExpressionNode

    /// Makes a set operation on two collections.
    public init(_ leftExpression: ExpressionNode, _ operator: SetExpression.Operator, _ rightExpression: ExpressionNode)
    {
        self.leftExpression = leftExpression
        self.operator = `operator`
        self.rightExpression = rightExpression
    }
}

/// An assignment to a variable; its value is the assigned value.
///
/// `$a := 1 + 2`
public struct AssignmentExpression: Hashable, Sendable {
    /// The name of the variable, without `$`.
    public var variable: String {
        get { exactVariable.text }
        set { exactVariable = ExactName(newValue) }
    }
    /// The assigned value.
    public var expression: ExpressionNode
    private var exactVariable: ExactName

    /// Makes an assignment to a variable.
    public init(variable: String, _ expression: ExpressionNode) {
        exactVariable = ExactName(variable)
        self.expression = expression
    }
}

// MARK: - Blocks

/// A condition that a closure of the host decides: `FormatPredicate(name: "adult") { person, _ in … }` [NSP-178]
///
/// No format string produces one; its printed form, `BLOCKPREDICATE(<"adult">)`, does not parse.
/// `PredicateEvaluation` makes it.
public struct BlockPredicate: Hashable, Sendable {
    package let body: BlockBody

    /// The name that appears in printed predicates and in errors.
    public var name: String { body.name }

    package init(_ body: BlockBody) {
        self.body = body
    }
}

/// A value that a closure of the host computes: `FormatExpression(name: "tax", arguments: [price]) { … }` [NSP-178]
///
/// No format string produces one; its printed form, `BLOCK(<"tax">, price)`, does not parse. `PredicateEvaluation`
/// makes it.
public struct BlockExpression: Hashable, Sendable {
    package let body: BlockBody
    /// The expressions whose values the closure receives.
    public var arguments: [ExpressionNode]

    /// The name that appears in printed expressions and in errors.
    public var name: String { body.name }

    package init(_ body: BlockBody, _ arguments: [ExpressionNode]) {
        self.body = body
        self.arguments = arguments
    }
}

/// A closure of the host, which only evaluators can call.
///
/// A tree with a closure is still a value: the closure equals only itself, whatever its name.
package final class BlockBody: Hashable, Sendable {
    package let name: String
    /// The closure in the form that evaluators store.
    package let closure: any Sendable
    /// The tree that the closure evaluates, if the closure belongs to an object with a tree; nil for any other closure.
    package let tree: TreeNode?

    package init(name: String, _ closure: any Sendable, evaluating tree: TreeNode? = nil) {
        self.name = name
        self.closure = closure
        self.tree = tree
    }

    package static func == (left: BlockBody, right: BlockBody) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension ExpressionNode {
    /// `{a, b}`: a single constant if every element is a constant, so that an array passed for `%@` and the same
    /// array written out are the same tree. [NSP-112]
    package static func aggregate(of elements: [ExpressionNode]) -> ExpressionNode {
        var values: [PredicateValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard case .constantValue(let value) = element else { return .aggregate(elements) }
            values.append(value)
        }
        return .constantValue(.array(values))
    }
}

extension PredicateValue {
    /// Returns the constant that a cast of this literal denotes. Values without a literal of their own are written as casts.
    ///
    /// `CAST(592299475.5, "NSDate")`, `CAST("137DECC8-…", "NSUUID")`; nil for a cast that an evaluator must perform.
    package func literal(castTo type: String) -> PredicateValue? {
        switch (self, CastType(rawValue: type)) {
        case (.bool(let value), .date): .date(Date(timeIntervalSinceReferenceDate: value ? 1 : 0))
        case (.integer(let seconds), .date): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.double(let seconds), .date): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.string(let text), .uuid): UUID(uuidString: text).map(PredicateValue.uuid)
        case (.string(let text), .url): URL(string: text).map(PredicateValue.url)
        case (.string(let text), .data): Data(base64Encoded: text).map(PredicateValue.data)
        case (.string(let text), .decimalNumber): text.decimalLiteral.map(PredicateValue.decimal)
        case (.string(let text), .type): .type(PredicateValue.ClassName(text))
        case (.string("nan"), .number): .double(.nan)
        case (.string("inf"), .number): .double(.infinity)
        case (.string("-inf"), .number): .double(-.infinity)
        case (.array(let elements), .orderedSet): .orderedSet(distinct(elements))
        case (.array(let elements), .dictionary): dictionary(of: elements)
        default: nil
        }
    }

    /// Returns each element once, at its first position.
    private func distinct(_ elements: [PredicateValue]) -> [PredicateValue] {
        var seen: Set<PredicateValue> = []
        return elements.filter { seen.insert($0).inserted }
    }

    /// Makes a dictionary from alternating keys and values.
    private func dictionary(of elements: [PredicateValue]) -> PredicateValue? {
        guard elements.count.isMultiple(of: 2) else { return nil }
        var result: [String: PredicateValue] = [:]
        for index in stride(from: 0, to: elements.count, by: 2) {
            guard case .string(let key) = elements[index] else { return nil }
            result[key] = elements[index + 1]
        }
        return .dictionary(result)
    }
}

extension String {
    /// The decimal number that the whole string spells.
    var decimalLiteral: Decimal? {
        let allowed = utf8.allSatisfy { ByteClass.isDigit($0) || "+-.eE".utf8.contains($0) }
        return allowed && !isEmpty ? Decimal(string: self) : nil
    }
}
