import Foundation
import PredicateSyntax

/// A node of Swift predicates that can be converted.
///
/// Every node conforms unconditionally, so a node with unexpected types is an error that names it, and not a missing
/// conformance.
protocol ConvertibleNode<Output>: PredicateExpression {
    /// The operands in the order in which they are printed; a closure is represented by its body.
    var operands: [any PredicateExpression] { get }
    /// The variable of the closure, which is the last operand; nil without a closure.
    var parameter: PredicateExpressions.VariableID? { get }
    /// True if the node is printed with an operator between its operands, and therefore in parentheses inside another
    /// node.
    var isInfix: Bool { get }
    /// True if evaluating the node may trap, as for integer overflow.
    var mayTrap: Bool { get }
    /// True if evaluating the node without an object would trap. Its operands must be evaluable without an object.
    var trapsWithoutObject: Bool { get }

    /// Converts the node.
    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted
    /// Prints the node as source code.
    func print(to printer: inout SourcePrinter)
}

extension ConvertibleNode {
    var parameter: PredicateExpressions.VariableID? { nil }
    var isInfix: Bool { false }
    var mayTrap: Bool { false }
    var trapsWithoutObject: Bool { false }
}

/// A node that is printed with an operator between its two operands: `$0.age > 18`
protocol InfixNode: ConvertibleNode {
    associatedtype LHS: PredicateExpression
    associatedtype RHS: PredicateExpression
    var lhs: LHS { get }
    var rhs: RHS { get }
}

extension InfixNode {
    var operands: [any PredicateExpression] { [lhs, rhs] }
    var isInfix: Bool { true }
}

/// The reason why a node cannot be converted, with the path to it.
struct ConversionRefusal: Error {
    let code: PredicateConversionError.Code
    /// The operand indexes from the root to the node.
    var path: [Int] = []
    /// The regular expression that the error is about, and the range in it; nil if it is about the printed predicate.
    var excerpt: (text: String, range: Range<Int>)?

    init(_ code: PredicateConversionError.Code, excerpt: (text: String, range: Range<Int>)? = nil) {
        self.code = code
        self.excerpt = excerpt
    }
}

/// The meaning of the variables in scope.
struct ConversionScope {
    private var bindings: [PredicateExpressions.VariableID: Converted] = [:]
    /// The number of enclosing closures, which determines the names of their variables.
    private(set) var closures = 0
    private(set) var depth = 0

    subscript(_ variable: PredicateExpressions.VariableID) -> Converted? { bindings[variable] }

    func binding(_ variable: PredicateExpressions.VariableID, to value: Converted) -> ConversionScope {
        var scope = self
        scope.bindings[variable] = value
        return scope
    }

    /// Returns the scope inside a closure over a collection, with the name of its variable.
    func entering(_ variable: PredicateExpressions.VariableID) -> (scope: ConversionScope, name: String) {
        var scope = self
        scope.closures += 1
        let name = "v\(scope.closures)"
        scope.bindings[variable] = .value(.variable(name))
        return (scope, name)
    }

    func descending() -> ConversionScope {
        var scope = self
        scope.depth += 1
        return scope
    }
}

/// The conversion of one Swift tree.
struct Walk {
    /// The variables of the whole predicate: `$0`.
    private let inputs: [PredicateExpressions.VariableID]
    let names: KeyPathNames

    /// The maximum depth of the conversion. It is far above the limit for trees, because each key of a path is a
    /// level here.
    private static let deepest = 200

    init(inputs: [PredicateExpressions.VariableID], names: KeyPathNames) {
        self.inputs = inputs
        self.names = names
    }

    private var scope: ConversionScope {
        inputs.reduce(ConversionScope()) { $0.binding($1, to: .value(.evaluatedObject)) }
    }

    /// Converts the whole tree to a predicate.
    func predicate(_ root: any PredicateExpression) throws(PredicateConversionError) -> PredicateNode {
        try whole(root, \.predicate) { $0.isWithin(.standard) }
    }

    /// Converts the whole tree to an expression.
    func expression(_ root: any PredicateExpression) throws(PredicateConversionError) -> ExpressionNode {
        try whole(root, \.expression) { $0.isWithin(.standard) }
    }

