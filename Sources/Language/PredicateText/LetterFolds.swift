/// The case folding of letters in regular expressions, as in ICU: `MATCHES[c] "ss"` matches `ß`.
package enum LetterFolds {
    /// The largest number of code points that one code point folds to.
    package static let longest = 3

    /// Returns the full case folding of a code point.
    package static func fold(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if scalar.isASCII { return CaseMapping.lower.mapped(scalar) ?? [scalar] }
        if scalar == "\u{131}" { return [scalar] }
        return [CaseMapping.lower, .upper, .lower].reduce([scalar]) { scalars, mapping in
            scalars.flatMap { mapping.mapped($0) ?? [$0] }
        }
    }

    /// Returns the code points that fold to a part of a folded string; nil if there are none.
    package static func origins(_ part: ArraySlice<Unicode.Scalar>) -> CodePointSet? {
        let isASCII = part.allSatisfy(\.isASCII)
        if isASCII, part.count == 1, let only = part.first { return closure(ofASCII: [only.value...only.value]) }
        let others = isASCII ? foldingToASCII[String(String.UnicodeScalarView(part))] : foldingToOthers[Array(part)]
        let itself = part.count == 1 ? part.map(\.value) : []
        let origins = (others ?? []) + itself
        return origins.isEmpty ? nil : CodePointSet(origins.map { $0...$0 })
    }

    /// Returns ASCII code points with those that differ from them only in case: `k`, `K` and the Kelvin sign for `k`.
    package static func closure(ofASCII ranges: [ClosedRange<UInt32>]) -> CodePointSet {
        var closed = ranges
        for range in ranges {
            for (letters, other) in [(UInt32(0x41)...0x5A, Int32(32)), (0x61...0x7A, -32)] where range.overlaps(letters)
            {
                let part = range.clamped(to: letters)
                closed.append(
                    part.lowerBound &+ UInt32(bitPattern: other)...part.upperBound &+ UInt32(bitPattern: other))
            }
        }
        if closed.contains(where: { $0.contains(0x6B) }) { closed.append(0x212A...0x212A) }
        if closed.contains(where: { $0.contains(0x73) }) { closed.append(0x17F...0x17F) }
        return CodePointSet(closed)
    }

    /// The code points that fold to several ASCII letters. They are listed, so that ASCII needs no table.
    private static let foldingToASCII: [String: [UInt32]] = [
        "ss": [0xDF, 0x1E9E], "ff": [0xFB00], "fi": [0xFB01], "fl": [0xFB02], "ffi": [0xFB03], "ffl": [0xFB04],
        "st": [0xFB05, 0xFB06],
    ]

    /// The code points that do not fold to themselves, by their fold.
    private static let foldingToOthers: [[Unicode.Scalar]: [UInt32]] = {
        let changing = Set(CaseMapping.upper.changes.map(\.from) + CaseMapping.lower.changes.map(\.from))
        return Dictionary(grouping: changing.filter { fold($0) != [$0] }, by: fold).mapValues { $0.map(\.value) }
    }()
}
