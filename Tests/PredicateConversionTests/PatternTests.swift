import Foundation
import PredicateConversion
import PredicateEvaluation
import PredicateSyntax
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
        let error = try #require(throws: PredicateConversionError.self) { try FormatPredicate(predicate) }
        guard case .pattern = error.code else { throw error }
        let bytes = Array(error.text.utf8)
        #expect(String(decoding: bytes[error.range], as: UTF8.self).hasPrefix(part), "\(error)")
    }
}
