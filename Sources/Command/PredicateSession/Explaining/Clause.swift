import PredicateEvaluation
import PredicateSyntax

/// A predicate inside a predicate, with an evaluator of its own.
///
/// `age > 5 AND NOT name == "jo"` has four clauses: the AND, `age > 5`, the NOT, and `name == "jo"`. A predicate
/// inside a SUBQUERY or a TERNARY is part of its comparison.
package final class Clause: Sendable {
    /// The structure of a clause.
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
        /// True if a clause assigns a variable. Another clause may read it, so the clauses are not evaluated
        /// separately.
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
            if case .comparison = structure { nextNumber += TreeNode.predicate(node).size - 1 }
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

extension TreeNode {
    /// The number of nodes, this one included.
    var size: Int { children.reduce(1) { $0 + $1.size } }
}

extension PredicateNode {
    /// A Boolean value that indicates whether the predicate assigns a variable.
    fileprivate var assigns: Bool { Self.assigns(.predicate(self)) }

    private static func assigns(_ tree: TreeNode) -> Bool {
        if case .expression(.assignment) = tree { return true }
        return tree.children.contains(where: assigns)
    }
}

/// The counts of one clause over all objects.
package struct ClauseCount: Hashable, Sendable {
    /// The number of objects for which the clause holds by itself.
    package fileprivate(set) var alone = 0
    /// The number of objects that reach the clause: no earlier clause has decided the result for them.
    package fileprivate(set) var reached = 0
    /// The number of objects that reach the clause and for which it holds.
    package fileprivate(set) var passed = 0
    /// The number of objects that reach the clause and for which it fails.
    package fileprivate(set) var failures = 0

    fileprivate static func += (left: inout ClauseCount, right: ClauseCount) {
        left.alone += right.alone
        left.reached += right.reached
        left.passed += right.passed
        left.failures += right.failures
    }
}

/// The counts of every clause of a predicate, over all objects.
struct ClauseCounts {
    let root: Clause
    /// The counts, indexed by the id of the clause.
    private(set) var counts: [ClauseCount]
    private(set) var firstFailure: ObjectError?

    /// Evaluates every clause for every object; nil if the user cancelled.
    init?(_ root: Clause, _ work: ChunkedWork) {
        self.root = root
        counts = Array(repeating: ClauseCount(), count: root.all.count)
        let scans = ClauseScans(root, work.table)
        guard let chunks = work.map({ ChunkResults($0, scans) }) else { return nil }
        for chunk in chunks {
            for id in counts.indices { counts[id] += chunk.counts[id] }
            firstFailure = firstFailure ?? chunk.firstFailure
        }
    }

    subscript(clause: Clause) -> ClauseCount { counts[clause.id] }

    /// Evaluates every clause for the rest of a file, which follows the first `count` objects.
    mutating func add(_ rest: RestOfFile, after count: Int) {
        let tally = ClauseTally(root)
        rest.evaluate(with: RecordTester(root.all.map(\.evaluator), after: count, note: tally.add))
        for id in counts.indices { counts[id] += tally.counts[id] }
        firstFailure = firstFailure ?? tally.firstFailure
    }

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
}

/// Counts the outcomes of all clauses for one record after another.
private final class ClauseTally {
    private let root: Clause
    private(set) var counts: [ClauseCount]
    private(set) var firstFailure: ObjectError?

    init(_ root: Clause) {
        self.root = root
        counts = Array(repeating: ClauseCount(), count: root.all.count)
    }

    func add(_ outcomes: [RecordOutcome], _ index: Int) {
        for id in outcomes.indices { if case .yes = outcomes[id] { counts[id].alone += 1 } }
        _ = reach(root, outcomes, index)
    }

    /// Counts the clauses that a record reaches. Returns whether the record satisfies this clause; nil if the clause fails.
    private func reach(_ clause: Clause, _ outcomes: [RecordOutcome], _ index: Int) -> Bool? {
        counts[clause.id].reached += 1
        reachChildren(of: clause, outcomes, index)
        switch outcomes[clause.id] {
        case .no: return false
        case .yes:
            counts[clause.id].passed += 1
            return true
        case .failed(let error):
            counts[clause.id].failures += 1
            if case .comparison = clause.structure, firstFailure == nil {
                firstFailure = ObjectError(index: index, error: clause.placed(error))
            }
            return nil
        }
    }

    private func reachChildren(of clause: Clause, _ outcomes: [RecordOutcome], _ index: Int) {
        guard case .compound(let type, let children) = clause.structure else { return }
        for child in children {
            let passes = reach(child, outcomes, index)
            switch type {
            case .and: if passes != true { return }
            case .or: if passes != false { return }
            case .not: break
            }
        }
    }
}

/// The clauses of a predicate, each prepared for the rows of a table.
struct ClauseScans: Sendable {
    let root: Clause
    /// The scans, indexed by the id of the clause.
    fileprivate let scans: [ColumnScan]

    init(_ root: Clause, _ table: ObjectTable) {
        self.root = root
        scans = root.all.map { ColumnScan($0.evaluator, table.rows) }
    }
}

/// The results of all clauses for the rows of one chunk.
struct ChunkResults: Sendable {
    private enum ClauseOutcome { case no, yes, failed }

    private let rows: Range<Int>
    /// The outcome of each row of the chunk, indexed by the id of the clause.
    private var outcomes: [[ClauseOutcome]] = []
    /// The errors, indexed by the id of the clause. An error counts only if its object reaches the clause.
    private var errors: [[ObjectError]] = []
    /// The rows that reach the clause, indexed by its id.
    private(set) var reached: [[Int]]
    private(set) var counts: [ClauseCount]
    private(set) var firstFailure: ObjectError?

    init(_ rows: Range<Int>, _ scans: ClauseScans) {
        self.rows = rows
        reached = Array(repeating: [], count: scans.scans.count)
        counts = Array(repeating: ClauseCount(), count: scans.scans.count)
        for scan in scans.scans { evaluate(scan) }
        reach(scans.root, Array(rows))
    }

    /// Evaluates one clause by itself.
    private mutating func evaluate(_ scan: ColumnScan) {
        var outcomes = [ClauseOutcome](repeating: .no, count: rows.count)
        var errors: [ObjectError] = []
        var matches = 0
        scan.ask(rows) { row in
            matches += 1
            outcomes[row - rows.lowerBound] = .yes
        } failure: { row, error in
            errors.append(ObjectError(index: row, error: error))
        }
        for error in errors { outcomes[error.index - rows.lowerBound] = .failed }
        counts[self.outcomes.count].alone = matches
        self.outcomes.append(outcomes)
        self.errors.append(errors)
    }

    /// Counts, from the root down, the rows that reach each clause and those that pass it.
    private mutating func reach(_ clause: Clause, _ rows: [Int]) {
        reached[clause.id] = rows
        counts[clause.id].reached = rows.count
        counts[clause.id].passed = these(rows, clause, .yes).count
        counts[clause.id].failures = these(rows, clause, .failed).count
        switch clause.structure {
        case .comparison: noteFailure(clause)
        case .compound(let type, let children):
            var open = rows
            for child in children {
                reach(child, open)
                switch type {
                case .and: open = these(open, child, .yes)
                case .or: open = these(open, child, .no)
                case .not: break
                }
            }
        }
    }

    private func these(_ rows: [Int], _ clause: Clause, _ outcome: ClauseOutcome) -> [Int] {
        let outcomes = outcomes[clause.id]
        return rows.filter { outcomes[$0 - self.rows.lowerBound] == outcome }
    }

    private mutating func noteFailure(_ clause: Clause) {
        guard firstFailure == nil, !errors[clause.id].isEmpty else { return }
        let rows = Set(reached[clause.id])
        guard let first = errors[clause.id].first(where: { rows.contains($0.index) }) else { return }
        firstFailure = ObjectError(index: first.index, error: clause.placed(first.error))
    }
}
