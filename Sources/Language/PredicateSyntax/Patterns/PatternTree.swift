/// A regular expression as a tree of parts with their source ranges.
///
/// Every string has a tree, which is made in linear time. Parts that are not valid in any pattern are separate nodes,
/// at which consumers stop. A tree does not imply that a matcher accepts the pattern. Spaces are characters even
/// after `(?x)`.
///
/// A group nested in ``deepest`` others has empty content: the parts inside it follow it as siblings, and its `)` is
/// malformed. Everything after the first ``longest`` bytes is one malformed node.
package struct PatternTree: Hashable, Sendable {
    /// The UTF-8 of the pattern.
    package let bytes: [UInt8]
    package let choice: PatternChoice

    package static let deepest = 100
    package static let deepestSet = 16
    package static let longest = 1 << 20

    package init(_ pattern: String, _ dialect: PatternDialect = .icu) {
        bytes = Array(pattern.utf8)
        var reader = PatternReader(bytes, dialect)
        choice = reader.pattern()
    }

    /// Returns a part of the pattern as a string.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
    }

    /// Returns the range of `count` code points, or of fewer if the pattern ends.
    package func range(from start: Int, count: Int) -> Range<Int> {
        var (end, rest) = (start, count)
        while rest > 0, end < bytes.count {
            end += 1
            while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
            rest -= 1
        }
        return start..<end
    }
}

// MARK: - Nodes

/// A part of a regular expression. Ranges are UTF-8 offsets into the pattern.
///
/// `(jo|al)-\d{2,4}` is a group with a choice, a character, and a repetition of an escape.
package enum PatternNode: Hashable, Sendable {
    /// `a`, `\.`, `\x41`, each character of `\Qa.b\E`
    case character(PatternCharacter)
    /// `.`
    case dot(Range<Int>)
    /// `^`
    case beginning(Range<Int>)
    /// `$`
    case end(Range<Int>)
    /// `\d`, `\p{Lu}`, `\b`, `\1`, and a backslash at the end of the pattern
    case escape(PatternEscape)
    /// `[a-z]`, `[^\d.]`
    case set(PatternSet)
    /// `(a)`, `(?:a)`, `(?=a)`, `(?i)`
    case group(PatternGroup)
    /// `a*`, `(ab){2,3}?`
    indirect case repetition(PatternRepetition)
    /// `\Q\E`
    case emptyQuotation(Range<Int>)
    /// `*` without a part that it could repeat: `*a`, the second one of `a**`, `a\Q\E*`
    case quantifier(PatternQuantifier)
    /// The `)` of `a)`, an unterminated `\Qa`, and everything after the maximum length
    case malformed(Range<Int>)

    package var range: Range<Int> {
        switch self {
        case .character(let character): character.range
        case .dot(let range), .beginning(let range), .end(let range), .emptyQuotation(let range), .malformed(let range):
            range
        case .escape(let escape): escape.range
        case .set(let set): set.range
        case .group(let group): group.range
        case .repetition(let repetition): repetition.range
        case .quantifier(let quantifier): quantifier.range
        }
    }

    /// `a` and `*` of `a*`; any other part without a quantifier.
    package var repeated: (part: PatternNode, quantifier: PatternQuantifier?) {
        if case .repetition(let repetition) = self { return (repetition.part, repetition.quantifier) }
        return (self, nil)
    }

    fileprivate var isCharacter: Bool { if case .character = self { true } else { false } }

    /// True if the part may change what the parts after it match, or is not valid.
    fileprivate var mayChangeOthers: Bool {
        switch self {
        case .group(let group): group.kind.isSwitch || group.kind == .comment || !group.isClosed
        // ICU joins the halves of a surrogate pair, `\uD83D\uDE00`, whose digits are characters here.
        case .escape(let escape): escape.argument == nil && ["u", "U", "x"].contains(escape.letter)
        case .quantifier, .malformed: true
        case .character, .dot, .beginning, .end, .set, .repetition, .emptyQuotation: false
        }
    }

    /// True if a quantifier after the part repeats it.
    var isRepeatable: Bool {
        switch self {
        case .character, .dot, .beginning, .end, .escape, .set: true
        case .group(let group): !group.kind.isSwitch
        case .repetition, .emptyQuotation, .quantifier, .malformed: false
        }
    }
}

/// `jo|al`, `jo`, and the empty pattern: at least one branch
package struct PatternChoice: Hashable, Sendable {
    package let branches: [PatternSequence]
    package let range: Range<Int>
}

/// `jo.*`
package struct PatternSequence: Hashable, Sendable {
    package let parts: [PatternNode]
    package let range: Range<Int>
}

/// `a`, `\.`, `\x41`
package struct PatternCharacter: Hashable, Sendable {
    package enum Spelling: Hashable, Sendable {
        /// `a`
        case plain
        /// `\.`: the character itself after a backslash
        case escaped
        /// `\n`, `\x41`
        case code
        /// Each character of `\Qa.b\E`; the quotation marks belong to the first and the last one.
        case quoted
    }

    package let scalar: Unicode.Scalar
    package let spelling: Spelling
    package let range: Range<Int>
}

