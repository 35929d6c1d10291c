import PredicateSyntax
import PredicateText

extension MatchPattern {
    /// The reason why a pattern is not a ``MatchPattern``.
    enum Refusal: Error, Hashable {
        /// `(`: not a regular expression
        case malformed
        /// `\b`: a part that does more than describe a set of strings, or that other matchers may interpret
        /// differently; the string describes the part
        case unsupported(String)
    }

    /// Reads a pattern of MATCHES as ICU does.
    init(_ pattern: String, ignoringCase: Bool) throws(Refusal) {
        var builder = MatchPatternBuilder(tree: PatternTree(pattern), ignoresCase: ignoringCase)
        self = try builder.pattern()
    }
}

/// Builds a ``MatchPattern`` from the tree of a pattern.
private struct MatchPatternBuilder {
    typealias Refusal = MatchPattern.Refusal

    let tree: PatternTree
    var ignoresCase: Bool
    /// The number of open groups.
    private var depth = 0

    private static let deepest = 32
    /// The greatest count that all matchers accept.
    private static let greatestCount = 255
    /// The maximum number of ranges in classes, with counts expanded.
    private static let largest = 20_000

    init(tree: PatternTree, ignoresCase: Bool) {
        self.tree = tree
        self.ignoresCase = ignoresCase
    }

    mutating func pattern() throws(Refusal) -> MatchPattern {
        var branches = tree.choice.branches.map { $0.parts[...] }
        if case .group(let group) = branches[0].first, group.kind == .optionSwitch("i") {
            ignoresCase = true
            branches[0].removeFirst()
        }
        let pattern = try choice(branches)
        guard pattern.size <= Self.largest else { throw .unsupported("so many repetitions") }
        return pattern
    }

    private func unsupported(_ range: Range<Int>) -> Refusal {
        .unsupported("'\(tree.text(range))'")
    }

    /// Refuses some code points of the pattern.
    private func unsupported(at start: Int, _ count: Int) -> Refusal {
        unsupported(tree.range(from: start, count: count))
    }

    // MARK: Structure

    /// Anchors at the ends of the whole pattern are redundant.
    private mutating func choice(_ branches: [ArraySlice<PatternNode>]) throws(Refusal) -> MatchPattern {
        var patterns: [MatchPattern] = []
        for var parts in branches {
            if depth == 0, case .beginning = parts.first { parts.removeFirst() }
            if depth == 0, case .end = parts.last { parts.removeLast() }
            patterns.append(try sequence(parts))
        }
        return patterns.count == 1 ? patterns[0] : .choice(patterns)
    }

    private mutating func sequence(_ parts: ArraySlice<PatternNode>) throws(Refusal) -> MatchPattern {
        var patterns: [MatchPattern] = []
        var previous: PatternCharacter?
        for part in parts {
            if case .emptyQuotation = part { continue }
            let (part, quantifier) = part.repeated
            let pattern = try self.part(part)
            let letter = letter(part)
            if let previous, let letter, CaseOrbit.mayBeOneLetter(previous.scalar, letter.scalar) {
                throw unsupported(previous.range.lowerBound..<letter.range.upperBound)
            }
            previous = letter
            patterns.append(try quantified(pattern, quantifier))
        }
        return patterns.count == 1 ? patterns[0] : .sequence(patterns)
    }

    /// Returns a character whose other cases also match.
    private func letter(_ part: PatternNode) -> PatternCharacter? {
        if ignoresCase, case .character(let character) = part { return character }
        return nil
    }

    private mutating func part(_ part: PatternNode) throws(Refusal) -> MatchPattern {
        switch part {
        case .character(let character):
            if character.spelling == .plain, "]}".unicodeScalars.contains(character.scalar) { break }
            return .characters(try cases(of: try scalar(of: character), character.range))
        case .dot: return .characters(.line)
        case .escape(let escape): return .characters(try characters(escape))
        case .set(let set): return .characters(try characters(set))
        case .group(let group): return try content(group)
        case .malformed: throw .malformed
        case .beginning, .end, .emptyQuotation, .repetition, .quantifier: break
        }
        throw unsupported(at: part.range.lowerBound, 1)
    }

    /// `(a)`, `(?:a)`, `(?i:a)`
    private mutating func content(_ group: PatternGroup) throws(Refusal) -> MatchPattern {
        let ignoredCase = ignoresCase
        defer { ignoresCase = ignoredCase }
        switch group.kind {
        case .capturing, .plain: break
        case .options("i"): ignoresCase = true
        case .options, .named, .optionSwitch, .special, .comment: throw unsupported(at: group.range.lowerBound + 1, 2)
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw .unsupported("so many groups") }
        let content = try choice(group.content.branches.map { $0.parts[...] })
        guard group.isClosed else { throw .malformed }
        return content
    }

