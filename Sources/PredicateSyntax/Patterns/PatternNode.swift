/// A part of a regular expression, as it is written. The ranges are UTF-8 offsets into the pattern.
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
    /// `*` with nothing directly before it that it could repeat: `*a`, the second one of `a**`, `a\Q\E*`
    case quantifier(PatternQuantifier)
    /// The `)` of `a)`, `\Qa` without an end, what follows the greatest length
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

    /// `a` and `*` of `a*`; any other part, and nil.
    package var repeated: (part: PatternNode, quantifier: PatternQuantifier?) {
        if case .repetition(let repetition) = self { return (repetition.part, repetition.quantifier) }
        return (self, nil)
    }

    /// True if a quantifier after it repeats it.
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
        /// Each of `\Qa.b\E`: the marks belong to the first and to the last one.
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
        /// `a`, `\]`, a hyphen that stands for itself
        case character(PatternCharacter)
        /// `a-z`, and without `high` the `a-` of `[a-\d]`
        case range(low: PatternCharacter, high: PatternCharacter?)
        /// `\d`, `\p{Lu}`
        case escape(PatternEscape)
        /// `[b]` of `[a[b]]`; `[:alpha:]` is read as one, too
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
    /// False for `[a`, which reaches to the end of the pattern.
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
        /// `(?=a)`, `(?<!a)`, `(?>a)`, `(?#a)`, and what else follows a question mark
        case special

        package var isSwitch: Bool {
            if case .optionSwitch = self { return true }
            return false
        }
    }

    package let kind: Kind
    /// `(?<year>`
    package let opening: Range<Int>
    package let content: PatternChoice
    /// False for `(a`, and for a group within too many others, whose content follows it.
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
        /// `{` that begins no count
        case malformed
    }

    package let least: Int
    /// Nil for `*`, `+` and `{2,}`.
    package let most: Int?
    /// True for `{2,3}`.
    package let isCounted: Bool
    package let manner: Manner
    /// True if another quantifier follows, for which nothing is left to repeat: `a**`.
    package let isFollowedByAnother: Bool
    package let range: Range<Int>
}
