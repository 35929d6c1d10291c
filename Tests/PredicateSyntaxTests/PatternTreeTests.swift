import Testing

@testable import PredicateSyntax

/// The one reader of regular expressions.
@Suite struct PatternTreeTests {
    // MARK: Parts

    @Test(arguments: [
        ("", "()"), ("a", "(a)"), ("ab|", "(a b|)"), ("^a.$", "(^ a . $)"), ("a*b+?c?+", "(a* b+? c?+)"),
        ("a{2}b{2,}c{2,3}?", "(a{2,2} b{2,} c{2,3}?)"), ("a{x", "(a{! x)"), ("a{,3}", "(a{! , 3 \\})"),
        ("*a**", "(*! a* *!)"), ("(?i)+", "(group:optionSwitch(\"i\") +!)"), ("a)b", "(a ! b)"),
        ("(a|(?:b))", "(group:capturing(a|group:plain(b)))"), ("(a", "(group:capturing(a)!)"),
        ("(?=a)(?<!b)(?<y1>c)", "(group:special(a) group:special(b) group:named(c))"),
        ("(?i-s:a)(?*", "(group:options(\"i-s\")(a) group:special(*!)!)"), ("(?<a", "(group:special(< a)!)"),
        ("\\n\\x41\\x{1F600}\\u00e9\\U0001F600", "(\\u{A} A \\u{1F600} \\u{E9} \\u{1F600})"),
        ("\\.\\é", "(. \\u{E9})"), ("\\x4", "(\\x 4)"), ("\\x{110000}{2}", "(\\x{110000,110000} {2,2}!)"),
        ("\\uD83D", "(\\u D 8 3 D)"), ("\\u{e9}", "(\\u{! e 9 \\})"),
        ("\\d\\p{Lu}\\pL\\12\\b", "(\\d \\p:Lu \\p L \\1:2 \\b)"), ("\\", "(\\)"), ("\\p{L", "(\\p)"),
        ("(?<x>a)\\k<x>+", "(group:named(a) \\k:x+)"), ("\\k<x", "(\\k)"),
        ("\\cA\\c[[\\cJ]", "(\\u{1} \\u{1B} [\\u{A}])"),
        ("\\Qa.\\E*", "(a .*)"), ("\\Q\\Eb", "(0 b)"), ("\\Qab", "(!)"), ("\\Q*\\E\\Q+\\E", "(* +)"), ("\\E", "(\\E)"),
        ("[a-z.-]", "([a-z . -])"), ("[^\\d\\]-]", "([^\\d \\] -])"), ("[]a]", "([\\] a])"), ("[^]a]", "([^\\] a])"),
        ("[a[b]&&c--d]", "([a [b] && c -- d])"), ("[a-\\d]", "([a-! \\d])"), ("[a-b-c]", "([a-b - c])"),
        ("[\\x41-\\x43]", "([A-C])"), ("[a", "([a!)"), ("[a-", "([a -!)"), ("[\\", "([\\!)"), ("[]", "([\\]!)"),
        ("[\\Q]-\\Ez]", "([\\] - z])"), ("[\\Q\\E]", "([\\Q])"), ("[\\Qa]", "([\\Q!)"),
        ("[[:alpha:]]", "([[: a l p h a :]])"),
        ("[a-[b]]", "([a - [b]])"), ("e\u{301}👩‍👧", "(e \\u{301} \\u{1F469} \\u{200D} \\u{1F467})"),
    ])
    func parts(_ pattern: String, _ dump: String) {
        let tree = PatternTree(pattern)
        #expect(PatternDump.text(tree) == dump)
        PatternCover.check(tree)
    }

    /// Every string that matches contains it. [NSP-442]
    @Test(
        arguments: [
            ("jo.*n", "jo"), ("a\\.b+c\\Q.d\\E", "c.d"), ("(al|jo)+x", "x"), ("^jo$", "jo"), ("é\\x41", "éA"),
            ("[a]b?", nil),
            ("jo|al", nil), ("a(?i)bc", nil), ("jo)x", nil), ("*jo", nil), ("(?i:a)bc", "bc"), ("", nil), ("(jo", nil),
            ("ab{0}c", "a"), ("ab(?=c)d", "ab"), ("(?<x>a)b\\k<x>", "b"), ("\\cAb", "\u{1}b"),
        ] as [(String, String?)])
    func requiredTexts(_ pattern: String, _ text: String?) {
        #expect(PatternTree(pattern).requiredText == text)
    }

    /// Every string that matches begins with it.
    @Test(
        arguments: [
            ("jo[a-z]*", "jo"), ("^jo$", "jo"), ("jo\\Q\\Ex", "jo"), (".*jo", nil), ("jo|al", nil), ("j*o", nil),
            ("", nil),
        ] as [(String, String?)])
    func requiredBeginnings(_ pattern: String, _ text: String?) {
        #expect(PatternTree(pattern).requiredBeginning == text)
    }

