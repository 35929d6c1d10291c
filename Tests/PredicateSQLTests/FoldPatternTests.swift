import Foundation
import PredicateGenerators
@_spi(Dialect) @testable import PredicateSQL
import PredicateSyntax
import PredicateText
import Testing

/// Regular expressions for searches under a fold. [NSP-346]
@Suite struct FoldPatternTests {
    private static let modes: [FoldMode] = [.caseInsensitive, .diacriticInsensitive, .caseAndDiacriticInsensitive]
    private static let letters = [
        "a", "A", "s", "S", "ss", "f", "i", "I", "t", "ß", "ẞ", "ﬁ", "ﬃ", "ﬅ", "é", "É", "e", "e\u{301}", "\u{301}",
        "\u{345}", "İ", "ı",
        "Σ", "ς", "ᾳ", "ΐ", "Å", "\u{212B}", "k", "\u{212A}", "가", "각", "\u{1100}\u{1161}", "\u{11A8}", "が", "か",
        "\u{3099}", "👍🏽",
        "👍", "\u{10400}", "й", "И\u{306}", "ŉ", "ẚ", "\u{958}", "\n", "\0", "*", "\\", "?", "]", "^", "-", "Ǆ", "ǰ",
    ]

    private func text(_ random: inout RandomSource, upTo count: Int) -> String {
        (0..<random.below(count + 1)).map { _ in Self.letters[random.below(Self.letters.count)] }.joined()
    }

