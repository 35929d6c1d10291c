import Foundation
import Testing

@testable import PredicateSyntax

/// Awkward patterns by the thousand: each has a tree whose ranges nest and cover it, in both dialects, and that of a pattern
/// which ICU takes has nothing malformed.
@Suite struct PatternPopulationTests {
    private static let pieces = [
        "a", "b", "é", "e\u{301}", "日", "👩‍👧", "\u{1F600}", ".", "*", "+", "?", "{2}", "{1,3}", "{2,}", "{,3}", "{2", "{",
        "}", "*?",
        "++", "{2}?", "(", ")", "(?:", "(?i)", "(?i:", "(?i-s:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?<", "(?#",
        "(?", "(?>",
        "|", "^", "$", "[", "]", "[^", "[[:alpha:]]", "[a-z]", "[]a]", "[a[b]]", "[a&&[b]]", "-", "&&", "--", "~~", ":",
        "\\", "\\Q",
        "\\E", "\\Qa.b*\\E", "[\\Q]\\E]", "\\Q\\E", "\\d", "\\w", "\\S", "\\b", "\\A", "\\z", "\\1", "\\12", "\\k<n>",
        "\\p{L}",
        "\\pL", "\\p{", "\\x41", "\\x{1F600}", "\\x4", "\\u00e9", "\\uD83D", "\\U0001F600", "\\N{DIGIT ONE}", "\\cA",
        "\\0101",
        "\\n", "\\.", "\\-", "\\é", " ", "\n", "\0", "(a|b)", "(a+)+",
    ]

    /// A generator of numbers that needs no state but one.
    private struct Numbers {
        private var state: UInt64
        init(seed: UInt64) { state = seed }

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: state >> 33) % bound
        }
    }

    @Test func rangesNestAndCover() {
        var numbers = Numbers(seed: 3)
        var malformed = 0
        for round in 0..<6_000 {
            let count = round % 100 == 0 ? 300 : 1 + numbers.below(9)
            let pattern = (0..<count).map { _ in Self.pieces[numbers.below(Self.pieces.count)] }.joined()
            for dialect in [PatternDialect.icu, .swift] {
                let tree = PatternTree(pattern, dialect)
                PatternCover.check(tree)
                if PatternFlaw.first(in: tree.choice) != nil { malformed += 1 }
                _ = (tree.requiredTexts, tree.wildcardCount, tree.anchors, tree.dotsBetweenWords)
            }
            _ = BacktrackingCheck.costlyConstruct(in: pattern)
        }
        #expect(malformed > 2_000 && malformed < 11_000)
    }

    @Test func whatICUTakesIsWhole() {
        var numbers = Numbers(seed: 4)
        var taken = 0
        for _ in 0..<12_000 {
            let pattern = (0..<1 + numbers.below(6)).map { _ in Self.pieces[numbers.below(Self.pieces.count)] }.joined()
            // The text of a comment is read as a pattern; consumers stop before it.
            guard !pattern.contains("(?#"), (try? NSRegularExpression(pattern: pattern)) != nil else { continue }
            taken += 1
            let flaw = PatternFlaw.first(in: PatternTree(pattern).choice)
            #expect(flaw == nil, "\(pattern): \(flaw ?? "")")
        }
        #expect(taken > 1_500)
    }

    /// Unterminated everything, and bombs of depth and length: linear time, and a tree.
    @Test(arguments: [
        "(", "(?:", "(?=", "(?<n>", "(?<", "(?#", "(?i:", "[", "[^", "[a-", "[[:", "\\Q", "\\Qa", "\\p{", "\\x{",
        "\\k<", "\\u", "{",
        "a{1,", "(a|", "a*", "*", "|", "\\", "[]", "(?", "\\Q\\E", "[\\Q", "()", "\u{301}",
    ])
    func repeatedWithoutEnd(_ piece: String) {
        for pattern in [
            piece, String(repeating: piece, count: 5_000), String(repeating: piece, count: 2_000) + ")]}>\\E",
        ] {
            for dialect in [PatternDialect.icu, .swift] { PatternCover.check(PatternTree(pattern, dialect)) }
            _ = BacktrackingCheck.costlyConstruct(in: pattern)
        }
    }
}

/// What is not whole in a tree.
private enum PatternFlaw {
    static func first(in choice: PatternChoice) -> String? {
        for branch in choice.branches {
            for (index, part) in branch.parts.enumerated() {
                if let flaw = first(in: part, after: index > 0 ? branch.parts[index - 1] : nil) { return flaw }
            }
        }
        return nil
    }

    private static func first(in part: PatternNode, after previous: PatternNode?) -> String? {
        switch part {
        case .character, .dot, .beginning, .end, .emptyQuotation: return nil
        case .escape(let escape): return escape.letter == nil ? "a backslash" : nil
        case .set(let set): return first(in: set)
        case .group(let group): return group.isClosed ? first(in: group.content) : "an open group"
        case .repetition(let repetition):
            return repetition.quantifier.manner == .malformed ? "a brace" : first(in: repetition.part, after: nil)
        case .quantifier: return isPassedOver(previous) ? nil : "a quantifier"
        // ICU takes a quotation that nothing ends.
        case .malformed(let range): return range.count == 1 ? "a parenthesis" : nil
        }
    }

    /// ICU repeats what stands before an empty quotation; in a tree nothing is there to repeat.
    private static func isPassedOver(_ part: PatternNode?) -> Bool {
        if case .emptyQuotation = part { return true }
        return false
    }

    private static func first(in set: PatternSet) -> String? {
        guard set.isClosed else { return "an open set" }
        for member in set.members {
            switch member {
            case .character, .operator: continue
            case .escape(let escape): if escape.letter == nil { return "a backslash" }
            case .range(_, let high): if high == nil { return "a range without an end" }
            case .set(let nested): if let flaw = first(in: nested) { return flaw }
            }
        }
        return nil
    }
}
