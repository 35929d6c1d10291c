import Foundation
import PredicateGenerators
import PredicateReference
import PredicateSyntax
import PredicateText
import Testing

@testable import PredicateEvaluation

/// MATCHES agrees with ICU, which is asked here by itself. [NSP-099] [NSP-490]
@Suite struct PatternAgreementTests {
    /// ICU's matcher for a whole string; nil for an invalid pattern.
    private static func judge(_ pattern: String, _ options: NSRegularExpression.Options) -> NSRegularExpression? {
        guard (try? NSRegularExpression(pattern: pattern, options: options)) != nil else { return nil }
        return ["", "\n", "\\E"].lazy.compactMap { ending in
            try? NSRegularExpression(pattern: "\\A(?:" + pattern + ending + ")\\z", options: options)
        }.first
    }

    /// The matcher's result; nil if it gave up.
    private static func result(_ judge: NSRegularExpression, _ text: String) -> Bool? {
        var (found, gaveUp, reports) = (false, false, 0)
        judge.enumerateMatches(
            in: text, options: [.anchored, .reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: text.utf16.count)
        ) { match, flags, stop in
            if match != nil { found = true }
            if flags.contains(.progress) { reports += 1 }
            gaveUp = gaveUp || flags.contains(.internalError) || reports > 100
            if gaveUp { stop.pointee = true }
        }
        return found ? true : gaveUp ? nil : false
    }

    private static func text(_ text: String, _ mode: FoldMode) -> String {
        guard mode == .diacriticInsensitive || mode == .caseAndDiacriticInsensitive else { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: SlowText.fold(text, .diacriticInsensitive))
        return String(scalars).precomposedStringWithCanonicalMapping
    }

