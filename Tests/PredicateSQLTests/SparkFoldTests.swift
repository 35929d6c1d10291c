import PredicateText
import Testing

@testable import PredicateSQL

/// The texts that fold by `translate` on Spark.
struct SparkFoldTests {
    private static let modes: [FoldMode] = [
        .caseInsensitive, .diacriticInsensitive, .caseAndDiacriticInsensitive,
    ]

    /// Where letters and marks are: no fold changes ideographs, but for those that are composed.
    private static let values = [0..<0x3400, 0xA000..<0x20000, 0x2F800..<0x2FA40, 0xE0000..<0xE0200].joined().map(
        UInt32.init)

    /// What `translate` makes of code points: nothing of those that it drops.
    private func translations(_ table: SparkFoldTable) -> [Unicode.Scalar: Unicode.Scalar?] {
        let near = Array(table.near.unicodeScalars)
        let pairs = table.from.unicodeScalars.enumerated().map { place, scalar in
            (scalar, place < near.count ? near[place] : nil)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// NSP-351: a code point that stays or becomes another one does so in memory, too.
    @Test(arguments: modes) func codePointsNearAtHandFoldAsInMemory(_ mode: FoldMode) {
        let table = translations(SparkFoldTable(mode))
        let extenders = Set(Folding.extenders.joined())
        for value in Self.values {
            guard let scalar = Unicode.Scalar(value), !SparkFoldTable.syllables.contains(value) else { continue }
            guard let translated = table[scalar] ?? scalar else { continue }
            let isPlain = Folding.fold(String(scalar), mode).unicodeScalars.elementsEqual([translated])
            let isAlone = !extenders.contains(value) && !extenders.contains(translated.value)
            if !isPlain || !isAlone || Folding.combiningClass(of: scalar) > 0 {
                Issue.record("U+\(String(value, radix: 16)) under [\(mode.letters)]")
            }
        }
    }

    /// NSP-351: letters of names are near at hand, and all that is longer is not.
    @Test func accentsAreNearAtHandUnderTheirFold() {
        let table = translations(SparkFoldTable(.caseAndDiacriticInsensitive))
        #expect(table["\u{E9}"] == "e" && table["\u{C5}"] == "a" && table["\u{41}"] == "a")
        #expect(table["\u{DF}"] == .some(nil) && table["\u{301}"] == .some(nil) && table["\u{E0101}"] == .some(nil))
        #expect(translations(SparkFoldTable(.caseInsensitive))["\u{E9}"] == .some(nil))
    }
}
