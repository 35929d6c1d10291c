import PredicateText
import Testing

@testable import PredicateSQL

/// Regular expressions that mean a set of texts. [NSP-191] [NSP-341]
@Suite struct MatchPatternTests {
    @Test func partsOfAPattern() throws {
        let a = MatchPattern.characters(CodePointSet("a"))
        #expect(try MatchPattern("a", ignoringCase: false) == a)
        #expect(try MatchPattern("^a|$", ignoringCase: false) == .choice([a, .sequence([])]))
        #expect(try MatchPattern("(?:a)*?", ignoringCase: false) == .repeated(a, atLeast: 0, atMost: nil))
        #expect(try MatchPattern("a{2,}", ignoringCase: false) == .repeated(a, atLeast: 2, atMost: nil))
        #expect(try MatchPattern("a{0,3}", ignoringCase: false) == .repeated(a, atLeast: 0, atMost: 3))
        #expect(
            try MatchPattern("[a-c\\-]", ignoringCase: false) == .characters(CodePointSet([0x2D...0x2D, 0x61...0x63])))
        #expect(try MatchPattern("[^\\n]", ignoringCase: false) == .characters(CodePointSet("\n").inverted))
        #expect(
            try MatchPattern("k", ignoringCase: true)
                == .characters(CodePointSet([0x4B...0x4B, 0x6B...0x6B, 0x212A...0x212A])))
        #expect(
            try MatchPattern("[j-l]", ignoringCase: true)
                == .characters(CodePointSet([0x4A...0x4C, 0x6A...0x6C, 0x212A...0x212A])))
    }

    @Test(arguments: [
        ("\\x41\\x{1F600}\\u00E9\\U0001F600\\f", "A\u{1F600}\u{E9}\u{1F600}\u{C}"), ("\\Qa.b\\E", "a\\.b"),
        ("\\Q(|)$\\E+", "\\(\\|\\)\\$+"),
        ("\\Qa*b{2}\\E?", "a\\*b\\{2\\}?"),
        ("[\\x41-\\u0043]", "[A-C]"), ("a\\Q\\Eb", "ab"), ("(?:a|\\Q^\\E)", "(a|\\^)"),
        ("[\\p{Zl}\\p{Zp}]", "[\u{2028}\u{2029}]"),
        ("(?i)jo", "[jJ][oO]"), ("(?i:j)o", "[jJ]o"), ("x(?i:[a-c])", "x[a-cA-C]"), ("\\P{Zl}", "[^\u{2028}]"),
    ])
    func otherSpellings(_ pattern: String, _ plain: String) throws {
        #expect(try MatchPattern(pattern, ignoringCase: false) == MatchPattern(plain, ignoringCase: false))
    }

    @Test(arguments: [("a+", 1), ("a{3}b{5}", 5), ("(a{3}b*){4}|c{2,}", 12), ("((a{2}){3}){4}", 24)])
    func countsWithinOneAnotherMultiply(_ pattern: String, _ count: Int) throws {
        #expect(try MatchPattern(pattern, ignoringCase: false).nestedCount == count)
    }

    @Test(arguments: [
        "\\b", "a(?i)b", "(?s)a", "(?=a)", "a++", "a**", "(a?)*", "(a*){2}", "a{", "a{,2}", "a{3,2}", "a{0}", "a{1000}",
        "[",
        "[]", "[a", "(a", "a)",
        "a^", "(a$)", "[[:alpha:]]", "[a&&b]", "[a--b]", "\\p{Greek}", "\\pL", "\\1", "\\u006", "\\x4", "\\uD800",
        "\\x{110000}", "\\", "\\Qa",
        "\\E", "\\Qa\\E*+", "\\Q\\E*", "[\\Qa\\E]", "(?i)\\p{Lu}", "(?i)\\Qss\\E", "(?i)s\\x73", "(?i:ß)", "[b-a]",
        "[\\d-z]", "]", "}",
        "\\w{200}{200}",
        "(\\w{200}){200}",
    ])
    func whatIsMoreIsAnObstacle(_ pattern: String) {
        #expect(throws: MatchPattern.Refusal.self) { try MatchPattern(pattern, ignoringCase: false) }
    }

    @Test(arguments: ["ß", "ss", "Fi", "[a-ÿ]", "Σ", "e\u{301}", "ſt", "ŉ"])
    func lettersThatAreMoreThanTheirCasesAreAnObstacle(_ pattern: String) {
        #expect(throws: MatchPattern.Refusal.self) { try MatchPattern(pattern, ignoringCase: true) }
        #expect(throws: Never.self) { try MatchPattern(pattern, ignoringCase: false) }
    }
}
