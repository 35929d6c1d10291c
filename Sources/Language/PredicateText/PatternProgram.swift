/// A regular expression as steps for a matcher that follows all alternatives at once.
///
/// `ab|c*` is `split 1 4, take a, take b, jump 7, split 5 7, take c, jump 4, end`.
package struct PatternProgram: Sendable {
    /// One step. A step that does not jump is followed by the next one.
    package enum Step: Sendable {
        /// Takes a code point of a set: an index of ``sets``.
        case take(Int)
        /// Continues at both steps. A backtracking matcher tries the first one first.
        case split(Int, Int)
        case jump(Int)
        /// Continues if an assertion holds.
        case check(PatternAssertion)
        /// The end of the pattern.
        case end
    }

    package var steps: [Step] = []
    package var sets: [CodePointSet] = []
    /// The sets that assertions look at, as indices of ``sets``.
    package var traits: [(trait: PatternTraits, set: Int)] = []
    package var hasAssertions = false

    package init() {}
}

/// A part that matches the empty string between certain neighbours.
package enum PatternAssertion: Sendable {
    /// `^`, `\A`
    case start
    /// `\z`
    case end
    /// `$`, `\Z`: also before a line end that ends the string
    case lastLineEnd
    /// `(?m)^`, `(?m)$`
    case lineStart, lineEnd
    /// `\b`, `\B`
    case wordEdge, noWordEdge
    /// After a carriage return that `\R` takes alone: no line feed follows.
    case noLineFeed
}

/// What an assertion needs to know about a code point.
package struct PatternTraits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let word = PatternTraits(rawValue: 1)
    /// A code point that continues the character before it, which `\b` skips.
    package static let extender = PatternTraits(rawValue: 2)
    package static let lineEnd = PatternTraits(rawValue: 4)
    package static let carriageReturn = PatternTraits(rawValue: 8)
    package static let lineFeed = PatternTraits(rawValue: 16)
}

/// The code points before and after a position. `after` is nil at the end of the string.
struct PatternNeighbours {
    let before: PatternTraits
    let isStart: Bool
    let after: PatternTraits?

    /// True between the two code points of a line end.
    private var isInLineEnd: Bool { before.contains(.carriageReturn) && after?.contains(.lineFeed) == true }

    private var isAtLineEnd: Bool {
        guard let after else { return true }
        return after.contains(.lineEnd) && !isInLineEnd
    }

    private var isAtWordEdge: Bool {
        guard let after else { return before.contains(.word) }
        return !after.contains(.extender) && after.contains(.word) != before.contains(.word)
    }

    /// Returns true if an assertion holds. For ``PatternAssertion/lastLineEnd``, the rest of the string must also be
    /// empty or a single line end.
    func satisfy(_ assertion: PatternAssertion) -> Bool {
        switch assertion {
        case .start: isStart
        case .end: after == nil
        case .lastLineEnd, .lineEnd: isAtLineEnd
        case .lineStart: isStart || before.contains(.lineEnd) && after != nil
        case .wordEdge: isAtWordEdge
        case .noWordEdge: !isAtWordEdge
        case .noLineFeed: after?.contains(.lineFeed) != true
        }
    }
}
