/// A state of a pattern: positions in its program, and what assertions need to know about the code point before.
///
/// A position is the index of a step, plus the number of all steps times the ``PatternRestriction``.
struct PatternState: Hashable {
    fileprivate(set) var positions: [UInt32]
    fileprivate var before: PatternTraits = []
    fileprivate var isStart = false
}

/// What may follow a position after `$`.
private enum PatternRestriction {
    static let none = 0
    static let nothing = 1
    /// Nothing, or a line feed: `$` held before the carriage return that was just taken.
    static let lineFeed = 2
    static let count = 3
}

/// Follows the positions of a pattern from one code point to the next: a simulation in linear time.
struct PatternPositions {
    private let program: PatternProgram
    private let alphabet: PatternAlphabet
    private let stepCount: Int
    /// The positions that were reached, and those that are left to visit.
    private var reached: [UInt32] = []
    private var stack: [Int] = []
    /// For each position, the last search that visited it.
    private var marks: [UInt32]
    private var search: UInt32 = 0
    /// The number of positions that all searches visited.
    private(set) var visited = 0

    init(_ program: PatternProgram, _ alphabet: PatternAlphabet) {
        (self.program, self.alphabet, stepCount) = (program, alphabet, program.steps.count)
        marks = Array(repeating: 0, count: PatternRestriction.count * program.steps.count)
    }

    /// The state before the first code point.
    mutating func first() -> PatternState {
        begin()
        reach(0, nil)
        return PatternState(positions: reached, isStart: program.hasAssertions)
    }

    /// Returns the state after a code point of a class; nil if the string cannot match.
    mutating func next(_ state: PatternState, class number: Int) -> PatternState? {
        let positions = decided(state, alphabet.traits[number])
        begin()
        for position in positions {
            guard case .take(let set) = program.steps[Int(position) % stepCount], alphabet.contains(set, number) else {
                continue
            }
            reach(Int(position) + 1, nil)
        }
        if reached.isEmpty { return nil }
        return PatternState(positions: reached.sorted(), before: before(state, alphabet.traits[number]))
    }

    /// Returns the loop of a state; nil if it has too many positions, or its loop too many ends.
    mutating func loop(of state: PatternState) -> PatternLoop? {
        guard state.positions.count <= Self.mostPositionsOfLoop else { return nil }
        let classes = alphabet.direct.prefix(128)
        var stays: [UInt16: Bool] = [:]
        for number in Set(classes) { stays[number] = next(state, class: Int(number)) == state }
        return PatternLoop(ends: classes.indices.filter { stays[classes[$0]] == false })
    }

    private static let mostPositionsOfLoop = 64

    /// Returns true if the string may end in a state.
    mutating func isEnd(_ state: PatternState) -> Bool {
        decided(state, nil).contains { position in
            if case .end = program.steps[Int(position) % stepCount] { true } else { false }
        }
    }

    /// Returns what assertions need to know about a code point; an extender is part of the character before it.
    private func before(_ state: PatternState, _ traits: PatternTraits) -> PatternTraits {
        let word = traits.contains(.extender) ? state.before : traits
        return word.intersection(.word).union(traits.intersection([.lineEnd, .carriageReturn]))
    }

    /// Returns the positions after the assertions that hold before a code point, or at the end.
    private mutating func decided(_ state: PatternState, _ after: PatternTraits?) -> [UInt32] {
        guard program.hasAssertions else { return state.positions }
        let neighbours = PatternNeighbours(before: state.before, isStart: state.isStart, after: after)
        let isLineFeed = after?.contains(.lineFeed) == true
        begin()
        for position in state.positions {
            let (restriction, step) = Int(position).quotientAndRemainder(dividingBy: stepCount)
            if restriction == PatternRestriction.none || after == nil {
                reach(step, neighbours)
            } else if restriction == PatternRestriction.lineFeed, isLineFeed {
                reach(step + PatternRestriction.nothing * stepCount, neighbours)
            }
        }
        return reached
    }

    // MARK: Search

    private mutating func begin() {
        reached = []
        search &+= 1
        guard search == 0 else { return }
        marks = Array(repeating: 0, count: marks.count)
        search = 1
    }

    private mutating func push(_ position: Int) {
        guard marks[position] != search else { return }
        marks[position] = search
        visited &+= 1
        stack.append(position)
    }

    /// Adds the positions that can be reached without taking a code point: those that take one, the end, and
    /// assertions whose neighbours are not known yet.
    private mutating func reach(_ position: Int, _ neighbours: PatternNeighbours?) {
        push(position)
        while let position = stack.popLast() {
            let step = position % stepCount
            switch program.steps[step] {
            case .take, .end: reached.append(UInt32(truncatingIfNeeded: position))
            case .split(let first, let second):
                push(position - step + second)
                push(position - step + first)
            case .jump(let target): push(position - step + target)
            case .check(let assertion): check(assertion, position, neighbours)
            }
        }
    }

    private mutating func check(_ assertion: PatternAssertion, _ position: Int, _ neighbours: PatternNeighbours?) {
        guard let neighbours else { return reached.append(UInt32(truncatingIfNeeded: position)) }
        guard neighbours.satisfy(assertion) else { return }
        guard assertion == .lastLineEnd, position < stepCount, let after = neighbours.after else {
            return push(position + 1)
        }
        let isReturn = after.contains(.carriageReturn)
        push(position + 1 + stepCount * (isReturn ? PatternRestriction.lineFeed : PatternRestriction.nothing))
    }
}
