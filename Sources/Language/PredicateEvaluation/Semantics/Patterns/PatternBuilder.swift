import PredicateSyntax
import PredicateText

extension PatternProgram {
    /// The maximum number of steps, with counts expanded: at most 2,048 for untrusted patterns.
    private static func mostSteps(_ limits: PredicateLimits) -> Int { min(1 << 14, limits.patternLength * 8) }

    /// Builds the program of a pattern. Nil for back references, lookaround and other parts that do not describe sets
    /// of strings, for too many steps, and wherever ICU's matcher deviates from the sets of strings.
    init?(_ tree: PatternTree, ignoringCase: Bool, _ limits: PredicateLimits = .standard) {
        var builder = PatternBuilder(tree, limits, mostSteps: Self.mostSteps(limits))
        var flags = PatternFlags(ignoresCase: ignoringCase)
        do throws(NotRegular) {
            try builder.addChoice(tree.choice, &flags, isWhole: true)
            try builder.add(.end)
        } catch { return nil }
        self = builder.program
    }
}

/// `(?ism)`
private struct PatternFlags {
    var ignoresCase = false
    var dotTakesLineEnds = false
    var anchorsMatchLines = false

    /// Applies `i-s` of `(?i-s)`. Returns false if there are other letters.
    mutating func apply(_ letters: String) -> Bool {
        var isOn = true
        for letter in letters.unicodeScalars {
            switch letter {
            case "-": isOn = false
            case "i": ignoresCase = isOn
            case "s": dotTakesLineEnds = isOn
            case "m": anchorsMatchLines = isOn
            default: return false
            }
        }
        return true
    }
}

/// The pattern has no program.
private struct NotRegular: Error {}

private struct PatternBuilder {
    private(set) var program = PatternProgram()
    private let sets: PatternSets
    private let mostSteps: Int
    private var numbers: [CodePointSet: Int] = [:]
    /// The number of parts that were added. It is limited too, since counts multiply even parts that take no steps.
    private var work = 0

    init(_ tree: PatternTree, _ limits: PredicateLimits, mostSteps: Int) {
        sets = PatternSets(tree, asksICU: limits.patternSteps >= PredicateLimits.standard.patternSteps)
        self.mostSteps = mostSteps
    }

    private var next: Int { program.steps.count }

    mutating func add(_ step: PatternProgram.Step) throws(NotRegular) {
        guard next < mostSteps else { throw NotRegular() }
        program.steps.append(step)
    }

    private mutating func number(of set: CodePointSet) -> Int {
        if let number = numbers[set] { return number }
        numbers[set] = program.sets.count
        program.sets.append(set)
        return program.sets.count - 1
    }

    // MARK: Structure

    /// Adds alternatives. A switch of flags, such as `(?i)`, also applies to the alternatives after it.
    mutating func addChoice(_ choice: PatternChoice, _ flags: inout PatternFlags, isWhole: Bool) throws(NotRegular) {
        var jumps: [Int] = []
        for (index, branch) in choice.branches.enumerated() {
            let split = next
            let isLast = index == choice.branches.count - 1
            if !isLast { try add(.split(split + 1, 0)) }
            try addSequence(branch.parts[...], &flags, isWhole: isWhole)
            if isLast { break }
            jumps.append(next)
            try add(.jump(0))
            program.steps[split] = .split(split + 1, next)
        }
        for jump in jumps { program.steps[jump] = .jump(next) }
    }

    /// Anchors at the ends of the whole pattern are redundant.
    private mutating func addSequence(
        _ parts: ArraySlice<PatternNode>, _ flags: inout PatternFlags, isWhole: Bool
    ) throws(NotRegular) {
        var parts = parts
        if isWhole, case .beginning = parts.first { parts.removeFirst() }
        if isWhole, case .end = parts.last { parts.removeLast() }
        /// Adjacent letters, which fold together.
        var letters: [Unicode.Scalar] = []
        for (index, part) in zip(parts.indices, parts) {
            if case .emptyQuotation = part { continue }
            if flags.ignoresCase, case .character(let character) = part {
                letters.append(character.scalar)
                continue
            }
            try addLetters(letters)
            letters = []
            if case .group(let group) = part, case .optionSwitch(let switched) = group.kind {
                guard flags.apply(switched) else { throw NotRegular() }
            } else if case .repetition(let repetition) = part {
                let following = index + 1 < parts.endIndex ? parts[index + 1] : nil
                try addRepetition(repetition, flags, isEnd: isWhole && following == nil, before: following)
            } else {
                try addPart(part, flags)
            }
        }
        try addLetters(letters)
    }

