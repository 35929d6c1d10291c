/// A set of code points, stored as ascending ranges with gaps between them.
package struct CodePointSet: Hashable, Sendable {
    package private(set) var ranges: [ClosedRange<UInt32>]

    /// The greatest code point.
    package static let last: UInt32 = 0x10FFFF

    /// Makes a set from ranges in any order.
    package init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
    }

    package init(_ scalar: Unicode.Scalar) {
        ranges = [scalar.value...scalar.value]
    }

    /// Makes a set from pairs of first and last code points.
    init(pairs: [UInt32]) {
        self.init(stride(from: 0, to: pairs.count - 1, by: 2).map { pairs[$0]...pairs[$0 + 1] })
    }

    package static let digits = CodePointSet(pairs: PatternTable.digits)
    package static let spaces = CodePointSet(pairs: PatternTable.spaces)
    package static let words = CodePointSet(pairs: PatternTable.words)
    /// All code points except line terminators: the set that `.` matches.
    package static let line = CodePointSet([0x0A...0x0D, 0x85...0x85, 0x2028...0x2029]).inverted

    /// The only code point of the set; nil unless the set has exactly one.
    package var onlyScalar: Unicode.Scalar? {
        guard ranges.count == 1, let range = ranges.first, range.lowerBound == range.upperBound else { return nil }
        return Unicode.Scalar(range.lowerBound)
    }

    package func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } }

    /// The complement of the set.
    package var inverted: CodePointSet {
        var (gaps, next): ([ClosedRange<UInt32>], UInt32) = ([], 0)
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= Self.last { gaps.append(next...Self.last) }
        return CodePointSet(gaps)
    }

    /// Returns the code points that are also in a range.
    package func intersection(_ range: ClosedRange<UInt32>) -> CodePointSet {
        CodePointSet(ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) })
    }

    /// The set with surrogates removed from the ends of its ranges. Strings hold no surrogates, and patterns must not name
    /// them.
    package var endingOutsideSurrogates: CodePointSet {
        let surrogates: ClosedRange<UInt32> = 0xD800...0xDFFF
        guard ranges.contains(where: { surrogates.contains($0.lowerBound) || surrogates.contains($0.upperBound) })
        else { return self }
        return intersection(0...surrogates.lowerBound - 1).union(intersection(surrogates.upperBound + 1...Self.last))
    }

    package func union(_ other: CodePointSet) -> CodePointSet { CodePointSet(ranges + other.ranges) }

    /// Returns the code points that are in only one of two sets.
    func symmetricDifference(_ other: CodePointSet) -> CodePointSet {
        let edges = (ranges + other.ranges).flatMap { [$0.lowerBound, $0.upperBound + 1] }.sorted()
        let starts = stride(from: 0, to: edges.count, by: 2).filter { edges[$0] < edges[$0 + 1] }
        return CodePointSet(starts.map { edges[$0]...edges[$0 + 1] - 1 })
    }

    /// Returns the set with every gap of at most `length` code points filled.
    package func joining(gapsUpTo length: UInt32) -> CodePointSet {
        var joined: [ClosedRange<UInt32>] = []
        for range in ranges {
            if let last = joined.last, range.lowerBound - last.upperBound - 1 <= length {
                joined[joined.count - 1] = last.lowerBound...range.upperBound
            } else {
                joined.append(range)
            }
        }
        return CodePointSet(joined)
    }

    private mutating func append(_ range: ClosedRange<UInt32>) {
        guard let before = ranges.last, range.lowerBound <= before.upperBound + 1 else { return ranges.append(range) }
        ranges[ranges.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
    }
}

/// Unicode general categories as sets of code points: the sets that `\p{L}` and `\p{Lu}` match in MATCHES.
extension CodePointSet {
    /// Returns the code points of a category, given its short name; nil for an unknown name.
    package static func category(_ name: String) -> CodePointSet? { categories[name] }

    /// The sets by two-letter names, and their unions by one-letter names.
    private static let categories: [String: CodePointSet] = {
        var ranges: [String: [ClosedRange<UInt32>]] = [:]
        for run in CategoryRuns() {
            ranges[run.name, default: []].append(run.range)
            ranges[String(run.name.prefix(1)), default: []].append(run.range)
        }
        return ranges.mapValues { CodePointSet($0) }
    }()
}

/// All code points in ascending order, as runs of one category.
private struct CategoryRuns: Sequence, IteratorProtocol {
    private var value: UInt32 = 0

    mutating func next() -> (name: String, range: ClosedRange<UInt32>)? {
        guard value <= CodePointSet.last else { return nil }
        let (first, category) = (value, Self.category(value))
        repeat { value += 1 } while value <= CodePointSet.last && Self.category(value) == category
        return (category.shortName, first...value - 1)
    }

    /// Code points that were added after the matcher's version of Unicode count as unassigned.
    private static func category(_ value: UInt32) -> Unicode.GeneralCategory {
        guard let properties = Unicode.Scalar(value)?.properties else { return .surrogate }
        // From Unicode 17 on, `ʕ` is a letter without case.
        if value == 0x295 { return .lowercaseLetter }
        guard let age = properties.age, age.major <= PatternTable.unicodeVersion else { return .unassigned }
        return properties.generalCategory
    }
}

extension Unicode.GeneralCategory {
    /// `Lu`
    fileprivate var shortName: String {
        switch self {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
