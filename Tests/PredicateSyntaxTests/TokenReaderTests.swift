import PredicateSyntax
import PredicateTestSupport
import Testing

/// Tokens are lexed some dozens at a time and text eight bytes at a time: what a format means does not depend on where in
/// it a production begins, nor on how long its words and strings are.
struct TokenReaderTests {
    /// Formats in which a production looks ahead.
    private static let tails = [
        "a == 1", "sum(a) > 2", "modulus:by:(a, 2) == 0", "a.b.c == b", "a.upper('x')[0] == 1", "a.d[FIRST] == 1",
        "self isKindOfClass: b", "-2 ** 2 < -2", "$a := 1 + $a == 3", "a IN {1, 'x', b}",
        "a IN {1, 'x', 2, 'y'}", "a IN {1, 2, 3}", "a BETWEEN {1, 2}", "a <= 1", "a=<1", "a<>1", "a<1", "a!=1", "!a==1",
        "(a + 1) * 2 > 3",
        "NONE a.b ==[cd] 'x'", "SUBQUERY(a, $x, $x.b == 1).@count > 2", "TERNARY(a == 1, b, c) == d",
        "type UTI-CONFORMS-TO 'public.image'", "a < <null>",
    ]

    /// A predicate that takes one token more for every step.
    private static func head(_ count: Int) -> String {
        "0 IN {" + String(repeating: "1,", count: count / 2) + (count.isMultiple(of: 2) ? "1}" : "-1}")
    }

    @Test(arguments: tails)
    func aProductionMayBeginAtAnyToken(tail: String) throws {
        let tree = try FormatPredicate(tail).node
        for count in 0..<140 {
            let head = Self.head(count)
            guard case .compound(let whole) = try FormatPredicate("(\(head)) AND (\(tail))").node else {
                Issue.record("\(tail) behind \(count) tokens is no compound")
                return
            }
            #expect(whole.type == .and)
            #expect(try whole.subpredicates == [FormatPredicate(head).node, tree], "behind \(count) tokens")
        }
    }

    @Test(arguments: ["a = = 1", "a == 'x", "a == 1 b", "sum(a", "a IN {1, 2", "a == 0x", "a ? 1"])
    func anErrorStandsWhereItStoodAlone(tail: String) throws {
        let alone = try #require(PredicateFormatError.thrown { try FormatPredicate(tail) })
        for count in 0..<140 {
            let head = Self.head(count) + " AND "
            let error = try #require(PredicateFormatError.thrown { try FormatPredicate(head + tail) })
            #expect(error.code == alone.code, "behind \(count) tokens")
            #expect(error.range.lowerBound == alone.range.lowerBound + head.utf8.count, "behind \(count) tokens")
        }
    }

    @Test(arguments: ["\"", "'"])
    func aStringEndsAtItsOwnQuote(quote: String) throws {
        let other = quote == "'" ? "\"" : "'"
        for count in 0..<40 {
            let text = String(repeating: "é", count: count / 3) + String(repeating: "x", count: count % 5)
            for inside in [text, text + other + text, text + "\\\(quote)" + text, text + "\\\\", "\\\(quote)" + text] {
                let node = try FormatExpression(quote + inside + quote).node
                let plain = inside.replacing("\\\(quote)", with: quote).replacing("\\\\", with: "\\")
                #expect(node == .constantValue(.string(plain)))
            }
        }
    }

    @Test(arguments: Keyword.allCases)
    func aWordIsAKeywordWhenAllItsLettersAre(keyword: Keyword) {
        let word = keyword.rawValue
        #expect(Keyword(word: word) == keyword)
        #expect(Keyword(word: word.lowercased()) == keyword)
        #expect(Keyword(word: word + "X") == nil)
        #expect(Keyword(word: "X" + word) == nil)
        #expect(Keyword(word: word + "                ") == nil)
    }
}
