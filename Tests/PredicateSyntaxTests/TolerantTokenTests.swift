import Testing

@testable import PredicateSyntax

/// Texts that are unfinished or wrong, divided into tokens.
@Suite struct TolerantTokenTests {
    private func pieces(_ text: String) -> [String] {
        TolerantToken.tokens(of: text).map { token in
            let piece = String(decoding: Array(text.utf8)[token.range], as: UTF8.self)
            return if case .error = token.kind { "!\(piece)" } else { piece }
        }
    }

    @Test(arguments: [
        ("", []), ("  \n", []), ("age >= 21", ["age", ">=", "21"]),
        ("name ==[cd] \"jo", ["name", "==", "[", "cd", "]", "!\"jo"]),
        ("a == %k AND b", ["a", "==", "!%k", "AND", "b"]), ("a %% 2", ["a", "!%%", "2"]),
        ("étrange == 1", ["!é", "trange", "==", "1"]), ("a ? b", ["a", "!?", "b"]),
        ("@ == $# x", ["!@", "==", "!$#", "x"]),
        ("a == 0xg + 1", ["a", "==", "!0xg", "+", "1"]), ("#\"a b\".c $\"d", ["#\"a b\"", ".", "c", "!$\"d"]),
        ("  %", ["!%"]), ("a UTI-EQUALS b", ["a", "UTI-EQUALS", "b"]),
    ])
    func pieces(_ text: String, _ expected: [String]) {
        #expect(pieces(text) == expected)
    }

    @Test func kinds() {
        let tokens = TolerantToken.tokens(of: "sum(a) > %@ 'x")
        #expect(
            tokens.map(\.kind) == [
                .token(.word), .token(.symbol(.openParenthesis)), .token(.word), .token(.symbol(.closeParenthesis)),
                .token(.symbol(.greater)), .token(.specifier(.value)), .error(.unterminatedString),
            ])
    }

    @Test func everythingButSpaceLiesInATokenOfAnyText() {
        for text in ["\u{0}\u{7F}é\"", "%%%%@@##$$", "((((", "\\\"'", "1e+ 0b 0o9 .5. 10.", "👩‍👩‍👧 a", "a\u{301}"] {
            var end = 0
            for token in TolerantToken.tokens(of: text) {
                let gap = Array(text.utf8)[end..<token.range.lowerBound]
                #expect(gap.allSatisfy(ByteClass.isSpace) && !token.range.isEmpty, "\(text.debugDescription)")
                end = token.range.upperBound
            }
            #expect(Array(text.utf8)[end...].allSatisfy(ByteClass.isSpace))
        }
    }
}
