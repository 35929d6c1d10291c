import PredicateEvaluation
import PredicateSyntax

/// The counts of one clause over all objects.
package struct ClauseCount: Hashable, Sendable {
    /// The number of objects for which the clause holds by itself.
    package fileprivate(set) var alone = 0
    /// The number of objects that reach the clause: no clause before it has decided the result for them.
    package fileprivate(set) var reached = 0
    /// The number of objects that reach the clause and for which it holds.
    package fileprivate(set) var passed = 0
    /// The number of objects that reach the clause and for which it ends in an error.
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
    /// By the ids of the clauses.
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

    /// The innermost clause that objects reach and none passes; nil if something matches, or if no single clause is
    /// the reason.
    var killer: Clause? {
        self[root].passed == 0 ? killer(in: root) : nil
    }

    private func killer(in clause: Clause) -> Clause? {
        guard self[clause].reached > 0, self[clause].passed == 0 else { return nil }
        switch clause.content {
        case .comparison: return clause.depth > 0 ? clause : nil
        case .compound(.and, let children): return children.lazy.compactMap { killer(in: $0) }.first
        case .compound(.or, _), .compound(.not, _): return clause.depth > 0 ? clause : nil
        }
    }
}

/// The clauses of a predicate, each prepared for the rows of a table.
struct ClauseScans: Sendable {
    let root: Clause
    /// By the ids of the clauses.
    fileprivate let scans: [ColumnScan]

    init(_ root: Clause, _ table: ObjectTable) {
        self.root = root
        scans = root.all.map { ColumnScan($0.evaluator, table.rows) }
    }
}

/// The results of all clauses for the rows of one chunk.
struct ChunkResults: Sendable {
    private enum Outcome { case no, yes, failed }

    private let rows: Range<Int>
    /// By the ids of the clauses and the rows of the chunk.
    private var outcomes: [[Outcome]] = []
    /// By the ids of the clauses: every error, since only those of objects that reach the clause count.
    private var errors: [[ObjectError]] = []
    /// By the ids of the clauses: the rows that reach them.
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
        var outcomes = [Outcome](repeating: .no, count: rows.count)
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

    /// Counts, from the root down, which rows reach each clause and which pass it.
    private mutating func reach(_ clause: Clause, _ rows: [Int]) {
        reached[clause.id] = rows
        counts[clause.id].reached = rows.count
        counts[clause.id].passed = these(rows, clause, .yes).count
        counts[clause.id].failures = these(rows, clause, .failed).count
        switch clause.content {
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

    private func these(_ rows: [Int], _ clause: Clause, _ outcome: Outcome) -> [Int] {
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
