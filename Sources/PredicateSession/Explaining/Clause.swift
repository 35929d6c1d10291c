import PredicateEvaluation
import PredicateSyntax

/// One predicate inside a predicate, with an evaluator of its own.
///
/// `age > 5 AND NOT name == "jo"` has four: the AND, `age > 5`, the NOT, `name == "jo"`. A predicate inside a
/// SUBQUERY or a TERNARY is part of its comparison.
package final class Clause: Sendable {
    /// The structure of a clause.
    enum Content: Sendable {
        case compound(LogicalType, [Clause])
        /// Anything else.
        case comparison
    }

    /// The clause as it was typed.
    let node: PredicateNode
    let evaluator: PredicateEvaluator
    /// The node numbers of the clause in the whole tree; the last one is its own.
    private let nodeNumbers: ClosedRange<Int>
    /// The index among all clauses, parents before children.
    let id: Int
    let depth: Int
    let content: Content

    private init(
        _ node: PredicateNode, _ evaluator: PredicateEvaluator, _ nodeNumbers: ClosedRange<Int>, _ id: Int,
        _ depth: Int,
        _ content: Content
    ) {
        self.node = node
        self.evaluator = evaluator
        self.nodeNumbers = nodeNumbers
        self.id = id
        self.depth = depth
        self.content = content
    }

    /// The clauses directly below.
    var children: [Clause] {
        switch content {
        case .compound(_, let children): children
        case .comparison: []
        }
    }

    /// This clause and all below, parents first: in the order of their ids.
    var all: [Clause] { [self] + children.flatMap(\.all) }

    /// Prepares all clauses of a predicate. Throws errors that do not depend on an object.
    ///
    /// `writtenAs` is the predicate to show, of the same shape: the one with texts that are evaluated as dates.
    package static func tree(
        of predicate: FormatPredicate, writtenAs written: FormatPredicate? = nil, variables: [String: PredicateValue]
    ) throws(EvaluationError) -> Clause {
        var builder = Builder(variables: variables, isWhole: predicate.node.assigns)
        return try builder.clause(predicate.node, written?.node ?? predicate.node, depth: 0)
    }

    /// Returns an error of this clause with its node number in the whole predicate.
    func placed(_ error: EvaluationError) -> EvaluationError {
        EvaluationError(
            error.code, node: error.node.map { nodeNumbers.lowerBound + $0 } ?? nodeNumbers.upperBound)
    }

    private struct Builder {
        let variables: [String: PredicateValue]
        /// True if a clause assigns a variable: then another one may read it, and they cannot be evaluated apart.
        let isWhole: Bool
        var nextNumber = 0
        var nextID = 0

        mutating func clause(
            _ node: PredicateNode, _ written: PredicateNode, depth: Int
        ) throws(EvaluationError) -> Clause {
            let id = nextID
            let firstNumber = nextNumber
            nextID += 1
            let evaluator = try evaluator(node)
            let content = try content(of: node, written, depth)
            if case .comparison = content { nextNumber += TreeNode.predicate(node).size - 1 }
            defer { nextNumber += 1 }
            return Clause(written, evaluator, firstNumber...nextNumber, id, depth, content)
        }

        private mutating func content(
            of node: PredicateNode, _ written: PredicateNode, _ depth: Int
        ) throws(EvaluationError) -> Content {
            guard case .compound(let compound) = node, case .compound(let shown) = written, !isWhole,
                !compound.subpredicates.isEmpty
            else { return .comparison }
            var children: [Clause] = []
            for (node, written) in zip(compound.subpredicates, shown.subpredicates) {
                children.append(try clause(node, written, depth: depth + 1))
            }
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
    /// True if a variable is assigned somewhere inside.
    fileprivate var assigns: Bool { Self.assigns(.predicate(self)) }

    private static func assigns(_ tree: TreeNode) -> Bool {
        if case .expression(.assignment) = tree { return true }
        return tree.children.contains(where: assigns)
    }
}
