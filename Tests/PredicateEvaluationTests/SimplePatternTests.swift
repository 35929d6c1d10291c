import Foundation
import PredicateGenerators
import PredicateSyntax
import Testing

@testable import PredicateEvaluation

/// Patterns that programs match themselves match what the general matcher matches.
@Suite struct SimplePatternTests {
    /// The memory that the patterns of a test point to.
    private let arena = Arena()

    private static let pieces = [
        "a", "b", "S", "k", ".", "\\.", "[a-c]", "[^a]", "[^a-z.]", "\\d", " ", "é", "-", "[0-9_]", "(", "x|y", "^",
        "\\w", "\\s", "\\D", "\\W", "\\S", "[\\w.-]", "[^\\d]", "[a\\-c]", "[\\]]", "[.-]", "[a-c-]", "|", "$",
        "[]", "[a-]", "{", "ß", "[a&&b]", "&", "#", "~", "(ab|b)", "(?:a|S|)", "(a(b|c))", "()", "(a.b)", "(a|b+)",
        "(.a|c)", "(1*-)", "(a?b)", "(?i)", "(?=a)",
    ]
    private static let marks = ["", "", "", "*", "+", "?", "*?", "++", "{2}", "{1,3}", "{0}", "{2,}", "{2"]
    private static let letters = [
        "a", "b", "c", "S", "s", "k", ".", "1", " ", "é", "\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{B}", "-", "_",
        "日",
        "\u{1F600}", "\u{212A}", "ſ", "&", "#", "~", "\0",
    ]

    /// A string without the required text of a pattern does not match it.
    @Test func requiredTextsAreRequired() throws {
        let words = [
            "éab", "a.1", "\\Qa.1\\E", "日cS", "\\x41bc", "(é|abc)", "(?:éab)?", "(?i)abc", "[é]ab", "abc|", "ab\\.c",
            "(?<x>a)bcd\\k<x>", "ab\\cAcd",
        ]
        var numbers = RandomSource(seed: 6)
        var missed = 0
        for _ in 0..<6000 {
            let parts = (0..<(1 + numbers.below(4))).map { _ in
                numbers.below(2) == 0 ? numbers.one(of: words) : numbers.one(of: Self.pieces)
            }
            let pattern = parts.map { $0 + numbers.one(of: Self.marks) }.joined()
            guard let required = RequiredText(pattern, .none, .standard, in: arena),
                let general = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
            else { continue }
            for _ in 0..<12 {
                let letters = Self.letters + ["éab", "a.1", "日cS", "Abc", "abc", "ab.c", "axc"]
                let text = (0..<numbers.below(5)).map { _ in numbers.one(of: letters) }.joined()
                guard Array(text.utf8).withUnsafeBufferPointer({ required.isMissing(in: $0) }) else { continue }
                let range = NSRange(location: 0, length: text.utf16.count)
                #expect(general.firstMatch(in: text, range: range) == nil, "\(pattern) on \(text.debugDescription)")
                missed += 1
            }
        }
        #expect(missed > 5000)
        #expect(RequiredText("ab", .none, .standard, in: arena) == nil)
        #expect(RequiredText("abcd", .caseInsensitive, .standard, in: arena) == nil)
    }

