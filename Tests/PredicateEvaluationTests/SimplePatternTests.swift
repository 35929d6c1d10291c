import Foundation
import PredicateTestSupport
import PredicateSyntax
import Testing

@testable import PredicateEvaluation

/// Patterns that programs match themselves match what the general matcher matches.
@Suite struct SimplePatternTests {
    private static let pieces = [
        "a", "b", "S", "k", ".", "\\.", "[a-c]", "[^a]", "[^a-z.]", "\\d", " ", "é", "-", "[0-9_]", "(", "x|y", "^",
        "\\w",
        "[]", "[a-]", "{", "ß", "[a&&b]", "&", "#", "~",
    ]
    private static let marks = ["", "", "", "*", "+", "?", "*?", "++", "{2}"]
    private static let letters = [
        "a", "b", "c", "S", "s", "k", ".", "1", " ", "é", "\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{B}", "-", "_",
        "日",
        "\u{1F600}", "\u{212A}", "ſ", "&", "#", "~", "\0",
    ]

    @Test(arguments: [false, true]) func sameAsTheGeneralMatcher(ignoresCase: Bool) throws {
        var numbers = RandomSource(seed: 5)
        var compared = 0
        for _ in 0..<4_000 {
            let pattern = (0..<(1 + numbers.below(4))).map { _ in
                numbers.one(of: Self.pieces) + numbers.one(of: Self.marks)
            }.joined()
            let arena = Arena()
            guard let simple = SimplePattern(pattern, ignoresCase ? .caseInsensitive : .none, .standard, in: arena)
            else {
                continue
            }
            let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
            let general = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: options)
            for _ in 0..<12 {
                let text = (0..<numbers.below(6)).map { _ in numbers.one(of: Self.letters) }.joined()
                let answer = Array(text.utf8).withUnsafeBufferPointer { simple.answer($0) }
                if answer == .unknown { continue }
                let range = NSRange(location: 0, length: text.utf16.count)
                let expected = general.firstMatch(in: text, options: .anchored, range: range) != nil
                #expect((answer == .yes) == expected, "\(pattern) on \(text.debugDescription)")
                compared += 1
            }
        }
        #expect(compared > 2_000)
    }

    @Test func leavesTheRest() {
        let arena = Arena()
        for pattern in ["(a)", "a|b", "a{2}", "^a", "a$", "\\w", "a*?", "[a", "é", "[[:alpha:]]", "\\bx", ""] {
            #expect(SimplePattern(pattern, .none, .standard, in: arena) == nil, "\(pattern)")
        }
        #expect(SimplePattern("a", .diacriticInsensitive, .standard, in: arena) == nil)
    }
}
