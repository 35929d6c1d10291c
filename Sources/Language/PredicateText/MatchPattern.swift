/// A regular expression of MATCHES that denotes a set of strings: characters, classes, groups, alternatives and
/// counts.
///
/// `J.*n|[a-z]+\.(com|org)`
///
/// Databases share this syntax but disagree about the meaning of `.` and `\w`, so classes are stored as sets of code
/// points.
package indirect enum MatchPattern: Hashable, Sendable {
    /// `a`, `.`, `[a-z]`, `\d`
    case characters(CodePointSet)
    /// `ab`
    case sequence([MatchPattern])
    /// `a|b`
    case choice([MatchPattern])
    /// `a*`, `a?`, `a{2,3}`. A lazy quantifier is equivalent, since the whole string must match.
    case repeated(MatchPattern, atLeast: Int, atMost: Int?)

    /// The number of ranges that a matcher holds once counts are expanded.
    package var size: Int {
        switch self {
        case .characters(let set): set.ranges.count
        case .sequence(let parts), .choice(let parts): parts.reduce(1) { Self.sum($0, $1.size) }
        case .repeated(let part, let low, let high): Self.product(part.size, max(high ?? low + 1, 1))
        }
    }

    /// The greatest product of nested counts: 12 for `(a{3}b*){4}`.
    package var nestedCount: Int {
        switch self {
        case .characters: 1
        case .sequence(let parts), .choice(let parts): parts.reduce(1) { max($0, $1.nestedCount) }
        case .repeated(let part, let low, let high): Self.product(part.nestedCount, max(high ?? low, 1))
        }
    }

    /// True if the empty string matches.
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

/// Regular expressions for all strings that have the same fold, for databases that cannot fold.
extension MatchPattern {
    /// Makes a pattern for the strings that fold to `text` and have no marks (``Folding/markBlocks``): `[Ss]t(?:[Ss][Ss]|[ßẞ])`
    /// for `stss`.
    ///
    /// Such strings fold code point by code point, so each division of the folded string into folds of code points
    /// gives an alternative. ``never`` if there is no division; nil if there are too many to write out.
    package init?(foldingTo text: String, _ mode: FoldMode) {
        guard let pattern = FoldDivisions(text, mode).pattern else { return nil }
        self = pattern
    }

    /// The pattern that matches no string.
    package static let never = MatchPattern.choice([])
}

extension CodePointSet {
    /// Makes the set of code points whose fold begins with the first code point of a folded string, ignoring marks: `[Ssß]` and
    /// others for `strasse`.
    package init(beginning text: String, _ mode: FoldMode) {
        guard let first = text.unicodeScalars.first, let origins = FoldOrigins.of(mode) else {
            self.init([])
            return
        }
        self = origins.beginning(with: first)
    }
}

extension Folding {
    /// Returns the ASCII beginnings of all strings whose fold under `[c]` begins with `text`: `jo`, `jO`, `Jo` and `JO` for
    /// `jo`. They end before a letter that another code point also folds to, such as `k` or the `f` of `fi`, and before there
    /// are more than `most`. The result is empty if no letter comes before that.
    package static func asciiBeginnings(ofCaseFolded text: String, atMost most: Int) -> [String] {
        let letters = text.unicodeScalars.map(\.value)
        var beginnings = [""]
        for (index, letter) in letters.enumerated() {
            let isBeforeMark = index + 1 < letters.count && letters[index + 1] >= 0x80
            guard letter < 0x80, !isBeforeMark, !FoldOrigins.hasOther(letters[index...]) else { break }
            let spellings = String(Unicode.Scalar(UInt8(letter)))
            let others = spellings.uppercased()
            if others == spellings {
                beginnings = beginnings.map { $0 + spellings }
            } else {
                guard 2 * beginnings.count <= most else { break }
                beginnings = beginnings.flatMap { [$0 + spellings, $0 + others] }
            }
        }
        return beginnings == [""] ? [] : beginnings
    }

    /// Ranges that contain every code point whose fold or match depends on its neighbours: marks, Hangul vowels and
    /// final consonants, and code points whose decomposition begins with a mark. The ranges are wide so that there
    /// are few of them.
    package static let markBlocks: CodePointSet = {
        let starts = Set(extenders.joined())
        let decomposed = FoldTable.members.filter { starts.contains(entry(of: $0).decomposition.first ?? 0) }
        let marks = CodePointSet(extenders + Folding.marks + orderedMarks + decomposed.map { $0...$0 })
        return marks.joining(gapsUpTo: 0x40)
    }()
}

// MARK: - Origins of folds

/// For each folded string, the code points that fold to it.
private struct FoldOrigins {
    private var origins: [[UInt32]: [UInt32]] = [:]
    /// The code points that do not fold to themselves.
    private var moved: Set<UInt32> = []
    let longest: Int

    // Each is made when it is first needed.
    private static let ofCase = FoldOrigins(.caseInsensitive)
    private static let ofMarks = FoldOrigins(.diacriticInsensitive)
    private static let ofBoth = FoldOrigins(.caseAndDiacriticInsensitive)

    static func of(_ mode: FoldMode) -> FoldOrigins? {
        switch mode {
        case .none: nil
        case .caseInsensitive: ofCase
        case .diacriticInsensitive: ofMarks
        case .caseAndDiacriticInsensitive: ofBoth
        }
    }

    private init(_ mode: FoldMode) {
        var longest = 3
        for value in FoldTable.members {
            guard let scalar = Unicode.Scalar(value), !Folding.markBlocks.contains(scalar) else { continue }
            let folded = Folding.fold(String(scalar), mode).unicodeScalars.map(\.value)
            if folded == [value] { continue }
            origins[folded, default: []].append(value)
            moved.insert(value)
            longest = max(longest, folded.count)
        }
        self.longest = longest
    }

    /// Returns true if some code point beyond ASCII folds, under `[c]`, to the beginning of a folded string.
    static func hasOther(_ text: ArraySlice<UInt32>) -> Bool {
        guard let first = text.first, let folds = foldsOfOthers[first] else { return false }
        return folds.contains { text.starts(with: $0) }
    }

    /// The folds under `[c]` that begin with ASCII but come from code points beyond it, by first code point.
    private static let foldsOfOthers: [UInt32: [[UInt32]]] = {
        let folds = ofCase.origins.filter { $0.key[0] < 0x80 && $0.value.contains { $0 >= 0x80 } }.keys
        return Dictionary(grouping: folds) { $0[0] }
    }()

    /// Returns the code points whose fold begins with `first`, including `first` itself.
    func beginning(with first: Unicode.Scalar) -> CodePointSet {
        let others = origins.filter { $0.key.first == first.value }.values.joined().map { $0...$0 }
        let syllables = (0x1100...0x1112).contains(first.value) ? [0xAC00 + (first.value - 0x1100) * 588] : []
        return CodePointSet([first.value...first.value] + others + syllables.map { $0...$0 + 587 })
    }

    /// Returns the code points that fold to a part of a folded string.
    func codePoints(_ part: ArraySlice<UInt32>) -> CodePointSet? {
        var found = origins[Array(part)] ?? []
        if part.count == 1, let value = part.first, isPlain(value) { found.append(value) }
        if let syllable = Self.syllable(part) { found.append(syllable) }
        return found.isEmpty ? nil : CodePointSet(found.map { $0...$0 })
    }

    /// True for a code point that is not a mark and folds to itself.
    private func isPlain(_ value: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(value), !moved.contains(value) else { return false }
        return !Folding.markBlocks.contains(scalar)
    }

    /// Returns the Hangul syllable of two or three conjoining letters.
    private static func syllable(_ part: ArraySlice<UInt32>) -> UInt32? {
        guard part.count > 1, let first = part.first else { return nil }
        return part.dropFirst().reduce(first) { base, jamo in base.flatMap { HangulSyllable.composition($0, jamo) } }
    }
}

/// The ways to divide a folded string into parts, each of which is the fold of a code point.
private struct FoldDivisions {
    private let text: [UInt32]
    /// For each position, the parts that begin there and leave a rest that can be divided too: their ends, and the code points
    /// that fold to them.
    private var parts: [[(end: Int, origins: CodePointSet)]]

    /// The maximum number of divisions of a piece between two positions at which every division cuts.
    private static let most = 64

    init(_ folded: String, _ mode: FoldMode) {
        text = folded.unicodeScalars.map(\.value)
        parts = Array(repeating: [], count: text.count + 1)
        guard let origins = FoldOrigins.of(mode) else { return }
        for start in text.indices.reversed() {
            for end in start + 1...min(start + origins.longest, text.count)
            where end == text.count || !parts[end].isEmpty {
                if let found = origins.codePoints(text[start..<end]) { parts[start].append((end, found)) }
            }
        }
    }

    var pattern: MatchPattern? {
        if text.isEmpty { return .sequence([]) }
        if parts[0].isEmpty { return .never }
        var sequence: [MatchPattern] = []
        var start = 0
        while start < text.count {
            guard let end = nextCut(after: start), let piece = divided(start, end) else { return nil }
            sequence.append(piece)
            start = end
        }
        return sequence.count == 1 ? sequence[0] : .sequence(sequence)
    }

    /// The next position at which every division cuts; nil if there is none.
    private func nextCut(after start: Int) -> Int? {
        var (reached, furthest): (Set<Int>, Int) = ([start], start)
        for place in start..<text.count where reached.contains(place) {
            if place > start, place == furthest { return place }
            for part in parts[place] {
                reached.insert(part.end)
                furthest = max(furthest, part.end)
            }
        }
        return furthest == text.count ? furthest : nil
    }

    private func divided(_ start: Int, _ end: Int) -> MatchPattern? {
        var branches: [[MatchPattern]] = []
        guard add(to: &branches, [], from: start, to: end) else { return nil }
        let patterns = branches.map { $0.count == 1 ? $0[0] : MatchPattern.sequence($0) }
        return patterns.count == 1 ? patterns[0] : .choice(patterns)
    }

    /// Returns false if there are too many divisions.
    private func add(
        to branches: inout [[MatchPattern]], _ before: [MatchPattern], from start: Int, to end: Int
    ) -> Bool {
        if start == end {
            branches.append(before)
            return branches.count <= Self.most
        }
        for part in parts[start] where part.end <= end {
            guard add(to: &branches, before + [.characters(part.origins)], from: part.end, to: end) else {
                return false
            }
        }
        return true
    }
}