    @Test(arguments: [
        ("a{,3}", "(a{0,3})"), ("\\u{e9}\\x{00000041}", "(\\u{E9} A)"), ("[a~~b]", "([a ~~ b])"),
        ("\\U00000041", "(\\U 0 0 0 0 0 0 4 1)"), ("a{,}", "(a{! , \\})"),
    ])
    func partsOfSwift(_ pattern: String, _ dump: String) {
        let tree = PatternTree(pattern, .swift)
        #expect(PatternDump.text(tree) == dump)
        PatternCover.check(tree)
    }

    // MARK: Limits

    /// What stands within too many groups follows them, so that a check sees all of it.
    @Test func depthIsBounded() {
        for count in [PatternTree.deepest, PatternTree.deepest + 1, 50_000] {
            let deep = String(repeating: "(", count: count) + "a" + String(repeating: ")", count: count)
            for pattern in [
                deep, deep + "*|b", String(deep.dropLast(count / 2)), String(repeating: "(?:[", count: count),
            ] {
                PatternCover.check(PatternTree(pattern))
            }
            #expect(BacktrackingCheck.costlyConstruct(in: deep) == nil)
            #expect(BacktrackingCheck.costlyConstruct(in: deep.replacing("a", with: "(?=a)")) == .specialGroup)
            #expect(BacktrackingCheck.costlyConstruct(in: deep.replacing("a", with: "(a+)+")) == .repeatedChoice)
        }
        let sets = String(repeating: "[a", count: 50_000) + String(repeating: "]", count: 50_000)
        PatternCover.check(PatternTree(sets))
        #expect(BacktrackingCheck.costlyConstruct(in: sets + "(a+)+") == .repeatedChoice)
    }

    @Test func lengthIsBounded() {
        let tree = PatternTree(String(repeating: "é", count: PatternTree.longest / 2) + "日|b")
        #expect(tree.choice.branches[0].parts.last == .malformed(PatternTree.longest..<PatternTree.longest + 5))
        PatternCover.check(tree)
        PatternCover.check(PatternTree("a" + String(repeating: "é", count: PatternTree.longest / 2)))
    }

    // MARK: Questions

    /// Wherever the pattern occurs, a text of each list occurs too. [NSP-490]
    @Test(
        arguments: [
            ("x{3}", [["xxx"]]), ("ab{2}c", [["abbc"]]), ("ab{2,}c", [["abb"], ["bbc"]]), ("ab+c", [["ab"], ["bc"]]),
            ("ab?cd", [["cd"]]), ("a{0}bc", [["bc"]]), ("é{2}", [["éé"]]), ("(ab){2}cd", [["cd"], ["ab"]]),
            ("a{40}", [[String(repeating: "a", count: 16)], [String(repeating: "a", count: 16)]]),
            ("a\\Q\\Eb", [["ab"]]), ("(ab|c{2})", [["ab", "cc"]]), ("(ab|c)", []), ("ab(?i)cd", []), ("[a]{2}", []),
            ("\\.{2}", [[".."]]), ("a\u{FFFD}.*bc", [["bc"]]), ("ab{2", []), (".*\\uD83D\\uDE00.*", []),
            ("(?#[)x|(b]c)de", []),
        ] as [(String, [[String]])])
    func listsOfRequiredTexts(_ pattern: String, _ lists: [[String]]) {
        #expect(PatternTree(pattern).requiredTexts == lists)
    }

    @Test(arguments: [
        ("^jo$", true, true, "jo"), ("^jo", true, false, "jo"), ("jo$", false, true, "jo"), ("jo", false, false, "jo"),
        ("\\^jo\\$", false, false, "\\^jo\\$"), ("[^a]$", false, true, "[^a]"), ("^$", true, true, ""),
        ("^", true, false, ""),
        ("$", false, true, ""), ("^a|b$", false, false, "^a|b$"), ("(^a$)", false, false, "(^a$)"),
    ])
    func anchors(_ pattern: String, _ begins: Bool, _ ends: Bool, _ between: String) {
        let tree = PatternTree(pattern)
        #expect((tree.anchors.beginning != nil) == begins && (tree.anchors.end != nil) == ends)
        #expect(tree.text(tree.anchors.between) == between)
    }

    @Test(arguments: [
        ("jo", "jo"), ("^j\\.o$", "j.o"), ("\\x41", "A"), ("", ""), ("j.o", nil), ("jo*", nil), ("a|b", nil),
        ("(a)", nil),
        ("a^b", nil), ("a)", nil),
    ])
    func onlyText(_ pattern: String, _ text: String?) {
        #expect(PatternTree(pattern).onlyText == text)
        #expect(PatternTree(pattern).hasWildcard == (text == nil))
    }

    @Test func wildcards() {
        #expect(PatternTree(#"^a.b.*c[a-z]\d+e*(f)(g)+h\b.{2}$"#).wildcardCount == 9)
        #expect(PatternTree("a|b").wildcardCount == 1)
    }

    @Test(arguments: [
        ("www.swift.org", [3, 9]), ("jo@example.com", [10]), ("a\\.b", []), (".a.", []), ("a.*b", []), ("a..b", []),
        ("(ab.cd)e.f", [3, 8]), ("[a.b]", []), ("é.é", [2]), ("a. b", []),
    ])
    func dotsBetweenWords(_ pattern: String, _ places: [Int]) {
        #expect(PatternTree(pattern).dotsBetweenWords.map(\.lowerBound) == places)
    }
}
