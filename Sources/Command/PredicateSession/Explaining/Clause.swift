import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

/// A predicate inside a predicate, with an evaluator of its own.
///
/// `age > 5 AND NOT name == "jo"` has four clauses: the AND, `age > 5`, the NOT, and `name == "jo"`. A predicate
/// inside a SUBQUERY or a TERNARY is part of its comparison.
package final class Clause: Sendable {
    enum Structure: Sendable {
        case compound(LogicalType, [Clause])
        /// Anything else
        case comparison
    }

    /// The clause as it was typed.
    let node: PredicateNode
    let evaluator: PredicateEvaluator
    /// The numbers of the clause's nodes in the whole tree. The last one is the number of the clause itself.
    private let nodeNumbers: ClosedRange<Int>
    /// The index among all clauses. Parents come before children.
    let id: Int
    let depth: Int
    let structure: Structure

    private init(
        _ node: PredicateNode, _ evaluator: PredicateEvaluator, _ nodeNumbers: ClosedRange<Int>, _ id: Int,
        _ depth: Int,
        _ structure: Structure
    ) {
        self.node = node
        self.evaluator = evaluator
        self.nodeNumbers = nodeNumbers
        self.id = id
        self.depth = depth
        self.structure = structure
    }

    /// The clauses directly below.
    var children: [Clause] {
        switch structure {
        case .compound(_, let children): children
        case .comparison: []
        }
    }

    /// This clause and all clauses below it, parents first: in the order of their ids.
    var all: [Clause] { [self] + children.flatMap(\.all) }

    /// Creates the clauses of a predicate. Throws errors that do not depend on an object.
    ///
    /// `writtenAs` is the predicate to show. It has the same shape, but its strings are not read as dates.
    package static func tree(
        of predicate: FormatPredicate, writtenAs written: FormatPredicate? = nil, context: PredicateContext
    ) throws(EvaluationError) -> Clause {
        var builder = Builder(context: context, isWhole: predicate.node.assigns)
        return try builder.clause(predicate.node, written?.node ?? predicate.node, depth: 0)
    }

    /// Returns an error of this clause with its node number in the whole predicate.
    func placed(_ error: EvaluationError) -> EvaluationError {
        EvaluationError(
            error.code, node: error.node.map { nodeNumbers.lowerBound + $0 } ?? nodeNumbers.upperBound)
    }

    private struct Builder {
        let context: PredicateContext
        /// True if a clause assigns a variable. Another clause may read it, so the clauses are not evaluated separately.
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
            let structure = try structure(of: node, written, depth)
            if case .comparison = structure { nextNumber += TreeNode.predicate(node).count - 1 }
            defer { nextNumber += 1 }
            return Clause(written, evaluator, firstNumber...nextNumber, id, depth, structure)
        }

        private mutating func structure(
            of node: PredicateNode, _ written: PredicateNode, _ depth: Int
        ) throws(EvaluationError) -> Structure {
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
                return try PredicateEvaluator(FormatPredicate(node), context: context)
            } catch {
                throw EvaluationError(error.code, node: error.node.map { $0 + nextNumber })
            }
        }
    }
}

extension PredicateNode {
    /// A Boolean value that indicates whether the predicate assigns a variable.
    fileprivate var assigns: Bool {
        TreeNode.predicate(self).nodes.contains { if case .expression(.assignment) = $0 { true } else { false } }
    }
}

/// The counts of one clause over all objects.
struct ClauseCount: Sendable {
    /// The number of objects for which the clause holds by itself.
    fileprivate(set) var alone = 0
    /// The number of objects that reach the clause: no earlier clause has decided the result for them.
    fileprivate(set) var reached = 0
    /// The number of objects that reach the clause and for which it holds.
    fileprivate(set) var passed = 0
    /// The number of objects that reach the clause and for which it fails.
    fileprivate(set) var failures = 0
}

/// The counts of every clause of a predicate, over all objects.
struct ClauseCounts: Sendable {
    let root: Clause
    private var counts: [ClauseCount]
    /// The first object that a clause fails for.
    private(set) var firstFailure: ObjectError?

    init(_ root: Clause) {
        self.root = root
        counts = Array(repeating: ClauseCount(), count: root.all.count)
    }

    subscript(clause: Clause) -> ClauseCount { counts[clause.id] }

    /// The innermost clause that some objects reach and none satisfies; nil if something matches, or if no single clause is the
    /// reason.
    var killer: Clause? {
        self[root].passed == 0 ? killer(in: root) : nil
    }

    private func killer(in clause: Clause) -> Clause? {
        guard self[clause].reached > 0, self[clause].passed == 0 else { return nil }
        switch clause.structure {
        case .comparison: return clause.depth > 0 ? clause : nil
        case .compound(.and, let children): return children.lazy.compactMap { killer(in: $0) }.first
        case .compound(.or, _), .compound(.not, _): return clause.depth > 0 ? clause : nil
        }
    }

    /// Adds an object, given the outcomes of the clauses by their ids. Calls `didReach` for the clauses that it reaches.
    mutating func add(_ outcomes: [ObjectOutcome], _ index: Int, didReach: (Int) -> Void = { _ in }) {
        for id in counts.indices { if case .yes = outcomes[id] { counts[id].alone += 1 } }
        _ = reach(root, index, outcomes, didReach)
    }

    /// Counts the clauses that an object reaches. Returns whether the object satisfies this clause; nil if the clause fails.
    private mutating func reach(
        _ clause: Clause, _ index: Int, _ outcomes: [ObjectOutcome], _ didReach: (Int) -> Void
    ) -> Bool? {
        counts[clause.id].reached += 1
        didReach(clause.id)
        reachChildren(of: clause, index, outcomes, didReach)
        switch outcomes[clause.id] {
        case .no: return false
        case .yes:
            counts[clause.id].passed += 1
            return true
        case .failed(let error):
            counts[clause.id].failures += 1
            if case .comparison = clause.structure, firstFailure.map({ index < $0.index }) ?? true {
                firstFailure = ObjectError(index: index, error: clause.placed(error))
            }
            return nil
        }
    }

    private mutating func reachChildren(
        of clause: Clause, _ index: Int, _ outcomes: [ObjectOutcome], _ didReach: (Int) -> Void
    ) {
        guard case .compound(let type, let children) = clause.structure else { return }
        for child in children {
            let passes = reach(child, index, outcomes, didReach)
            switch type {
            case .and: if passes != true { return }
            case .or: if passes != false { return }
            case .not: break
            }
        }
    }
}
