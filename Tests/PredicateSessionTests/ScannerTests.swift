import Foundation
import PredicateChecks
import PredicateData
import PredicateJSON
import PredicateSession
import PredicateSyntax
import Testing

struct ScannerTests {
    /// The formats of known programs.
    private static func formats() throws -> [String] {
        try TestFile.text("../Conformance/Facts/corpus.jsonl").split(separator: "\n").compactMap { line in
            guard case .dictionary(let row)? = try? JSONReader.parse(String(line)),
                case .string(let format)? = row["format"]
            else { return nil }
            return format
        }
    }

    @Test func itFindsTheSpecifiersThatTheParserFinds() throws {
        for format in try Self.formats() {
            let tokens = FormatToken.tokens(of: format)
            let found = tokens.filter { $0.kind == .specifier }.map(\.range)
            let expected = FormatPredicate.specifiers(in: format).map(\.range)
            // The parser stops at the first lexical error.
            let end = tokens.first { $0.kind == .invalid || $0.kind == .openString }?.range.lowerBound ?? .max
            #expect(found.filter { $0.lowerBound < end } == expected, "\(format)")
        }
    }

    @Test func whatParsesHasNoInvalidTokens() throws {
        for format in try Self.formats() {
            let arguments = FormatPredicate.specifiers(in: format).map { specifier -> PredicateValue in
                switch specifier.kind {
                case .value, .text, .keyPath: "key"
                case .integer, .floatingPoint: 1
                }
            }
            guard (try? FormatPredicate(format: format, arguments: arguments)) != nil else { continue }
            let wrong = FormatToken.tokens(of: format).filter { $0.kind == .invalid || $0.kind == .openString }
            #expect(wrong == [], "\(format)")
        }
    }

    @Test func anyTextIsDivided() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "(", ")", "\"", "'", "\\", "%", "@", "#", "$", "é", "東", ".", "5", "a", " ", ":", "=", "\n", "UTI-",
        ]
        for _ in 0..<2000 {
            let text = (0..<12).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            let tokens = FormatToken.tokens(of: text)
            #expect(tokens.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= text.utf8.count })
            #expect(zip(tokens, tokens.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
        }
    }
}