    private func whole<Node>(
        _ root: any PredicateExpression, _ form: (Converted) -> Node, isWithin: (Node) -> Bool
    ) throws(PredicateConversionError) -> Node {
        do throws(ConversionRefusal) {
            let node = form(try convert(root, scope))
            guard isWithin(node) else { throw ConversionRefusal(.exceedsLimits) }
            return node
        } catch {
            throw PredicateConversionError(error, in: root, inputs)
        }
    }

    /// Converts a node. A node that depends on no variable is evaluated.
    func convert(_ node: any PredicateExpression, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        guard scope.depth < Self.deepest else { throw ConversionRefusal(.nestingTooDeep(limit: Self.deepest)) }
        guard let node = node as? any ConvertibleNode else {
            throw ConversionRefusal(.unknownNode(NodeName.of(node)))
        }
        if FreeVariables.none(in: node), let constant = try Self.constant(node) { return constant }
        return try node.converted(by: self, scope.descending())
    }

    /// Converts an operand of a node.
    func convert(
        _ operand: any PredicateExpression, at index: Int, _ scope: ConversionScope
    ) throws(ConversionRefusal) -> Converted {
        do throws(ConversionRefusal) {
            return try convert(operand, scope)
        } catch {
            throw error.below(index)
        }
    }

    func value(_ operand: any PredicateExpression, at index: Int, _ scope: ConversionScope) throws(ConversionRefusal)
        -> ExpressionNode
    {
        try convert(operand, at: index, scope).expression
    }

    /// Evaluates a node without variables; nil if only its parts can show whether it would trap.
    private static func constant<Node: ConvertibleNode>(_ node: Node) throws(ConversionRefusal) -> Converted? {
        switch Traps.found(in: node) {
        case .none: break
        case .unknown: return nil
        case .certain: throw ConversionRefusal(.overflow)
        }
        let value: Node.Output
        do {
            value = try node.evaluate(PredicateBindings())
        } catch {
            throw ConversionRefusal(.failing((error as? PredicateError)?.debugDescription ?? "\(error)"))
        }
        return .captured(value)
    }
}

extension ConversionRefusal {
    /// Returns this refusal with the index of an operand added to the front of its path.
    func below(_ index: Int) -> ConversionRefusal {
        var refusal = self
        refusal.path.insert(index, at: 0)
        return refusal
    }
}

/// The search for variables that a node does not bind itself.
enum FreeVariables {
    static func none(in node: any ConvertibleNode) -> Bool {
        var bound: [PredicateExpressions.VariableID] = []
        return none(in: node, &bound)
    }

    /// Returns true if the node has no free variables besides `bound`. The search stops at the first one.
    private static func none(in node: any PredicateExpression, _ bound: inout [PredicateExpressions.VariableID]) -> Bool
    {
        guard let node = node as? any ConvertibleNode else { return false }
        if let variable = node as? any VariableNode { return bound.contains(variable.key) }
        if let parameter = node.parameter { bound.append(parameter) }
        defer { if node.parameter != nil { bound.removeLast() } }
        return node.operands.allSatisfy { none(in: $0, &bound) }
    }
}

/// The search for parts that would trap, innermost first.
enum Traps {
    case none
    /// Inside a closure, which is not called.
    case unknown
    case certain

    static func found(in node: any PredicateExpression) -> Traps {
        guard let node = node as? any ConvertibleNode else { return .unknown }
        for (index, operand) in node.operands.enumerated() {
            let isBody = node.parameter != nil && index == node.operands.count - 1
            let found = isBody ? (mayTrap(operand) ? .unknown : .none) : found(in: operand)
            guard case .none = found else { return found }
        }
        return node.trapsWithoutObject ? .certain : .none
    }

    private static func mayTrap(_ node: any PredicateExpression) -> Bool {
        guard let node = node as? any ConvertibleNode else { return true }
        return node.mayTrap || node.operands.contains(where: mayTrap)
    }
}

// Consequences of a value being nil: `name CONTAINS "a"` needs no preceding `name != nil`.

