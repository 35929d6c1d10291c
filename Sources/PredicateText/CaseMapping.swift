/// Capitals and small letters: what `uppercase(name)` and `lowercase(name)` make of a text, the same in every module.
///
/// Full case mapping of Unicode in no language: `ß` becomes `SS`, `ŉ` becomes `ʼN`, `İ` an `i` with a dot above it, and `I` and `i` are
/// each other's. `Σ` becomes `ς` where a word ends with it (the condition Final_Sigma), `σ` elsewhere. All else goes code
/// point by code point.
package enum CaseMapping: Hashable, Sendable, CaseIterable {
    /// `uppercase("ß")`
    case upper
    /// `lowercase("ΑΣ")`
    case lower

    /// The mapped text.
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

    /// What a code point becomes by itself; nil for one that stays.
    package func mapped(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        table.single(scalar).map { [$0] } ?? table.several[scalar]
    }

    /// The code points that change, in their order, with what they become by themselves.
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

    /// The code points from here on have no case.
    package static let limit: UInt32 = 0x20000

    private var table: Table {
        switch self {
        case .upper: Self.upperTable
        case .lower: Self.lowerTable
        }
    }

    private static let upperTable = Table(CaseMappingData.upperRuns, CaseMappingData.upperSeveral)
    private static let lowerTable = Table(CaseMappingData.lowerRuns, CaseMappingData.lowerSeveral)
}

// MARK: - Sigma

extension CaseMapping {
    /// `Σ`
    package static let sigma: Unicode.Scalar = "\u{3A3}"
    /// `σ`
    package static let smallSigma: Unicode.Scalar = "\u{3C3}"
    /// `ς`
    package static let finalSigma: Unicode.Scalar = "\u{3C2}"

    /// The code points that have case.
    package static let cased = CodePointSet(CaseMappingData.ranges(CaseMappingData.cased))
    /// The code points without case that are passed over beside a sigma: marks, apostrophes, points within words.
    package static let ignorable = CodePointSet(CaseMappingData.ranges(CaseMappingData.ignorable))

    /// True if a letter with case stands before the place, and none after it.
    private static func endsWord(_ index: String.Index, in scalars: String.UnicodeScalarView) -> Bool {
        let before = scalars[..<index].reversed().first { !ignorable.contains($0) }
        let after = scalars[scalars.index(after: index)...].first { !ignorable.contains($0) }
        return before.map(cased.contains) == true && after.map(cased.contains) != true
    }
}

// MARK: - Tables

extension CaseMapping {
    /// The mappings of code points, by search.
    private struct Table: Sendable {
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

        /// The one code point that another becomes; nil where it stays, and where it becomes several.
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

    /// First and last code points by turns.
    fileprivate static func ranges(_ pairs: [Int32]) -> [ClosedRange<UInt32>] {
        stride(from: 0, to: pairs.count - 1, by: 2).map {
            UInt32(bitPattern: pairs[$0])...UInt32(bitPattern: pairs[$0 + 1])
        }
    }
}