    private mutating func addPart(_ part: PatternNode, _ flags: PatternFlags) throws(NotRegular) {
        work += 1
        guard work <= 4 * mostSteps else { throw NotRegular() }
        switch part {
        case .character(let character) where flags.ignoresCase: try addLetters([character.scalar])
        case .dot where flags.dotTakesLineEnds: try addLineEnd(or: CodePointSet("\r").inverted)
        case .escape(let escape) where escape.letter == "R":
            try addLineEnd(or: CodePointSet.line.union(CodePointSet("\r")).inverted)
        case .character, .dot, .set: try addTake(try set(part, flags))
        case .escape(let escape):
            if let assertion = Self.assertion(escape) { return try addCheck(assertion) }
            try addTake(try set(part, flags))
        case .beginning: try addCheck(flags.anchorsMatchLines ? .lineStart : .start)
        case .end: try addCheck(flags.anchorsMatchLines ? .lineEnd : .lastLineEnd)
        case .group(let group): try addGroup(group, flags)
        case .repetition, .emptyQuotation, .quantifier, .malformed: throw NotRegular()
        }
    }

    private mutating func addGroup(_ group: PatternGroup, _ flags: PatternFlags) throws(NotRegular) {
        var flags = flags
        switch group.kind {
        case .capturing, .named, .plain: break
        case .options(let letters): guard flags.apply(letters) else { throw NotRegular() }
        case .optionSwitch, .special, .comment: throw NotRegular()
        }
        guard group.isClosed else { throw NotRegular() }
        try addChoice(group.content, &flags, isWhole: false)
    }

    // MARK: Characters

    private mutating func addTake(_ set: CodePointSet) throws(NotRegular) { try add(.take(number(of: set))) }

    /// Returns the code points that a part of one code point matches.
    private func set(_ part: PatternNode, _ flags: PatternFlags) throws(NotRegular) -> CodePointSet {
        let found: CodePointSet? =
            switch part {
            case .character(let character):
                flags.ignoresCase
                    ? LetterFolds.origins(LetterFolds.fold(character.scalar)[...]) : CodePointSet(character.scalar)
            case .dot: flags.dotTakesLineEnds ? nil : .line
            case .escape(let escape): sets.set(escape, ignoringCase: flags.ignoresCase)
            case .set(let set): sets.set(set, ignoringCase: flags.ignoresCase)
            case .beginning, .end, .group, .repetition, .emptyQuotation, .quantifier, .malformed: nil
            }
        guard let found else { throw NotRegular() }
        return found
    }

    /// `(?s).`, `\R`: a code point of a set, or a carriage return with the line feed after it.
    private mutating func addLineEnd(or others: CodePointSet) throws(NotRegular) {
        let start = next
        try add(.split(start + 1, start + 3))
        try addTake(others)
        try add(.jump(start + 8))
        try addTake(CodePointSet("\r"))
        try add(.split(start + 5, start + 7))
        try addTake(CodePointSet("\n"))
        try add(.jump(start + 8))
        try addCheck(.noLineFeed)
    }

    /// Adds letters under case folding: all ways to divide the folded letters into the folds of code points, since one code
    /// point may fold to several letters.
    private mutating func addLetters(_ letters: [Unicode.Scalar]) throws(NotRegular) {
        let folded = letters.flatMap(LetterFolds.fold)
        // The jumps to each position.
        var jumps: [[Int]] = Array(repeating: [], count: folded.count + 1)
        for start in folded.indices {
            for jump in jumps[start] { program.steps[jump] = .jump(next) }
            for end in start + 2..<start + 1 + LetterFolds.longest where end <= folded.count {
                guard let set = LetterFolds.origins(folded[start..<end]) else { continue }
                try add(.split(next + 1, next + 3))
                try addTake(set)
                jumps[end].append(next)
                try add(.jump(0))
            }
            // One code point always folds to one letter, so the steps go on with the next letter.
            guard let set = LetterFolds.origins(folded[start...start]) else { throw NotRegular() }
            try addTake(set)
        }
        for jump in jumps[folded.count] { program.steps[jump] = .jump(next) }
    }