/// `\d`, `\p{Lu}`, `\12`
package struct PatternEscape: Hashable, Sendable {
    /// Nil for a backslash at the end of the pattern.
    package let letter: Unicode.Scalar?
    /// `Lu` of `\p{Lu}`, the second digit of `\12`
    package let argument: Range<Int>?
    package let range: Range<Int>
}

/// `[a-z]`, `[^\d.]`
package struct PatternSet: Hashable, Sendable {
    package enum Member: Hashable, Sendable {
        /// `a`, `\]`, a literal hyphen
        case character(PatternCharacter)
        /// `a-z`; without `high`, the `a-` of `[a-\d]`
        case range(low: PatternCharacter, high: PatternCharacter?)
        /// `\d`, `\p{Lu}`
        case escape(PatternEscape)
        /// `[b]` of `[a[b]]`; `[:alpha:]` is read as one too
        case set(PatternSet)
        /// `&&` of `[a&&b]`
        case `operator`(Range<Int>)

        package var range: Range<Int> {
            switch self {
            case .character(let character): character.range
            case .range(let low, let high): low.range.lowerBound..<(high?.range.upperBound ?? low.range.upperBound + 1)
            case .escape(let escape): escape.range
            case .set(let set): set.range
            case .operator(let range): range
            }
        }
    }

    package let isInverted: Bool
    package let members: [Member]
    /// False for an unclosed set such as `[a`, which reaches to the end of the pattern.
    package let isClosed: Bool
    package let range: Range<Int>
}

/// `(a|b)`, `(?i:a)`, `(?=a)`
package struct PatternGroup: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// `(a)`
        case capturing
        /// `(?:a)`
        case plain
        /// `(?<year>a)`
        case named
        /// `(?i-s:a)`
        case options(String)
        /// `(?i)`, which has no content
        case optionSwitch(String)
        /// `(?=a)`, `(?<!a)`, `(?>a)`, and everything else that follows a question mark
        case special
        /// `(?#a)`, which for ICU ends at its first parenthesis, even at that of `[)]`
        case comment

        package var isSwitch: Bool {
            if case .optionSwitch = self { return true }
            return false
        }
    }

    package let kind: Kind
    /// `(?<year>`
    package let opening: Range<Int>
    package let content: PatternChoice
    /// False for an unclosed group such as `(a`, and for a group that is nested too deeply, whose content follows it.
    package let isClosed: Bool
    package let range: Range<Int>
}

/// `a*`, `(ab){2,3}?`
package struct PatternRepetition: Hashable, Sendable {
    package let part: PatternNode
    package let quantifier: PatternQuantifier

    package var range: Range<Int> { part.range.lowerBound..<quantifier.range.upperBound }
}

/// `*`, `{2,3}?`
package struct PatternQuantifier: Hashable, Sendable {
    package enum Manner: Hashable, Sendable {
        /// `a*`
        case greedy
        /// `a*?`
        case lazy
        /// `a*+`
        case possessive
        /// `{` that does not begin a count
        case malformed
    }

    package let least: Int
    /// Nil for `*`, `+` and `{2,}`.
    package let most: Int?
    /// True for `{2,3}`.
    package let isCounted: Bool
    package let manner: Manner
    /// True if another quantifier follows, which then has nothing to repeat: `a**`.
    package let isFollowedByAnother: Bool
    package let range: Range<Int>
}

/// Properties of a pattern that checks need, determined without matching it.
extension PatternTree {
    /// The longest run of characters that occurs in every string in which the pattern occurs: `jo` for `jo.*n?`. nil
    /// if there is none, and for a pattern with alternatives or options.
    package var requiredText: String? {
        guard choice.branches.count == 1, let parts = choice.branches.first?.parts,
            !parts.contains(where: \.mayChangeOthers)
        else { return nil }
        return parts.split { !$0.isCharacter }.compactMap(Self.characters).max { $0.utf8.count < $1.utf8.count }
    }

    /// Lists of strings to search for: wherever the pattern occurs, a string of each list occurs too. For
    /// `.*(reset|retry).*lost`, the lists are `reset` and `retry`, and `lost`. Empty for a pattern with options.
    ///
    /// A list with a string of one byte is left out: such strings are frequent. So is one with U+FFFD, which also stands for
    /// malformed bytes.
    package var requiredTexts: [[String]] {
        (Self.required(by: choice) ?? []).filter { list in
            list.allSatisfy { $0.utf8.count > 1 && !$0.unicodeScalars.contains("\u{FFFD}") }
        }
    }

    /// Of the lists of required strings, the one whose shortest string is longest; empty if there is none.
    package var longestRequiredTexts: [String] { requiredTexts.max { Self.shortest($0) < Self.shortest($1) } ?? [] }

    /// The maximum number of strings in a list.
    private static let mostRequired = 16

