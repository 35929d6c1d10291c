import PredicateEvaluation
import PredicateSyntax

/// How all objects fare at one clause.
package struct ClauseCount: Hashable, Sendable {
    /// How many objects the clause holds for, asked alone.
    package fileprivate(set) var alone = 0
    /// How many objects come so far: those for which nothing decided the matter before.
    package fileprivate(set) var reached = 0
    /// For how many of these the clause holds.
    package fileprivate(set) var passed = 0
    /// How many of these end in an error.
    package fileprivate(set) var failures = 0

    fileprivate static func += (left: inout ClauseCount, right: ClauseCount) {
        left.alone += right.alone
        left.reached += right.reached
        left.passed += right.passed
        left.failures += right.failures
    }
}

/// What every clause of a predicate lets through, over all objects.
struct ClauseCounts {
    let root: Clause
    /// By the ids of the clauses.
    private(set) var counts: [ClauseCount]
    private(set) var firstFailure: ObjectError?

    /// Asks every clause about every object; nil when the user broke it off.
    init?(_ root: Clause, _ work: ChunkedWork) {
        self.root = root
        counts = Array(repeating: ClauseCount(), count: root.all.count)
        guard let answers = work.map({ ChunkAnswers($0, root) }) else { return nil }
        for (number, answer) in answers.enumerated() {
            for id in counts.indices { counts[id] += answer.counts[id] }
            guard firstFailure == nil, let first = answer.firstFailure else { continue }
            firstFailure = ObjectError(index: number * RowChunk.capacity + first.index, error: first.error)
        }
    }

    subscript(clause: Clause) -> ClauseCount { counts[clause.id] }

    /// The innermost clause that objects reach and none gets past: the one to look at. Nil where something matches,
    /// and where no clause does it alone.
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

/// The answers of all clauses for the objects of one chunk.
struct ChunkAnswers: Sendable {
    private var holds: [Bits]
    private var failures: [Bits]
    /// By the ids of the clauses: every error, since only those of objects that come so far count.
    private var errors: [Int: [(index: Int, error: EvaluationError)]] = [:]
    /// By the ids of the clauses: which objects come so far.
    private(set) var reached: [Bits]
    private(set) var counts: [ClauseCount]
    private(set) var firstFailure: (index: Int, error: EvaluationError)?

    init(_ chunk: RowChunk, _ root: Clause) {
        let clauses = root.all.count
        let none = Bits(count: chunk.count)
        holds = Array(repeating: none, count: clauses)
        failures = holds
        reached = holds
        counts = Array(repeating: ClauseCount(), count: clauses)
        answer(root, chunk)
        reach(root, Bits(count: chunk.count, repeating: true))
    }

    /// What each clause says alone: comparisons ask every object, compounds put the answers together.
    private mutating func answer(_ clause: Clause, _ chunk: RowChunk) {
        switch clause.content {
        case .comparison(let evaluator): ask(evaluator, clause, chunk)
        case .compound(let type, let children):
            for child in children { answer(child, chunk) }
            combine(type, children, clause.id, Bits(count: chunk.count, repeating: true))
        }
        counts[clause.id].alone = holds[clause.id].total
    }

    private mutating func ask(_ evaluator: PredicateEvaluator, _ clause: Clause, _ chunk: RowChunk) {
        for index in 0..<chunk.count {
            do throws(EvaluationError) {
                if try evaluator.evaluate(chunk.value(at: index)) { holds[clause.id].insert(index) }
            } catch {
                failures[clause.id].insert(index)
                errors[clause.id, default: []].append((index, error))
            }
        }
    }

    private mutating func combine(_ type: LogicalType, _ children: [Clause], _ id: Int, _ all: Bits) {
        var open = all
        for child in children.map(\.id) {
            failures[id] = failures[id] | (open & failures[child])
            switch type {
            case .and: open = open & holds[child]
            case .or:
                holds[id] = holds[id] | (open & holds[child])
                open = open & ~holds[child] & ~failures[child]
            case .not: holds[id] = ~holds[child] & ~failures[child]
            }
        }
        if type == .and { holds[id] = open }
    }

    /// From the root down: who comes to each clause, and who gets past it.
    private mutating func reach(_ clause: Clause, _ objects: Bits) {
        let id = clause.id
        reached[id] = objects
        counts[id].reached = objects.total
        counts[id].passed = (objects & holds[id]).total
        counts[id].failures = (objects & failures[id]).total
        if case .comparison = clause.content { noteFailure(clause) }
        guard case .compound(let type, let children) = clause.content else { return }
        var open = objects
        for child in children {
            reach(child, open)
            switch type {
            case .and: open = open & holds[child.id]
            case .or: open = open & ~holds[child.id] & ~failures[child.id]
            case .not: break
            }
        }
    }

    private mutating func noteFailure(_ clause: Clause) {
        let objects = reached[clause.id]
        guard firstFailure == nil, let first = errors[clause.id]?.first(where: { objects.contains($0.index) }) else {
            return
        }
        firstFailure = (first.index, clause.placed(first.error))
    }
}
