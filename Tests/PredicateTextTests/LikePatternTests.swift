import PredicateGenerators
import PredicateReference
import Testing

import PredicateText

/// LIKE: patterns for whole strings.
@Suite struct LikePatternTests {
    @Test(arguments: [
        ("*", "", true), ("*", "a\nb", true), ("a*", "a\nb", true), ("a*a", "a", false), ("hel?o", "hello", true),
        ("hel?o", "helo", false), ("?", "é", true), ("?", "e\u{301}", false), ("??", "e\u{301}", true),
        ("?", "👩", true), (#"\*"#, "*", true), (#"\*"#, "a", false), (#"\?"#, "?", true), (#"\\"#, #"\"#, true),
        (#"a\"#, #"a\"#, true), (#"\a"#, "a", true), ("[a-c]", "b", false), (".", "b", false), ("**a**", "bab", true),
        ("*a?", "aab", true),
        ("*", "*", true), ("", "", false), ("", "a", false), ("a", "", false), ("?", "", false), ("?*", "", false),
    ])
    func matches(_ pattern: String, _ text: String, _ expected: Bool) {
        #expect(LikePattern(pattern, .none).matches(text) == expected)
    }

    @Test(arguments: FoldMode.allCases)
    func agreesWithTheReference(_ mode: FoldMode) {
        var sampler = Sampler(mode)
        for round in 0..<10_000 {
            let letters = sampler.letters(sampler.number(0...8), rarity: round % 2 == 0 ? 2 : 12)
            let text = sampler.sample(letters)
            let pattern = round % 3 == 0 ? sampler.pattern(sampler.number(0...6)) : wildened(letters, &sampler)
            let expected = SlowText.matches(text.string, pattern, mode)
            let like = LikePattern(pattern, mode)
            let isRight = like.matches(text.string) == expected
            #expect(isRight, "\(text.string.debugDescription), \(pattern.debugDescription), \(mode)")
            let isWild = SlowText.tokens(pattern, mode).contains { $0 == .star || $0 == .any }
            #expect(like.tokens.contains { $0 == .star || $0 == .any } == isWild)
        }
    }

    /// The letters with some of them replaced by wildcards.
    private func wildened(_ letters: [String], _ sampler: inout Sampler) -> String {
        letters.map { sampler.number(1...3) == 1 ? Sample.wildcards[sampler.number(0...1)] : $0 }.joined()
    }

    @Test func foldsTheLiteralsAndTheText() {
        #expect(LikePattern("STRA?E*", .caseInsensitive).matches("Straße"))
        #expect(!LikePattern("STRAS?E*", .caseInsensitive).matches("Straße"))
        #expect(LikePattern("?", .caseInsensitive).matches("ß") && !LikePattern("??", .caseInsensitive).matches("ß"))
        #expect(LikePattern("?", .caseInsensitive).matches("e\u{301}"))
        #expect(
            LikePattern("?ce", .caseInsensitive).matches("ﬁce") && LikePattern("FI?", .caseInsensitive).matches("ﬁx"))
        #expect(LikePattern("zo?", .caseAndDiacriticInsensitive).matches("ZOË"))
        #expect(LikePattern("*o?", .diacriticInsensitive).matches("zo\u{300}e\u{308}"))
        #expect(LikePattern(#"\É*"#, .caseAndDiacriticInsensitive).matches("etc"))
    }

    @Test func patternsAreEqualWhenTheirFoldsAre() {
        #expect(LikePattern("A*", .caseInsensitive) == LikePattern("a**", .caseInsensitive))
        #expect(LikePattern("A*", .none) != LikePattern("a*", .none))
        #expect(LikePattern("a*", .none) != LikePattern("a*", .caseInsensitive))
        #expect(LikePattern(#"a\*"#, .none) != LikePattern("a*", .none))
        #expect(LikePattern("a?b", .none).hashValue == LikePattern("a?b", .none).hashValue)
    }

    @Test(arguments: [
        (#"Jo\*"#, TextMatch.equal, "jo*"), ("Jo*", .beginsWith, "jo"), ("**hn", .endsWith, "hn"),
        ("*Oh*", .contains, "oh"),
    ])
    func shapes(_ pattern: String, _ match: TextMatch, _ needle: String) {
        let like = LikePattern(pattern, .caseInsensitive)
        #expect(like.shape == .match(match, PreparedNeedle(needle, .caseInsensitive)))
        #expect(like.tokens.contains(.text(needle)))
    }

    @Test func shapesWithoutANeedle() {
        #expect(LikePattern("", .none).shape == .constant(false) && LikePattern("**", .none).shape == .constant(true))
        #expect(LikePattern("", .none).tokens.isEmpty && LikePattern("**", .none).tokens == [.star])
        let general = LikePattern("Jo??n*", .caseInsensitive)
        #expect(general.tokens == [.text("jo"), .any, .any, .text("n"), .star])
        guard case .match(.like, _) = general.shape else {
            Issue.record("\(general.shape)")
            return
        }
    }

    /// Trying all places of all stars would never end.
    @Test(arguments: FoldMode.allCases)
    func manyStarsTakeNoLonger(_ mode: FoldMode) {
        let text = String(repeating: "a", count: 2_000)
        #expect(!LikePattern(String(repeating: "a*", count: 200) + "b?", mode).matches(text))
        #expect(LikePattern(String(repeating: "a*", count: 200) + "?", mode).matches(text))
        #expect(!LikePattern(String(repeating: "é*", count: 20) + "b?", mode).matches(text + "é"))
    }
}