    /// Returns nil for a choice that may change what other parts match.
    private static func required(by choice: PatternChoice) -> [[String]]? {
        var lists: [[[String]]] = []
        for branch in choice.branches {
            guard let list = required(by: branch.parts) else { return nil }
            lists.append(list)
        }
        guard lists.count > 1 else { return lists.first ?? [] }
        // From each alternative, the list whose shortest string is longest.
        let longest = lists.compactMap { list in list.max { shortest($0) < shortest($1) } }
        let all = longest.flatMap { $0 }
        return longest.count == lists.count && all.count <= mostRequired ? [all] : []
    }

    private static func shortest(_ texts: [String]) -> Int { texts.map(\.utf8.count).min() ?? 0 }

    private static func required(by parts: [PatternNode]) -> [[String]]? {
        guard !parts.contains(where: \.mayChangeOthers) else { return nil }
        var lists = runs(of: parts).map { [$0] }
        for part in parts {
            let (part, quantifier) = part.repeated
            guard case .group(let group) = part, quantifier.map({ $0.least > 0 }) ?? true else { continue }
            switch group.kind {
            case .capturing, .plain, .named: lists += required(by: group.content) ?? []
            case .options, .optionSwitch, .special, .comment: continue
            }
        }
        return lists
    }

    /// Returns the runs of characters, with the least number of repeated ones: `abb` and `bbc` for `ab{2,}c`.
    private static func runs(of parts: [PatternNode]) -> [String] {
        var runs = [String.UnicodeScalarView()]
        for part in parts {
            let (part, quantifier) = part.repeated
            if case .emptyQuotation = part { continue }
            guard case .character(let character) = part else {
                runs.append(.init())
                continue
            }
            let (least, most) = quantifier.map { ($0.least, $0.most) } ?? (1, 1)
            let repeated = repeatElement(character.scalar, count: min(least, mostRepeated))
            runs[runs.count - 1] += repeated
            if most != repeated.count { runs.append(.init(repeated)) }
        }
        return runs.filter { !$0.isEmpty }.map { String($0) }
    }

    /// The number of repetitions of a character that are searched for.
    private static let mostRepeated = 16

    /// The characters at the start of every string that the whole pattern matches: `jo` for `jo[a-z]*`. nil if there are none,
    /// and for a pattern with alternatives or options.
    package var requiredBeginning: String? {
        guard requiredText != nil, let parts = inner else { return nil }
        let text = Self.characters(of: parts.prefix { $0.isCharacter })
        return text?.isEmpty == false ? text : nil
    }

    /// Returns the string of parts that are all characters; nil if any part is not.
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

    /// The anchors at the ends of a pattern and the range between them.
    package struct Anchors: Hashable, Sendable {
        /// `^` of `^jo`
        package let beginning: Range<Int>?
        /// `$` of `jo$`
        package let end: Range<Int>?
        /// `jo` of `^jo$`
        package let between: Range<Int>
    }

    /// The anchors of the whole pattern. Anchors of single branches, as in `^jo|al$`, do not count.
    package var anchors: Anchors {
        guard let parts = onlyBranch else { return Anchors(beginning: nil, end: nil, between: choice.range) }
        var (beginning, end): (Range<Int>?, Range<Int>?)
        if case .beginning(let range) = parts.first { beginning = range }
        if case .end(let range) = parts.last { end = range }
        let between = (beginning ?? 0..<0).upperBound..<(end?.lowerBound ?? choice.range.upperBound)
        return Anchors(beginning: beginning, end: end, between: between)
    }

    private var onlyBranch: [PatternNode]? { choice.branches.count == 1 ? choice.branches[0].parts : nil }

    /// The parts of the only branch without the anchors at its ends.
    private var inner: ArraySlice<PatternNode>? {
        guard var parts = onlyBranch?[...] else { return nil }
        if case .beginning = parts.first { parts.removeFirst() }
        if case .end = parts.last { parts.removeLast() }
        return parts
    }

    // MARK: Wildcards

    /// The only string that the pattern matches: `j.o` for `^j\.o$`. Nil if there is a wildcard.
    package var onlyText: String? { inner.flatMap(Self.characters) }

    /// True if there is anything but characters between the anchors.
    package var hasWildcard: Bool { onlyText == nil }

    /// The number of parts that are neither characters nor anchors at the ends. A group counts as one part, and so does a
    /// pattern of several branches.
    package var wildcardCount: Int {
        inner?.count { part in
            switch part {
            case .character, .emptyQuotation: false
            case .dot, .beginning, .end, .escape, .set, .group, .repetition, .quantifier, .malformed: true
            }
        } ?? 1
    }

    /// The unescaped dots between two letters or digits, in order: both dots of `www.swift.org`, but no dot of
    /// `a.*b`, `a\.b` or `(a).b`.
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

    /// Returns true for letters and digits of any script, and for other characters of host names and mail addresses:
    /// `-`, `_`, `@`.
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