    /// The expression finds what the fold does, in texts without marks; one with marks that the fold finds is found as well.
    @Test(arguments: [SQLRegularExpressions.icu, .re2])
    func expressionsFindWhatTheFoldDoes(_ kind: SQLRegularExpressions) throws {
        var random = RandomSource(seed: 346)
        let marks = try NSRegularExpression(pattern: kind.namingNoMarks(kind.marks))
        var found = 0
        for _ in 0..<6_000 {
            let mode = Self.modes[random.below(3)]
            let shape = random.below(5)
            let raw = text(&random, upTo: 4)
            let escaped = raw.unicodeScalars.map { "*?\\".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }
                .joined()
            let pattern = [
                "\(escaped)*", "*\(escaped)*", "*\(escaped)", escaped, text(&random, upTo: 3) + "*" + raw + "?*" + raw,
            ][shape]
            let needle = Folding.fold(raw, mode)
            let like = LikePattern(pattern, mode)
            let expression: String? =
                switch shape {
                case 0...2:
                    needle.isEmpty
                        ? nil : kind.finding(SQLPiece.Search.inShapes[shape], [needle], mode)
                case 3: needle.isEmpty ? nil : kind.finding(nil, [needle], mode)
                default: kind.fitting(like.tokens, mode)
                }
            guard let expression else { continue }
            let matcher = try NSRegularExpression(pattern: kind.namingNoMarks(expression))
            for haystack in [raw, text(&random, upTo: 6), text(&random, upTo: 2) + raw + text(&random, upTo: 2)] {
                let whole = NSRange(haystack.startIndex..., in: haystack)
                let isFound = matcher.firstMatch(in: haystack, range: whole) != nil
                let hasMarks = marks.firstMatch(in: haystack, range: whole) != nil
                let holds = like.matches(haystack)
                #expect(
                    hasMarks ? isFound || !holds : isFound == holds,
                    "\(mode) \(pattern.debugDescription) \(haystack.debugDescription)")
                if holds { found += 1 }
            }
        }
        #expect(found > 2_000)
    }

    /// The class of marks is named, not bound. [NSP-441]
    @Test func aNeedleOfTwoLettersBindsAFewHundredBytes() throws {
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        for kind in [SQLRegularExpressions.postgreSQL, .re2, .pcre2, .icu] {
            for needle in letters.flatMap({ first in letters.map { first + $0 } }) {
                let pattern = try #require(kind.finding(.beginsWith, [needle], .caseAndDiacriticInsensitive))
                #expect(pattern.utf8.count + kind.marks.utf8.count + 2 <= 300, "\(kind) \(needle)")
                #expect(kind.namingNoMarks(pattern).utf8.count > 2_000)
            }
        }
        #expect(
            SQLRegularExpressions.pcre2.finding(.beginsWith, ["jo"], .caseInsensitive)
                == #"\A(?:(?:[Jj][Oo])|(?=[JjĴĵǰ<marks>])[^<marks>]*+[<marks>])"#)
    }

    /// A database without the function gets the class itself. [NSP-441]
    @Test func aDialectWithoutTheFunctionBindsTheMarks() throws {
        let schema = SQLSchema(table: "person", columns: ["name": .string])
        for (dialect, count) in [(PostgreSQLDialect() as any SQLDialect, 20...300), (OldDialect(), 2_000...6_000)] {
            let query = try SQLCompiler(schema: schema, dialect: dialect).compile(
                FormatPredicate("name CONTAINS[c] 'jo'"), entity: "person")
            let bytes = query.where.bindings.reduce(0) { sum, binding in
                if case .text(let text) = binding { sum + text.utf8.count } else { sum }
            }
            #expect(count.contains(bytes), "\(dialect.name) \(bytes)")
            #expect(query.where.text.contains("predicates2_pattern(") == (count.upperBound == 300))
        }
    }

    /// Each code point without marks is found by the fold of itself.
    @Test(arguments: modes)
    func everyCodePointIsFoundByItsFold(_ mode: FoldMode) throws {
        for value in 0..<Folding.entryLimit where Folding.entry(of: value) != .plain {
            guard let scalar = Unicode.Scalar(value), !Folding.markBlocks.contains(scalar) else { continue }
            let pattern = MatchPattern(foldingTo: Folding.fold(String(scalar), mode), mode)
            #expect(pattern?.firstSets.contains { $0.contains(scalar) } == true, "\(String(value, radix: 16))")
        }
    }

    /// A string whose fold begins with the folded needle begins with one of the spellings. [NSP-443]
    @Test func beginningsAreThoseOfEveryString() {
        func beginnings(_ text: String) -> [String] { Folding.asciiBeginnings(ofCaseFolded: text, atMost: 8) }
        #expect(beginnings("jo") == ["jo", "jO", "Jo", "JO"])
        #expect(beginnings("a-1bcd").count == 8 && beginnings("a-1bcd").last == "A-1BC")
        #expect(beginnings("jask") == ["ja", "jA", "Ja", "JA"])
        for text in ["ski", "ko", "é", "e\u{301}", "ffi", "stu", "", "ß"] { #expect(beginnings(text) == [], "\(text)") }
        #expect(beginnings("fax").count == 8 && beginnings("joe\u{301}").count == 4)
        var random = RandomSource(seed: 443)
        for _ in 0..<6_000 {
            let haystack = text(&random, upTo: 5)
            let folded = Folding.fold(haystack, .caseInsensitive)
            let needle = String(String.UnicodeScalarView(folded.unicodeScalars.prefix(random.below(5))))
            guard TextMatch.beginsWith.holds(haystack, needle, .caseInsensitive) else { continue }
            let spellings = beginnings(needle)
            #expect(
                spellings.isEmpty
                    || spellings.contains { haystack.unicodeScalars.starts(with: $0.unicodeScalars) },
                "\(needle.debugDescription) \(haystack.debugDescription)")
        }
    }

    @Test func whatNoTextFoldsToIsNeverFound() {
        #expect(MatchPattern(foldingTo: "A", .caseInsensitive) == .never)
        #expect(MatchPattern(foldingTo: "\u{301}", .caseInsensitive) == .never)
        #expect(MatchPattern(foldingTo: "", .caseInsensitive) == .sequence([]))
        #expect(MatchPattern(foldingTo: String(repeating: "s", count: 40), .caseInsensitive) == nil)
    }
}

/// PostgreSQL as a host's dialect wrote it before ``SQLPiece/pattern(_:)``.
private struct OldDialect: SQLDialect {
    let name = "old"
    let limits = PostgreSQLDialect().limits
    let features = PostgreSQLDialect().features
    let regularExpressions: SQLRegularExpressions? = .postgreSQL

    func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String { "$\(number)" }

    func text(of piece: SQLPiece) -> SQLText? {
        if case .pattern = piece { return nil }
        return PostgreSQLDialect().text(of: piece)
    }
}

extension SQLPiece.Search {
    fileprivate static let inShapes: [SQLPiece.Search] = [.beginsWith, .contains, .endsWith]
}

extension MatchPattern {
    /// The sets of code points that the pattern may begin with, where it begins with one.
    fileprivate var firstSets: [CodePointSet] {
        switch self {
        case .characters(let set): [set]
        case .sequence(let parts): parts.first?.firstSets ?? []
        case .choice(let branches): branches.flatMap(\.firstSets)
        case .repeated(let part, _, _): part.firstSets
        }
    }
}
