import Foundation
import PredicateConversion
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Regular expressions of Swift, as ICU reads them.
@Suite struct ConversionPatternTests {
    private func pattern(_ regex: Regex<Substring>) throws -> String {
        let format = try FormatPredicate(try predicate(regex))
        guard case .string(let node) = format.node, node.operator == .matches,
            case .constantValue(.string(let pattern)) = node.rightExpression
        else { return format.predicateFormat }
        return pattern
    }

    private func predicate(_ regex: Regex<Substring>) throws -> Predicate<String> {
        Predicate<String> { text in
            PredicateExpressions.StringContainsRegex(subject: text, regex: PredicateExpressions.build_Arg(regex))
        }
    }

    @Test func anchorsAndWildcards() throws {
        #expect(try pattern(/a+b/) == #"[\s\S]*(?:a+b)[\s\S]*"#)
        #expect(try pattern(/^a+b$/) == "a+b")
        #expect(try pattern(/^a/) == #"(?:a)[\s\S]*"#)
        #expect(try pattern(/a$/) == #"[\s\S]*(?:a)"#)
        #expect(try pattern(/^a|b$/) == #"[\s\S]*(?:^a|b\z)[\s\S]*"#)
        #expect(try pattern(/^$/) == #"SELF == """#)
        #expect(try pattern(#/^[\w.]+@[a-z\d-]{2,}\.com$/#) == #"[\w.]+@[a-z\d\-]{2,}\.com"#)
    }

    /// Texts of characters that are one code point each, CR LF apart.
    private static let texts = [
        "", "a", "ab", "aab", "abc", "b", "a\nb", "\n", "ab\n", "b\na", "J.o", "x-1", "2024-05", "A", "AB", "é", "[",
        "a b",
        "\t", "{2}", "a]", "^a", "a$", "aa", "zz9",
    ]

    @Test func matchesWhatSwiftMatches() throws {
        let regexes = [
            "a", "a+b", "^a", "b$", "^a.b$", "^ab|c$", "(a|b)+", "a{2}", "a{,1}b", "^[^a]$", "^[a-c]+$",
            #"^\d{4}-\d\d$"#,
            #"\w-\d"#, #"\s"#, #"^\S+$"#, #"\."#, #"\["#, "(?i)ab", "(?i:ab)", "(?s)a.b", "(?s:^a.b$)", #"^(a)\1$"#,
            "a(?=b)", "a(?!b)", "(?<x>a)b", #"\u{e9}"#, #"\x41"#, #"\t"#, #"^\{2\}$"#, "[]]", "a]", #"\^a"#, #"a\$"#,
            "a*?b", "a++b", "^$", "", "[.]", "[a^]", #"[\]]"#, #"\p{Lu}"#, #"[\p{Nd}-]"#, "(?>a+)b", "(?:a|b){2,3}",
            #"\Aa\z"#,
        ]
        for source in regexes {
            guard let regex = try? Regex(source) else { continue }
            let predicate = Predicate<String> { text in
                PredicateExpressions.StringContainsRegex(subject: text, regex: PredicateExpressions.build_Arg(regex))
            }
            let evaluator = try PredicateEvaluator(try FormatPredicate(predicate))
            for text in Self.texts {
                let (expected, found) = (try predicate.evaluate(text), try evaluator.evaluate(with: text))
                #expect(found == expected, "\(source) in \(text.debugDescription)")
            }
        }
    }

    @Test(arguments: [
        (#"a\bc"#, #"\b"#), (#"(?m:^a)"#, "(?m"), ("[a--b]", "["), (#"x\Ry"#, #"\R"#), (#"\p{Greek}"#, "[:"),
        (#"(?<=a)b"#, "(?<="), ("ae\u{301}", "\u{301}"), (#"[[:alpha:]]"#, #"\p{Alphabetic}"#), (#"a\Zb"#, #"\Z"#),
    ])
    func refusedPartsHaveTheirPlace(_ source: String, _ part: String) throws {
        guard let regex = try? Regex(source) else { return }
        let predicate = Predicate<String> { text in
            PredicateExpressions.StringContainsRegex(subject: text, regex: PredicateExpressions.build_Arg(regex))
        }
        let error = try #require(PredicateConversionError.thrown { try FormatPredicate(predicate) })
        guard case .pattern = error.code else { throw error }
        let bytes = Array(error.text.utf8)
        #expect(String(decoding: bytes[error.range], as: UTF8.self).hasPrefix(part), "\(error)")
    }

    /// Random patterns over a few characters: whatever is converted finds the same texts.
    @Test func randomPatternsFindTheSameTexts() throws {
        var random = RandomSource(seed: 11)
        var (asked, costly) = (0, 0)
        for _ in 0..<600 {
            let source = Self.alternatives(&random, 3)
            guard let regex = try? Regex(source) else { continue }
            let predicate = Predicate<String> { text in
                PredicateExpressions.StringContainsRegex(subject: text, regex: PredicateExpressions.build_Arg(regex))
            }
            guard let format = try? FormatPredicate(predicate) else { continue }
            for _ in 0..<12 {
                let text = String((0..<random.below(6)).map { _ in random.one(of: "aabbc1 \n.-") })
                let expected = try predicate.evaluate(text)
                asked += 1
                // Patterns that try too many ways are stopped, which is a limit of the evaluator.
                guard let found = try? format.evaluate(with: text) else {
                    costly += 1
                    continue
                }
                #expect(found == expected, "\(source) as \(format) in \(text.debugDescription)")
            }
        }
        #expect(asked > 3000 && costly * 20 < asked)
    }

    private static func alternatives(_ random: inout RandomSource, _ depth: Int) -> String {
        let count = random.oneIn(4) ? 2 : 1
        return (0..<count).map { _ in sequence(&random, depth) }.joined(separator: "|")
    }

    private static func sequence(_ random: inout RandomSource, _ depth: Int) -> String {
        var text = random.oneIn(6) ? "^" : ""
        for _ in 0..<(1 + random.below(3)) { text += part(&random, depth) + quantifier(&random) }
        return text + (random.oneIn(6) ? "$" : "")
    }

    private static func part(_ random: inout RandomSource, _ depth: Int) -> String {
        if depth > 0, random.oneIn(4) {
            let opening = random.one(of: ["(", "(?:", "(?=", "(?!", "(?i:", "(?s:", "(?<n>", "(?>"])
            return opening + alternatives(&random, depth - 1) + ")"
        }
        return random.one(of: [
            "a", "b", "c", "1", ".", "\\.", "\\d", "\\w", "\\s", "\\D", "\\S", "[ab]", "[^a]", "[a-c1]", "[\\d.-]",
            "\\n", " ", "-",
        ])
    }

    private static func quantifier(_ random: inout RandomSource) -> String {
        random.oneIn(2) ? "" : random.one(of: ["*", "+", "?", "{2}", "{1,2}", "{,2}", "*?", "+?", "++", "{2,}"])
    }
}
