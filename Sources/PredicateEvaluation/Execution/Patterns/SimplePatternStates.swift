/// The Glushkov automaton of a simple pattern: a position for each atom, and the positions that may follow it.
struct SimplePatternGraph {
    private(set) var atoms: [SimpleAtom] = []
    /// For each position those that may follow.
    private(set) var follows: [UInt64] = []
    /// The positions where a text may begin and end, and whether it may be empty.
    private(set) var firsts: UInt64 = 0
    private(set) var lasts: UInt64 = 0
    private(set) var isNullable = false
    /// For each kind of character its class, and for each class the positions that take it.
    private(set) var classes: [UInt8] = []
    private(set) var accepting: [UInt64] = []
    /// The positions from which a way leads back to them.
    private var cyclic: UInt64 = 0
    /// True if a backtracking matcher could take one step in two ways, again and again.
    private var isAmbiguous = false
    private var partCount = 0

    /// More positions than there are bits do not fit into a state.
    static let most = 62

    /// Nil for an expression that is too large, or of which the general matcher may try ever more ways.
    init?(_ expression: SimpleExpression, foldsCase: Bool) {
        guard let whole = add(expression), !isAmbiguous else { return nil }
        (firsts, lasts, isNullable) = (whole.firsts, whole.lasts, whole.emptyWays > 0)
        classify(foldsCase)
    }

    /// Gives each kind of character its class: those that all atoms take alike share one.
    private mutating func classify(_ foldsCase: Bool) {
        for kind in 0..<SimplePattern.kinds {
            var taken: UInt64 = 0
            for position in atoms.indices where atoms[position].takes(kind, foldsCase: foldsCase) {
                taken |= 1 << UInt64(position)
            }
            let number = accepting.firstIndex(of: taken) ?? accepting.count
            if number == accepting.count { accepting.append(taken) }
            classes.append(UInt8(truncatingIfNeeded: number))
        }
    }

    /// The ends of a part.
    private struct Part {
        var firsts: UInt64 = 0
        var lasts: UInt64 = 0
        /// In how many ways the part takes nothing.
        var emptyWays = 1
    }

    private mutating func add(_ expression: SimpleExpression) -> Part? {
        partCount += 1
        guard partCount < 1_000 else { return nil }
        switch expression {
        case .atom(let atom): return add(atom)
        case .sequence(let parts):
            var whole = Part()
            for part in parts {
                guard let next = add(part) else { return nil }
                connect(whole.lasts, next.firsts)
                whole.firsts |= whole.emptyWays > 0 ? next.firsts : 0
                whole.lasts = next.lasts | (next.emptyWays > 0 ? whole.lasts : 0)
                whole.emptyWays *= next.emptyWays
            }
            return whole
        case .choice(let branches):
            var whole = Part(emptyWays: 0)
            for branch in branches {
                guard let next = add(branch) else { return nil }
                whole.firsts |= next.firsts
                whole.lasts |= next.lasts
                whole.emptyWays += next.emptyWays
            }
            return whole.emptyWays < 2 ? whole : nil
        case .optional(let part):
            guard var whole = add(part), whole.emptyWays == 0 else { return nil }
            whole.emptyWays = 1
            return whole
        case .repeated(let part): return add(repeated: part)
        }
    }

    private mutating func add(_ atom: SimpleAtom) -> Part? {
        guard atoms.count < Self.most else { return nil }
        let bit: UInt64 = 1 << UInt64(atoms.count)
        atoms.append(atom)
        follows.append(0)
        return Part(firsts: bit, lasts: bit, emptyWays: 0)
    }

    private mutating func add(repeated part: SimpleExpression) -> Part? {
        let start = atoms.count
        guard let whole = add(part), whole.emptyWays == 0 else { return nil }
        connect(whole.lasts, whole.firsts)
        for position in start..<atoms.count { cyclic |= 1 << UInt64(position) }
        return whole
    }

