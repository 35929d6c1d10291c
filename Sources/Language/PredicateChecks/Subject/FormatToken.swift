import PredicateSyntax

/// A token of a format string, for syntax colouring. The format may be incomplete or invalid.
package struct FormatToken: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `AND`, `BEGINSWITH`
        case keyword
        /// `age`, `#size`, `@count`
        case key
        /// `sum` before a parenthesis, `modulus:by:`
        case function
        /// `$limit`
        case variable
        /// `"jo"`
        case string
        /// A string without its closing quote
        case openString
        /// `42`, `0x2A`, `1e5`
        case number
        /// `%@`, `%K`, `%ld`
        case specifier
        /// `==`
        case symbol
        /// A lexical error
        case invalid
    }

    package var kind: Kind
    /// UTF-8 offsets into the format.
    package var range: Range<Int>

    /// Returns the tokens of any string.
    package static func tokens(of format: String) -> [FormatToken] {
        let source = TolerantToken.tokens(of: format)
        var tokens: [FormatToken] = []
        var index = 0
        while index < source.count {
            let token = source[index]
            let end = token.kind == .token(.word) ? selectorEnd(source, index) : index + 1
            let isFunction =
                end > index + 1 || end < source.count && source[end].kind == .token(.symbol(.openParenthesis))
            let isAfterDot = index > 0 && source[index - 1].kind == .token(.symbol(.dot))
            let range = token.range.lowerBound..<source[end - 1].range.upperBound
            tokens.append(FormatToken(kind: Kind(token.kind, isFunction, isAfterDot), range: range))
            index = end
        }
        return tokens
    }

    /// Returns the index after the whole name `modulus:by:`, if colons directly follow a word.
    private static func selectorEnd(_ tokens: [TolerantToken], _ word: Int) -> Int {
        var end = word + 1
        func follows(_ kind: (TolerantToken.Kind) -> Bool) -> Bool {
            guard end < tokens.count, tokens[end - 1].range.upperBound == tokens[end].range.lowerBound else {
                return false
            }
            return kind(tokens[end].kind)
        }
        while follows({ $0 == .token(.symbol(.colon)) }) {
            end += 1
            if follows(\.isWord) { end += 1 }
        }
        return end
    }
}

extension FormatToken.Kind {
    fileprivate init(_ kind: TolerantToken.Kind, _ isFunction: Bool, _ isAfterDot: Bool) {
        switch kind {
        case .token(.keyword): self = isAfterDot ? .key : .keyword
        case .token(.word): self = isFunction ? .function : .key
        case .token(.escapedWord), .token(.atWord): self = .key
        case .token(.variable): self = .variable
        case .token(.string): self = .string
        case .token(.integer), .token(.floatingPoint), .error(.invalidNumber): self = .number
        case .token(.specifier): self = .specifier
        case .token(.symbol), .token(.end): self = .symbol
        case .error(.unterminatedString): self = .openString
        case .error: self = .invalid
        }
    }
}

extension TolerantToken.Kind {
    fileprivate var isWord: Bool {
        switch self {
        case .token(.word), .token(.keyword): true
        case .token, .error: false
        }
    }
}