    /// Lazy quantifiers are the same as greedy ones here, possessive ones are not. Matchers stop in different ways
    /// when an empty match repeats.
    private func quantified(_ part: MatchPattern, _ quantifier: PatternQuantifier?) throws(Refusal) -> MatchPattern {
        guard let quantifier else { return part }
        let (least, most, range) = (quantifier.least, quantifier.most, quantifier.range)
        if quantifier.manner == .malformed { throw .malformed }
        guard least <= Self.greatestCount, most != 0, least <= most ?? least,
            most ?? 0 <= Self.greatestCount
        else { throw unsupported(at: range.lowerBound, 4) }
        if quantifier.manner == .possessive { throw unsupported(at: range.upperBound - 1, 1) }
        if quantifier.isFollowedByAnother { throw unsupported(at: range.upperBound, 1) }
        guard most == 1 || !part.matchesEmptyText else { throw .unsupported("a repetition of what may be empty") }
        return .repeated(part, atLeast: least, atMost: most)
    }

    // MARK: Characters

    /// Returns the code point of `a`, `\.`, `\x41`
    private func scalar(of character: PatternCharacter) throws(Refusal) -> Unicode.Scalar {
        let isMark = (0x20..<0x7F).contains(character.scalar.value)
        guard character.spelling != .escaped || isMark else { throw unsupported(character.range) }
        return character.scalar
    }

    /// Returns a code point, and under `[c]` its other cases.
    private func cases(of scalar: Unicode.Scalar, _ range: Range<Int>) throws(Refusal) -> CodePointSet {
        guard ignoresCase else { return CodePointSet(scalar) }
        guard let orbit = CaseOrbit.of(scalar) else { throw unsupported(range) }
        return CodePointSet(orbit.map { $0.value...$0.value })
    }

    /// `\d`, `\p{Lu}`. Matchers disagree about a category whose letters have other cases.
    private func characters(_ escape: PatternEscape) throws(Refusal) -> CodePointSet {
        switch escape.letter {
        case "d": return .digits
        case "D": return CodePointSet.digits.inverted
        case "s": return .spaces
        case "S": return CodePointSet.spaces.inverted
        case "w": return .words
        case "W": return CodePointSet.words.inverted
        case "p", "P":
            guard !ignoresCase, let name = escape.argument, let set = CodePointSet.category(tree.text(name)) else {
                break
            }
            return escape.letter == "P" ? set.inverted : set
        default: break
        }
        throw unsupported(at: escape.range.lowerBound, 2)
    }

    // MARK: Classes

    /// `[a-z.]`, `[^0-9]`, `[\w.-]`. A hyphen is literal as the last member.
    private func characters(_ set: PatternSet) throws(Refusal) -> CodePointSet {
        var union = CodePointSet([])
        for (index, member) in set.members.enumerated() {
            let isLast = set.isClosed && index > 0 && index == set.members.count - 1
            union = union.union(try characters(member, isLast: isLast, in: set))
        }
        guard set.isClosed else { throw .malformed }
        return set.isInverted ? union.inverted : union
    }

    private func characters(
        _ member: PatternSet.Member, isLast: Bool, in set: PatternSet
    ) throws(Refusal) -> CodePointSet {
        switch member {
        case .character(let character):
            let isBracket = character.spelling == .plain && character.scalar == "]"
            if isBracket { throw unsupported(at: set.range.lowerBound, 2) }
            return try cases(of: try self.member(character, orHyphen: isLast), character.range)
        case .range(let low, let high):
            let first = try self.member(low)
            guard let high else { throw unsupported(at: member.range.upperBound, 2) }
            return try characters(from: first, to: try self.member(high), member.range)
        case .escape(let escape): return try characters(escape)
        case .set, .operator: throw unsupported(at: member.range.lowerBound, 1)
        }
    }

    private func characters(
        from first: Unicode.Scalar, to last: Unicode.Scalar, _ range: Range<Int>
    ) throws(Refusal) -> CodePointSet {
        guard first <= last else { throw unsupported(range) }
        guard ignoresCase else { return CodePointSet([first.value...last.value]) }
        var ranges: [ClosedRange<UInt32>] = []
        for value in first.value...last.value {
            guard let scalar = Unicode.Scalar(value) else { throw unsupported(range) }
            ranges += try cases(of: scalar, range).ranges
        }
        return CodePointSet(ranges)
    }

    /// Returns a code point without a special meaning in a class.
    private func member(_ character: PatternCharacter, orHyphen isLast: Bool = false) throws(Refusal) -> Unicode.Scalar
    {
        let scalar = try scalar(of: character)
        switch character.spelling {
        case .plain:
            let isSyntax = "[]^-&\\${}:".unicodeScalars.contains(scalar) || scalar.value < 0x20 || scalar.value == 0x7F
            if isSyntax, !isLast || scalar != "-" { throw unsupported(character.range) }
        case .quoted: throw unsupported(at: character.range.lowerBound, 2)
        case .escaped, .code: break
        }
        return scalar
    }
}