    private mutating func connect(_ lasts: UInt64, _ firsts: UInt64) {
        for position in Self.positions(lasts) {
            if follows[position] & firsts != 0 { isAmbiguous = true }
            follows[position] |= firsts
        }
    }

    /// The positions of a set.
    static func positions(_ set: UInt64) -> Positions { Positions(rest: set) }

    /// The positions of the bits that are set, lowest first.
    struct Positions: Sequence, IteratorProtocol {
        fileprivate var rest: UInt64

        mutating func next() -> Int? {
            guard rest != 0 else { return nil }
            defer { rest &= rest &- 1 }
            return rest.trailingZeroBitCount
        }
    }
}

extension SimplePatternGraph {
    /// The longest text for which a backtracking matcher certainly comes to an end; nil where ever so short ones
    /// may be too long.
    ///
    /// If two atoms that take the same character may follow, both ways are tried. If this happens on a loop, it
    /// may happen for each character; within the loop it must not, or the ways would double each time.
    func longest() -> Int? {
        var (loops, ways) = (0, overlap(firsts))
        for position in follows.indices {
            let choices = overlap(follows[position])
            guard choices > 1 else { continue }
            if cyclic & (1 << UInt64(position)) == 0 {
                ways *= choices
            } else {
                guard choices == 2, overlap(follows[position] & cyclic & loop(of: position)) < 2 else {
                    return nil
                }
                loops += 1
            }
            guard ways <= 10_000, loops < 6 else { return nil }
        }
        var length = 10_000
        while length > 0, Self.power(length, loops + 1) > 1_000_000 / ways { length = length * 9 / 10 }
        return length
    }

    private static func power(_ base: Int, _ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { power, _ in min(power * base, 1 << 40) }
    }

    /// The positions that lead to a position and that it leads to.
    private func loop(of position: Int) -> UInt64 {
        let bit: UInt64 = 1 << UInt64(position)
        return reached(from: follows[position])
            & Self.positions(cyclic).reduce(into: UInt64(0)) { set, other in
                if reached(from: 1 << UInt64(other)) & bit != 0 { set |= 1 << UInt64(other) }
            }
    }

    private func reached(from start: UInt64) -> UInt64 {
        var reached = start
        while true {
            let more = Self.positions(reached).reduce(reached) { $0 | follows[$1] }
            if more == reached { return reached }
            reached = more
        }
    }

    /// The most positions that may take one and the same character.
    private func overlap(_ set: UInt64) -> Int {
        accepting.reduce(1) { max($0, (set & $1).nonzeroBitCount) }
    }
}

/// The states that a simple pattern can be in, each a set of positions, and which follows which.
struct SimplePatternStates {
    private(set) var rows: [UInt16] = []
    private(set) var ends: [Bool] = []
    private(set) var start = 0

    /// So many states are enough, and their table is small.
    private static let most = 128
    /// The position of a text that has not begun.
    private static let beginning: UInt64 = 1 << 63

    init?(_ graph: SimplePatternGraph) {
        let accepting = graph.accepting
        var (states, numbers): ([UInt64], [UInt64: Int]) = ([0, Self.beginning], [0: 0, Self.beginning: 1])
        var index = 0
        while index < states.count {
            let next = Self.next(states[index], graph)
            for accepted in accepting {
                let state = next & accepted
                if numbers[state] == nil {
                    guard states.count < Self.most else { return nil }
                    numbers[state] = states.count
                    states.append(state)
                }
                rows.append(UInt16(truncatingIfNeeded: (numbers[state] ?? 0) * accepting.count))
            }
            let isEnd = states[index] & graph.lasts != 0 || states[index] == Self.beginning && graph.isNullable
            ends += [isEnd] + Array(repeating: false, count: accepting.count - 1)
            index += 1
        }
        start = accepting.count
    }

    private static func next(_ state: UInt64, _ graph: SimplePatternGraph) -> UInt64 {
        if state == beginning { return graph.firsts }
        return SimplePatternGraph.positions(state).reduce(0) { $0 | graph.follows[$1] }
    }
}
