import PredicateText

/// The repetitions of a pattern that make a matcher try one way after another.
extension MatchPattern {
    /// The most unbounded repetitions that take a character in common: 3 of `[ab]*a*[ac]*x`, whose time grows with the third power of the
    /// length of a text that does not match.
    var overlappingRepetitions: Int {
        let sets = repeatedSets
        let bounds = sets.flatMap { $0.ranges.map(\.lowerBound) }.compactMap(Unicode.Scalar.init)
        return bounds.map { bound in sets.count { $0.contains(bound) } }.max() ?? 0
    }

    /// The characters that each unbounded repetition takes, of one within another twice.
    private var repeatedSets: [CodePointSet] {
        switch self {
        case .characters: []
        case .sequence(let parts), .choice(let parts): parts.flatMap(\.repeatedSets)
        case .repeated(let part, _, nil): part.repeatedSets + [part.allCharacters]
        case .repeated(let part, _, .some): part.repeatedSets
        }
    }

    private var allCharacters: CodePointSet {
        switch self {
        case .characters(let set): set
        case .sequence(let parts), .choice(let parts):
            parts.reduce(CodePointSet([])) { $0.union($1.allCharacters) }
        case .repeated(let part, _, _): part.allCharacters
        }
    }
}