extension ExpressionNode {
    /// Returns true if the expression is certainly nil whenever the other one is: `boss.name` if `boss` is nil.
    func isNil(where other: ExpressionNode) -> Bool {
        if self == other { return true }
        switch self {
        case .keyPath(let path):
            if let base = path.base, base.isNil(where: other) { return true }
            guard case .keyPath(let prefix) = other else { return false }
            return prefix.base == path.base && prefix.components.count < path.components.count
                && path.components.starts(with: prefix.components)
        case .function(let call): return call.isNilForNil && call.arguments.allSatisfy { $0.isNil(where: other) }
        case .index(let index): return index.base.isNil(where: other)
        case .subquery(let subquery): return subquery.collection.isNil(where: other)
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .symbol, .conditional,
            .set, .assignment, .anyKey, .block, .fetch:
            return false
        }
    }

    /// True if evaluating the expression is never an error: a key, but not an element that may be missing, and not a
    /// sum.
    fileprivate var isHarmless: Bool {
        switch self {
        case .constantValue, .evaluatedObject, .variable: true
        case .keyPath(let path): path.base?.isHarmless ?? true
        case .function(let call): call.isNilForNil && call.arguments.allSatisfy(\.isHarmless)
        case .aggregate(let elements): elements.allSatisfy(\.isHarmless)
        case .member, .message, .cast, .index, .symbol, .subquery, .conditional, .set, .assignment, .anyKey, .block,
            .fetch:
            false
        }
    }

    fileprivate var isNil: Bool { self == .constantValue(.null) }

    /// True for a constant other than nil.
    fileprivate var isConstant: Bool {
        if case .constantValue(let value) = self { value != .null } else { false }
    }
}

extension FunctionExpression {
    fileprivate var isNilForNil: Bool { function == .predefined(.length) }
}

extension PredicateNode {
    /// `nick != nil AND length:(nick) != 3`, or only the second part if it implies the first.
    static func guarding(_ holds: PredicateNode, by present: PredicateNode) -> PredicateNode {
        if case .comparison(let test) = present, test.operator == .notEqualTo, test.rightExpression.isNil,
            holds.isFalse(whereNil: test.leftExpression)
        {
            return holds
        }
        return .all([present, holds])
    }

    /// Returns true if, whenever the expression is nil, the predicate is certainly false and evaluating it is not an
    /// error.
    func isFalse(whereNil other: ExpressionNode) -> Bool {
        switch self {
        case .constant(let value): return !value
        case .string(let node):
            return node.isHarmless
                && (node.leftExpression.isNil(where: other) || node.rightExpression.isNil(where: other))
        case .comparison(let node): return node.isHarmless && node.isFalse(whereNil: other)
        case .compound(let compound):
            let parts = compound.subpredicates
            switch compound.type {
            case .and: return parts.allSatisfy(\.isHarmless) && parts.contains { $0.isFalse(whereNil: other) }
            case .or: return parts.allSatisfy { $0.isFalse(whereNil: other) }
            case .not: return false
            }
        case .block: return false
        }
    }

    /// True if evaluating the predicate is never an error: comparisons of keys with constants.
    fileprivate var isHarmless: Bool {
        switch self {
        case .constant: true
        case .comparison(let node): node.isHarmless
        case .string(let node): node.isHarmless
        case .compound(let compound): compound.subpredicates.allSatisfy(\.isHarmless)
        case .block: false
        }
    }
}

extension OperatorComparison {
    fileprivate var isHarmless: Bool {
        modifier == .direct && leftExpression.isHarmless && rightExpression.isHarmless
    }
}

extension ComparisonPredicate {
    fileprivate func isFalse(whereNil other: ExpressionNode) -> Bool {
        let (left, right) = (leftExpression.isNil(where: other), rightExpression.isNil(where: other))
        switch `operator` {
        case .lessThan, .greaterThan: return left || right
        case .equalTo, .lessThanOrEqualTo, .greaterThanOrEqualTo:
            return left && rightExpression.isConstant || right && leftExpression.isConstant
        case .in: return left || right
        case .between: return left
        case .notEqualTo, .customSelector: return false
        }
    }
}
