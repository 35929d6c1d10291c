import Foundation
import PredicateGenerators
@testable import PredicateSQL
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
        let marks = try NSRegularExpression(pattern: kind.marks)
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
            let matcher = try NSRegularExpression(pattern: expression)
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

    /// Each code point without marks is found by the fold of itself.
    @Test(arguments: modes)
    func everyCodePointIsFoundByItsFold(_ mode: FoldMode) throws {
        for value in 0..<Folding.entryLimit where Folding.entry(of: value) != .plain {
            guard let scalar = Unicode.Scalar(value), !Folding.markBlocks.contains(scalar) else { continue }
            let pattern = MatchPattern(foldingTo: Folding.fold(String(scalar), mode), mode)
            #expect(pattern?.firstSets.contains { $0.contains(scalar) } == true, "\(String(value, radix: 16))")
        }
    }

    @Test func whatNoTextFoldsToIsNeverFound() {
        #expect(MatchPattern(foldingTo: "A", .caseInsensitive) == .never)
        #expect(MatchPattern(foldingTo: "\u{301}", .caseInsensitive) == .never)
        #expect(MatchPattern(foldingTo: "", .caseInsensitive) == .sequence([]))
        #expect(MatchPattern(foldingTo: String(repeating: "s", count: 40), .caseInsensitive) == nil)
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
