import PredicateGenerators
import PredicateReference
import Testing

import PredicateText

/// BEGINSWITH, ENDSWITH, CONTAINS, equality and order of strings, with needles prepared and not.
@Suite struct TextSearchTests {
    @Test(arguments: FoldMode.allCases)
    func agreesWithTheReference(_ mode: FoldMode) {
        var sampler = Sampler(mode)
        for round in 0..<10_000 {
            let length = sampler.number(0...(round % 8 == 0 ? 40 : 14))
            let letters = sampler.letters(length, rarity: round % 3 == 0 ? 2 : 20)
            let text = sampler.sample(letters)
            check(text, sampler.sample(needle(letters, round, &sampler)), mode)
        }
    }

    private func needle(_ letters: [String], _ round: Int, _ sampler: inout Sampler) -> [String] {
        switch round % 4 {
        case 0: sampler.letters(sampler.number(0...3), rarity: 2)
        case 1: Array(sampler.piece(of: letters).prefix(sampler.number(0...40)))
        case 2: Array(letters.suffix(sampler.number(0...40)))
        default: Array(letters.prefix(sampler.number(0...40))) + sampler.letters(sampler.number(0...1), rarity: 2)
        }
    }

    private func check(_ text: Sample, _ needle: Sample, _ mode: FoldMode) {
        let prepared = PreparedNeedle(needle.string, mode)
        let expected = [
            SlowText.begins(text.string, needle.string, mode), SlowText.ends(text.string, needle.string, mode),
            SlowText.contains(text.string, needle.string, mode), text.folded == needle.folded,
        ]
        let order = SlowText.compare(text.string, needle.string, mode)
        let answers = [
            TextSearch.begins(text.string, with: needle.string, mode),
            TextSearch.ends(text.string, with: needle.string, mode),
            TextSearch.contains(text.string, needle.string, mode),
            TextSearch.equal(text.string, needle.string, mode),
        ]
        let preparedAnswers = [
            prepared.isPrefix(of: text.string), prepared.isSuffix(of: text.string),
            prepared.isContained(in: text.string), prepared.isEqual(to: text.string),
        ]
        let orders = [
            TextSearch.compare(text.string, needle.string, mode), -TextSearch.compare(needle.string, text.string, mode),
            prepared.order(of: text.string),
        ]
        let isRight = answers == expected && preparedAnswers == expected && orders == [order, order, order]
        #expect(isRight, "\(text.string.debugDescription), \(needle.string.debugDescription), \(mode)")
    }

    @Test(arguments: FoldMode.allCases)
    func anEmptyNeedleIsNowhere(_ mode: FoldMode) {
        for text in ["", "a", "a longer text", "é"] {
            #expect(!TextSearch.begins(text, with: "", mode) && !PreparedNeedle("", mode).isPrefix(of: text))
            #expect(!TextSearch.ends(text, with: "", mode) && !PreparedNeedle("", mode).isSuffix(of: text))
            #expect(!TextSearch.contains(text, "", mode) && !PreparedNeedle("", mode).isContained(in: text))
        }
        #expect(TextSearch.equal("", "", mode) && !TextSearch.emptyNeedleMatches)
    }

    @Test func aMarkWithoutABaseStaysAndExtendsTheCharacterBefore() {
        #expect(TextSearch.contains("e\u{301}", "\u{301}", .none))
        #expect(!TextSearch.contains("e\u{301}", "\u{301}", .caseInsensitive))
        #expect(!TextSearch.contains("e\u{301}", "\u{301}", .diacriticInsensitive))
        #expect(PreparedNeedle("\u{301}", .diacriticInsensitive).isPrefix(of: "\u{301}e"))
        #expect(!TextSearch.equal("\u{301}", "", .diacriticInsensitive))
    }

