import BenchmarkHarness
import BenchmarkWorkload
import Foundation
import PredicateEvaluation
import PredicateSyntax

/// LIKE and MATCHES against the regular expressions that a program would use instead.
enum PatternSuites {
    /// A pattern over one key, and the same as a regular expression for the whole text.
    private struct Pattern {
        var name: String
        var format: String
        var text: (Person) -> String
        var expression: String
        var isCaseInsensitive = false
    }

    static var like: Suite {
        suite(
            "like", "LIKE by an evaluator over an array of strings",
            [
                Pattern(
                    name: "suffix", format: #"SELF LIKE "*@example.com""#, text: \.email,
                    expression: #".*@example\.com"#),
                Pattern(
                    name: "substring[c]", format: #"SELF LIKE[c] "*AN*""#, text: \.name, expression: ".*an.*",
                    isCaseInsensitive: true),
                Pattern(
                    name: "P13[c]", format: #"SELF LIKE[c] "j*n s?ith""#, text: \.name, expression: "j.*n s.ith",
                    isCaseInsensitive: true),
                Pattern(
                    name: "stars", format: #"SELF LIKE "*o*a*@*.org""#, text: \.email, expression: #".*o.*a.*@.*\.org"#),
            ])
    }

    static var matches: Suite {
        suite(
            "matches", "MATCHES by an evaluator over an array of strings",
            [
                Pattern(name: "P08", format: #"SELF MATCHES "J.*n S.*""#, text: \.name, expression: "J.*n S.*"),
                Pattern(
                    name: "email", format: #"SELF MATCHES "[a-z.]+[0-9]+@example\\.(com|org)""#, text: \.email,
                    expression: #"[a-z.]+[0-9]+@example\.(com|org)"#),
                Pattern(
                    name: "words[c]", format: #"SELF MATCHES[c] "\\w+ (smith|jones)""#, text: \.name,
                    expression: #"\w+ (smith|jones)"#, isCaseInsensitive: true),
            ])
    }

    private static func suite(_ name: String, _ summary: String, _ patterns: [Pattern]) -> Suite {
        Suite(name: name, summary: summary) { _ in
            patterns.map { pattern in
                Group(suite: name, name: pattern.name, scale: 10_000, unit: "text") {
                    try variants(pattern, PersonGenerator.people(10_000).map(pattern.text))
                }
            }
        }
    }

    private static func variants(_ pattern: Pattern, _ texts: [String]) throws -> [Variant] {
        let foundation = try foundation(pattern)
        let regex = try regex(pattern)
        let expected = texts.count(where: foundation)
        let evaluator = try PredicateEvaluator(FormatPredicate(pattern.format))
        return [
            Variant("SELF", operations: texts.count, expected: expected) { try texts.count(matching: evaluator) },
            .closure(texts, expected, named: "NSRegularExpression", foundation),
            Variant("Regex", .baseline, operations: texts.count, expected: expected) {
                var count = 0
                for text in texts where try regex.wholeMatch(in: text) != nil { count += 1 }
                return count
            },
        ]
    }

    private static func foundation(_ pattern: Pattern) throws -> (String) -> Bool {
        let expression = try NSRegularExpression(
            pattern: "^(?:\(pattern.expression))$", options: pattern.isCaseInsensitive ? .caseInsensitive : [])
        return { text in
            let all = NSRange(location: 0, length: text.utf16.count)
            return expression.firstMatch(in: text, range: all) != nil
        }
    }

    private static func regex(_ pattern: Pattern) throws -> Regex<AnyRegexOutput> {
        let regex = try Regex(pattern.expression).matchingSemantics(.unicodeScalar)
        return pattern.isCaseInsensitive ? regex.ignoresCase() : regex
    }
}
