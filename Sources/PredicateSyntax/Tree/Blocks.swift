/// A condition that a closure of the host decides: `FormatPredicate(name: "adult") { person, _ in … }` [NSP-178]
///
/// No format string makes one, and its print, `BLOCKPREDICATE(<"adult">)`, is none. Made by `PredicateEvaluation`.
public struct BlockPredicate: Hashable, Sendable {
    package let body: BlockBody

    /// The name that prints and errors show.
    public var name: String { body.name }

    package init(_ body: BlockBody) {
        self.body = body
    }
}

/// A value that a closure of the host works out: `FormatExpression(name: "tax", arguments: [price]) { … }` [NSP-178]
///
/// No format string makes one, and its print, `BLOCK(<"tax">, price)`, is none. Made by `PredicateEvaluation`.
public struct BlockExpression: Hashable, Sendable {
    package let body: BlockBody
    /// The expressions whose values the closure is given.
    public var arguments: [ExpressionNode]

    /// The name that prints and errors show.
    public var name: String { body.name }

    package init(_ body: BlockBody, _ arguments: [ExpressionNode]) {
        self.body = body
        self.arguments = arguments
    }
}

/// A closure of the host, which only evaluators know how to call.
///
/// A tree with one is still a value: the closure is equal to itself alone, whatever its name.
package final class BlockBody: Hashable, Sendable {
    package let name: String
    /// The closure, in the form that evaluators give it.
    package let closure: any Sendable

    package init(name: String, _ closure: any Sendable) {
        self.name = name
        self.closure = closure
    }

    package static func == (left: BlockBody, right: BlockBody) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
