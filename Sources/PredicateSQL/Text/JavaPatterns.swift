import PredicateText

/// Patterns of MATCHES for the matcher of Java, which calls itself for each repetition of a group whose texts differ in length, so
/// that one long text ends the whole process: a stack overflow.
///
/// `(a|b)*` over 5,000 characters does; `[ab]*`, which means the same, does not.
extension MatchPattern {
    /// The pattern for a matcher that must not recurse; nil where it would, however the pattern is written.
    var withoutRecursion: MatchPattern? {
        let pattern = joiningCharacters
        return pattern.recursion <= Self.mostRecursion ? pattern : nil
    }

    /// Repetitions for which the stack of a thread, of one megabyte, has room many times over.
    private static let mostRecursion = 500

    /// The same texts with a class for alternatives of one character each, and with one repetition for two: `[ab]*` for `(a|b+)*`.
    private var joiningCharacters: MatchPattern {
        switch self {
        case .characters: return self
        case .sequence(let parts):
            return parts.count == 1 ? parts[0].joiningCharacters : .sequence(parts.map(\.joiningCharacters))
        case .choice(let branches): return Self.joined(branches.map(\.joiningCharacters))
        case .repeated(let part, let low, let high):
            let part = part.joiningCharacters
            if low == 1, high == 1 { return part }
            if high == nil, let set = part.repeatedSet, case .repeated(_, let inner, _) = part, inner <= 1 {
                return .repeated(.characters(set), atLeast: low * inner, atMost: nil)
            }
            guard high == nil, low == 0, case .choice(let branches) = part else {
                return .repeated(part, atLeast: low, atMost: high)
            }
            // A branch that is a repetition of characters is as many branches of one.
            let plain = branches.map { branch in
                branch.isOnceOrMore ? branch.repeatedSet.map(Self.characters) ?? branch : branch
            }
            return .repeated(Self.joined(plain), atLeast: 0, atMost: nil)
        }
    }

    private static func joined(_ branches: [MatchPattern]) -> MatchPattern {
        var set: CodePointSet?
        var others: [MatchPattern] = []
        for branch in branches {
            if case .characters(let characters) = branch {
                set = set?.union(characters) ?? characters
            } else {
                others.append(branch)
            }
        }
        guard let set else { return .choice(others) }
        return others.isEmpty ? .characters(set) : .choice([.characters(set)] + others)
    }

    /// The characters of `[a-z]+`.
    private var repeatedSet: CodePointSet? {
        if case .repeated(.characters(let set), _, _) = self { set } else { nil }
    }

    private var isOnceOrMore: Bool {
        if case .repeated(_, let low, _) = self { low <= 1 } else { false }
    }

    /// The calls that stand within one another while a text is matched, as far as its length decides about them.
    private var recursion: Int {
        switch self {
        case .characters: 0
        case .sequence(let parts), .choice(let parts): parts.reduce(0) { min($0 + $1.recursion, 1 << 20) }
        case .repeated(.characters, _, _): 0
        case .repeated(let part, _, let high):
            part.hasOneLength ? part.recursion : min((part.recursion + 1) * min(high ?? 1 << 20, 1 << 20), 1 << 20)
        }
    }

    /// True if all texts are of one length in UTF-16.
    private var hasOneLength: Bool {
        switch self {
        case .characters(let set):
            (set.ranges.last?.upperBound ?? 0) <= 0xFFFF || (set.ranges.first?.lowerBound ?? 0) > 0xFFFF
        case .sequence(let parts): parts.allSatisfy(\.hasOneLength)
        case .choice: false
        case .repeated(let part, let low, let high): low == high && part.hasOneLength
        }
    }
}
