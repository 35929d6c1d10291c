import Foundation

/// A node of Swift's predicates that the conversion knows.
///
/// Every node conforms without conditions, so that a node of a type that nobody expects is an error with its name, and
/// not a conformance that fails to hold.
protocol ConvertibleNode<Output>: PredicateExpression {
    /// The parts, in the order in which they print. A closure is its body.
    var operands: [any PredicateExpression] { get }
    /// The variable that a closure, the last operand, has; nil without a closure.
    var parameter: PredicateExpressions.VariableID? { get }
    /// True if the node prints with an operator between its operands, and so in parentheses inside another one.
    var isInfix: Bool { get }
    /// True if evaluating the node may trap: an integer may overflow.
    var mayTrap: Bool { get }
    /// True if evaluating the node without an object, whose operands can be evaluated so, would trap.
    var trapsWithoutObject: Bool { get }

    /// The node in the language.
    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted
    /// Prints the node as source code.
    func print(to printer: inout SourcePrinter)
}

extension ConvertibleNode {
    var parameter: PredicateExpressions.VariableID? { nil }
    var isInfix: Bool { false }
    var mayTrap: Bool { false }
    var trapsWithoutObject: Bool { false }
}

/// The reason why a node cannot be converted, and the way to it.
struct Refusal: Error {
    let code: PredicateConversionError.Code
    /// The indexes of operands, from the root to the node.
    var path: [Int] = []
    /// The text that the error is about where it is not the printed predicate, and the range in it: a regular expression.
    var excerpt: (text: String, range: Range<Int>)?

    init(_ code: PredicateConversionError.Code, excerpt: (text: String, range: Range<Int>)? = nil) {
        self.code = code
        self.excerpt = excerpt
    }
}

/// What the variables in sight stand for.
struct Scope {
    private var bindings: [PredicateExpressions.VariableID: Converted] = [:]
    /// The number of closures around a node, from which their variables have their names.
    private(set) var closures = 0
    private(set) var depth = 0

    subscript(_ variable: PredicateExpressions.VariableID) -> Converted? { bindings[variable] }

    func binding(_ variable: PredicateExpressions.VariableID, to value: Converted) -> Scope {
        var scope = self
        scope.bindings[variable] = value
        return scope
    }

    /// The scope inside a closure over a collection, and the name of its variable.
    func entering(_ variable: PredicateExpressions.VariableID) -> (scope: Scope, name: String) {
        var scope = self
        scope.closures += 1
        let name = "v\(scope.closures)"
        scope.bindings[variable] = .value(.variable(name))
        return (scope, name)
    }

    func descending() -> Scope {
        var scope = self
        scope.depth += 1
        return scope
    }
}
