import PredicateSyntax
import PredicateText

/// A regular expression for UTF-8 strings: `name MATCHES[c] "j.*n"` where the names are in a database.
///
/// A simple pattern runs on its automaton; if that does not decide, the bytes become a String.
package struct TextPattern {
    private let whole: WholePattern
    private let arena = Arena()
    private let simple: UnsafePointer<SimplePattern>?
    private let required: UnsafePointer<RequiredText>?

    /// Compiles a pattern. Throws `invalidPattern`, and `exceeds` for a pattern that is too long.
    package init(
        _ pattern: String, _ mode: FoldMode, limits: PredicateLimits = .standard
    ) throws(EvaluationError) {
        whole = try Self.placing { () throws(Fault) in try WholePattern(pattern, mode, limits) }
        let arena = arena
        simple = SimplePattern(pattern, mode, limits, in: arena).map { arena.store($0) }
        required = RequiredText(pattern, mode, limits, in: arena).map { arena.store($0) }
    }

    /// Returns true if the pattern matches the whole string, and adds the steps of the general matcher, in units of
    /// ten thousand. Throws `patternTooCostly`, and `exceeds` for a string that is too long.
    package func matches(
        _ text: UnsafeBufferPointer<UInt8>, steps: inout Int
    ) throws(EvaluationError) -> Bool {
        switch simple?.pointee.result(of: text) {
        case .yes: true
        case .no: false
        case .unknown, nil: try isMissing(in: text) ? false : matchesGenerally(text, &steps)
        }
    }

    private func isMissing(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        required?.pointee.isMissing(in: text) ?? false
    }

    @inline(never)
    private func matchesGenerally(
        _ text: UnsafeBufferPointer<UInt8>, _ steps: inout Int
    ) throws(EvaluationError) -> Bool {
        try Self.placing { () throws(Fault) in
            try whole.matches(String(decoding: text, as: UTF8.self), steps: &steps)
        }
    }

    /// Converts faults to errors of a comparison with two operands.
    private static func placing<Result>(_ work: () throws(Fault) -> Result) throws(EvaluationError) -> Result {
        do throws(Fault) { return try work() } catch { throw EvaluationError(error, operands: [0, 1], whole: 2) }
    }
}

/// A deterministic finite automaton (DFA) for simple regular expressions: characters, classes, groups and
/// alternatives, each of them optionally with `?`, `*`, `+` or `{2,3}`.
///
/// `name MATCHES "J.*n S.*"`, `email MATCHES "[a-z.]+[0-9]+@example\\.(com|org)"`
///
/// For these, the whole string matches or not, regardless of the order in which a backtracking matcher tries
/// alternatives. One transition for each character therefore gives the result of the general matcher. Strings on
/// which the general matcher might give up are left to it.
struct SimplePattern: BitwiseCopyable {
    /// The equivalence class of each kind of character; kinds that no atom distinguishes share a class.
    private let classes: UnsafeBufferPointer<UInt8>
    /// The transition table: for each state and class the start of the next row. State 0, the rejecting state, comes
    /// first.
    private let rows: UnsafeBufferPointer<UInt16>
    /// True if a string may end in the state of a row, by its index in ``rows``.
    private let ends: UnsafeBufferPointer<Bool>
    private let start: Int
    /// The greatest length of a string for which the general matcher certainly terminates.
    private let longest: Int
    /// True if non-ASCII characters are left to the general matcher.
    private let isASCIIOnly: Bool
    private let foldsCase: Bool
    /// A needle that every matching string contains after its first character.
    private let word: FlatNeedle?

    /// Nil for a pattern that is not simple, and for one with too many states.
    init?(_ pattern: String, _ mode: FoldMode, _ limits: PredicateLimits, in arena: Arena) {
        switch mode {
        case .none, .caseInsensitive: break
        case .diacriticInsensitive, .caseAndDiacriticInsensitive: return nil
        }
        let foldsCase = mode == .caseInsensitive
        guard !pattern.isEmpty, let expression = SimplePatternBuilder.expression(pattern),
            let graph = SimplePatternGraph(expression, foldsCase: foldsCase), let longest = graph.longest(),
            let states = SimplePatternStates(graph)
        else { return nil }
        classes = arena.store(graph.classes)
        rows = arena.store(states.rows)
        ends = arena.store(states.ends)
        start = states.start
        self.longest = min(longest, limits.subjectLength)
        let word = foldsCase ? [] : expression.innerWord
        self.word = word.isEmpty ? nil : arena.needle(word, .none)
        isASCIIOnly = graph.atoms.contains { $0.isASCIIOnly }
        self.foldsCase = foldsCase
    }

    /// The number of kinds of characters: each ASCII character, the non-ASCII line terminators, and all other
    /// characters.
    static let kinds = 130
    static let other = 128
    static let lineEnd = 129

