import PredicateReference
import Testing

@testable import PredicateText

/// The generated table, code point by code point.
@Suite struct FoldTableTests {
    static let modes = FoldMode.allCases.filter { $0 != .none }

    @Test(arguments: modes)
    func everyFoldIsStableAndShortAndNoWildcard(_ mode: FoldMode) {
        for scalar in Self.mapped(mode) {
            let folded = fold(scalar, mode)
            let isStable = Array(Folding.fold(string(folded), mode).unicodeScalars) == folded
            #expect(isStable, "\(scalar.value)")
            let isShort = folded.map(UTF8.width).reduce(0, +) <= 3 * UTF8.width(scalar)
            #expect(isShort, "\(scalar.value)")
            let isWild = scalar.value >= 0x80 && folded.contains { $0 == "*" || $0 == "?" || $0 == "\\" }
            #expect(!isWild, "\(scalar.value)")
        }
    }

    @Test(arguments: modes)
    func agreesWithTheStandardLibrary(_ mode: FoldMode) {
        let ranges: [ClosedRange<UInt32>] = [
            0x80...0x33FF, 0xA000...0xAC80, 0xD780...0xFFFF, 0x10000...0x16FFF, 0x1AFF0...0x1FFFF, 0x2F800...0x2FA1F,
            0xE0000...0xE01FF,
        ]
        for scalar in ranges.lazy.flatMap(scalars) where isComparable(scalar) {
            let isEqual = fold(scalar, mode) == SlowText.fold(String(scalar), mode)
            #expect(isEqual, "\(scalar.value)")
        }
    }

    @Test func whatIsEqualWithoutMarksIsEqualWithoutMarksAndCase() {
        for scalar in Self.mapped(.diacriticInsensitive) {
            let plain = string(fold(scalar, .diacriticInsensitive))
            let expected = Array(Folding.fold(plain, .caseAndDiacriticInsensitive).unicodeScalars)
            let isEqual = fold(scalar, .caseAndDiacriticInsensitive) == expected
            #expect(isEqual, "\(scalar.value)")
        }
    }

    /// Cherokee folds to capitals, which the reference does not; one Ahom sign is a mark no longer in later versions of
    /// Unicode; and what is younger than the table the table cannot know.
    private func isComparable(_ scalar: Unicode.Scalar) -> Bool {
        guard let age = scalar.properties.age else { return false }
        return (age.major, age.minor) <= (15, 0)
    }

    /// The code points that do not fold to themselves.
    private static func mapped(_ mode: FoldMode) -> [Unicode.Scalar] {
        var mapped: [Unicode.Scalar] = []
        var value: UInt32 = 0
        while value <= 0x10FFFF {
            if FoldTable.packedReplacement(of: value, mode.column).length != FoldTable.PackedReplacement.itself,
                let scalar = Unicode.Scalar(value)
            {
                mapped.append(scalar)
            }
            value += 1
        }
        return mapped
    }

    private func scalars(_ range: ClosedRange<UInt32>) -> some Sequence<Unicode.Scalar> {
        range.lazy.compactMap(Unicode.Scalar.init)
    }

    private func fold(_ scalar: Unicode.Scalar, _ mode: FoldMode) -> [Unicode.Scalar] {
        Array(Folding.fold(String(scalar), mode).unicodeScalars)
    }

    private func string(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