    // MARK: Assertions

    private static func assertion(_ escape: PatternEscape) -> PatternAssertion? {
        switch escape.letter {
        case "A": .start
        case "z": .end
        case "Z": .lastLineEnd
        case "b": .wordEdge
        case "B": .noWordEdge
        default: nil
        }
    }

    private mutating func addCheck(_ assertion: PatternAssertion) throws(NotRegular) {
        program.hasAssertions = true
        switch assertion {
        case .start, .end: break
        case .wordEdge, .noWordEdge: addTraits([(.word, .words), (.extender, ICUSets.extenders)])
        case .lastLineEnd, .lineStart, .lineEnd, .noLineFeed:
            addTraits([
                (.lineEnd, CodePointSet.line.inverted), (.carriageReturn, CodePointSet("\r")),
                (.lineFeed, CodePointSet("\n")),
            ])
        }
        try add(.check(assertion))
    }

    private mutating func addTraits(_ traits: [(PatternTraits, CodePointSet)]) {
        for (trait, set) in traits where !program.traits.contains(where: { $0.trait == trait }) {
            program.traits.append((trait, number(of: set)))
        }
    }

    // MARK: Quantifiers

    private mutating func addRepetition(
        _ repetition: PatternRepetition, _ flags: PatternFlags, isEnd: Bool, before following: PatternNode?
    ) throws(NotRegular) {
        let (part, quantifier) = (repetition.part, repetition.quantifier)
        let (least, most) = (quantifier.least, quantifier.most)
        guard quantifier.manner != .malformed, !quantifier.isFollowedByAnother, least <= most ?? least else {
            throw NotRegular()
        }
        if quantifier.manner == .possessive { try checkPossessive(repetition, flags, isEnd, following) }
        // ICU misses matches here.
        if quantifier.manner == .lazy, most == nil, part.mayBeEmpty { throw NotRegular() }
        for _ in 0..<(most == nil ? max(least - 1, 0) : least) { try addPart(part, flags) }
        if let most { return try addOptional(part, flags, count: most - least, isUsed: most > 0) }
        let start = next
        if least == 0 { try add(.jump(0)) }
        try addPart(part, flags)
        if least > 0 { return try add(.split(start, next + 1)) }
        try add(.jump(start))
        program.steps[start] = .split(start + 1, next)
    }

    /// `a{0,3}`. A part that is not used must be valid all the same.
    private mutating func addOptional(
        _ part: PatternNode, _ flags: PatternFlags, count: Int, isUsed: Bool
    ) throws(NotRegular) {
        let start = next
        var splits: [Int] = []
        for _ in 0..<(isUsed ? count : 1) {
            splits.append(next)
            try add(.jump(0))
            try addPart(part, flags)
        }
        guard isUsed else { return program.steps.removeSubrange(start...) }
        for split in splits { program.steps[split] = .split(split + 1, next) }
    }

    /// Refuses a possessive quantifier, unless giving characters back could never help: `[^"]*+"`, `\d{4}+`.
    private func checkPossessive(
        _ repetition: PatternRepetition, _ flags: PatternFlags, _ isEnd: Bool, _ following: PatternNode?
    ) throws(NotRegular) {
        let repeated = try set(repetition.part, flags)
        if isEnd { return }
        guard let (next, quantifier) = following?.repeated, quantifier.map({ $0.least > 0 }) ?? true else {
            throw NotRegular()
        }
        // A letter may be taken together with the next one.
        if flags.ignoresCase, case .character(let character) = next,
            !character.scalar.isASCII || CaseMapping.cased.contains(character.scalar)
        {
            throw NotRegular()
        }
        let first = try set(next, flags)
        guard repeated.ranges.allSatisfy({ first.intersection($0).ranges.isEmpty }) else {
            throw NotRegular()
        }
    }
}

extension PatternNode {
    /// True if the part may match the empty string.
    fileprivate var mayBeEmpty: Bool {
        switch self {
        case .character, .dot, .set: false
        case .escape(let escape): "AzZbB".unicodeScalars.contains { $0 == escape.letter }
        case .beginning, .end, .emptyQuotation, .quantifier, .malformed: true
        case .repetition(let repetition): repetition.quantifier.least == 0 || repetition.part.mayBeEmpty
        case .group(let group): group.content.branches.contains { $0.parts.allSatisfy(\.mayBeEmpty) }
        }
    }
}