    @Test func composedAndDecomposedDifferWithoutAFold() {
        #expect(!TextSearch.equal("é", "e\u{301}", .none))
        #expect(TextSearch.equal("é", "E\u{301}", .caseInsensitive))
        #expect(TextSearch.equal("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", .diacriticInsensitive))
        #expect(TextSearch.equal("\u{1E17}", "e\u{301}\u{304}", .caseInsensitive) == false)
        #expect(TextSearch.equal("\u{1E17}", "\u{113}\u{301}", .caseInsensitive))
        #expect(TextSearch.equal("É", "e\u{301}", .caseAndDiacriticInsensitive))
    }

    @Test func noMatchBeginsOrEndsInsideACharacter() {
        #expect(
            !TextSearch.begins("ßa", with: "S", .caseInsensitive)
                && TextSearch.begins("ßa", with: "SS", .caseInsensitive))
        #expect(
            !TextSearch.ends("aß", with: "s", .caseInsensitive) && TextSearch.ends("aß", with: "ss", .caseInsensitive))
        #expect(
            !TextSearch.contains("aßb", "SB", .caseInsensitive) && TextSearch.contains("aßb", "SSB", .caseInsensitive))
        #expect(
            !TextSearch.contains("ofﬁce", "FF", .caseInsensitive)
                && TextSearch.contains("ofﬁce", "FFI", .caseInsensitive))
        #expect(
            !TextSearch.contains("e\u{301}x", "e", .caseInsensitive) && TextSearch.contains("éx", "é", .caseInsensitive)
        )
        #expect(!TextSearch.begins("한국", with: "하", .diacriticInsensitive))
    }

    @Test func aMarkAfterThePrefixIsSeenAtAnyLength() {
        for length in 1...20 {
            let text = String(repeating: "a", count: length)
            let needle = PreparedNeedle(text, .caseInsensitive)
            #expect(!needle.isPrefix(of: text + "\u{301}") && !needle.isPrefix(of: text + "\u{301}aaaaaaaaaa"))
            #expect(needle.isPrefix(of: text + "é") && needle.isPrefix(of: text + "aaaaaaaaaaa"))
            #expect(!TextSearch.begins(text + "\u{301}aaaaaaaaaa", with: text, .caseInsensitive))
            #expect(PreparedNeedle(text, .diacriticInsensitive).isPrefix(of: text + "\u{301}b"))
        }
    }

    @Test(arguments: FoldMode.allCases)
    func aMatchStandsAnywhereInALongText(_ mode: FoldMode) {
        for place in 150..<300 {
            let text = "É" + String(repeating: "x", count: place) + "Ñandú" + String(repeating: "ý", count: 40)
            #expect(TextSearch.contains(text, "xÑandú", mode))
            #expect(TextSearch.contains(text, "xÑandú" + String(repeating: "ý", count: 20), mode))
            #expect(!TextSearch.contains(text, "xÑandý", mode))
            #expect(!TextSearch.contains(text, String(repeating: "ý", count: 41), mode))
        }
    }

    @Test func ordersByCodePoint() {
        #expect(TextSearch.compare("Z", "a", .none) == -1)
        #expect(TextSearch.compare("Z", "a", .caseInsensitive) == 1)
        #expect(TextSearch.compare("\u{FFFD}", "\u{10000}", .none) == -1)
        #expect(TextSearch.compare("a", "a\0", .none) == -1)
        #expect(TextSearch.compare("aaaaaaaa\0", "aaaaaaaa", .caseInsensitive) == 1)
    }

    @Test(arguments: FoldMode.allCases)
    func aSearchThatAlwaysNearlyFitsTakesNoLonger(_ mode: FoldMode) {
        let text = String(repeating: "a", count: 100_000)
        let needle = String(repeating: "a", count: 20_000)
        #expect(!TextSearch.contains(text, "a" + needle + "b" + needle, mode))
        #expect(PreparedNeedle(needle + "b", mode).isContained(in: text + "b"))
        let short = String(needle.prefix(30))
        #expect(!TextSearch.contains("é" + text, short + "b" + short, mode))
        #expect(TextSearch.contains("é" + text + "b", short + "b", mode))
    }
}