    @Test(arguments: FoldMode.allCases) func drawnPatterns(_ mode: FoldMode) throws {
        var source = RandomSource(seed: PatternDraw.seed(31) + UInt64(mode.rawValue))
        let ignoresCase = mode == .caseInsensitive || mode == .caseAndDiacriticInsensitive
        let isFolded = mode == .diacriticInsensitive || mode == .caseAndDiacriticInsensitive
        var (pairs, matches, automata) = (0, 0, 0)
        while pairs < (isFolded ? 2_000 : 5_000) {
            let pattern = PatternDraw.pattern(&source)
            guard !pattern.isEmpty,
                let judge = Self.judge(Self.text(pattern, mode), ignoresCase ? .caseInsensitive : [])
            else { continue }
            let whole = try WholePattern(pattern, mode, .standard)
            let arena = Arena()
            let test = PatternTest(whole, in: arena)
            if whole.automaton != nil { automata += 1 }
            for _ in 0..<8 {
                let text = PatternDraw.text(&source)
                guard let expected = Self.result(judge, Self.text(text, mode)) else { continue }
                let quick = Array(text.utf8).withUnsafeBufferPointer { test.result(of: $0) }
                #expect(
                    try whole.matches(text) == expected && quick.decided ?? expected == expected,
                    "\(pattern.debugDescription) on \(text.debugDescription): \(expected)")
                pairs += 1
                if expected { matches += 1 }
            }
        }
        #expect(matches * 20 > pairs && automata * 10 > pairs / 2, "\(matches) matches, \(automata) automata")
    }

    private static let patterns = [
        #"[a-z.]+[0-9]+@example\.(com|org)"#, #"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,6}"#,
        #"^\d{4}-\d{2}-\d{2}$"#, #"\w+ (smith|jones)"#, #"(\+49|0)?[1-9]\d+"#, "J.*n S.*", "(ab)+c?", "(a|b)*x",
        #"([a-z]+,)*[a-z]+"#, "^a|b$|c", #"\s*\S+\s*"#, "(a|)(b|c)", "a{2,3}b{1}", "x*y*z*",
        ".*(reset|retry).*(lost|failed).*",
        #".*\bjones\b.*"#, #"[^@]++@\w+"#, "(?i)straSSe", "(a+)+", "(?:[^,]*,){2}.*", "[[:alpha:]]+",
        #"\p{Lu}\p{Ll}+.*"#,
        "(?s).*b.*", "a?a?a?a?aaaa",
    ]
    private static let texts = [
        "jo.smith7@example.com", "jo@example.org", "a.b+c@mail.example.museum", "a@b.c", "2024-02-29", "24-2-29",
        "Zoe smith", "zoe  jones", "Ann_1 Jones", "+4930123", "030", "John Smith", "ababc", "ab", "abba", "abbax", "x",
        "a,b,c", "a,,b", "a", "b", "c", "", " x ", "\u{B}x", "aab", "aaab", "xxyz", "zyx", "Straße", "STRASSE",
        "a reset was lost", "retry failed", "the reset", "a\nb", "Zoë", "aaaaa", "aaaa",
    ]

    /// All of them have an automaton.
    @Test(arguments: [FoldMode.none, .caseInsensitive]) func realPatterns(_ mode: FoldMode) throws {
        var matched = 0
        for pattern in Self.patterns {
            let judge = try #require(Self.judge(pattern, mode == .none ? [] : .caseInsensitive))
            let whole = try WholePattern(pattern, mode, .standard)
            #expect(whole.automaton != nil, "\(pattern)")
            for text in Self.texts {
                let expected = Self.result(judge, text)
                #expect(try whole.matches(text) == expected, "\(pattern) on \(text)")
                if expected == true { matched += 1 }
            }
        }
        #expect(matched > 60)
    }

    @Test(arguments: [
        "(a)\\1", "(?<x>a)\\k<x>", "a(?=b)", "(?!a)b", "(?<=a)b", "(?>a|ab)c", "a*+a", "\\X", "(?x) a", "(?d)a$",
        "(?:a?)*?b", "a{20000}", "((a{100}){100}){100}",
    ])
    func othersAreLeftToICU(_ pattern: String) throws {
        #expect(try WholePattern(pattern, .none, .standard).automaton == nil)
    }

    @Test func namedReferences() throws {
        let evaluator = try PredicateEvaluator(FormatPredicate("SELF MATCHES %@", "(?<x>a)\\k<x>"))
        #expect(try evaluator.evaluate(.value("aa")))
        #expect(try !evaluator.evaluate(.value("a\\k<x>")))
        #expect(try PredicateEvaluator(FormatPredicate("SELF MATCHES %@", "\\cA")).evaluate(.value("\u{1}")))
    }

    /// Invalid UTF-8 is read with replacement characters.
    @Test func malformedTexts() throws {
        let bytes: [[UInt8]] = [
            [0xFF], [0x61, 0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
            [0xF0, 0x80, 0x80, 0x80],
        ]
        for pattern in [".*", "a.", "\u{FFFD}", "\\W+", "[^a]{3}"] {
            let expression = try TextPattern(pattern, .none)
            let judge = try #require(Self.judge(pattern, []))
            for text in bytes {
                var steps = 0
                let result = try text.withUnsafeBufferPointer { text throws(EvaluationError) in
                    try expression.matches(text, steps: &steps)
                }
                #expect(result == Self.result(judge, String(decoding: text, as: UTF8.self)), "\(pattern) on \(text)")
            }
        }
    }

    /// A string without the required texts of a pattern does not match it.
    @Test func requiredTextsAreRequired() throws {
        let words = [
            "éab", "a.1", "\\Qa.1\\E", "日cS", "\\x41bc", "(é|abc)", "(?:éab)?", "(?i)abc", "[é]ab", "abc|", "ab\\.c",
            "(?<x>a)bcd\\k<x>", "ab\\cAcd", "(abc|axc)", "(?:abc|a.1x)+", "((abc)|(?:axc|ab\\.c))", "b{3}", "ab{2}c",
            "(a{2,}b+)?", "é{2,3}", "(a{2}){2}b*",
        ]
        var source = RandomSource(seed: 6)
        var missed = 0
        for _ in 0..<4_000 {
            let pattern = (0..<1 + source.below(4)).map { _ in
                source.oneIn(2) ? source.one(of: words) : PatternDraw.pattern(&source)
            }.joined()
            let lists = PatternTree(pattern).requiredTexts
            guard !lists.isEmpty, let judge = Self.judge(pattern, []) else { continue }
            for _ in 0..<8 {
                let letters = PatternDraw.letters + ["éab", "a.1", "日cS", "Abc", "abc", "ab.c", "axc"]
                let text = (0..<source.below(5)).map { _ in source.one(of: letters) }.joined()
                let isMissing = lists.contains { list in
                    !list.contains { text.range(of: $0, options: .literal) != nil }
                }
                guard isMissing else { continue }
                #expect(Self.result(judge, text) != true, "\(pattern.debugDescription) on \(text.debugDescription)")
                missed += 1
            }
        }
        #expect(missed > 5_000)
    }
}
