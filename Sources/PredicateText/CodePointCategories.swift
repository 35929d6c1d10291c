/// General categories of Unicode as sets of code points: what `\p{L}` and `\p{Lu}` stand for in MATCHES.
extension CodePointSet {
    /// The code points of a category, by its short name; nil for any other name.
    package static func category(_ name: String) -> CodePointSet? { categories[name] }

    /// The sets of two letters, and those of one letter that are their unions.
    private static let categories: [String: CodePointSet] = {
        var ranges: [String: [ClosedRange<UInt32>]] = [:]
        for run in CategoryRuns() {
            ranges[run.name, default: []].append(run.range)
            ranges[String(run.name.prefix(1)), default: []].append(run.range)
        }
        return ranges.mapValues { CodePointSet($0) }
    }()
}

/// The code points in their order, as runs of one category.
private struct CategoryRuns: Sequence, IteratorProtocol {
    private var value: UInt32 = 0

    mutating func next() -> (name: String, range: ClosedRange<UInt32>)? {
        guard value <= CodePointSet.last else { return nil }
        let (first, category) = (value, Self.category(value))
        repeat { value += 1 } while value <= CodePointSet.last && Self.category(value) == category
        return (category.shortName, first...value - 1)
    }

    /// What a later version of Unicode than the matcher's has added is not assigned.
    private static func category(_ value: UInt32) -> Unicode.GeneralCategory {
        guard let properties = Unicode.Scalar(value)?.properties else { return .surrogate }
        // `ʕ` is a letter without case from version 17 on.
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
