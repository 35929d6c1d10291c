/// A regular expression of MATCHES, of the kind whose meaning is a set of texts: characters, classes, groups, alternatives and
/// counts.
///
/// `J.*n|[a-z]+\.(com|org)`
///
/// Databases have regular expressions, too, that spell these in one way and mean different things by `.` and `\w`; so classes are
/// sets of code points here.
package indirect enum MatchPattern: Hashable, Sendable {
    /// `a`, `.`, `[a-z]`, `\d`
    case characters(CodePointSet)
    /// `ab`
    case sequence([MatchPattern])
    /// `a|b`
    case choice([MatchPattern])
    /// `a*`, `a?`, `a{2,3}`; lazy ones are the same for a whole text
    case repeated(MatchPattern, atLeast: Int, atMost: Int?)

    /// A part of a pattern that is more than a set of texts, or that another matcher may take for something else.
    package struct Obstacle: Error, Hashable {
        /// `\b`
        package let part: String

        package init(part: String) {
            self.part = part
        }
    }

    /// The ranges that a matcher has to hold when counts are written out.
    package var size: Int {
        switch self {
        case .characters(let set): set.ranges.count
        case .sequence(let parts), .choice(let parts): parts.reduce(1) { Self.sum($0, $1.size) }
        case .repeated(let part, let low, let high): Self.product(part.size, max(high ?? low + 1, 1))
        }
    }

    /// The greatest product of counts that stand within one another: 12 of `(a{3}b*){4}`.
    package var nestedCount: Int {
        switch self {
        case .characters: 1
        case .sequence(let parts), .choice(let parts): parts.reduce(1) { max($0, $1.nestedCount) }
        case .repeated(let part, let low, let high): Self.product(part.nestedCount, max(high ?? low, 1))
        }
    }

    /// True if the empty text matches.
    package var matchesEmptyText: Bool {
        switch self {
        case .characters: false
        case .sequence(let parts): parts.allSatisfy(\.matchesEmptyText)
        case .choice(let branches): branches.contains(where: \.matchesEmptyText)
        case .repeated(let part, let low, _): low == 0 || part.matchesEmptyText
        }
    }

    private static func sum(_ left: Int, _ right: Int) -> Int { min(left + right, 1 << 30) }
    private static func product(_ left: Int, _ right: Int) -> Int { min(left * min(right, 1 << 15), 1 << 30) }
}
