/// A token of a text that may be unfinished or wrong, such as a line under way in an editor.
///
///     name == "jo
///
/// gives a word, a symbol, and an error from the quote to the end.
package struct TolerantToken: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// `age`, `==`, `"jo"`
        case token(Token.Kind)
        /// `"jo`, `@ `, `%k`, `é`: bytes that no token of the language can be
        case error(LexicalError.Code)
    }

    package let kind: Kind
    /// UTF-8 offsets into the text.
    package let range: Range<Int>
}

extension TolerantToken {
    /// Divides any text into tokens, without the white space between them; never throws.
    ///
    /// The ranges ascend and do not overlap, and all but white space lies in one of them. An unterminated string
    /// reaches to the end of the text; after any other error lexing resumes after the offending bytes. Keywords, symbols
    /// and specifiers are those of the parser: a word is a keyword in any position, `name.first` included.
    package static func tokens(of text: String) -> [TolerantToken] {
        var copy = text
        return copy.withUTF8 { bytes in
            let lexer = Lexer(bytes)
            var tokens: [TolerantToken] = []
            var offset = 0
            while let token = lexer.tolerantToken(at: offset) {
                tokens.append(token)
                offset = token.range.upperBound
            }
            return tokens
        }
    }
}

extension Lexer {
    /// The token or the error after an offset; nil at the end of the text.
    fileprivate func tolerantToken(at offset: Int) -> TolerantToken? {
        do throws(LexicalError) {
            let token = try token(at: offset)
            return token.kind == .end ? nil : TolerantToken(kind: .token(token.kind), range: token.range)
        } catch {
            let start = spaceEnd(from: offset)
            let end = error.code == .unterminatedString ? bytes.count : max(error.range.upperBound, start + 1)
            return TolerantToken(kind: .error(error.code), range: start..<end)
        }
    }
}