    /// Returns true if the pattern matches the whole string; unknown if only the general matcher can tell.
    @inline(never)
    func result(of text: UnsafeBufferPointer<UInt8>) -> LeafResult {
        guard text.count <= longest, let classes = classes.baseAddress, let rows = rows.baseAddress else {
            return .unknown
        }
        if let word, let first = text.first {
            if first < 0x80, rows[start &+ Int(classes[Int(first)])] == 0 { return .no }
            if !word.isContained(in: text) { return .no }
        }
        var row = start
        var position = 0
        while position < text.count {
            let byte = text[position]
            var kind = Int(byte)
            position &+= 1
            if byte >= 0x80 {
                if isASCIIOnly || foldsCase && Self.foldsToASCII(text, position &- 1) { return .unknown }
                kind = Self.isLineEnd(text, position &- 1) ? Self.lineEnd : Self.other
                while position < text.count, text[position] & 0xC0 == 0x80 { position &+= 1 }
            }
            row = Int(rows[row &+ Int(classes[kind])])
            if row == 0 { return .no }
        }
        return LeafResult(ends[row])
    }

    /// Returns true for a character that case folding turns into letters some of which are ASCII, such as `ß`, `ſ`,
    /// `K` (the unit) and `ﬁ`. A pattern may match it as one letter or as two.
    private static func foldsToASCII(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
        guard position &+ 1 < text.count else { return false }
        let (lead, second) = (text[position], text[position &+ 1])
        switch lead {
        case 0xC3: return second == 0x9F
        case 0xC4, 0xC7: return second == 0xB0
        case 0xC5: return second == 0x89 || second == 0xBF
        case 0xE1: return second == 0xBA && third(text, position, 0x96...0x9E)
        case 0xE2: return second == 0x84 && third(text, position, 0xAA...0xAA)
        case 0xEF: return second == 0xAC && third(text, position, 0x80...0x86)
        default: return false
        }
    }

    private static func third(
        _ text: UnsafeBufferPointer<UInt8>, _ position: Int, _ range: ClosedRange<UInt8>
    ) -> Bool {
        position &+ 2 < text.count && range.contains(text[position &+ 2])
    }

    /// U+0085, U+2028 and U+2029.
    @inline(__always)
    private static func isLineEnd(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
        switch text[position] {
        case 0xC2: return position &+ 1 < text.count && text[position &+ 1] == 0x85
        case 0xE2:
            guard position &+ 2 < text.count, text[position &+ 1] == 0x80 else { return false }
            return text[position &+ 2] == 0xA8 || text[position &+ 2] == 0xA9
        default: return false
        }
    }
}

// MARK: - The automaton

/// The Glushkov automaton of a simple pattern: a position for each atom, and the positions that may follow it.
struct SimplePatternGraph {
    private(set) var atoms: [SimpleAtom] = []
    /// For each position, the positions that may follow.
    private(set) var follows: [UInt64] = []
    /// The positions where a string may begin and end, and whether it may be empty.
    private(set) var firsts: UInt64 = 0
    private(set) var lasts: UInt64 = 0
    private(set) var isNullable = false
    /// For each kind of character its class, and for each class the positions that match it.
    private(set) var classes: [UInt8] = []
    private(set) var accepting: [UInt64] = []
    /// The positions that are on a cycle.
    private var cyclic: UInt64 = 0
    /// True if a backtracking matcher could repeatedly take the same step in two ways.
    private var isAmbiguous = false
    private var partCount = 0

    /// More positions than bits do not fit in a state.
    static let most = 62

    /// Nil for an expression that is too large, or for which the general matcher may try more and more ways to match.
    init?(_ expression: SimpleExpression, foldsCase: Bool) {
        guard let whole = add(expression), !isAmbiguous else { return nil }
        (firsts, lasts, isNullable) = (whole.firsts, whole.lasts, whole.emptyWays > 0)
        classify(foldsCase)
    }

    /// Assigns each kind of character its class; kinds that all atoms treat alike share a class.
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

    /// The positions where a part begins and ends.
    private struct Part {
        var firsts: UInt64 = 0
        var lasts: UInt64 = 0
        /// The number of ways in which the part matches the empty string.
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

    /// Returns the positions of a set.
    static func positions(_ set: UInt64) -> Positions { Positions(rest: set) }

    /// The positions of the set bits, lowest first.
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
    /// Returns the greatest length of a string for which a backtracking matcher certainly terminates; nil if even
    /// short strings may take too long.
    ///
    /// If two atoms that match the same character may follow, both ways are tried. On a loop this can happen at every
    /// character, so only one of the two may stay on the loop: otherwise the number of ways would double each time.
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

    /// Returns a power, or the greatest integer if it is greater.
    private static func power(_ base: Int, _ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { power, _ in
            let (product, overflow) = power.multipliedReportingOverflow(by: base)
            return overflow ? .max : product
        }
    }

    /// Returns the positions that share a cycle with a position: they can reach it and can be reached from it.
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

    /// Returns the maximum number of positions that may match the same character.
    private func overlap(_ set: UInt64) -> Int {
        accepting.reduce(1) { max($0, (set & $1).nonzeroBitCount) }
    }
}

/// The states of a simple pattern, each a set of positions, with their transitions.
struct SimplePatternStates {
    private(set) var rows: [UInt16] = []
    private(set) var ends: [Bool] = []
    private(set) var start = 0

    /// The maximum number of states: enough in practice, with a small table.
    private static let most = 128
    /// The position before the first character.
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