    @Test(arguments: [false, true]) func sameAsTheGeneralMatcher(ignoresCase: Bool) throws {
        var numbers = RandomSource(seed: 5)
        var compared = 0
        for _ in 0..<12_000 {
            let pattern = (0..<(1 + numbers.below(5))).map { _ in
                numbers.one(of: Self.pieces) + numbers.one(of: Self.marks)
            }.joined()
            guard let simple = SimplePattern(pattern, ignoresCase ? .caseInsensitive : .none, .standard, in: arena)
            else {
                continue
            }
            let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
            let general = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: options)
            for _ in 0..<12 {
                let text = (0..<numbers.below(6)).map { _ in numbers.one(of: Self.letters) }.joined()
                let answer = Array(text.utf8).withUnsafeBufferPointer { simple.result(of: $0) }
                if answer == .unknown { continue }
                let range = NSRange(location: 0, length: text.utf16.count)
                let expected = general.firstMatch(in: text, options: .anchored, range: range) != nil
                #expect((answer == .yes) == expected, "\(pattern) on \(text.debugDescription)")
                compared += 1
            }
        }
        #expect(compared > 15_000)
    }

    private static let patterns = [
        #"[a-z.]+[0-9]+@example\.(com|org)"#, #"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,6}"#,
        #"^\d{4}-\d{2}-\d{2}$"#, #"\w+ (smith|jones)"#, #"(\+49|0)?[1-9]\d+"#, "J.*n S.*", "(ab)+c?", "(a|b)*x",
        #"([a-z]+,)*[a-z]+"#, "^a|b$|c", #"\s*\S+\s*"#, "(a|)(b|c)", "a{2,3}b{1}", "x*y*z*",
    ]
    private static let wholeTexts = [
        "jo.smith7@example.com", "jo@example.org", "a.b+c@mail.example.museum", "a@b.c", "2024-02-29", "24-2-29",
        "Zoe smith", "zoe  jones", "Ann_1 Jones", "+4930123", "030", "John Smith", "ababc", "ab", "abba", "abbax", "x",
        "a,b,c", "a,,b", "a", "b", "c", "", " x ", "\u{B}x", "aab", "aaab", "xxyz", "zyx",
    ]

    @Test(arguments: [false, true]) func realPatterns(ignoresCase: Bool) throws {
        var matched = 0
        for pattern in Self.patterns {
            let simple = try #require(
                SimplePattern(pattern, ignoresCase ? .caseInsensitive : .none, .standard, in: arena))
            let whole = try WholePattern(pattern, ignoresCase ? .caseInsensitive : .none, .standard)
            for text in Self.wholeTexts {
                let answer = Array(text.utf8).withUnsafeBufferPointer { simple.result(of: $0) }
                #expect(try answer == LeafResult(whole.matches(text)), "\(pattern) on \(text)")
                if answer == .yes { matched += 1 }
            }
        }
        #expect(matched > 20)
    }

    /// A text that is not too long for the pattern is none that the general matcher gives up on.
    @Test(arguments: [
        ".*.*x", "a*a*a*b", "(a|ab)(a|b)*", "[a-c]+a[a-c]+", "a?a?a?a?a?a?aaaaaa", "(ab?)+c", "a+a+a+a+b",
    ])
    func limits(pattern: String) throws {
        guard let simple = SimplePattern(pattern, .none, .standard, in: arena) else { return }
        let whole = try WholePattern(pattern, .none, .standard)
        for piece in ["a", "ab", "c"] {
            for count in [5, 10, 20, 40, 100, 400, 1_000] {
                let text = String(repeating: piece, count: count)
                let answer = Array(text.utf8).withUnsafeBufferPointer { simple.result(of: $0) }
                if answer == .unknown { continue }
                #expect(try answer == LeafResult(whole.matches(text)), "\(pattern) on \(count) times \(piece)")
            }
        }
    }

    /// The word that every matching text contains after its beginning.
    @Test(arguments: [
        ("J.*n S.*", "n S"), ("abc", ""), ("[a]bc", ""), (".*abc", "abc"), ("a(bc)+d?ef", "ef"), ("(ab|c)x{2}", "xx"),
        ("a*b(cd)e[fg]hi", "bcde"), ("\\d+-\\.x", "-.x"), (".abcdefghij", "abcdefgh"), ("a.[^b]", ""),
    ])
    func innerWords(pattern: String, word: String) throws {
        let expression = try #require(SimplePatternBuilder.expression(pattern))
        #expect(String(decoding: expression.innerWord, as: UTF8.self) == word)
    }

    @Test func leavesTheRest() {
        for pattern in [
            "(a", "a{2,}", "a{0}", "a^", "$a", "(^a)", "\\b", "a*?", "(a+)+", "(a|ab)*", "(?i)a", "(a)\\1", "[a", "é",
            "[[:alpha:]]", "\\bx", "",
        ] {
            #expect(SimplePattern(pattern, .none, .standard, in: arena) == nil, "\(pattern)")
        }
        #expect(SimplePattern("a", .diacriticInsensitive, .standard, in: arena) == nil)
    }
}
