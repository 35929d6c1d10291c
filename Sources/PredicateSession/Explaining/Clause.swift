import PredicateEvaluation
import PredicateSyntax

/// One predicate inside a predicate, made ready to be asked alone.
///
/// `age > 5 AND NOT name == "jo"` has four: the AND, `age > 5`, the NOT, `name == "jo"`. What stands inside a
/// SUBQUERY or a TERNARY is part of its comparison.
package final class Clause: Sendable {
    /// What the clause is made of.
    enum Content: Sendable {
        case compound(LogicalType, [Clause])
        /// Anything else, with what asks it.
        case comparison(PredicateEvaluator)
    }

    let node: PredicateNode
    /// The number of the node in the whole tree, which gives its place.
    let number: Int
    /// The number of the first node below it.
    let firstNumber: Int
    /// The position among all clauses, parents before children.
    let id: Int
    let depth: Int
    let content: Content

    private init(_ node: PredicateNode, _ numbers: (Int, Int), _ id: Int, _ depth: Int, _ content: Content) {
        self.node = node
        (firstNumber, number) = numbers
        self.id = id
        self.depth = depth
        self.content = content
    }

    /// The clauses right below.
    var children: [Clause] {
        switch content {
        case .compound(_, let children): children
        case .comparison: []
        }
    }

    /// This clause and all below, parents first.
    var all: [Clause] { [self] + children.flatMap(\.all) }

    /// Makes all clauses of a predicate ready. Throws what can be known without an object.
    package static func tree(
        of predicate: FormatPredicate, variables: [String: PredicateValue]
    ) throws(EvaluationError) -> Clause {
        var builder = Builder(variables: variables, isWhole: predicate.node.assigns)
        return try builder.clause(predicate.node, depth: 0)
    }

    /// The error with its place in the whole predicate.
    func placed(_ error: EvaluationError) -> EvaluationError {
        EvaluationError(error.code, node: firstNumber + (error.node ?? number - firstNumber))
    }

    private struct Builder {
        let variables: [String: PredicateValue]
        /// A variable that one clause gives its value and another one reads: they cannot be asked alone.
        let isWhole: Bool
        var nextNumber = 0
        var nextID = 0

        mutating func clause(_ node: PredicateNode, depth: Int) throws(EvaluationError) -> Clause {
            let id = nextID
            let firstNumber = nextNumber
            nextID += 1
            let content = try content(of: node, depth)
            if case .comparison = content { nextNumber += TreeNode.predicate(node).size - 1 }
            defer { nextNumber += 1 }
            return Clause(node, (firstNumber, nextNumber), id, depth, content)
        }

        private mutating func content(of node: PredicateNode, _ depth: Int) throws(EvaluationError) -> Content {
            guard case .compound(let compound) = node, !isWhole, !compound.subpredicates.isEmpty else {
                return .comparison(try evaluator(node))
            }
            var children: [Clause] = []
            for node in compound.subpredicates { children.append(try clause(node, depth: depth + 1)) }
            return .compound(compound.type, children)
        }

        private func evaluator(_ node: PredicateNode) throws(EvaluationError) -> PredicateEvaluator {
            do throws(EvaluationError) {
                return try PredicateEvaluator(FormatPredicate(node), variables: variables)
            } catch {
                throw EvaluationError(error.code, node: error.node.map { $0 + nextNumber })
            }
        }
    }
}

extension TreeNode {
    /// The number of nodes, this one included.
    var size: Int { children.reduce(1) { $0 + $1.size } }
}

extension PredicateNode {
    /// Whether a variable is given its value somewhere inside.
    fileprivate var assigns: Bool { Self.assigns(.predicate(self)) }

    private static func assigns(_ tree: TreeNode) -> Bool {
        if case .expression(.assignment) = tree { return true }
        return tree.children.contains(where: assigns)
    }
}
