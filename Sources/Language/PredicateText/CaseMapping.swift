/// Unicode case mapping: `uppercase(name)` and `lowercase(name)`. Every module uses it, so that results are the same
/// in memory and in databases.
///
/// This is full case mapping without a locale. `ß` becomes `SS`, `ŉ` becomes `ʼN`, and `İ` becomes `i` followed by a
/// combining dot. `I` and `i` map to each other. `Σ` becomes `ς` at the end of a word (the condition Final_Sigma) and
/// `σ` elsewhere. Every other code point is mapped independently of its neighbours.
package enum CaseMapping: Hashable, Sendable, CaseIterable {
    /// `uppercase("ß")`
    case upper
    /// `lowercase("ΑΣ")`
    case lower

    package func map(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return self == .upper ? text.uppercased() : text.lowercased() }
        let scalars = text.unicodeScalars
        var result = String.UnicodeScalarView()
        for index in scalars.indices {
            let scalar = scalars[index]
            if self == .lower, scalar == Self.sigma {
                result.append(Self.endsWord(index, in: scalars) ? Self.finalSigma : Self.smallSigma)
            } else {
                append(scalar, to: &result)
            }
        }
        return String(result)
    }

    private func append(_ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView) {
        if let single = table.single(scalar) { return result.append(single) }
        if let several = table.several[scalar] { return result.append(contentsOf: several) }
        result.append(scalar)
    }

    /// Returns the mapping of a single code point; nil if the code point does not change.
    package func mapped(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        table.single(scalar).map { [$0] } ?? table.several[scalar]
    }

    /// All code points that change, in ascending order, with their mappings.
    package var changes: [(from: Unicode.Scalar, to: [Unicode.Scalar])] {
        switch self {
        case .upper: Self.upperChanges
        case .lower: Self.lowerChanges
        }
    }

    private static let upperChanges = changes(of: .upper)
    private static let lowerChanges = changes(of: .lower)

    private static func changes(of mapping: Self) -> [(from: Unicode.Scalar, to: [Unicode.Scalar])] {
        (0..<limit).compactMap(Unicode.Scalar.init).compactMap { scalar in mapping.mapped(scalar).map { (scalar, $0) } }
    }

    /// Code points at or above this value have no case.
    package static let limit: UInt32 = 0x20000

    private var table: MappingTable {
        switch self {
        case .upper: Self.upperTable
        case .lower: Self.lowerTable
        }
    }

    private static let upperTable = MappingTable(CaseMappingData.upperRuns, CaseMappingData.upperSeveral)
    private static let lowerTable = MappingTable(CaseMappingData.lowerRuns, CaseMappingData.lowerSeveral)
}

// MARK: - Sigma

extension CaseMapping {
    /// `Σ`
    package static let sigma: Unicode.Scalar = "\u{3A3}"
    /// `σ`
    package static let smallSigma: Unicode.Scalar = "\u{3C3}"
    /// `ς`
    package static let finalSigma: Unicode.Scalar = "\u{3C2}"

    package static let cased = CodePointSet(pairs: CaseMappingData.cased.map(UInt32.init(bitPattern:)))
    /// The caseless code points that the Final_Sigma condition skips: marks, apostrophes, and punctuation within
    /// words.
    package static let ignorable = CodePointSet(Folding.marks).symmetricDifference(
        CodePointSet(pairs: CaseMappingData.ignorable.map(UInt32.init(bitPattern:))))

    /// True if a cased letter comes directly before the index and none directly after it, not counting ``ignorable``
    /// code points.
    private static func endsWord(_ index: String.Index, in scalars: String.UnicodeScalarView) -> Bool {
        let before = scalars[..<index].reversed().first { !ignorable.contains($0) }
        let after = scalars[scalars.index(after: index)...].first { !ignorable.contains($0) }
        return before.map(cased.contains) == true && after.map(cased.contains) != true
    }
}

// MARK: - Tables

extension CaseMapping {
    /// Mappings of code points, found by binary search.
    private struct MappingTable: Sendable {
        let several: [Unicode.Scalar: [Unicode.Scalar]]
        private let runs: [Int32]

        init(_ runs: [Int32], _ several: [Int32]) {
            self.runs = runs
            var (rest, mappings) = (several[...], [Unicode.Scalar: [Unicode.Scalar]]())
            while let first = rest.popFirst(), let count = rest.popFirst() {
                mappings[CaseMappingData.scalar(first)] = rest.prefix(Int(count)).map(CaseMappingData.scalar)
                rest = rest.dropFirst(Int(count))
            }
            self.several = mappings
        }

        /// Returns the single code point that a code point maps to; nil if it does not change or maps to several.
        func single(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
            let value = Int32(bitPattern: scalar.value)
            var (low, high) = (0, runs.count / 4)
            while low < high {
                let middle = (low + high) / 2
                if runs[4 * middle + 1] < value { low = middle + 1 } else { high = middle }
            }
            guard 4 * low < runs.count, runs[4 * low] <= value, (value - runs[4 * low]) % runs[4 * low + 2] == 0 else {
                return nil
            }
            return CaseMappingData.scalar(value + runs[4 * low + 3])
        }
    }
}

extension CaseMappingData {
    fileprivate static func scalar(_ value: Int32) -> Unicode.Scalar {
        Unicode.Scalar(UInt32(bitPattern: value)) ?? "\u{FFFD}"
    }
}

/// The code points that differ from a letter only in case, for letters whose case folding is one to one.
///
/// For `k`: `k`, `K` and the Kelvin sign. Covers unaccented Latin letters, the accented letters of Western and
/// Central Europe, and caseless code points. The result is nil for all others, such as `ß`, which `[c]` folds to two
/// letters.
package enum CaseOrbit {
    package static func of(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        switch scalar {
        case "k", "K", "\u{212A}": ["k", "K", "\u{212A}"]
        case "s", "S", "\u{17F}": ["s", "S", "\u{17F}"]
        case "å", "Å", "\u{212B}": ["å", "Å", "\u{212B}"]
        case "ß", "µ", "\u{130}", "\u{131}", "\u{149}": nil
        case "\u{0}"..."\u{17E}": pair(scalar)
        default: hasNoCase(scalar) ? [scalar] : nil
        }
    }

    private static func hasNoCase(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isCased || properties.changesWhenCaseMapped || properties.changesWhenCaseFolded { return false }
        return [.otherLetter, .otherSymbol, .otherPunctuation, .spaceSeparator].contains(properties.generalCategory)
    }

    /// Returns a letter and its counterpart in the other case.
    private static func pair(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let properties = scalar.properties
        let other = properties.isLowercase ? properties.uppercaseMapping : properties.lowercaseMapping
        guard let only = other.unicodeScalars.first, other.unicodeScalars.count == 1 else { return [scalar] }
        return only == scalar ? [scalar] : [scalar, only]
    }

    /// Returns true if a single letter folds to these two letters, as `ß` folds to `ss`.
    package static func mayBeOneLetter(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        let letters = String(first).uppercased() + String(second).uppercased()
        return ["SS", "FF", "FI", "FL", "ST"].contains(letters)
    }
}
