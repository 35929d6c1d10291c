import PredicateReference
import Testing

@testable import PredicateText

/// The generated table, code point by code point.
@Suite struct FoldTableTests {
    static let modes = FoldMode.allCases.filter { $0 != .none }

    @Test(arguments: modes)
    func everyFoldIsStableAndShortAndNoWildcard(_ mode: FoldMode) {
        for scalar in Self.mapped(mode) {
            guard let folded = replacement(scalar, mode) else { continue }
            let isStable = folded.allSatisfy { replacement($0, mode) == nil }
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
            0x80...0x33FF, 0xA000...0xABFF, 0xD7B0...0xFFFF, 0x10000...0x16FFF, 0x1AFF0...0x1FFFF, 0x2F800...0x2FA1F,
            0xE0000...0xE01FF,
        ]
        for scalar in ranges.lazy.flatMap(scalars) where isComparable(scalar) {
            let folded = replacement(scalar, mode) ?? [scalar]
            let isEqual = folded == SlowText.fold(scalar, mode)
            #expect(isEqual, "\(scalar.value)")
        }
    }

    @Test func whatIsEqualWithoutMarksIsEqualWithoutMarksAndCase() {
        for scalar in Self.mapped(.diacriticInsensitive) {
            guard let folded = replacement(scalar, .diacriticInsensitive) else { continue }
            let expected = folded.flatMap { replacement($0, .caseAndDiacriticInsensitive) ?? [$0] }
            let isEqual = (replacement(scalar, .caseAndDiacriticInsensitive) ?? [scalar]) == expected
            #expect(isEqual, "\(scalar.value)")
        }
    }

    /// Cherokee folds to capitals, which the reference does not; one Ahom sign is a mark no longer in later versions of
    /// Unicode; and what is younger than the table the table cannot know.
    private func isComparable(_ scalar: Unicode.Scalar) -> Bool {
        let isCherokee = 0x13A0...0x13FF ~= scalar.value || 0xAB70...0xABBF ~= scalar.value
        guard !isCherokee, scalar.value != 0x1171E, let age = scalar.properties.age else { return false }
        return (age.major, age.minor) <= (15, 0)
    }

    /// The code points that do not fold to themselves.
    private static func mapped(_ mode: FoldMode) -> [Unicode.Scalar] {
        var mapped: [Unicode.Scalar] = []
        var value: UInt32 = 0
        while value <= 0x10FFFF {
            if FoldTable.replacement(of: value, mode) != nil, let scalar = Unicode.Scalar(value) {
                mapped.append(scalar)
            }
            value += 1
        }
        return mapped
    }

    private func scalars(_ range: ClosedRange<UInt32>) -> some Sequence<Unicode.Scalar> {
        range.lazy.compactMap(Unicode.Scalar.init)
    }

    private func replacement(_ scalar: Unicode.Scalar, _ mode: FoldMode) -> [Unicode.Scalar]? {
        guard let bytes = FoldTable.replacement(of: scalar.value, mode) else { return nil }
        return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }
}
