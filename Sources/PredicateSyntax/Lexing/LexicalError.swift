/// An error in the spelling of a token.
package struct LexicalError: Error {
    package enum Code: Hashable, Sendable {
        /// `name == "jo`
        case unterminatedString
        /// `a ? b`
        case unexpectedCharacter
        /// `étrange == 1`
        case nonASCIICharacter
        /// `@ == 1`, `$ == 1`, `# == 1`
        case loneMark
        /// `0x == 1`
        case invalidNumber
        /// `%k == 1`
        case unknownSpecifier
        /// `a %% 2`
        case percentSign
        /// `"\ud800"`
        case loneSurrogate
    }

    let code: Code
    let range: Range<Int>

    init(_ code: Code, _ range: Range<Int>) {
        self.code = code
        self.range = range
    }
}
