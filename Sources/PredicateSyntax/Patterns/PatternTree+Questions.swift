/// What checks ask of a pattern without matching it.
extension PatternTree {
    /// A run of characters that stand for themselves.
    package struct Literal: Hashable, Sendable {
        /// `j.o` of `j\.o`
        package let text: String
        package let range: Range<Int>
    }

    /// The runs of characters that stand for themselves, in groups, too: `jo`, `n` and `al` of `jo.*n|(al)+`.
    package var literals: [Literal] {
        sequences.flatMap { Self.literals(of: $0.parts) }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private static func literals(of parts: [PatternNode]) -> [Literal] {
        parts.split { part in
            if case .character = part { return false }
            return true
        }.map { run in
            let text = characters(of: run) ?? ""
            return Literal(
                text: text, range: run[run.startIndex].range.lowerBound..<run[run.endIndex - 1].range.upperBound)
        }
    }

    /// The text of parts that are characters; nil if one of them is anything else.
    private static func characters(of parts: ArraySlice<PatternNode>) -> String? {
        var text = String.UnicodeScalarView()
        for part in parts {
            switch part {
            case .character(let character): text.append(character.scalar)
            case .emptyQuotation: continue
            case .dot, .beginning, .end, .escape, .set, .group, .repetition, .quantifier, .malformed: return nil
            }
        }
        return String(text)
    }

    // MARK: Anchors

    /// The anchors at the ends of a pattern, and what stands between them.
    package struct Anchors: Hashable, Sendable {
        /// `^` of `^jo`
        package let beginning: Range<Int>?
        /// `$` of `jo$`
        package let end: Range<Int>?
        /// `jo` of `^jo$`
        package let between: Range<Int>
    }

    /// The anchors of the whole pattern; those of `^jo|al$` belong to one branch each, and are none.
    package var anchors: Anchors {
        guard let parts = onlyBranch else { return Anchors(beginning: nil, end: nil, between: choice.range) }
        var (beginning, end): (Range<Int>?, Range<Int>?)
        if case .beginning(let range) = parts.first { beginning = range }
        if case .end(let range) = parts.last { end = range }
        let between = (beginning ?? 0..<0).upperBound..<(end?.lowerBound ?? choice.range.upperBound)
        return Anchors(beginning: beginning, end: end, between: between)
    }

    /// Nil for a pattern of several branches.
    private var onlyBranch: [PatternNode]? { choice.branches.count == 1 ? choice.branches[0].parts : nil }

    /// The parts of the only branch without the anchors at its ends.
    private var inner: ArraySlice<PatternNode>? {
        guard var parts = onlyBranch?[...] else { return nil }
        if case .beginning = parts.first { parts.removeFirst() }
        if case .end = parts.last { parts.removeLast() }
        return parts
    }

    // MARK: Wildcards

    /// A part for which more than one text may stand.
    package struct Wildcard: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// `.`
            case dot
            /// `.*`, `.+`
            case anything
            /// `[a-z]`, `\d`
            case characters
            /// `[a-z]+`, `\d{2}`
            case repeatedCharacters
            /// `a*`
            case repeatedCharacter
            /// `(a|b)`, `(ab)+`
            case group
            /// `a|b`: the whole pattern
            case choice
            /// `^` and `$` within, `\b`, and what no pattern has
            case other
        }

        package let kind: Kind
        package let range: Range<Int>
    }

    /// The text that the pattern covers, if it is only one: `j.o` of `^j\.o$`. Nil if there is a wildcard.
    package var onlyText: String? { inner.flatMap(Self.characters) }

    /// True if anything stands between the anchors but characters.
    package var hasWildcard: Bool { onlyText == nil }

    /// Whatever is neither a character nor an anchor at an end; a group is one, as a whole.
    package var wildcards: [Wildcard] {
        guard let inner else { return [Wildcard(kind: .choice, range: choice.range)] }
        return inner.compactMap { part in Self.kind(of: part).map { Wildcard(kind: $0, range: part.range) } }
    }

    private static func kind(of part: PatternNode) -> Wildcard.Kind? {
        switch part {
        case .character, .emptyQuotation: nil
        case .dot: .dot
        case .escape(let escape): isClass(escape) ? .characters : .other
        case .set: .characters
        case .group: .group
        case .repetition(let repetition): kind(of: repetition)
        case .beginning, .end, .quantifier, .malformed: .other
        }
    }

    private static func kind(of repetition: PatternRepetition) -> Wildcard.Kind {
        switch kind(of: repetition.part) {
        case nil: .repeatedCharacter
        case .dot: repetition.quantifier.most == nil ? .anything : .repeatedCharacters
        case .characters: .repeatedCharacters
        case .group: .group
        case .anything, .repeatedCharacters, .repeatedCharacter, .choice, .other: .other
        }
    }

    /// `\d`, `\p{L}`; not `\b`, `\1`
    private static func isClass(_ escape: PatternEscape) -> Bool {
        switch escape.letter {
        case "d", "D", "w", "W", "s", "S", "h", "H", "v", "V", "R", "X", "p", "P", "N": true
        default: false
        }
    }

    /// In textual order the unescaped dots between two letters or digits: those of `www.swift.org`, none of `a.*b`, `a\.b` and `(a).b`.
    package var dotsBetweenWords: [Range<Int>] {
        sequences.flatMap { sequence in
            sequence.parts.indices.dropFirst().dropLast().compactMap { index in
                guard case .dot(let range) = sequence.parts[index], Self.isWord(sequence.parts[index - 1]),
                    Self.isWord(sequence.parts[index + 1])
                else { return nil }
                return range
            }
        }.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Letters and digits of any script, and what else is part of names of hosts and mail: `-`, `_`, `@`.
    private static func isWord(_ part: PatternNode) -> Bool {
        guard case .character(let character) = part else { return false }
        let letter = Character(character.scalar)
        return letter.isLetter || letter.isNumber || "-_@".contains(letter)
    }

    // MARK: Walk

    /// The sequences of the pattern and of its groups.
    private var sequences: [PatternSequence] {
        var sequences: [PatternSequence] = []
        Self.collect(choice, into: &sequences)
        return sequences
    }

    private static func collect(_ choice: PatternChoice, into sequences: inout [PatternSequence]) {
        for branch in choice.branches {
            sequences.append(branch)
            for part in branch.parts {
                if case .group(let group) = part.repeated.part { collect(group.content, into: &sequences) }
            }
        }
    }
}
